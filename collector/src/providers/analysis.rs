//! `analysis`: what a GPU's counters will be, from the source alone (docs/analysis.md). Nothing is run.

use std::time::Duration;

use kerncast_analysis::{
    counts::{Budget, Extent},
    llvm,
    run::lower,
    warps::{Gpu, warps},
};
use kerncast_opencl::DeviceKind;
use kerncast_wire::{Reading, Scope};

use super::{Provider, Subject, refuse};
use crate::clang::{Clang, Text};

pub(super) const NAME: &str = "analysis";
/// Of those of a GPU that is not here.
const MULTIPROCESSORS: u32 = 132;

/// The provider `analysis`.
pub struct Analysis {
    /// clang and its version, or why there is none.
    clang: Result<(Clang, String), String>,
    /// Of the device that is asked about, where it is not the subject's.
    multiprocessors: Option<u32>,
}

impl Analysis {
    /// For the subjects' own devices.
    #[must_use]
    pub fn find() -> Self {
        let found = Clang::find().and_then(|clang| {
            let version = clang.version()?;
            Ok((clang, version))
        });
        Self {
            clang: found.map_err(|why| why.to_string()),
            multiprocessors: None,
        }
    }

    /// The same, for a GPU with so many compute units that need not be here.
    #[must_use]
    pub fn on_gpu(&self, compute_units: Option<u32>) -> Self {
        Self {
            clang: self.clang.clone(),
            multiprocessors: Some(compute_units.unwrap_or(MULTIPROCESSORS)),
        }
    }

    /// clang's version.
    ///
    /// # Errors
    /// Why there is none.
    pub fn version(&self) -> Result<&str, &str> {
        match &self.clang {
            Ok((_, version)) => Ok(version),
            Err(reason) => Err(reason),
        }
    }

    fn count(&self, subject: Subject<'_>) -> Result<Reading, String> {
        let (clang, _) = self.clang.as_ref().map_err(Clone::clone)?;
        let launch = subject.launch;
        let Some(step) = launch.only_step() else {
            return Err(format!(
                "{} launches: what one reads another has written, and most of this does not add up",
                launch.steps.len()
            ));
        };
        if launch.has_images() {
            return Err("images and samplers are not understood".to_owned());
        }
        let kernel = subject.workload.kernel;
        let text = clang
            .llvm(launch, &kernel.folder, Text::Gpu)
            .map_err(|why| why.to_string())?;
        let module = llvm::read(&text).map_err(|why| why.to_string())?;
        let program = lower(&module, &step.function).map_err(|why| why.to_string())?;
        let bytes: Vec<usize> = launch.buffers.iter().map(|it| it.bytes()).collect();
        let parameters = &subject.workload.parameters;
        let mut input = |place: usize| {
            let filled = launch.input(&kernel.name, parameters, place);
            filled.map_err(|why| why.to_string())
        };
        let units = self.multiprocessors.or(subject.device.compute_units);
        let is_gpu = self.multiprocessors.is_some() || subject.device.kind == DeviceKind::Gpu;
        let gpu = Gpu::hopper(units.filter(|_| is_gpu).unwrap_or(MULTIPROCESSORS));
        let found = warps(&program, step, &bytes, &mut input, gpu, Budget::for_warps());
        let found = found.map_err(|why| why.to_string())?;
        Ok(Reading {
            counters: found.counters,
            scope: match found.extent {
                Extent::Exact => Scope::Full,
                Extent::Sampled { .. } => Scope::SampledGroups,
            },
            refusal: None,
        })
    }
}

impl Provider for Analysis {
    fn name(&self) -> &'static str {
        NAME
    }

    fn tool_version(&self) -> Option<String> {
        self.clang.as_ref().ok().map(|(_, version)| version.clone())
    }

    fn read(&self, subject: Subject<'_>, _limit: Duration) -> Reading {
        self.count(subject).unwrap_or_else(refuse)
    }
}
