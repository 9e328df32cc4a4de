//! A comparison for people.

use kerncast_wire::AccessDoes;

use super::{Answer, costs::Line};
use crate::cli::{predict::answer::plain, speedup, table, units};

/// Of costs and lines, what has changed most.
const MOST: usize = 6;

pub(super) fn in_words(answer: &Answer) -> String {
    let mut lines = vec![format!("{} → {} on {}", answer.old, answer.new, answer.on)];
    lines.extend(speedup::of(&answer.speedup));
    let mut costs = table::new(["where the time goes", "before", "after"]);
    for cost in answer.costs.iter().take(MOST) {
        let times = [cost.before_s, cost.after_s].map(|it| table::number(time(it)));
        costs.add_row(std::iter::once(plain(&cost.of).into()).chain(times));
    }
    if costs.row_count() > 0 {
        lines.push(costs.to_string());
    }
    let mut accesses = table::new(["access", "line", "before", "line", "after"]);
    for line in answer.lines.iter().take(MOST) {
        let number = |it: Option<u32>| table::maybe(it.map(|it| it.to_string()));
        accesses.add_row([
            access(line).into(),
            number(line.before),
            table::number(time(line.before_s)),
            number(line.after),
            table::number(time(line.after_s)),
        ]);
    }
    if accesses.row_count() > 0 {
        lines.push(accesses.to_string());
    }
    lines.join("\n")
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
