//! The reference's outputs, for the variants that follow it at the same sizes.

use std::{fs, time::Duration};

use kerncast_opencl::DeviceFacts;
use kerncast_suite::Parameters;

use crate::{
    child::{ChildJob, Children, Failure, Launching, Outputs},
    workload::{Workload, WorkloadKey},
};

/// The outputs of the reference variant for one kernel and size.
#[derive(Default)]
pub(crate) struct Reference {
    /// The kernel's name and the sizes; none before the first workload.
    workload: Option<(String, Parameters)>,
    /// How the reference ended, in words; none where it left outputs to compare with.
    failure: Option<&'static str>,
}

/// The end of a reference that the device can't run.
const BEYOND: &str = "is beyond this device";

impl Reference {
    /// What the child of a workload should do with its outputs. If the reference was not asked for, it is launched here
    /// once, untimed, for at most `limit`.
    pub(super) fn outputs_for(
        &mut self,
        workload: &Workload<'_>,
        device: &DeviceFacts,
        children: &Children,
        limit: Duration,
    ) -> Result<Outputs, Failure> {
        let folder = children.scratch().join("reference");
        let reference = workload.kernel.reference();
        let key = (workload.kernel.name.clone(), workload.parameters.clone());
        let is_reference = workload.variant.name == reference.name;
        if is_reference || self.workload.as_ref() != Some(&key) {
            *self = Self {
                workload: Some(key),
                failure: None,
            };
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder)?;
            if is_reference {
                return Ok(Outputs::Keep(folder));
            }
            let job = ChildJob::Launch(Launching {
                device: device.index,
                workload: WorkloadKey {
                    variant: reference.name.clone(),
                    ..workload.key()
                },
                outputs: Outputs::Keep(folder.clone()),
            });
            let launched = children.ask::<f64>(job, &[], limit);
            self.note_end(launched.err().as_ref());
        }
        let Some(failure) = self.failure else {
            return Ok(Outputs::Compare(folder));
        };
        let name = &reference.name;
        let why = format!("cannot be checked: the reference variant `{name}` {failure}");
        Err(if failure == BEYOND {
            Failure::Beyond(why)
        } else {
            Failure::Refused(why)
        })
    }

    /// Notes how the reference's own run ended.
    pub(super) fn note_end(&mut self, failure: Option<&Failure>) {
        self.failure = failure.map(|failure| match failure {
            Failure::Beyond(_) => BEYOND,
            Failure::Refused(_) | Failure::NoOpenCl(_) | Failure::Process(_) => "failed",
            Failure::Hung { .. } => "hung",
            Failure::Crashed { .. } => "crashed",
        });
    }
}
