//! Measuring a list of workloads on one device.

use std::{collections::BTreeMap, path::Path, time::Duration};

use chrono::Utc;
use kerncast_wire::{Agent, NewSample, Provenance, Times};
use uuid::Uuid;

use crate::{
    child::{Failure, Job, Outputs, Report, Target, ask},
    opencl::OpenClDevice,
    providers::{Provider, Subject},
    suite::{Kernel, Launch, Parameters, Variant},
};

mod budget;
mod plan;
mod reference;

pub use budget::Budget;
pub use plan::{Filter, PlanError, plan};
use reference::Reference;

/// What to measure: a kernel, a variant of it, and its sizes.
#[derive(Clone, Debug)]
pub struct Workload<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The variant.
    pub variant: &'a Variant,
    /// The sizes.
    pub parameters: Parameters,
}

/// What became of a workload.
#[derive(Debug)]
pub enum Outcome {
    /// Measured, and its outputs agree.
    Measured(Box<NewSample>),
    /// It ran and something went wrong; why.
    Failed(String),
    /// It did not run; why.
    Skipped(String),
}

/// How to measure.
#[derive(Debug)]
pub struct Settings {
    /// Who measures.
    pub agent: Agent,
    /// One workload's repetitions take at most this long.
    pub timing: Duration,
    /// One workload's child is killed after this long.
    pub workload_limit: Duration,
    /// One workload's counting takes at most this long.
    pub count_limit: Duration,
}

/// Measures workloads on a device, one after the other.
pub struct Collector<'a> {
    /// On what.
    pub device: &'a OpenClDevice,
    /// How.
    pub settings: &'a Settings,
    /// What counts.
    pub providers: &'a [Box<dyn Provider + 'a>],
    /// For what passes between processes.
    pub scratch: &'a Path,
}

impl Collector<'_> {
    /// Measures each of `workloads` and hands over what became of it, at once.
    ///
    /// # Errors
    /// What `done` returns: it ends the collection.
    pub fn collect<E>(
        &self,
        workloads: &[Workload<'_>],
        budget: &Budget,
        mut started: impl FnMut(usize, &Workload<'_>),
        mut done: impl FnMut(usize, &Workload<'_>, Outcome) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut reference = Reference::none();
        let mut hung: Vec<(&str, &str, &Parameters)> = Vec::new();
        for (index, workload) in workloads.iter().enumerate() {
            let (kernel, variant) = (&workload.kernel.name, &workload.variant.name);
            started(index, workload);
            let before = hung.iter().find(|(k, v, _)| k == kernel && v == variant);
            let outcome = if let Some((.., parameters)) = before {
                let sizes = crate::suite::sizes(parameters);
                Outcome::Skipped(format!("not run: this variant hung at {sizes}"))
            } else if budget.is_over() {
                Outcome::Skipped("not run: the time budget is over".to_owned())
            } else {
                let share = budget.share(workloads.len() - index);
                self.measure(workload, &mut reference, share)
                    .unwrap_or_else(|stop| {
                        if matches!(&stop, Stop::Failure(Failure::Hung { .. })) {
                            hung.push((kernel, variant, &workload.parameters));
                        }
                        stop.into()
                    })
            };
            done(index, workload, outcome)?;
        }
        Ok(())
    }

    fn measure<'w>(
        &self,
        workload: &Workload<'w>,
        reference: &mut Reference,
        share: Option<Duration>,
    ) -> Result<Outcome, Stop> {
        let Workload {
            kernel,
            variant,
            parameters,
        } = workload;
        let launch = Launch::new(kernel, variant, parameters)
            .map_err(|error| Stop::Failure(Failure::Refused(error.to_string())))?;
        launch
            .fits(self.device)
            .map_err(|too_large| Stop::Unfit(too_large.to_string()))?;
        let target = |outputs| Target {
            device: self.device.index,
            folder: kernel.folder.clone(),
            variant: variant.name.clone(),
            parameters: parameters.clone(),
            outputs,
        };
        let outputs = reference.outputs_for(self, workload)?;
        let keeps = matches!(outputs, Outputs::Keep(_));
        let timing = share.map_or(self.settings.timing, |share| {
            self.settings.timing.min(share / 3)
        });
        let job = Job::Time {
            target: target(outputs),
            budget: timing,
        };
        let answer = ask(job, self.scratch, &[], self.settings.workload_limit);
        if keeps {
            reference.settle(answer.as_ref().err());
        }
        let (times, local_bytes) = match answer?.report {
            Report::Timed { times, local_bytes } => (times, local_bytes),
            other => return Err(Stop::unexpected(&other)),
        };
        let mut sample = self.sample(workload, times);
        let subject = Subject {
            kernel,
            variant,
            parameters,
            launch: &launch,
            local_bytes,
        };
        let limit = share.map_or(self.settings.count_limit, |share| {
            self.settings
                .count_limit
                .min(share.max(Duration::from_secs(1)))
        });
        // After the timing, so that counting disturbs no time.
        for provider in self.providers {
            let reading = provider.read(subject, limit);
            let version = provider
                .tool_version()
                .filter(|_| reading.refusal.is_none());
            if let Some(version) = version {
                sample
                    .provenance
                    .tools
                    .insert(provider.name().to_owned(), version);
            }
            sample.readings.insert(provider.name().to_owned(), reading);
        }
        Ok(Outcome::Measured(Box::new(sample)))
    }

    /// A sample that was measured just now, without readings yet.
    fn sample(&self, workload: &Workload<'_>, times: Times) -> NewSample {
        NewSample {
            id: Uuid::now_v7(),
            measured_at: Utc::now(),
            agent: self.settings.agent.clone(),
            device: self.device.device.clone(),
            workload: kerncast_wire::Workload {
                kernel: workload.kernel.name.clone(),
                family: workload.kernel.family.clone(),
                variant: workload.variant.name.clone(),
                parameters: workload.parameters.clone(),
            },
            times,
            readings: BTreeMap::new(),
            provenance: Provenance {
                source_hash: Some(workload.kernel.source_hash.clone()),
                build_options: Some(workload.variant.options.clone()),
                driver_version: Some(self.device.driver_version.clone()),
                platform_version: Some(self.device.platform_version.clone()),
                tools: BTreeMap::new(),
            },
        }
    }
}

/// Why a workload has no sample.
enum Stop {
    /// The device is too small: nobody's fault.
    Unfit(String),
    /// Something went wrong.
    Failure(Failure),
}

impl Stop {
    fn unexpected(report: &Report) -> Self {
        Self::Failure(Failure::Refused(format!("the child answered {report:?}")))
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Stop> for Outcome {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Unfit(reason) => Self::Skipped(reason),
            Stop::Failure(failure) => Self::Failed(failure.to_string()),
        }
    }
}
