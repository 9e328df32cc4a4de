//! Joins two files about the same launches.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::shortened;
use crate::{Error, Launch, Note, Profile};

/// Joins two files about the same launches: passes with different counters, or counters and times. Launches of the same
/// kernel and size are paired in the order of their dispatch numbers, which may begin at 0 in one file and at 1 in the
/// other. A mean over several launches is paired with all of them. Launches without a partner are left out with a note.
/// If both files have a value, the one in `one` counts; if `one` has times, the other file's times are ignored. Notes
/// keep the lines of their own file, first those of `one`.
///
/// # Errors
/// Nothing can be paired: [`Error::Mismatch`].
pub fn join(one: Profile, other: Profile) -> Result<Profile, Error> {
    let parts = KeyParts {
        by_gpu: are_distinguishable(&one, &other, "GPUs", |launch| launch.gpu.as_deref())?,
        by_process: are_distinguishable(&one, &other, "processes", |launch| {
            launch.process.as_deref()
        })?,
        by_shape: [&one, &other]
            .iter()
            .all(|file| file.launches.iter().all(|launch| launch.geometry.is_some())),
    };
    let is_timed = one.launches.iter().any(|launch| launch.time_s.is_some());
    let mut groups: BTreeMap<Key, [Vec<Launch>; 2]> = BTreeMap::new();
    for (side, launches) in [one.launches, other.launches].into_iter().enumerate() {
        for launch in launches {
            groups.entry(parts.key(&launch)).or_default()[side].push(launch);
        }
    }
    let (mut launches, mut unpaired) = (Vec::new(), Vec::new());
    for [mut here, mut there] in groups.into_values() {
        here.sort_by_key(|launch| launch.dispatch);
        there.sort_by_key(|launch| launch.dispatch);
        let (line, title) = parts.title(here.first().or(there.first()));
        match pairs(here, there, is_timed) {
            Ok(pairs) => launches.extend(pairs),
            Err(why) => unpaired.push((line, format!("{title} {why}"))),
        }
    }
    if launches.is_empty() {
        let why = unpaired.into_iter().next().map(|(_, why)| why);
        return Err(Error::Mismatch(why.unwrap_or_default()));
    }
    launches
        .sort_by(|a, b| (&a.process, a.dispatch, a.line).cmp(&(&b.process, b.dispatch, b.line)));
    let mut notes = one.notes;
    notes.extend(other.notes);
    let more = unpaired.len().saturating_sub(MOST_UNPAIRED_NAMED);
    for (place, (line, why)) in unpaired.into_iter().take(MOST_UNPAIRED_NAMED).enumerate() {
        let mut text = format!("not joined: {why}");
        if more > 0 && place + 1 == MOST_UNPAIRED_NAMED {
            text += &format!("; nor are {more} more kernels or sizes");
        }
        notes.push(Note { line, text });
    }
    Ok(Profile {
        format: one.format,
        launches,
        notes,
    })
}

/// The most kernels without a partner that a note names.
const MOST_UNPAIRED_NAMED: usize = 5;

/// The parts of a launch by which launches are distinguished, in addition to the kernel's name.
struct KeyParts {
    by_gpu: bool,
    by_process: bool,
    by_shape: bool,
}

type Key = (String, Option<String>, Option<String>, Option<(u64, u64)>);

impl KeyParts {
    /// The key by which a launch is paired. Blanks in a kernel's signature do not count, because each profiler puts
    /// them in its own way.
    fn key(&self, launch: &Launch) -> Key {
        let kernel = launch.kernel.split_whitespace().collect();
        let gpu = launch.gpu.clone().filter(|_| self.by_gpu);
        let process = launch.process.clone().filter(|_| self.by_process);
        let shape = launch.geometry.filter(|_| self.by_shape);
        let shape = shape.map(|it| (it.work_items, it.work_group_items));
        (kernel, gpu, process, shape)
    }

    /// The line and the name of the first launch, for a message.
    fn title(&self, first: Option<&Launch>) -> (u64, String) {
        let Some(launch) = first else {
            return (1, String::new());
        };
        let shape = launch.geometry.filter(|_| self.by_shape);
        let size = shape.map_or_else(String::new, |it| format!(" ({} work-items)", it.work_items));
        let title = format!("`{}`{size}", shortened(&launch.kernel));
        (launch.line, title)
    }
}

/// Whether launches can be distinguished by GPU or process, because both files name the same ones.
///
/// # Errors
/// The files name different ones, and one of them names several.
fn are_distinguishable(
    one: &Profile,
    other: &Profile,
    what: &str,
    name: fn(&Launch) -> Option<&str>,
) -> Result<bool, Error> {
    let names = |file: &Profile| {
        let names = file.launches.iter().filter_map(name);
        names.map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let (here, there) = (names(one), names(other));
    let most = if here.len() > 1 { &here } else { &there };
    if here != there && most.len() > 1 {
        let most = Vec::from_iter(most.iter().map(String::as_str)).join(", ");
        let why = format!(
            "one has launches of the {what} {most}, and the other does not name these: give a file for each"
        );
        return Err(Error::Mismatch(why));
    }
    Ok(here == there)
}

const PRINT_EACH: &str = "print each launch: nvprof --csv --print-gpu-trace --metrics …, nsys stats --report cuda_gpu_trace";

/// Pairs launches of a kernel in both files and joins each pair.
fn pairs(here: Vec<Launch>, there: Vec<Launch>, is_timed: bool) -> Result<Vec<Launch>, String> {
    let (one, other) = (here.len(), there.len());
    if one == 0 || other == 0 {
        return Err("is in one file only".to_owned());
    }
    let launches = |side: &[Launch]| {
        let invocations = side.iter().map(|launch| launch.invocations.max(1));
        invocations.fold(0_u64, u64::saturating_add)
    };
    let (launches, others) = (launches(&here), launches(&there));
    if launches != others {
        return Err(if (one as u64, other as u64) == (launches, others) {
            format!("has {one} launches in one file and {other} in the other")
        } else {
            format!(
                "has {launches} launches in one file and {others} in the other, one of them as a mean: {PRINT_EACH}"
            )
        });
    }
    let (here, there) = match (one, other) {
        _ if one == other => (here, there),
        // Times as a mean: the counters' mean belongs to it. Counters as a mean: they are each launch's.
        (1, _) if is_timed => (here, vec![mean(&require_one_size(there)?)]),
        (1, _) => (vec![here[0].clone(); other], require_one_size(there)?),
        (_, 1) => (require_one_size(here)?, vec![there[0].clone(); one]),
        _ => return Err(format!("has several means over launches: {PRINT_EACH}")),
    };
    let join = |(mut launch, more): (Launch, Launch)| {
        launch.add(more, is_timed);
        launch
    };
    Ok(here.into_iter().zip(there).map(join).collect())
}

/// The launches, if all have one size, so that their mean means something.
fn require_one_size(launches: Vec<Launch>) -> Result<Vec<Launch>, String> {
    let shape = |launch: &Launch| {
        launch
            .geometry
            .map(|it| (it.work_items, it.work_group_items))
    };
    if launches
        .iter()
        .all(|launch| shape(launch) == shape(&launches[0]))
    {
        return Ok(launches);
    }
    Err(format!(
        "has launches of several sizes in one file and their mean in the other: {PRINT_EACH}"
    ))
}

/// A launch with the mean of each counter.
fn mean(launches: &[Launch]) -> Launch {
    let mut sums: BTreeMap<(&str, &str), (f64, f64)> = BTreeMap::new();
    for (provider, counters) in launches.iter().flat_map(|launch| &launch.counters) {
        for (name, value) in counters {
            let (sum, n) = sums.entry((provider, name)).or_default();
            (*sum, *n) = (*sum + value, *n + 1.0);
        }
    }
    let mut mean = launches[0].clone();
    for ((provider, name), (sum, n)) in sums {
        let counters = mean.counters.entry(provider.to_owned()).or_default();
        counters.insert(name.to_owned(), sum / n);
    }
    mean
}

impl Launch {
    /// Adds the values of another file to the launch.
    fn add(&mut self, more: Self, is_timed: bool) {
        self.geometry = match (self.geometry, more.geometry) {
            (Some(one), other) if one.global.is_none() => other.or(Some(one)),
            (one, other) => one.or(other),
        };
        self.time_s = self.time_s.or(more.time_s.filter(|_| !is_timed));
        self.device = self.device.take().or(more.device);
        self.gpu = self.gpu.take().or(more.gpu);
        self.process = self.process.take().or(more.process);
        for (provider, counters) in more.counters {
            let own = self.counters.entry(provider).or_default();
            for (name, value) in counters {
                own.entry(name).or_insert(value);
            }
        }
    }
}
