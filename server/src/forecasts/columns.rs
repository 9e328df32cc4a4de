//! Counters by name, joined with those of a set in one pass: both are in the same order.

use std::{cmp::Ordering, collections::BTreeSet};

use super::counter_set::{Counter, PostedSet, full_name};

/// Places of counters in a list, such as a fit's columns.
#[derive(Clone)]
pub(super) struct Columns(Vec<Column>);

#[derive(Clone)]
struct Column {
    /// Absent: the time on the device counted on.
    provider: Option<String>,
    name: String,
    place: usize,
}

impl Column {
    fn key(&self) -> (Option<&str>, &str) {
        (self.provider.as_deref(), &self.name)
    }
}

impl Columns {
    /// `names`: `PROVIDER:NAME`, each once.
    pub(super) fn new(names: &[String]) -> Self {
        let column = |(place, name): (usize, &String)| {
            let (provider, name) = name
                .split_once(':')
                .map_or((None, name.as_str()), |(it, name)| (Some(it), name));
            Column {
                provider: provider.map(str::to_owned),
                name: name.to_owned(),
                place,
            }
        };
        let mut columns: Vec<Column> = names.iter().enumerate().map(column).collect();
        columns.sort_by(|a, b| a.key().cmp(&b.key()));
        Self(columns)
    }

    /// Each counter of the set, and its place in the list; none where the list lacks it.
    pub(super) fn places<'a>(
        &'a self,
        set: &'a PostedSet,
    ) -> impl Iterator<Item = (Counter<'a>, Option<usize>)> {
        let mut rest = &self.0[..];
        set.counters().map(move |counter| {
            while let [first, others @ ..] = rest {
                match first.key().cmp(&counter.key()) {
                    Ordering::Less => rest = others,
                    Ordering::Equal => return (counter, Some(first.place)),
                    Ordering::Greater => break,
                }
            }
            (counter, None)
        })
    }

    /// How many of the list the set lacks.
    pub(super) fn count_missing(&self, set: &PostedSet) -> usize {
        let present = self.places(set).filter(|(_, place)| place.is_some());
        self.0.len() - present.count()
    }

    /// What of the list the set lacks, as `PROVIDER:NAME`.
    pub(super) fn missing(&self, set: &PostedSet) -> Vec<String> {
        let present: BTreeSet<usize> = self.places(set).filter_map(|(_, place)| place).collect();
        let missing = self.0.iter().filter(|it| !present.contains(&it.place));
        missing.map(|it| full_name(it.key())).collect()
    }

    /// Whether the time on the device counted on is among them: it comes first.
    pub(super) fn need_time(&self) -> bool {
        self.0.first().is_some_and(|first| first.provider.is_none())
    }
}
