//! What warnings say of their parts, in English.

use super::CounterValue;
use crate::{Lies, Scope, words::some_of};

/// What part of a launch was counted.
pub(super) fn part(scope: Scope) -> &'static str {
    match scope {
        Scope::Full => "the whole launch",
        Scope::FirstAndLastGroup => "the first and last work-groups, scaled to all of them",
        Scope::SampledGroups => "some work-groups, which stand for the others",
        Scope::ReducedSize => "a smaller size of the kernel",
    }
}

/// On which side of an interval something lies outside.
pub(super) fn beyond(lies: Lies) -> &'static str {
    match lies {
        Lies::Below => "below the lower",
        Lies::Above | Lies::Within => "above the upper",
    }
}

pub(super) fn no_counter_of(unused: &[String]) -> String {
    match unused.is_empty() {
        true => String::new(),
        false => format!(", no counter of {} is used", unused.join(", ")),
    }
}

/// What else lies outside what a model has seen.
pub(super) fn so_are(others: &[CounterValue], more: usize) -> String {
    match others.is_empty() {
        true => String::new(),
        false => {
            let others = some_of(others, others.len() + more, ToString::to_string);
            format!("; so are {others}")
        }
    }
}
