//! `oclgrind`: instructions executed, counted by simulating every work-item.
//!
//! The counts depend on source, options, variant and sizes, not on the device. Counting all of a large launch takes too
//! long: so its first and last work-groups are counted first, and tell how long all would take. If that is too long,
//! the counts come from source, or else from these two work-groups.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use kerncast_wire::{Reading, Scope};

use super::{Provider, Subject, refuse, scope};
use crate::{
    child::{Children, Failure},
    source_analysis::oclgrind_counts::SourceCounter,
};

pub use crate::programs::oclgrind_library as library;

mod cache;
mod simulate;

use cache::{Cache, Counted};
use simulate::simulate;
pub(crate) use simulate::{Part, environment};

pub(super) const NAME: &str = kerncast_wire::provider::OCLGRIND;
/// The first and the last work-group may take this many times the limit, because nothing can be counted without them.
const EDGES: u32 = 4;

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

    fn count(&self, subject: Subject<'_>, limit: Duration) -> Result<Counted, String> {
        let (path, version) = self.library.as_ref().map_err(Clone::clone)?;
        if let Some(counted) = self.cache.get(subject, version) {
            // A longer limit than last time may pay for all of it.
            if counted.scope == Scope::Full || counted.all_would_take_s >= limit.as_secs_f64() {
                return Ok(counted);
            }
        }
        let counted = self.count_anew(path, subject, limit)?;
        self.cache.put(subject, version, &counted);
        Ok(counted)
    }

    fn count_anew(
        &self,
        path: &Path,
        subject: Subject<'_>,
        limit: Duration,
    ) -> Result<Counted, String> {
        let simulate = |part, limit| {
            simulate(self.children, path, subject, part, limit).map_err(|failure| (failure, limit))
        };
        if subject.launch.until.is_some() {
            return Err("how many rounds there are shows only where they run".to_owned());
        }
        if subject.launch.only_step().is_none() {
            // What a launch does depends on what those before it wrote: all of it must run.
            return simulate(Part::All, limit).map_err(|failure| match failure {
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
            return simulate(Part::All, limit).map_err(failure_text);
        }
        let edges = simulate(Part::FirstAndLastGroup, EDGES * limit).map_err(failure_text)?;
        if edges.all_would_take_s >= limit.as_secs_f64() {
            return Ok(self.counts_from_source(subject, &edges).unwrap_or(edges));
        }
        match simulate(Part::All, limit) {
            // Work-groups in the middle took longer than those at the edges.
            Err((Failure::Hung { .. }, limit)) => {
                let part = self.counts_from_source(subject, &edges).unwrap_or(edges);
                Ok(Counted {
                    all_would_take_s: limit.as_secs_f64(),
                    ..part
                })
            }
            all => all.map_err(failure_text),
        }
    }

    /// Counts from source, which cover work-groups at the borders and between them, unlike `edges`. None where the
    /// source does not tell.
    fn counts_from_source(&self, subject: Subject<'_>, edges: &Counted) -> Option<Counted> {
        let mut counter = SourceCounter::find(self.children).ok()?;
        let counts = counter.counts(subject.workload).ok()?;
        Some(Counted {
            counters: counts.counters,
            scope: scope(counts.extent),
            all_would_take_s: edges.all_would_take_s,
        })
    }
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
        let library = self.library.as_ref().ok();
        library.map(|(_, version)| version.clone())
    }

    fn read(&self, subject: Subject<'_>, limit: Duration) -> Reading {
        match self.count(subject, limit) {
            Ok(Counted {
                counters, scope, ..
            }) => Reading {
                counters,
                scope,
                refusal: None,
            },
            Err(reason) => refuse(reason),
        }
    }
}
