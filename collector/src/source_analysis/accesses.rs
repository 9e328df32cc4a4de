//! Finds the memory accesses of a workload's launches, by clang and the crate `analysis`.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    rc::Rc,
};

use kerncast_analysis::accesses::{
    Accesses, Does,
    launch::{Arrival, BufferSizes, Geometry},
    report::{Report, barrier_problem},
};
use kerncast_suite::{Launch, sizes};

use crate::{clang::Clang, workload::Workload};

/// A reader of sources. Each source is read once, because a kernel's sizes share it.
pub struct Reader<'c> {
    clang: &'c Clang,
    cache: RefCell<BTreeMap<Source, Result<Rc<Accesses>, String>>>,
}

/// The key of a source: file, build options, function.
type Source = (PathBuf, String, String);

/// A function of a workload, at its first launch.
struct LaunchedFunction {
    accesses: Rc<Accesses>,
    geometry: Geometry,
    sizes: BufferSizes,
}

/// Faults of a launch according to its source and launch file, in words with their places. With faults its time and
/// counters mean nothing.
#[derive(Clone, Debug, Default)]
pub struct Soundness {
    /// Certain faults, whatever the inputs are.
    pub wrong: Vec<String>,
    /// Possible faults.
    pub doubtful: Vec<String>,
    /// Whether the source writes to memory at all.
    pub writes: bool,
}

/// Reports on each function that a workload launches, at its first launch.
///
/// # Errors
/// The launch file has no value, or clang can't read the source.
pub fn reports(clang: &Clang, workload: &Workload<'_>) -> Result<Vec<Report>, String> {
    let functions = Reader::new(clang).launched_functions(workload)?;
    let report = |it: &LaunchedFunction| it.accesses.report(&it.geometry, &it.sizes);
    Ok(functions.iter().map(report).collect())
}

/// Accesses of a workload that are certainly outside of its buffers, in words, each array once.
///
/// # Errors
/// See [`reports`].
pub fn outside(clang: &Clang, workload: &Workload<'_>) -> Result<Vec<String>, String> {
    let functions = Reader::new(clang).launched_functions(workload)?;
    let outside = functions.iter().flat_map(|it| it.outside(workload));
    Ok(outside.collect())
}

impl<'c> Reader<'c> {
    /// A reader that uses this clang.
    pub fn new(clang: &'c Clang) -> Self {
        Self {
            clang,
            cache: RefCell::default(),
        }
    }

    /// Faults of a workload's launches: accesses outside of arrays, barriers at which some work-items wait for ever,
    /// and recursion.
    ///
    /// # Errors
    /// See [`reports`].
    pub fn soundness(&self, workload: &Workload<'_>) -> Result<Soundness, String> {
        let mut soundness = Soundness::default();
        for it in self.launched_functions(workload)? {
            let outside = it.outside(workload).into_iter();
            soundness.wrong.extend(outside.map(|it| {
                format!(
                    "{it}. What lies there nobody knows: the launch file's length or the kernel is wrong"
                )
            }));
            it.barriers(workload, &mut soundness);
            let recursion = it.accesses.recursion.iter();
            soundness.wrong.extend(recursion.map(|it| {
                format!(
                    "{}, at {}: OpenCL C has no recursion (OpenCL C 1.2, section 6.9)",
                    it.reason, it.place
                )
            }));
            let mut accesses = it.accesses.accesses.iter();
            soundness.writes |= accesses.any(|it| it.does != Does::Load);
        }
        Ok(soundness)
    }

    fn launched_functions(&self, workload: &Workload<'_>) -> Result<Vec<LaunchedFunction>, String> {
        let launch = workload.launch().map_err(|why| why.to_string())?;
        let mut functions = BTreeSet::new();
        let steps = launch.steps.iter();
        let steps = steps.filter(|it| functions.insert(&*it.function));
        let functions = steps.map(|step| {
            Ok(LaunchedFunction {
                accesses: self.accesses(workload, &launch, &step.function)?,
                geometry: Geometry::of(step),
                sizes: BufferSizes::of(&launch, step),
            })
        });
        functions.collect()
    }

    fn accesses(
        &self,
        workload: &Workload<'_>,
        launch: &Launch,
        function: &str,
    ) -> Result<Rc<Accesses>, String> {
        let key = (
            launch.source.clone(),
            launch.options.clone(),
            function.to_owned(),
        );
        if let Some(cached) = self.cache.borrow().get(&key) {
            return cached.clone();
        }
        let unit = self.clang.read(launch, &workload.kernel.folder);
        let accesses = unit.map_err(|why| why.to_string()).and_then(|unit| {
            let accesses = Accesses::of(&unit, function);
            let missing = || format!("{} has no kernel `{function}`", launch.source.display());
            accesses.map(Rc::new).ok_or_else(missing)
        });
        self.cache.borrow_mut().insert(key, accesses.clone());
        accesses
    }
}

impl LaunchedFunction {
    /// Accesses outside of arrays in words, each array once.
    fn outside(&self, workload: &Workload<'_>) -> Vec<String> {
        let (mut problems, mut arrays) = (Vec::new(), BTreeSet::new());
        for (place, access) in self.accesses.accesses.iter().enumerate() {
            let Some(beyond) = self
                .accesses
                .out_of_bounds(place, &self.geometry, &self.sizes)
            else {
                continue;
            };
            if arrays.insert(beyond.array.clone()) {
                let (place, at) = (&access.span.begin, sizes(&workload.parameters));
                problems.push(format!("{beyond}, at {place}, at {at}"));
            }
        }
        problems
    }

    fn barriers(&self, workload: &Workload<'_>, soundness: &mut Soundness) {
        let mut places = BTreeSet::new();
        for (number, barrier) in self.accesses.barriers.iter().enumerate() {
            let arrival = self.accesses.arrival(number, &self.geometry);
            let Some(text) = barrier_problem(arrival) else {
                continue;
            };
            if !places.insert(barrier.place.to_string()) {
                continue;
            }
            let (place, at) = (&barrier.place, sizes(&workload.parameters));
            match arrival {
                Arrival::Unlike => soundness.wrong.push(format!(
                    "{text}, at {place}, at {at}: work-items wait there for others that never come"
                )),
                _ => soundness.doubtful.push(format!("{text}, at {place}")),
            }
        }
    }
}
