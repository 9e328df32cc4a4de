//! A comparison for people.

use comfy_table::Cell;
use kerncast_wire::AccessDoes;

use super::{
    Answer,
    costs::{Cost, Line},
};
use crate::cli::{
    forecast::counting::not_counted,
    predict::answer::seconds,
    shares::plain,
    speedup,
    table::{self, Table},
    units,
};

/// Of costs and lines, what has changed most.
const MOST: usize = 6;

pub(super) fn in_words(answer: &Answer) -> String {
    let mut lines = vec![format!("{} → {} on {}", answer.old, answer.new, answer.on)];
    lines.extend(answer.notes.iter().map(|it| format!("note: {it}")));
    lines.extend(speedup::of(&answer.speedup));
    let measured = answer.speedup.measured.zip(answer.vary);
    lines.extend(measured.map(beside_noise));
    lines.extend(not_counted(&answer.uncounted, ""));
    let times =
        [&answer.speedup.before, &answer.speedup.after].map(|it| seconds(it).unwrap_or_default());
    // What is less than a hundredth of the time is no difference.
    let least = 0.01 * times[0].max(times[1]);
    let is_news = |before_s: f64, after_s: f64| (before_s - after_s).abs() >= least;
    let costs = answer.costs.iter();
    lines.extend(of_costs(
        costs.filter(|it| is_news(it.before_s, it.after_s)),
    ));
    let accesses = answer.lines.iter();
    let changed = accesses.filter(|it| is_news(it.before_s, it.after_s));
    let accesses = of_accesses(changed);
    if !accesses.is_empty() {
        lines.extend(accesses);
        let rest = |time_s: f64, of: fn(&Line) -> f64| {
            let accesses = answer.lines.iter().map(of).sum::<f64>();
            time((time_s - accesses).max(0.0))
        };
        lines.push(format!(
            "all but accesses: {} → {}",
            rest(times[0], |it| it.before_s),
            rest(times[1], |it| it.after_s)
        ));
    }
    lines.join("\n")
}

/// Of what differs by chance nineteen in twenty lie within twice as much.
const SURELY: f64 = 2.0;

/// Whether two measured times differ by more than their repetitions do, which vary by so much.
fn beside_noise((ratio, vary): (f64, f64)) -> String {
    let (differ, vary) = (ratio.ln().abs().exp_m1(), SURELY * vary);
    let words = if differ > vary { "more" } else { "no more" };
    let [differ, vary] = [differ, vary].map(units::percent);
    format!("the measured times differ by {differ}, {words} than their repetitions vary ({vary})")
}

fn of_costs<'a>(costs: impl Iterator<Item = &'a Cost>) -> Vec<String> {
    let row = |it: &Cost| {
        let times = [it.before_s, it.after_s].map(cell);
        Vec::from_iter(std::iter::once(Cell::new(plain(&it.of))).chain(times))
    };
    let shown = table::new([
        "what has changed most (the model's shares)",
        "before",
        "after",
    ]);
    filled(shown, costs.map(row).collect())
}

fn of_accesses<'a>(lines: impl Iterator<Item = &'a Line>) -> Vec<String> {
    let number = |it: Option<u32>| table::maybe(it.map(|it| it.to_string()));
    let row = |it: &Line| {
        vec![
            access(it).into(),
            number(it.before),
            cell(it.before_s),
            number(it.after),
            cell(it.after_s),
        ]
    };
    let shown = table::new(["access", "line", "before", "line", "after"]);
    filled(shown, lines.map(row).collect())
}

/// The first rows, and how many there are more.
fn filled(mut shown: Table, rows: Vec<Vec<Cell>>) -> Vec<String> {
    let all = rows.len();
    rows.into_iter().take(MOST).for_each(|it| shown.add_row(it));
    let more = (all > MOST).then(|| format!("… and {} more (--json has all)", all - MOST));
    let table = (all > 0).then(|| shown.to_string());
    table.into_iter().chain(more).collect()
}

fn cell(seconds: f64) -> Cell {
    table::number(time(seconds))
}

fn time(seconds: f64) -> String {
    match seconds == 0.0 {
        true => "–".to_owned(),
        false => units::time(seconds),
    }
}

fn access(line: &Line) -> String {
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
        let words = beside_noise((1.10, 0.02));
        assert!(words.contains("10.0 %, more than"), "{words}");
        let words = beside_noise((0.98, 0.02));
        assert!(words.contains("2.0 %, no more than"), "{words}");
    }
}
