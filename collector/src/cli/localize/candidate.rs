//! What could be brought to local memory, all arrays that pay or some of them, and in which form; and which is best.

use std::{fs, path::PathBuf};

use anyhow::Result;
use kerncast_analysis::localize::Form;
use kerncast_collector::{
    child::Children,
    localize::{self, Checked, Rewritten, Shape, Wishes},
    progress::Activity,
};
use kerncast_opencl::DeviceFacts;
use kerncast_suite::Parameters;
use serde::Serialize;

use super::{
    asked::Asked,
    counted::{self, Loads},
    forecast::Forecast,
};

/// Arrays of which every set is a candidate; of more, all together and each alone.
const MOST_SETS_OF: usize = 3;

/// A kernel with some arrays in local memory, in a folder of its own.
pub(super) struct Candidate {
    pub(super) arrays: Vec<String>,
    pub(super) shape: Shape,
    pub(super) rewritten: Rewritten,
    pub(super) folder: PathBuf,
    pub(super) loads: Option<Loads>,
    pub(super) forecast: Option<Forecast>,
    pub(super) checked: Option<Checked>,
    pub(super) measured_s: Option<f64>,
    /// What it is ranked by.
    pub(super) cost: f64,
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
    /// Loads from global memory at the smallest size, as Oclgrind counts them.
    pub(super) global_loads: Option<f64>,
    /// Seconds on the device that was asked for.
    pub(super) forecast_s: Option<f64>,
    /// Seconds here, where it is one of those that were measured.
    pub(super) measured_s: Option<f64>,
    /// What a check has found, where it failed.
    pub(super) failures: Vec<String>,
}

impl Candidate {
    /// Writes it to its place among the candidates.
    pub(super) fn new(
        asked: &Asked<'_>,
        place: usize,
        rewritten: Rewritten,
        form: Form,
    ) -> Result<Self> {
        let kernel = asked.kernel;
        // A launch file takes the kernel's name from its folder.
        let folder = asked
            .children
            .scratch()
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
            shape: Shape {
                tile: rewritten.tile.clone(),
                form,
            },
            rewritten,
            folder,
            loads: None,
            forecast: None,
            checked: None,
            measured_s: None,
            cost: f64::INFINITY,
        })
    }

    /// Whether it does the same as the variant that it is made of, once that is checked.
    ///
    /// # Errors
    /// See [`localize::check`].
    pub(super) fn is_right(
        &mut self,
        children: &Children,
        device: &DeviceFacts,
        of: &str,
        sizes: &[Parameters],
    ) -> Result<bool> {
        if self.checked.is_none() {
            let _activity = Activity::begin("checking that it does the same", "up to a minute");
            let checked = localize::check(children, device, &self.folder, of, sizes)?;
            self.checked = Some(checked);
        }
        Ok(self.checked.as_ref().is_some_and(Checked::is_right))
    }

    /// What a check has found.
    fn failures(&self) -> &[String] {
        self.checked.as_ref().map_or(&[], |it| &it.failures)
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
    let candidate = Candidate::new(asked, candidates.len(), rewritten, wishes.form)?;
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
    for shape in localize::other_shapes(asked.clang, asked.kernel, &best.rewritten, most_items)? {
        let wishes = Wishes {
            only: only.clone(),
            tile: shape.tile,
            form: shape.form,
            ..asked.wishes.clone()
        };
        add(asked, candidates, &wishes)?;
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
    let mut before = candidates.iter().find_map(|it| it.loads.clone());
    for candidate in candidates.iter_mut() {
        if !is_forecast && candidate.loads.is_none() {
            let folder = &candidate.folder;
            candidate.loads = counted::loads(children, folder, of, before.as_ref()).ok();
            before = before.or_else(|| candidate.loads.clone());
        }
        let forecast = candidate.forecast.as_ref().and_then(Forecast::after_s);
        let loads = candidate.loads.as_ref().map(|loads| loads.after);
        let cost = if is_forecast { forecast } else { loads };
        candidate.cost = cost.unwrap_or(f64::INFINITY);
    }
    candidates.sort_by(|one, other| one.cost.total_cmp(&other.cost));
}

/// Which are worth measuring, at most so many: the best, but of those of one cost, which may be alike to whoever told it,
/// the others last; and where nobody has forecast them, which loads alone do not tell, the usual shape among them.
pub(super) fn to_measure(candidates: &[Candidate], wishes: &Wishes, most: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut alike = Vec::new();
    for (place, candidate) in candidates.iter().enumerate() {
        let is_known = |other: &usize| candidates[*other].cost.total_cmp(&candidate.cost).is_eq();
        match chosen.iter().any(is_known) {
            true => alike.push(place),
            false => chosen.push(place),
        }
    }
    chosen.extend(alike);
    let is_usual = |place: &usize| {
        let Shape { tile, form } = &candidates[*place].shape;
        *tile == wishes.tile && *form == wishes.form
    };
    let usual = chosen.iter().position(is_usual);
    if let Some(at) = usual.filter(|at| *at >= most && candidates[0].forecast.is_none()) {
        let usual = chosen.remove(at);
        chosen.insert(most.saturating_sub(1), usual);
    }
    chosen.truncate(most);
    chosen
}

impl Choice {
    pub(super) fn of(candidate: &Candidate) -> Self {
        Self {
            arrays: candidate.arrays.clone(),
            work_group: candidate.shape.tile.clone(),
            strip: candidate.shape.form.strip,
            padding: candidate.shape.form.padding,
            global_loads: candidate.loads.as_ref().map(|loads| loads.after),
            forecast_s: candidate.forecast.as_ref().and_then(Forecast::after_s),
            measured_s: candidate.measured_s,
            failures: candidate.failures().to_vec(),
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
