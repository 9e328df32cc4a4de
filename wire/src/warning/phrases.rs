//! Parts of warnings' texts.

use super::CounterValue;
use crate::{Position, Scope, words::some_of};

/// The part of a launch that was counted.
pub(super) fn scope_in_words(scope: Scope) -> &'static str {
    match scope {
        Scope::Full => "the whole launch",
        Scope::FirstAndLastGroup => "the first and last work-groups, scaled to all of them",
        Scope::SampledGroups => "some work-groups, which stand for the others",
        Scope::ReducedSize => "a smaller size of the kernel",
    }
}

/// On which side of an interval something lies outside.
pub(super) fn side_of_interval(lies: Position) -> &'static str {
    match lies {
        Position::Below => "below the lower",
        Position::Above | Position::Within => "above the upper",
    }
}

pub(super) fn unused_counters(providers: &[String]) -> String {
    if providers.is_empty() {
        return String::new();
    }
    format!(", no counter of {} is used", providers.join(", "))
}

/// What else lies outside what a model has seen.
pub(super) fn other_outside(others: &[CounterValue], more: usize) -> String {
    if others.is_empty() {
        return String::new();
    }
    let others = some_of(others, others.len() + more, ToString::to_string);
    format!("; so are {others}")
}
