//! What the user says about an imported file.

use std::collections::BTreeMap;

use kerncast_wire::{Agent, DeviceKind};

/// What the user adds to a file. Facts in the file itself take precedence.
#[expect(missing_docs, reason = "their names say it")]
#[derive(Clone, Debug)]
pub struct ImportOptions {
    pub agent: Agent,
    pub device: Option<String>,
    pub vendor: Option<String>,
    /// The kind of the device in OpenCL.
    pub kind: DeviceKind,
    /// The GPUs to take, as the file numbers them; empty: all.
    pub gpus: Vec<String>,
    /// The kernels to take; empty: all.
    pub kernels: Vec<KernelChoice>,
    pub variant: Option<String>,
    /// Sizes of every launch, by name.
    pub parameters: BTreeMap<String, i64>,
}

impl ImportOptions {
    /// Options for a file that is read without a server; devices are then distinguished by name.
    pub fn without_server(device: Option<String>) -> Self {
        Self {
            agent: Agent {
                name: "kerncast".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            device,
            vendor: Some("unsaid".to_owned()),
            kind: DeviceKind::Gpu,
            gpus: Vec::new(),
            kernels: Vec::new(),
            variant: None,
            parameters: BTreeMap::new(),
        }
    }
}

/// A kernel to take from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelChoice {
    /// Its name in the file.
    pub in_file: String,
    /// Its name in samples.
    pub in_samples: String,
}

impl std::str::FromStr for KernelChoice {
    type Err = String;

    /// Parses `NAME`, or `NAME=OTHER` to rename the kernel.
    fn from_str(text: &str) -> Result<Self, String> {
        let (in_file, in_samples) = text.rsplit_once('=').unwrap_or((text, text));
        if in_file.is_empty() || in_samples.is_empty() {
            return Err("expected NAME, or NAME=OTHER to call it otherwise".to_owned());
        }
        Ok(Self {
            in_file: in_file.to_owned(),
            in_samples: in_samples.to_owned(),
        })
    }
}
