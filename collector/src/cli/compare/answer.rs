//! A comparison for people.

use comfy_table::{Cell, Row};
use kerncast_wire::AccessDoes;

use super::{Answer, costs::Line};
use crate::cli::{
    predict::answer::{plain, seconds},
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
    let times =
        [&answer.speedup.before, &answer.speedup.after].map(|it| seconds(it).unwrap_or_default());
    // What is less than a hundredth of the time is no difference.
    let least = 0.01 * times[0].max(times[1]);
    let is_news = |before_s: f64, after_s: f64| (before_s - after_s).abs() >= least;
    let costs = answer
        .costs
        .iter()
        .filter(|it| is_news(it.before_s, it.after_s));
    let rows = costs.map(|it| {
        vec![
            Cell::new(plain(&it.of)),
            cell(it.before_s),
            cell(it.after_s),
        ]
    });
    let mut shown = table::new(["what has changed most", "before", "after"]);
    lines.extend(filled(&mut shown, rows.collect()));
    let changed = answer
        .lines
        .iter()
        .filter(|it| is_news(it.before_s, it.after_s));
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for line in changed {
        let number = |it: Option<u32>| table::maybe(it.map(|it| it.to_string()));
        rows.push(vec![
            access(line).into(),
            number(line.before),
            cell(line.before_s),
            number(line.after),
            cell(line.after_s),
        ]);
    }
    if !rows.is_empty() {
        let sum = |of: fn(&Line) -> f64| answer.lines.iter().map(of).sum::<f64>();
        let rest = [
            times[0] - sum(|it| it.before_s),
            times[1] - sum(|it| it.after_s),
        ];
        let mut shown = table::new(["access", "line", "before", "line", "after"]);
        lines.extend(filled(&mut shown, rows));
        lines.push(format!(
            "all but accesses: {} → {}",
            time(rest[0].max(0.0)),
            time(rest[1].max(0.0))
        ));
    }
    lines.join("\n")
}

/// The first rows, and how many there are more.
fn filled(shown: &mut Table, rows: Vec<impl Into<Row>>) -> Vec<String> {
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
