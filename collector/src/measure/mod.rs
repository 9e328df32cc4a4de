//! Measures one workload on one device: compares its outputs with the reference variant's, times it, and has it
//! counted. `run` goes through the list of workloads.

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
    child::{ChildJob, Children, Failure, Launching, Outputs, Timed},
    conditions::flags,
    device::{self, sample_device},
    providers::{CountedWorkload, Provider},
    source_analysis::accesses::Reader,
    workload::Workload,
};

mod budget;
mod reference;

pub use budget::Budget;
pub(crate) use reference::Reference;

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

/// The settings of a run.
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

/// A run on one device, workload after workload.
pub(crate) struct DeviceRun<'a> {
    pub(crate) device: &'a DeviceFacts,
    pub(crate) settings: &'a Settings,
    pub(crate) providers: &'a [Box<dyn Provider + 'a>],
    pub(crate) children: &'a Children,
    /// Finds certain faults; none without clang, and `kerncast doctor` says so.
    pub(crate) reader: Option<Reader<'a>>,
    pub(crate) reference: Reference,
    /// Workloads that hung.
    pub(crate) hung: Vec<&'a Workload<'a>>,
}

impl<'a> DeviceRun<'a> {
    /// Measures a workload within its share of the `budget`; `rest`: the workloads that follow it.
    pub(crate) fn measure(
        &mut self,
        workload: &'a Workload<'a>,
        rest: &[Workload<'_>],
        budget: &Budget,
    ) -> Outcome {
        let mut hung = self.hung.iter();
        if let Some(earlier) = hung.find(|earlier| depends_on(workload, earlier)) {
            let (variant, sizes) = (&earlier.variant.name, sizes(&earlier.parameters));
            return Outcome::Skipped(format!("not run: variant `{variant}` hung at {sizes}"));
        }
        match self.try_to_measure(workload, rest, budget.share(rest.len() + 1)) {
            Ok(outcome) => outcome,
            Err(Failure::Beyond(reason)) => Outcome::Skipped(reason),
            Err(failure) => {
                if matches!(failure, Failure::Hung { .. }) {
                    self.hung.push(workload);
                }
                Outcome::Failed(failure.to_string())
            }
        }
    }

    fn try_to_measure(
        &mut self,
        workload: &Workload<'_>,
        rest: &[Workload<'_>],
        share: Option<Duration>,
    ) -> Result<Outcome, Failure> {
        let share = share.unwrap_or(Duration::MAX);
        let launch = workload.launch();
        let launch = launch.map_err(|error| Failure::Refused(error.to_string()))?;
        if let Err(too_large) = launch.fits(device::limits(self.device)) {
            return Ok(Outcome::Skipped(too_large.to_string()));
        }
        let (children, settings, reference) = (self.children, self.settings, &mut self.reference);
        let limit = settings.workload_limit;
        let outputs = reference.outputs_for(workload, self.device, children, limit)?;
        let is_reference = matches!(outputs, Outputs::Keep(_));
        let reader = self.reader.as_ref();
        if let Some(fault) = reader.and_then(|it| certain_fault(it, workload)) {
            // A fault means nothing if the arguments' types are not the source's: then this is refused.
            children.local_bytes(self.device, workload.key())?;
            let failure = Failure::Refused(fault);
            if is_reference {
                reference.note_end(Some(&failure));
            }
            return Err(failure);
        }
        let job = ChildJob::Time {
            launching: Launching {
                device: self.device.index,
                workload: workload.key(),
                outputs,
            },
            budget: settings.timing.min(share / 3),
        };
        let answer = children.ask(job, &[], limit);
        if is_reference {
            reference.note_end(answer.as_ref().err());
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
        let subject = CountedWorkload {
            device: self.device,
            workload,
            rest,
            launch: &launch,
            local_bytes,
        };
        // Below a second not even Oclgrind's start is paid for.
        let share = share.max(Duration::from_secs(1));
        self.count(subject, settings.count_limit.min(share), &mut sample);
        Ok(Outcome::Measured(Box::new(sample)))
    }

    /// Adds each provider's reading, and the version of its tool.
    fn count(&self, subject: CountedWorkload<'_>, limit: Duration, sample: &mut NewSample) {
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
            device: sample_device(self.device),
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
                ..device::provenance(self.device)
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
