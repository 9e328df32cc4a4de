//! The reference's outputs, for the variants that follow it at the same sizes.

use std::fs;

use kerncast_suite::Parameters;

use super::Collector;
use crate::{
    child::{Failure, Job, Launching, Outputs},
    workload::{Target, Workload},
};

/// The outputs of the reference variant for one kernel and size.
pub(super) struct Reference {
    of: Option<(String, Parameters)>,
    /// Why there are no outputs to compare with.
    failure: Option<Ended>,
}

/// The end of a reference that left no outputs.
#[derive(Clone, Copy)]
enum Ended {
    Beyond,
    Failed,
    Hung,
    Crashed,
}

impl Reference {
    pub(super) fn none() -> Self {
        Self {
            of: None,
            failure: None,
        }
    }

    /// What the child of a workload should do with its outputs. If the reference was not asked for, it is launched here
    /// once, untimed.
    pub(super) fn outputs_for(
        &mut self,
        collector: &Collector<'_>,
        workload: &Workload<'_>,
    ) -> Result<Outputs, Failure> {
        let folder = collector.children.scratch().join("reference");
        let reference = workload.kernel.reference();
        let key = (workload.kernel.name.clone(), workload.parameters.clone());
        let is_reference = workload.variant.name == reference.name;
        if is_reference || self.of.as_ref() != Some(&key) {
            *self = Self {
                of: Some(key),
                failure: None,
            };
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder)?;
            if is_reference {
                return Ok(Outputs::Keep(folder));
            }
            let job = Job::Launch(Launching {
                device: collector.device.index,
                target: Target {
                    variant: reference.name.clone(),
                    ..workload.target()
                },
                outputs: Outputs::Keep(folder.clone()),
            });
            let limit = collector.settings.workload_limit;
            let launched = collector.children.ask::<f64>(job, &[], limit);
            self.settle(launched.err().as_ref());
        }
        match self.failure {
            None => Ok(Outputs::Compare(folder)),
            Some(ended) => {
                let (failure, how): (fn(String) -> Failure, _) = match ended {
                    Ended::Beyond => (Failure::Beyond, "is beyond this device"),
                    Ended::Failed => (Failure::Refused, "failed"),
                    Ended::Hung => (Failure::Refused, "hung"),
                    Ended::Crashed => (Failure::Refused, "crashed"),
                };
                let name = &reference.name;
                Err(failure(format!(
                    "cannot be checked: the reference variant `{name}` {how}"
                )))
            }
        }
    }

    /// Records how the reference's own run ended.
    pub(super) fn settle(&mut self, failure: Option<&Failure>) {
        self.failure = failure.map(|failure| match failure {
            Failure::Beyond(_) => Ended::Beyond,
            Failure::Refused(_) | Failure::NoOpenCl(_) | Failure::Process(_) => Ended::Failed,
            Failure::Hung { .. } => Ended::Hung,
            Failure::Crashed { .. } => Ended::Crashed,
        });
    }
}
