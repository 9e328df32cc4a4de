//! What could be brought to local memory: all arrays that pay, or some of them; and which is best.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Result;
use kerncast_collector::{
    child::Children,
    localize::{self, Checked, Made, Rewritten},
};
use kerncast_suite::Kernel;
use serde::Serialize;

use super::{
    counted::{self, Loads},
    forecast::Forecast,
};

/// Arrays of which every set is a candidate; of more, all together and each alone.
const MOST_SETS_OF: usize = 3;

/// A kernel with some arrays in local memory, in a folder of its own.
pub(super) struct Candidate {
    pub(super) arrays: Vec<String>,
    pub(super) rewritten: Rewritten,
    pub(super) folder: PathBuf,
    pub(super) loads: Option<Loads>,
    pub(super) forecast: Option<Forecast>,
    pub(super) checked: Option<Checked>,
    pub(super) measured_s: Option<f64>,
}

/// What is said of a candidate.
#[derive(Serialize)]
pub(super) struct Choice {
    /// Arrays in local memory.
    pub(super) arrays: Vec<String>,
    /// Loads from global memory at the smallest size, as Oclgrind counts them.
    pub(super) global_loads: Option<f64>,
    /// Seconds on the device that was asked for.
    pub(super) forecast_s: Option<f64>,
    /// Seconds here, where it is one of those that were measured.
    pub(super) measured_s: Option<f64>,
}

impl Candidate {
    /// Writes it to its place among the candidates.
    pub(super) fn new(
        scratch: &Path,
        place: usize,
        kernel: &Kernel,
        rewritten: Rewritten,
    ) -> Result<Self> {
        // A launch file takes the kernel's name from its folder.
        let folder = scratch
            .join(format!("candidate-{place}"))
            .join(&kernel.name);
        fs::create_dir_all(&folder)?;
        localize::write(kernel, &rewritten, &folder)?;
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
            checked: None,
            measured_s: None,
        })
    }
}

/// Adds those with fewer arrays than the first.
pub(super) fn others(
    scratch: &Path,
    kernel: &Kernel,
    candidates: &mut Vec<Candidate>,
    again: &impl Fn(Vec<String>) -> Result<Rewritten>,
) -> Result<()> {
    let all = candidates[0].arrays.clone();
    for set in sets(&all) {
        let rewritten = again(set)?;
        if rewritten.after.is_none() {
            continue;
        }
        let candidate = Candidate::new(scratch, candidates.len(), kernel, rewritten)?;
        if !candidates.iter().any(|it| it.arrays == candidate.arrays) {
            candidates.push(candidate);
        }
    }
    Ok(())
}

/// Sets of fewer arrays than all, but for none.
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

/// The best first: by forecast, else by loads from global memory.
pub(super) fn rank(children: &Children, of: &str, candidates: &mut [Candidate], is_forecast: bool) {
    if candidates.len() < 2 {
        return;
    }
    for candidate in candidates.iter_mut() {
        candidate.loads = counted::loads(children, &candidate.folder, of, Made::Local).ok();
    }
    let cost = |it: &Candidate| {
        let forecast = it.forecast.as_ref().and_then(Forecast::after_s);
        let loads = it.loads.as_ref().map(|loads| loads.after);
        if is_forecast { forecast } else { loads }.unwrap_or(f64::INFINITY)
    };
    candidates.sort_by(|one, other| cost(one).total_cmp(&cost(other)));
}

impl Choice {
    pub(super) fn of(candidate: &Candidate) -> Self {
        Self {
            arrays: candidate.arrays.clone(),
            global_loads: candidate.loads.as_ref().map(|loads| loads.after),
            forecast_s: candidate.forecast.as_ref().and_then(Forecast::after_s),
            measured_s: candidate.measured_s,
        }
    }
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
