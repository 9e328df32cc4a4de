//! A comparison for people.

use comfy_table::Cell;
use kerncast_collector::{
    comparison::{AccessChange, Comparison, Cost},
    forecast::time_s,
};
use kerncast_wire::AccessDoes;

use crate::cli::{forecast::uncounted_lines, shares::describe_counter, speedup, table, units};

/// Rows of a table, the largest changes first.
const MAX_ROWS: usize = 6;

pub(super) fn in_words(answer: &Comparison) -> String {
    let mut lines = vec![format!("{} → {} on {}", answer.old, answer.new, answer.on)];
    lines.extend(answer.notes.iter().map(|it| format!("note: {it}")));
    lines.extend(speedup::lines(&answer.speedup));
    if let Some((ratio, variation)) = answer.speedup.measured.zip(answer.variation) {
        lines.push(beside_noise(ratio, variation));
    }
    lines.extend(uncounted_lines(&answer.uncounted, ""));
    let times =
        [&answer.speedup.before, &answer.speedup.after].map(|it| time_s(it).unwrap_or_default());
    // Less than a hundredth of the time is no difference.
    let least = 0.01 * times[0].max(times[1]);
    let is_news = |before_s: f64, after_s: f64| (before_s - after_s).abs() >= least;
    let costs = answer.costs.iter();
    let changed = costs.filter(|it| is_news(it.before_s, it.after_s));
    lines.extend(cost_table(changed));
    let accesses = answer.accesses.iter();
    let changed = accesses.filter(|it| is_news(it.before_s, it.after_s));
    let accesses = access_table(changed);
    if !accesses.is_empty() {
        lines.extend(accesses);
        let rest = |time_s: f64, side: fn(&AccessChange) -> f64| {
            let accesses_s = answer.accesses.iter().map(side).sum::<f64>();
            time((time_s - accesses_s).max(0.0))
        };
        lines.push(format!(
            "all but accesses: {} → {}",
            rest(times[0], |it| it.before_s),
            rest(times[1], |it| it.after_s)
        ));
    }
    lines.join("\n")
}

/// Standard deviations within which nineteen of twenty differences by chance lie.
const NOISE_DEVIATIONS: f64 = 2.0;

/// Says whether two measured times differ by more than their repetitions vary (`variation`: standard deviation ÷ mean).
fn beside_noise(ratio: f64, variation: f64) -> String {
    let (differ, vary) = (ratio.ln().abs().exp_m1(), NOISE_DEVIATIONS * variation);
    let words = if differ > vary { "more" } else { "no more" };
    let [differ, vary] = [differ, vary].map(units::percent);
    format!("the measured times differ by {differ}, {words} than their repetitions vary ({vary})")
}

fn cost_table<'a>(costs: impl Iterator<Item = &'a Cost>) -> Vec<String> {
    let row = |it: &Cost| {
        let times = [it.before_s, it.after_s].map(cell);
        Vec::from_iter(std::iter::once(Cell::new(describe_counter(&it.name))).chain(times))
    };
    let table = table::new("what has changed most (the model's shares), before, after".split(", "));
    fill(table, costs.map(row).collect())
}

fn access_table<'a>(accesses: impl Iterator<Item = &'a AccessChange>) -> Vec<String> {
    let number = |it: Option<u32>| table::number_or_dash(it.map(|it| it.to_string()));
    let row = |it: &AccessChange| {
        vec![
            access(it).into(),
            number(it.before),
            cell(it.before_s),
            number(it.after),
            cell(it.after_s),
        ]
    };
    let table = table::new(["access", "line", "before", "line", "after"]);
    fill(table, accesses.map(row).collect())
}

/// The table with the first rows, and how many more there are.
fn fill(mut table: table::Table, rows: Vec<Vec<Cell>>) -> Vec<String> {
    let all = rows.len();
    rows.into_iter()
        .take(MAX_ROWS)
        .for_each(|it| table.add_row(it));
    let more = (all > MAX_ROWS).then(|| format!("… and {} more (--json has all)", all - MAX_ROWS));
    let table = (all > 0).then(|| table.to_string());
    table.into_iter().chain(more).collect()
}

fn cell(seconds: f64) -> Cell {
    table::number(time(seconds))
}

fn time(seconds: f64) -> String {
    if seconds == 0.0 {
        return "–".to_owned();
    }
    units::time(seconds)
}

fn access(line: &AccessChange) -> String {
    let does = match line.does {
        AccessDoes::Load => "reads",
        AccessDoes::Store => "writes",
        AccessDoes::Atomic => "updates",
    };
    format!("{does} {}", line.access)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_one_where_repetitions_vary_less() {
        let words = beside_noise(1.10, 0.02);
        assert!(words.contains("10.0 %, more than"), "{words}");
        let words = beside_noise(0.98, 0.02);
        assert!(words.contains("2.0 %, no more than"), "{words}");
    }
}
