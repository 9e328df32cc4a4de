//! `oclgrind`: instructions executed, counted by simulating every work-item.
//!
//! The counts depend on source, options, variant and sizes, not on the device. Counting all of a large launch takes too
//! long: so its first and last work-groups are counted first, and tell how long all would take. If that is too long,
//! the counts come from source, or else from these two work-groups. Where speed matters more, the source comes first:
//! [`Oclgrind::read_source_first`].

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use kerncast_wire::{Reading, Scope};

use super::{CountedWorkload, Provider, reading, refuse};
use crate::{
    child::{Children, Failure},
    source_analysis::oclgrind_counts::oclgrind_counts,
};

pub use crate::programs::oclgrind_library as library;

mod cache;
mod simulate;

use cache::{Cache, Counted};
use simulate::simulate;
pub(crate) use simulate::{SimulatedPart, environment};

pub(super) const NAME: &str = kerncast_wire::provider::OCLGRIND;
/// The first and the last work-group may take this many times the limit, because nothing can be counted without them.
const EDGES_TIMES_LIMIT: u32 = 4;

/// The provider `oclgrind`.
pub struct Oclgrind<'a> {
    /// The library and its version, or why there is none.
    library: Result<(PathBuf, String), String>,
    cache: Cache,
    children: &'a Children,
}

impl<'a> Oclgrind<'a> {
    /// Finds Oclgrind: in the file or folder that KERNCAST_OCLGRIND names, or where packages put it.
    pub fn find(children: &'a Children) -> Self {
        let library = library().and_then(|path| {
            let environment = [("OPENCL_DYLIB_PATH", path.clone().into_os_string())];
            let devices = children.devices(&environment);
            let versions = devices.map(|devices| devices.into_iter().map(|d| d.driver_version));
            match versions.map(|mut versions| versions.next().unwrap_or_default()) {
                Ok(version) if version.starts_with("Oclgrind") => Ok((path, version)),
                // What can't be loaded is passed over for the machine's own OpenCL.
                Ok(other) => Err(format!("{} can't be loaded ({other})", path.display())),
                Err(failure) => Err(format!("{} does not work: {failure}", path.display())),
            }
        });
        Self {
            library,
            cache: Cache::open(),
            children,
        }
    }

    /// Its version.
    ///
    /// # Errors
    /// There is no Oclgrind; why.
    pub fn version(&self) -> Result<&str, &str> {
        let version = self.library.as_ref().map(|(_, version)| &**version);
        version.map_err(|why| &**why)
    }

    /// Counters from the source if that tells all of them, else by a simulation in about `limit`. If that gives none,
    /// the source's counters of some work-groups count.
    pub fn read_source_first(
        children: &'a Children,
        subject: CountedWorkload<'_>,
        limit: Duration,
    ) -> Reading {
        let from_source = from_source(children, subject);
        if let Some(reading) = &from_source
            && reading.scope == Scope::Full
        {
            return reading.clone();
        }
        match Self::find(children).count(subject, limit, || from_source.clone()) {
            Ok(counted) => counted.into(),
            Err(reason) => from_source.unwrap_or_else(|| refuse(reason)),
        }
    }

    /// Counts by a simulation, or `from_source` if that takes longer than `limit`.
    fn count(
        &self,
        subject: CountedWorkload<'_>,
        limit: Duration,
        from_source: impl FnOnce() -> Option<Reading>,
    ) -> Result<Counted, String> {
        let (path, version) = self.library.as_ref().map_err(Clone::clone)?;
        if let Some(counted) = self.cache.get(subject, version) {
            // A longer limit than last time may pay for all of it.
            if counted.scope == Scope::Full || counted.all_would_take_s >= limit.as_secs_f64() {
                return Ok(counted);
            }
        }
        let counted = self.count_anew(path, subject, limit, from_source)?;
        self.cache.put(subject, version, &counted);
        Ok(counted)
    }

    fn count_anew(
        &self,
        path: &Path,
        subject: CountedWorkload<'_>,
        limit: Duration,
        from_source: impl FnOnce() -> Option<Reading>,
    ) -> Result<Counted, String> {
        let simulate = |part, limit| {
            simulate(self.children, path, subject, part, limit).map_err(|failure| (failure, limit))
        };
        if subject.launch.until.is_some() {
            return Err("how many rounds there are shows only where they run".to_owned());
        }
        if subject.launch.only_step().is_none() {
            // What a launch does depends on what those before it wrote: all of it must run.
            return simulate(SimulatedPart::All, limit).map_err(|failure| match failure {
                (Failure::Hung { .. }, limit) => format!(
                    "counting all {} launches takes more than {:.1} s, and a part of them would read what no \
                     launch wrote",
                    subject.launch.steps.len(),
                    limit.as_secs_f64()
                ),
                other => failure_text(other),
            });
        }
        if subject.launch.work_groups() <= 2 {
            return simulate(SimulatedPart::All, limit).map_err(failure_text);
        }
        let edges = simulate(SimulatedPart::FirstAndLastGroup, EDGES_TIMES_LIMIT * limit)
            .map_err(failure_text)?;
        let mut all_would_take_s = edges.all_would_take_s;
        if all_would_take_s < limit.as_secs_f64() {
            match simulate(SimulatedPart::All, limit) {
                // Work-groups in the middle took longer than those at the edges.
                Err((Failure::Hung { .. }, limit)) => all_would_take_s = limit.as_secs_f64(),
                all => return all.map_err(failure_text),
            }
        }
        // The source tells of work-groups at the borders and between them, unlike the edges.
        let (counters, scope) = match from_source() {
            Some(reading) => (reading.counters, reading.scope),
            None => (edges.counters, edges.scope),
        };
        Ok(Counted {
            counters,
            scope,
            all_would_take_s,
        })
    }
}

/// Counters from source; none where the source does not tell them.
fn from_source(children: &Children, subject: CountedWorkload<'_>) -> Option<Reading> {
    let counts = oclgrind_counts(children, subject.workload).ok()?;
    Some(reading(counts.counters, counts.extent))
}

fn failure_text((failure, limit): (Failure, Duration)) -> String {
    match failure {
        Failure::Hung { .. } => format!(
            "counting even the first and the last work-group takes more than {:.1} s: they are too large, or a loop \
             never ends",
            limit.as_secs_f64()
        ),
        other => other.to_string(),
    }
}

impl Provider for Oclgrind<'_> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn tool_version(&self) -> Option<String> {
        self.version().ok().map(str::to_owned)
    }

    fn read(&self, subject: CountedWorkload<'_>, limit: Duration) -> Reading {
        let counted = self.count(subject, limit, || from_source(self.children, subject));
        counted.map_or_else(refuse, Reading::from)
    }
}
