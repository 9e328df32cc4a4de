//! What a person says of an imported file, beyond the file itself.

use std::collections::BTreeMap;

use kerncast_wire::{Agent, DeviceKind};

/// What a person adds to a file that does not say it. What the file says itself stays.
#[expect(missing_docs, reason = "their names say it")]
#[derive(Clone, Debug)]
pub struct ImportOptions {
    pub agent: Agent,
    pub device: Option<String>,
    pub vendor: Option<String>,
    /// What OpenCL calls the device.
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
    /// Of files that are read without a server: devices are told apart by their names there.
    #[must_use]
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

/// A kernel to take out of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelChoice {
    /// Its name there.
    pub there: String,
    /// What to call it.
    pub here: String,
}

impl std::str::FromStr for KernelChoice {
    type Err = String;

    /// `NAME`, or `NAME=OTHER` to call it otherwise.
    fn from_str(text: &str) -> Result<Self, String> {
        let (there, here) = text.rsplit_once('=').unwrap_or((text, text));
        if there.is_empty() || here.is_empty() {
            return Err("expected NAME, or NAME=OTHER to call it otherwise".to_owned());
        }
        Ok(Self {
            there: there.to_owned(),
            here: here.to_owned(),
        })
    }
}
