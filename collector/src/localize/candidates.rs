//! Candidates for local memory: all arrays that pay or some of them, in several shapes; and their ranking.

use std::{fs, path::PathBuf};

use anyhow::Result;
use kerncast_analysis::localize::TileForm;

use super::{
    CheckResult, Forecast, RewriteOptions, RewrittenKernel, Search, Shape, check, loads::Loads,
    other_shapes, rewrite, write,
};
use crate::progress::Activity;

/// The most arrays of which every subset is a candidate. With more arrays, the candidates are all together and each
/// alone.
const MOST_SETS_OF: usize = 3;

/// A kernel with some arrays in local memory, in a folder of its own.
#[expect(missing_docs, reason = "their names say it")]
pub struct Candidate {
    /// Arrays in local memory.
    pub arrays: Vec<String>,
    pub shape: Shape,
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
    cost: f64,
}

impl Candidate {
    /// Writes the rewritten kernel to a folder of its own, numbered by `place`.
    pub(super) fn new(
        search: &Search<'_>,
        place: usize,
        rewritten: RewrittenKernel,
        form: TileForm,
    ) -> Result<Self> {
        let kernel = search.kernel;
        // A launch file takes the kernel's name from its folder.
        let folder = search.children.scratch();
        let folder = folder.join(format!("candidate-{place}")).join(&kernel.name);
        fs::create_dir_all(&folder)?;
        write(kernel, &rewritten, &folder)?;
        let placed = rewritten.localized.placed.iter();
        let mut arrays: Vec<String> = placed.map(|placed| placed.array.clone()).collect();
        arrays.sort();
        arrays.dedup();
        Ok(Self {
            arrays,
            shape: Shape {
                tile: rewritten.tile.clone(),
                form,
            },
            rewritten,
            folder,
            loads: None,
            forecast: None,
            check: None,
            measured_s: None,
            cost: f64::INFINITY,
        })
    }

    /// Whether its outputs equal those of the variant that it is made of; checked once.
    pub(super) fn is_right(&mut self, search: &Search<'_>, of: &str) -> Result<bool> {
        if self.check.is_none() {
            let _activity = Activity::begin("checking that it does the same", "up to a minute");
            let (children, device) = (search.children, search.device);
            self.check = Some(check(children, device, &self.folder, of, search.sizes)?);
        }
        Ok(self.check.as_ref().is_some_and(CheckResult::is_right))
    }

    /// Failures of its check.
    pub fn failures(&self) -> &[String] {
        self.check.as_ref().map_or(&[], |it| &it.failures)
    }

    /// Whether another rewritten kernel has the same source and work-group size.
    fn is_as(&self, other: &RewrittenKernel) -> bool {
        self.rewritten.after == other.after && self.rewritten.tile == other.tile
    }
}

impl Search<'_> {
    /// Adds a candidate, unless it exists already or has nothing in local memory.
    fn add(&self, candidates: &mut Vec<Candidate>, options: &RewriteOptions) -> Result<()> {
        let rewritten = rewrite(self.clang, self.kernel, options)?;
        if rewritten.after.is_none() || candidates.iter().any(|it| it.is_as(&rewritten)) {
            return Ok(());
        }
        let candidate = Candidate::new(self, candidates.len(), rewritten, options.form)?;
        candidates.push(candidate);
        Ok(())
    }

    /// Adds candidates with fewer arrays than the first.
    pub(super) fn add_with_fewer_arrays(&self, candidates: &mut Vec<Candidate>) -> Result<()> {
        for only in sets(&candidates[0].arrays) {
            let options = RewriteOptions {
                only,
                ..self.options.clone()
            };
            self.add(candidates, &options)?;
        }
        Ok(())
    }

    /// Adds other shapes of the first candidate.
    pub(super) fn add_other_shapes(&self, candidates: &mut Vec<Candidate>) -> Result<()> {
        let best = &candidates[0];
        let only = best.arrays.clone();
        let most_items = self.device.max_work_group_size;
        for shape in other_shapes(self.clang, self.kernel, &best.rewritten, most_items)? {
            let options = RewriteOptions {
                only: only.clone(),
                tile: shape.tile,
                form: shape.form,
                ..self.options.clone()
            };
            self.add(candidates, &options)?;
        }
        Ok(())
    }

    /// Sorts the best first: by forecast where all have one, else by loads from global memory.
    pub(super) fn rank(&self, of: &str, candidates: &mut [Candidate]) {
        if candidates.len() < 2 {
            return;
        }
        let is_forecast = candidates.iter().all(|it| it.forecast.is_some());
        let mut known = candidates.iter().find_map(|it| it.loads.clone());
        for candidate in candidates.iter_mut() {
            if !is_forecast && candidate.loads.is_none() {
                let folder = &candidate.folder;
                candidate.loads = Loads::count(self.children, folder, of, known.as_ref()).ok();
                known = known.or_else(|| candidate.loads.clone());
            }
            let cost = if is_forecast {
                candidate.forecast.as_ref().and_then(|it| it.after_s)
            } else {
                candidate.loads.as_ref().map(|it| it.after)
            };
            candidate.cost = cost.unwrap_or(f64::INFINITY);
        }
        candidates.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    }
}

/// Non-empty sets of fewer arrays than all.
fn sets(all: &[String]) -> Vec<Vec<String>> {
    if all.len() > MOST_SETS_OF {
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
    let is_usual = |place: &usize| {
        let Shape { tile, form } = &candidates[*place].shape;
        *tile == options.tile && *form == options.form
    };
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
        let names = |of: &str| of.chars().map(String::from).collect::<Vec<_>>();
        assert_eq!(sets(&names("a")), Vec::<Vec<String>>::new());
        assert_eq!(sets(&names("ab")), [names("a"), names("b")]);
        assert_eq!(sets(&names("abc")).len(), 6);
        assert_eq!(sets(&names("abcd")).len(), 4);
    }
}
