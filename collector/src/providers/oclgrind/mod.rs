//! `oclgrind`: instructions executed, counted by simulating every work-item.
//!
//! The counts depend on source, options, variant and sizes, not on the device. Counting all of a
//! large launch takes too long: its first and last work-groups are counted first, and tell how long
//! all of them would take.

use std::{
    env,
    path::{Path, PathBuf},
    time::Duration,
};

use kerncast_wire::{Reading, Scope};

use super::{Provider, Subject, refuse};
use crate::child::{Answer, Failure, Job, Outputs, Report, Target, ask};

mod cache;
mod parse;

use cache::{Cache, Counted};

pub(super) const NAME: &str = "oclgrind";
const LIBRARY: &str = "liboclgrind-rt.so";
const FOLDERS: [&str; 4] = [
    "/usr/lib/oclgrind",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/local/lib",
];
const PROBE_LIMIT: Duration = Duration::from_secs(20);

/// The provider `oclgrind`.
pub struct Oclgrind<'a> {
    /// The library and its version, or why there is none.
    library: Result<(PathBuf, String), String>,
    cache: Cache,
    scratch: &'a Path,
}

/// How much of a launch to simulate.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    All,
    FirstAndLastGroup,
}

impl<'a> Oclgrind<'a> {
    /// Looks for Oclgrind: in the file or folder that KERNCAST_OCLGRIND names, or where packages put
    /// it.
    pub fn find(scratch: &'a Path) -> Self {
        let library = library().and_then(|path| {
            let environment = [("OPENCL_DYLIB_PATH", path.display().to_string())];
            match ask(Job::Probe, scratch, &environment, PROBE_LIMIT) {
                Ok(Answer {
                    report: Report::Driver(version),
                    ..
                }) => Ok((path, version)),
                Ok(answer) => Err(format!("{} answered {:?}", path.display(), answer.report)),
                Err(failure) => Err(format!("{} does not work: {failure}", path.display())),
            }
        });
        Self {
            library,
            cache: Cache::open(),
            scratch,
        }
    }

    fn count(&self, subject: Subject<'_>, limit: Duration) -> Result<Counted, String> {
        let (path, version) = self.library.as_ref().map_err(Clone::clone)?;
        let key = cache::Key::new(subject, version);
        if let Some(counted) = self.cache.get(&key) {
            // A longer limit than last time may pay for all of it.
            if counted.scope == Scope::Full || counted.all_would_take_s > limit.as_secs_f64() {
                return Ok(counted);
            }
        }
        let counted = self.count_anew(path, subject, limit)?;
        self.cache.put(&key, &counted);
        Ok(counted)
    }

    fn count_anew(
        &self,
        path: &Path,
        subject: Subject<'_>,
        limit: Duration,
    ) -> Result<Counted, String> {
        let groups = subject.launch.work_groups();
        if groups <= 2 {
            return self
                .run(path, subject, Part::All, limit)
                .map_err(|failure| in_words(failure, limit));
        }
        let edges = self
            .run(path, subject, Part::FirstAndLastGroup, limit)
            .map_err(|failure| in_words(failure, limit))?;
        if edges.all_would_take_s > limit.as_secs_f64() {
            return Ok(edges);
        }
        match self.run(path, subject, Part::All, limit) {
            Ok(all) => Ok(all),
            // Work-groups in the middle took longer than those at the edges.
            Err(Failure::Hung { .. }) => Ok(edges),
            Err(failure) => Err(failure.to_string()),
        }
    }

    fn run(
        &self,
        path: &Path,
        subject: Subject<'_>,
        part: Part,
        limit: Duration,
    ) -> Result<Counted, Failure> {
        let job = Job::Launch(Target {
            device: 0,
            folder: subject.kernel.folder.clone(),
            variant: subject.variant.name.clone(),
            parameters: subject.parameters.clone(),
            outputs: Outputs::Ignore,
        });
        // The simulated device has room for whatever the real one could run.
        let memory = (4 * subject.launch.global_bytes()).max(1 << 27);
        let local = subject.local_bytes.max(1 << 16);
        let mut environment = vec![
            ("OPENCL_DYLIB_PATH", path.display().to_string()),
            ("OCLGRIND_INST_COUNTS", "1".to_owned()),
            ("OCLGRIND_GLOBAL_MEM_SIZE", memory.to_string()),
            ("OCLGRIND_CONSTANT_MEM_SIZE", memory.to_string()),
            ("OCLGRIND_LOCAL_MEM_SIZE", local.to_string()),
            (
                "OCLGRIND_MAX_WGSIZE",
                subject.launch.work_group_size().max(1024).to_string(),
            ),
            ("LC_ALL", "C".to_owned()),
        ];
        if part == Part::FirstAndLastGroup {
            environment.push(("OCLGRIND_QUICK", "1".to_owned()));
        }
        let answer = ask(job, self.scratch, &environment, limit)?;
        let Report::Launched(seconds) = answer.report else {
            return Err(Failure::Refused(format!(
                "unexpected answer {:?}",
                answer.report
            )));
        };
        let counts = parse::counts(&answer.stdout, &subject.launch.function)
            .map_err(|problem| Failure::Refused(problem.to_string()))?;
        Ok(match part {
            Part::All => Counted {
                counters: counts,
                scope: Scope::Full,
                all_would_take_s: seconds,
            },
            Part::FirstAndLastGroup => {
                // Not rounded: half an instruction is nearer than the wrong whole one.
                let factor = subject.launch.work_groups() as f64 / 2.0;
                let scaled = counts
                    .into_iter()
                    .map(|(name, count)| (name, count * factor));
                Counted {
                    counters: scaled.collect(),
                    scope: Scope::FirstAndLastGroup,
                    all_would_take_s: seconds * factor,
                }
            }
        })
    }
}

fn in_words(failure: Failure, limit: Duration) -> String {
    match failure {
        Failure::Hung { .. } => format!(
            "counting even the first and the last work-group takes more than {:.1} s",
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
        self.library
            .as_ref()
            .ok()
            .map(|(_, version)| version.clone())
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

fn library() -> Result<PathBuf, String> {
    if let Some(named) = env::var_os("KERNCAST_OCLGRIND") {
        let named = PathBuf::from(named);
        let library = if named.is_dir() {
            named.join(LIBRARY)
        } else {
            named
        };
        return if library.is_file() {
            Ok(library)
        } else {
            Err(format!(
                "KERNCAST_OCLGRIND: there is no file {}",
                library.display()
            ))
        };
    }
    let found = FOLDERS
        .iter()
        .map(|folder| Path::new(folder).join(LIBRARY))
        .find(|l| l.is_file());
    found.ok_or_else(|| {
        format!(
            "Oclgrind is not installed: no {LIBRARY} in {}. Install Debian's oclgrind, or name its \
             folder in KERNCAST_OCLGRIND",
            FOLDERS.join(", ")
        )
    })
}
