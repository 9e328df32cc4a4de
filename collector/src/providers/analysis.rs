//! `analysis`: what a GPU's counters will be, from the source alone (docs/analysis.md). Nothing is run.

use std::time::Duration;

use kerncast_analysis::{
    counts::{Budget, Extent},
    llvm,
    run::lower,
    warps::{Gpu, WarpCounts, warps},
};
use kerncast_opencl::DeviceKind;
use kerncast_suite::Launch;
use kerncast_wire::{Reading, Scope};

use super::{Provider, Subject, refuse};
use crate::{
    clang::{Clang, Text},
    workload::Workload,
};

pub(super) const NAME: &str = "analysis";
/// Of those of a GPU that is not here.
const MULTIPROCESSORS: u32 = 132;

/// The provider `analysis`.
#[derive(Clone)]
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
            multiprocessors: compute_units.or(Some(MULTIPROCESSORS)),
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

    /// The compiler.
    ///
    /// # Errors
    /// Why there is none.
    pub fn clang(&self) -> Result<&Clang, String> {
        match &self.clang {
            Ok((clang, _)) => Ok(clang),
            Err(reason) => Err(reason.clone()),
        }
    }

    /// What a GPU of so many multiprocessors would count of a workload's launch.
    ///
    /// # Errors
    /// Why nobody can tell.
    pub fn count(
        &self,
        workload: &Workload<'_>,
        launch: &Launch,
        multiprocessors: Option<u32>,
    ) -> Result<WarpCounts, String> {
        let Some(step) = launch.only_step() else {
            return Err(format!(
                "{} launches: what one reads another has written, and most of this does not add up",
                launch.steps.len()
            ));
        };
        if launch.has_images() {
            return Err("images and samplers are not understood".to_owned());
        }
        let kernel = workload.kernel;
        let text = self
            .clang()?
            .llvm(launch, &kernel.folder, Text::Gpu)
            .map_err(|why| why.to_string())?;
        let module = llvm::read(&text).map_err(|why| why.to_string())?;
        let program = lower(&module, &step.function).map_err(|why| why.to_string())?;
        let mut inputs = launch.inputs_on_demand(&kernel.name, &workload.parameters);
        let bytes = launch.bytes();
        let gpu = Gpu::hopper(multiprocessors.unwrap_or(MULTIPROCESSORS));
        let found = warps(
            &program,
            step,
            &bytes,
            &mut inputs,
            gpu,
            Budget::for_warps(),
        );
        found.map_err(|why| why.to_string())
    }

    /// Of the subject's device, or of the one that is asked about in its place.
    fn multiprocessors(&self, subject: Subject<'_>) -> Option<u32> {
        let is_gpu = subject.device.kind == DeviceKind::Gpu;
        let own = subject.device.compute_units.filter(|_| is_gpu);
        self.multiprocessors.or(own)
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
        let multiprocessors = self.multiprocessors(subject);
        let counted = self.count(subject.workload, subject.launch, multiprocessors);
        let reading = counted.map(|found| Reading {
            counters: found.counters,
            scope: scope(found.extent),
            refusal: None,
        });
        reading.unwrap_or_else(refuse)
    }
}

/// As readings say it.
#[must_use]
pub fn scope(extent: Extent) -> Scope {
    match extent {
        Extent::Exact => Scope::Full,
        Extent::Sampled { .. } => Scope::SampledGroups,
    }
}
