//! Measures a list of workloads on one device.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use chrono::Utc;
use kerncast_opencl::DeviceFacts;
use kerncast_suite::{Launch, sizes};
use kerncast_wire::{Agent, NewSample, Origin, Provenance, Times};
use uuid::Uuid;

use crate::{
    child::{Children, Failure, Job, Launching, Outputs, Timed},
    clang::Clang,
    conditions::flags,
    device::{self, sampled},
    providers::{Provider, Subject},
    source_analysis::accesses::Reader,
    workload::Workload,
};

mod budget;
mod ceilings;
mod plan;
mod reference;

pub use budget::Budget;
pub use ceilings::{NamedCeilings, ceilings};
pub use plan::{Filter, plan};
use reference::Reference;

/// The outcome of a workload.
#[derive(Debug)]
pub enum Outcome {
    /// It was measured, and its outputs agree with the reference's.
    Measured(Box<NewSample>),
    /// It ran, and something went wrong; why.
    Failed(String),
    /// It can't be run here; why.
    Skipped(String),
    /// It was not run, but may be another time; why.
    Postponed(String),
}

/// The settings of a collection.
#[derive(Debug)]
pub struct Settings {
    /// The agent that measures.
    pub agent: Agent,
    /// One workload's repetitions take at most this long.
    pub timing: Duration,
    /// One workload's child is killed after this long.
    pub workload_limit: Duration,
    /// One workload's counting takes at most this long.
    pub count_limit: Duration,
}

/// Time limits of one workload.
#[derive(Clone, Copy)]
struct Limits {
    timing: Duration,
    counting: Duration,
}

/// Measures workloads on a device, one after the other.
pub(crate) struct Collector<'a> {
    pub(crate) device: &'a DeviceFacts,
    pub(crate) settings: &'a Settings,
    pub(crate) providers: &'a [Box<dyn Provider + 'a>],
    pub(crate) children: &'a Children,
}

impl Collector<'_> {
    /// Measures each of `workloads` and passes its outcome to `report` at once. A workload that `begin` refuses is
    /// postponed.
    ///
    /// # Errors
    /// An error of `report`, which ends the collection.
    pub(crate) fn collect<E>(
        &self,
        workloads: &[Workload<'_>],
        budget: &Budget,
        mut begin: impl FnMut(&Workload<'_>) -> Result<(), String>,
        mut report: impl FnMut(usize, &Workload<'_>, Outcome) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut reference = Reference::none();
        // Without one it is not known beforehand, and `kerncast doctor` says so.
        let clang = Clang::find().ok();
        let reader = clang.as_ref().map(Reader::new);
        let mut hung: Vec<&Workload<'_>> = Vec::new();
        for (index, workload) in workloads.iter().enumerate() {
            let outcome = if budget.is_over() {
                Outcome::Postponed("not run: the time budget is over".to_owned())
            } else if let Err(why) = begin(workload) {
                Outcome::Postponed(format!("not run: {why}"))
            } else if let Some(before) = hung.iter().find(|before| depends_on(workload, before)) {
                let (variant, sizes) = (&before.variant.name, sizes(&before.parameters));
                Outcome::Skipped(format!("not run: variant `{variant}` hung at {sizes}"))
            } else {
                let limits = self.limits(budget.share(workloads.len() - index));
                let wrong = reader.as_ref().and_then(|it| certain_fault(it, workload));
                let rest = &workloads[index + 1..];
                self.measure(workload, rest, wrong, &mut reference, limits)
                    .unwrap_or_else(|failure| match failure {
                        Failure::Beyond(reason) => Outcome::Skipped(reason),
                        Failure::Hung { .. } => {
                            hung.push(workload);
                            Outcome::Failed(failure.to_string())
                        }
                        _ => Outcome::Failed(failure.to_string()),
                    })
            };
            report(index, workload, outcome)?;
        }
        Ok(())
    }

    /// The limits of a workload that has a `share` of the remaining budget.
    fn limits(&self, share: Option<Duration>) -> Limits {
        let mut limits = Limits {
            timing: self.settings.timing,
            counting: self.settings.count_limit,
        };
        if let Some(share) = share {
            limits.timing = limits.timing.min(share / 3);
            // Below a second not even Oclgrind's start is paid for.
            limits.counting = limits.counting.min(share.max(Duration::from_secs(1)));
        }
        limits
    }

    fn measure(
        &self,
        workload: &Workload<'_>,
        rest: &[Workload<'_>],
        wrong: Option<String>,
        reference: &mut Reference,
        limits: Limits,
    ) -> Result<Outcome, Failure> {
        let launch = workload.launch();
        let launch = launch.map_err(|error| Failure::Refused(error.to_string()))?;
        if let Err(too_large) = launch.fits(device::limits(self.device)) {
            return Ok(Outcome::Skipped(too_large.to_string()));
        }
        let outputs = reference.outputs_for(self, workload)?;
        let keeps = matches!(outputs, Outputs::Keep(_));
        if let Some(wrong) = wrong {
            // Of arguments of other types than the source has, it would be nonsense.
            self.children.local_bytes(self.device, workload.target())?;
            let failure = Failure::Refused(wrong);
            if keeps {
                reference.settle(Some(&failure));
            }
            return Err(failure);
        }
        let job = Job::Time {
            launching: Launching {
                device: self.device.index,
                target: workload.target(),
                outputs,
            },
            budget: limits.timing,
        };
        let answer = self.children.ask(job, &[], self.settings.workload_limit);
        if keeps {
            reference.settle(answer.as_ref().err());
        }
        let Timed {
            times,
            conditions,
            local_bytes,
        } = answer?.value;
        let mut sample = self.sample(workload, &launch, times);
        sample.flags = flags(&sample.times, conditions.as_ref());
        sample.conditions = conditions;
        // After the timing, so that counting disturbs no time.
        let subject = Subject {
            device: self.device,
            workload,
            rest,
            launch: &launch,
            local_bytes,
        };
        self.count(subject, limits.counting, &mut sample);
        Ok(Outcome::Measured(Box::new(sample)))
    }

    /// Adds each provider's reading, and the version of its tool.
    fn count(&self, subject: Subject<'_>, limit: Duration, sample: &mut NewSample) {
        for provider in self.providers {
            let reading = provider.read(subject, limit);
            let version = provider.tool_version();
            let version = version.filter(|_| reading.refusal.is_none());
            let tool = version.map(|version| (provider.name().to_owned(), version));
            sample.provenance.tools.extend(tool);
            sample.readings.insert(provider.name().to_owned(), reading);
        }
    }

    /// A sample with the current time, without readings yet.
    fn sample(&self, workload: &Workload<'_>, launch: &Launch, times: Times) -> NewSample {
        NewSample {
            id: Uuid::now_v7(),
            measured_at: Utc::now(),
            agent: self.settings.agent.clone(),
            device: sampled(self.device),
            workload: kerncast_wire::Workload {
                kernel: workload.kernel.name.clone(),
                family: workload.kernel.family.clone(),
                generated: workload.kernel.generated,
                variant: workload.variant.name.clone(),
                parameters: workload.parameters.clone(),
            },
            times,
            readings: BTreeMap::new(),
            conditions: None,
            flags: BTreeSet::new(),
            provenance: Provenance {
                source_hash: Some(workload.kernel.source_hash.clone()),
                build_options: Some(launch.options.clone()),
                driver_version: Some(self.device.driver_version.clone()),
                platform_version: Some(self.device.platform_version.clone()),
                tools: BTreeMap::new(),
            },
            origin: Origin::Measured,
        }
    }
}

/// A certain fault of the workload's launch; its time would mean nothing.
fn certain_fault(reader: &Reader<'_>, workload: &Workload<'_>) -> Option<String> {
    // A source that can't be read is said to be so where it is built.
    let faults = reader.soundness(workload).unwrap_or_default().wrong;
    (!faults.is_empty()).then(|| faults.join("; "))
}

/// Whether `workload` can't run where `other` hung: it is the same variant, or its reference.
fn depends_on(workload: &Workload<'_>, other: &Workload<'_>) -> bool {
    let reference = workload.kernel.reference();
    other.kernel.name == workload.kernel.name
        && [&workload.variant.name, &reference.name].contains(&&other.variant.name)
}
