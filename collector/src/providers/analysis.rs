//! `analysis`: what a GPU's or a CPU's counters will be, from the source alone (docs/analysis.md). Nothing is run.

use std::time::Duration;

use kerncast_analysis::{
    counts::{Budget, Extent},
    cpu::cpu,
    llvm,
    run::lower,
    warps::{Gpu, warps},
};
use kerncast_opencl::DeviceKind;
use kerncast_wire::{self as wire, Reading, Scope};

use super::{Provider, Subject, refuse};
use crate::clang::{Clang, Text};

pub(super) const NAME: &str = "analysis";
/// Of those of a GPU that is not here.
const MULTIPROCESSORS: u32 = 132;
/// Of a CPU whose driver does not say.
const CORES: u32 = 8;

/// The provider `analysis`.
pub struct Analysis {
    /// clang and its version, or why there is none.
    clang: Result<(Clang, String), String>,
    /// The device that is asked about, where it is not the subject's.
    asked: Option<Asked>,
}

/// What of a device its counters depend on.
#[derive(Clone, Copy)]
struct Asked {
    is_cpu: bool,
    compute_units: Option<u32>,
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
            asked: None,
        }
    }

    /// The same, for a device of this kind with so many compute units that need not be here.
    #[must_use]
    pub fn on(&self, kind: wire::DeviceKind, compute_units: Option<u32>) -> Self {
        Self {
            clang: self.clang.clone(),
            asked: Some(Asked {
                is_cpu: kind == wire::DeviceKind::Cpu,
                compute_units,
            }),
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
        let asked = self.asked.unwrap_or(Asked {
            is_cpu: subject.device.kind == DeviceKind::Cpu,
            compute_units: subject.device.compute_units,
        });
        let text = match asked.is_cpu {
            true => Text::Cpu,
            false => Text::Gpu,
        };
        let text = clang
            .llvm(launch, &kernel.folder, text)
            .map_err(|why| why.to_string())?;
        let module = llvm::read(&text).map_err(|why| why.to_string())?;
        let program = lower(&module, &step.function).map_err(|why| why.to_string())?;
        let bytes: Vec<usize> = launch.buffers.iter().map(|it| it.bytes()).collect();
        let parameters = &subject.workload.parameters;
        let mut input = |place: usize| {
            let filled = launch.input(&kernel.name, parameters, place);
            filled.map_err(|why| why.to_string())
        };
        let budget = Budget::for_warps();
        let units = asked.compute_units;
        let (counters, extent) = match asked.is_cpu {
            true => {
                let cores = units.unwrap_or(CORES);
                let found = cpu(&program, step, &bytes, &mut input, cores, budget);
                let found = found.map_err(|why| why.to_string())?;
                (found.counters, found.extent)
            }
            false => {
                let gpu = Gpu::hopper(units.unwrap_or(MULTIPROCESSORS));
                let found = warps(&program, step, &bytes, &mut input, gpu, budget);
                let found = found.map_err(|why| why.to_string())?;
                (found.counters, found.extent)
            }
        };
        Ok(Reading {
            counters,
            scope: match extent {
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
