//! Workloads: a kernel, a variant and sizes, for this process and for others; and the plan of those to measure.

use std::path::PathBuf;

use kerncast_suite::{BadValue, Kernel, Launch, Parameters, Variant, sizes};
use serde::{Deserialize, Serialize};

mod plan;

pub use plan::{Filter, plan};

/// A kernel, a variant of it, and its sizes.
#[expect(missing_docs, reason = "their names say it")]
#[derive(Clone, Debug)]
pub struct Workload<'a> {
    pub kernel: &'a Kernel,
    pub variant: &'a Variant,
    pub parameters: Parameters,
}

/// A workload for another process, which reads the kernel's folder itself.
#[expect(missing_docs, reason = "their names say it")]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WorkloadKey {
    pub folder: PathBuf,
    pub variant: String,
    pub parameters: Parameters,
}

/// The name of a workload for people: kernel, variant and sizes.
pub fn name(kernel: &str, variant: &str, parameters: &Parameters) -> String {
    format!("{kernel} {variant} {}", sizes(parameters))
}

impl Workload<'_> {
    /// The name of the workload for people.
    pub fn name(&self) -> String {
        name(&self.kernel.name, &self.variant.name, &self.parameters)
    }

    /// The launch, with every expression evaluated.
    ///
    /// # Errors
    /// The first field whose value can't be used.
    pub fn launch(&self) -> Result<Launch, BadValue> {
        Launch::new(self.kernel, self.variant, &self.parameters)
    }

    /// The workload for another process.
    pub fn key(&self) -> WorkloadKey {
        WorkloadKey::new(self.kernel, &self.variant.name, &self.parameters)
    }
}

impl WorkloadKey {
    pub(crate) fn new(kernel: &Kernel, variant: &str, parameters: &Parameters) -> Self {
        Self {
            folder: kernel.folder.clone(),
            variant: variant.to_owned(),
            parameters: parameters.clone(),
        }
    }
}
