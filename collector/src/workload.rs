//! What to measure, and how other processes are told of it.

use std::path::PathBuf;

use kerncast_suite::{BadValue, Kernel, Launch, Parameters, Variant, sizes};
use serde::{Deserialize, Serialize};

/// What to measure: a kernel, a variant of it, and its sizes.
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
pub struct Target {
    pub folder: PathBuf,
    pub variant: String,
    pub parameters: Parameters,
}

/// A kernel, a variant of it and its sizes, as people are told of them.
pub fn name(kernel: &str, variant: &str, parameters: &Parameters) -> String {
    format!("{kernel} {variant} {}", sizes(parameters))
}

impl Workload<'_> {
    /// As people are told of it.
    pub fn name(&self) -> String {
        name(&self.kernel.name, &self.variant.name, &self.parameters)
    }

    /// With every expression evaluated.
    ///
    /// # Errors
    /// The first field whose value can't be used.
    pub fn launch(&self) -> Result<Launch, BadValue> {
        Launch::new(self.kernel, self.variant, &self.parameters)
    }

    /// The same, for another process.
    pub fn target(&self) -> Target {
        Target::new(self.kernel, &self.variant.name, &self.parameters)
    }
}

impl Target {
    pub(crate) fn new(kernel: &Kernel, variant: &str, parameters: &Parameters) -> Self {
        Self {
            folder: kernel.folder.clone(),
            variant: variant.to_owned(),
            parameters: parameters.clone(),
        }
    }
}
