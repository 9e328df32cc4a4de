//! Candidates for local memory: all arrays that pay or some of them, in several shapes.

use std::{fs, path::PathBuf};

use anyhow::Result;
use kerncast_suite::Kernel;

use super::{CheckResult, Forecast, Loads, RewriteOptions, RewrittenKernel, write};
use crate::child::Children;

/// The most arrays of which every subset is a candidate. With more arrays, the candidates are all together and each
/// alone.
const MOST_ARRAYS_OF_SETS: usize = 3;

/// A kernel with some arrays in local memory, in a folder of its own.
#[expect(missing_docs, reason = "their names say it")]
pub struct Candidate {
    /// Arrays in local memory.
    pub arrays: Vec<String>,
    pub rewritten: RewrittenKernel,
    pub folder: PathBuf,
    /// Its loads from global memory; none where they were not counted.
    pub loads: Option<Loads>,
    /// Its forecast; none where none was asked for.
    pub forecast: Option<Forecast>,
    /// The result of checking it; none where it did not run.
    pub check: Option<CheckResult>,
    /// Seconds on this machine; none where it was not measured.
    pub measured_s: Option<f64>,
    /// The cost that ranks it: forecast seconds, or loads.
    pub(super) cost: f64,
}

impl Candidate {
    /// Writes the rewritten kernel to a folder of its own, numbered by `place`.
    pub(super) fn new(
        children: &Children,
        kernel: &Kernel,
        place: usize,
        rewritten: RewrittenKernel,
    ) -> Result<Self> {
        // A launch file takes the kernel's name from its folder.
        let folder = children.scratch().join(format!("candidate-{place}"));
        let folder = folder.join(&kernel.name);
        fs::create_dir_all(&folder)?;
        write(kernel, &rewritten, &folder)?;
        let placed = rewritten.localized.placed.iter();
        let mut arrays: Vec<String> = placed.map(|placed| placed.array.clone()).collect();
        arrays.sort();
        arrays.dedup();
        Ok(Self {
            arrays,
            rewritten,
            folder,
            loads: None,
            forecast: None,
            check: None,
            measured_s: None,
            cost: f64::INFINITY,
        })
    }

    /// Failures of its check.
    pub fn failures(&self) -> &[String] {
        self.check.as_ref().map_or(&[], |it| &it.failures)
    }

    /// Whether another rewritten kernel has the same source and work-group size.
    pub(super) fn is_as(&self, other: &RewrittenKernel) -> bool {
        let own = &self.rewritten;
        (&own.after, &own.shape.group_size) == (&other.after, &other.shape.group_size)
    }
}

/// Non-empty sets of fewer arrays than all.
pub(super) fn sets_of_fewer(all: &[String]) -> Vec<Vec<String>> {
    if all.len() > MOST_ARRAYS_OF_SETS {
        return all.iter().map(|one| vec![one.clone()]).collect();
    }
    let sets = 1..(1_usize << all.len()).saturating_sub(1);
    let set = |bits: usize| {
        let own = all.iter().enumerate();
        let own = own.filter(|(place, _)| (bits >> place) & 1 == 1);
        own.map(|(_, array)| array.clone()).collect()
    };
    sets.map(set).collect()
}

/// The indices of the candidates to measure: the best, at most `most`. Of candidates with the same cost, which may be
/// alike, all but the first come last. Without forecasts the usual shape is among them, because loads alone do not
/// tell.
pub(super) fn to_measure(
    candidates: &[Candidate],
    options: &RewriteOptions,
    most: usize,
) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::new();
    let mut alike = Vec::new();
    for (place, candidate) in candidates.iter().enumerate() {
        let costs_same = |other: &usize| candidates[*other].cost.total_cmp(&candidate.cost).is_eq();
        if places.iter().any(costs_same) {
            alike.push(place);
        } else {
            places.push(place);
        }
    }
    places.extend(alike);
    let is_usual = |place: &usize| candidates[*place].rewritten.shape == options.shape;
    let usual = places.iter().position(is_usual);
    if let Some(at) = usual.filter(|at| *at >= most && candidates[0].forecast.is_none()) {
        let usual = places.remove(at);
        places.insert(most.saturating_sub(1), usual);
    }
    places.truncate(most);
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_but_all_and_none_is_a_candidate() {
        let names = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
        assert_eq!(sets_of_fewer(&names("a")), Vec::<Vec<String>>::new());
        assert_eq!(sets_of_fewer(&names("ab")), [names("a"), names("b")]);
        assert_eq!(sets_of_fewer(&names("abc")).len(), 6);
        assert_eq!(sets_of_fewer(&names("abcd")).len(), 4);
    }
}
