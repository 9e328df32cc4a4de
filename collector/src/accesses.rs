//! What the launches of a workload access, by clang and the crate `analysis`.

use std::collections::BTreeSet;

use kerncast_analysis::accesses::{
    Accesses,
    launch::{Geometry, Rooms},
    report::Report,
};
use kerncast_suite::sizes;

use crate::{clang::Clang, workload::Workload};

/// A function of a workload, as it is launched first.
struct Launched {
    accesses: Accesses,
    geometry: Geometry,
    rooms: Rooms,
}

/// A report of each function that a workload launches, as it is launched first.
///
/// # Errors
/// The launch file has no value, or clang does not read the source.
pub fn reports(clang: &Clang, workload: &Workload<'_>) -> Result<Vec<Report>, String> {
    let functions = launched(clang, workload)?;
    let report = |it: &Launched| it.accesses.report(&it.geometry, &it.rooms);
    Ok(functions.iter().map(report).collect())
}

/// What a workload surely reads or writes outside of its buffers, in words, each array once: its time and what is
/// counted of it say nothing then.
///
/// # Errors
/// As [`reports`].
pub fn outside(clang: &Clang, workload: &Workload<'_>) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for it in launched(clang, workload)? {
        let mut arrays = BTreeSet::new();
        for (place, access) in it.accesses.accesses.iter().enumerate() {
            let Some(beyond) = it.accesses.beyond(place, &it.geometry, &it.rooms) else {
                continue;
            };
            if arrays.insert(beyond.array.clone()) {
                let (place, at) = (&access.span.begin, sizes(&workload.parameters));
                found.push(format!("{beyond}, at {place}, at {at}"));
            }
        }
    }
    Ok(found)
}

fn launched(clang: &Clang, workload: &Workload<'_>) -> Result<Vec<Launched>, String> {
    let launch = workload.launch().map_err(|why| why.to_string())?;
    let unit = clang
        .read(&launch, &workload.kernel.folder)
        .map_err(|why| why.to_string())?;
    let mut seen = BTreeSet::new();
    let mut functions = Vec::new();
    for step in launch
        .steps
        .iter()
        .filter(|step| seen.insert(step.function.clone()))
    {
        let source = launch.source.display();
        let accesses = Accesses::of(&unit, &step.function)
            .ok_or_else(|| format!("{source} has no kernel `{}`", step.function))?;
        functions.push(Launched {
            accesses,
            geometry: Geometry::of(step),
            rooms: Rooms::of(&launch, step),
        });
    }
    Ok(functions)
}
