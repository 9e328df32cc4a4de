//! What could be brought to local memory, all arrays that pay or some of them, and in which form; and which is best.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Result;
use kerncast_analysis::localize::Form;
use kerncast_collector::{
    UsageError,
    child::Children,
    localize::{self, Checked, Formed, Made, Rewritten, Wishes},
};
use kerncast_suite::Kernel;
use serde::Serialize;

use super::{
    chosen::Asked,
    counted::{self, Loads},
    forecast::Forecast,
};
use crate::cli::progress::Progress;

/// Arrays of which every set is a candidate; of more, all together and each alone.
const MOST_SETS_OF: usize = 3;

/// A kernel with some arrays in local memory, in a folder of its own.
pub(super) struct Candidate {
    pub(super) arrays: Vec<String>,
    pub(super) formed: Formed,
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
    /// Work-items of a work-group by dimension, where these are not the launch file's.
    pub(super) work_group: Option<Vec<usize>>,
    /// Passes of a loop in a strip, where they are not the usual ones.
    pub(super) strip: Option<u16>,
    /// Whether tiles have one more column, where that is not as usual.
    pub(super) padding: Option<bool>,
    /// Whether strips have two halves, one of which is read while the other is filled.
    pub(super) is_double: bool,
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
        form: Form,
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
            formed: Formed {
                tile: rewritten.tile.clone(),
                form,
            },
            rewritten,
            folder,
            loads: None,
            forecast: None,
            checked: None,
            measured_s: None,
        })
    }

    /// Whether it is the same to the compiler and the launch.
    fn is_as(&self, other: &Rewritten) -> bool {
        self.rewritten.after == other.after && self.rewritten.tile == other.tile
    }
}

/// Adds what is wished for to the candidates, unless it is there, or nothing goes to local memory then.
fn add(asked: &Asked<'_>, candidates: &mut Vec<Candidate>, wishes: &Wishes) -> Result<()> {
    let rewritten = localize::rewritten(asked.clang, asked.kernel, wishes)?;
    if rewritten.after.is_none() || candidates.iter().any(|it| it.is_as(&rewritten)) {
        return Ok(());
    }
    let (scratch, place) = (asked.children.scratch(), candidates.len());
    let candidate = Candidate::new(scratch, place, asked.kernel, rewritten, wishes.form)?;
    candidates.push(candidate);
    Ok(())
}

/// Adds those with fewer arrays than the first.
pub(super) fn with_fewer(asked: &Asked<'_>, candidates: &mut Vec<Candidate>) -> Result<()> {
    for only in sets(&candidates[0].arrays) {
        let wishes = Wishes {
            only,
            ..asked.wishes.clone()
        };
        add(asked, candidates, &wishes)?;
    }
    Ok(())
}

/// Adds the first one's other forms.
pub(super) fn in_other_forms(asked: &Asked<'_>, candidates: &mut Vec<Candidate>) -> Result<()> {
    let best = &candidates[0];
    let only = best.arrays.clone();
    let most_items = asked.device.max_work_group_size;
    for formed in localize::formed(asked.clang, asked.kernel, &best.rewritten, most_items)? {
        let wishes = Wishes {
            only: only.clone(),
            tile: formed.tile,
            form: formed.form,
            ..asked.wishes.clone()
        };
        add(asked, candidates, &wishes)?;
    }
    Ok(())
}

/// Writes those that do the same as the variant that they are made of to `folder`: the best in `1`.
///
/// # Errors
/// The folder can't be written to, or there are candidates in it.
pub(super) fn write(
    asked: &Asked<'_>,
    of: &str,
    candidates: &mut [Candidate],
    folder: &Path,
) -> Result<()> {
    if folder.join("1").exists() {
        let message = format!("--candidates {}: it has candidates", folder.display());
        return Err(UsageError(message).into());
    }
    let progress = Progress::new(candidates.len());
    let mut place = 0;
    for (done, candidate) in candidates.iter_mut().enumerate() {
        progress.next(done + 1, "checking a candidate");
        let (children, device) = (asked.children, asked.device);
        let checked = match candidate.checked.take() {
            Some(checked) => checked,
            None => localize::check(children, device, &candidate.folder, of, Made::Local)?,
        };
        let is_right = checked.failures.is_empty();
        candidate.checked = Some(checked);
        if is_right {
            place += 1;
            let to = folder.join(place.to_string()).join(&asked.kernel.name);
            fs::create_dir_all(&to)?;
            localize::write(asked.kernel, &candidate.rewritten, &to)?;
        }
    }
    progress.end();
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
    for candidate in candidates.iter_mut().filter(|it| it.loads.is_none()) {
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
            work_group: candidate.formed.tile.clone(),
            strip: candidate.formed.form.strip,
            padding: candidate.formed.form.padding,
            is_double: candidate.formed.form.is_double,
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
