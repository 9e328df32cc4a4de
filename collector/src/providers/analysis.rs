//! `analysis`: forecasts a GPU's or a CPU's counters from source alone (docs/analysis.md). Nothing is run.

use std::{fmt::Display, time::Duration};

use kerncast_analysis::{
    cpu_counters::{self, CpuCounts},
    gpu_counters::{self, Gpu, GpuCounts},
    llvm,
    run::{Program, lower},
    sampling::{Budget, CountedLaunch},
};
use kerncast_profilers::gpus;
use kerncast_suite::{Launch, Step};
use kerncast_wire::{self as wire, Reading};

use super::{CountedWorkload, Provider, reading, refuse};
use crate::{
    clang::{Clang, LlvmTarget},
    device::sample_device,
    workload::Workload,
};

pub(super) const NAME: &str = kerncast_wire::provider::ANALYSIS;
/// Multiprocessors of a GPU that does not say how many: those of an H100 or H200.
const USUAL_MULTIPROCESSORS: u32 = 132;
/// Cores of a CPU whose driver does not say how many.
const USUAL_CORES: u32 = 8;

/// The provider `analysis`.
#[derive(Clone)]
pub struct Analysis {
    /// clang and its version, or why there is none.
    clang: Result<(Clang, String), String>,
    /// The device to count for; none: the workload's own device.
    device: Option<CountedDevice>,
}

/// The properties of a device that its counters depend on.
#[derive(Clone, Copy)]
enum CountedDevice {
    Gpu(Gpu),
    /// A CPU with this many cores.
    Cpu(u32),
}

impl CountedDevice {
    fn new(device: &wire::Device) -> Self {
        if device.kind == wire::DeviceKind::Cpu {
            return Self::Cpu(device.compute_units.unwrap_or(USUAL_CORES));
        }
        // Without a data sheet it is taken for one like Hopper.
        let hopper = || Gpu::hopper(device.compute_units.unwrap_or(USUAL_MULTIPROCESSORS));
        Self::Gpu(gpus::find(&device.name).map_or_else(hopper, Gpu::from))
    }
}

impl Analysis {
    /// The provider for the workloads' own devices.
    #[must_use]
    pub fn find() -> Self {
        let clang = Clang::find().and_then(|clang| {
            let version = clang.version()?;
            Ok((clang, version))
        });
        Self {
            clang: clang.map_err(|why| why.to_string()),
            device: None,
        }
    }

    /// The provider for a device that need not be here.
    #[must_use]
    pub fn with_device(self, device: &wire::Device) -> Self {
        let device = Some(CountedDevice::new(device));
        Self { device, ..self }
    }

    /// clang's version.
    ///
    /// # Errors
    /// There is no clang; why.
    pub fn version(&self) -> Result<&str, &str> {
        let version = self.clang.as_ref().map(|(_, version)| &**version);
        version.map_err(|why| &**why)
    }

    /// The clang that compiles sources.
    ///
    /// # Errors
    /// There is no clang; why.
    pub fn clang(&self) -> Result<&Clang, String> {
        let clang = self.clang.as_ref().map(|(clang, _)| clang);
        clang.map_err(Clone::clone)
    }

    /// The GPU that this provider is for; one like Hopper if it is for no GPU.
    #[must_use]
    pub fn gpu(&self) -> Gpu {
        match self.device {
            Some(CountedDevice::Gpu(gpu)) => gpu,
            _ => Gpu::hopper(USUAL_MULTIPROCESSORS),
        }
    }

    /// Counts of a workload's launch on `gpu`.
    ///
    /// # Errors
    /// The launch can't be analysed; why.
    pub fn gpu_counts(
        &self,
        workload: &Workload<'_>,
        launch: &Launch,
        gpu: Gpu,
    ) -> Result<GpuCounts, String> {
        self.count_launch(workload, launch, LlvmTarget::Gpu, |it| {
            gpu_counters::count(it, gpu)
        })
    }

    /// Counts of a workload's launch on a CPU with this many cores.
    fn cpu_counts(
        &self,
        workload: &Workload<'_>,
        launch: &Launch,
        cores: u32,
    ) -> Result<CpuCounts, String> {
        self.count_launch(workload, launch, LlvmTarget::Cpu, |it| {
            cpu_counters::count(it, cores)
        })
    }

    fn count_launch<T, E: Display>(
        &self,
        workload: &Workload<'_>,
        launch: &Launch,
        target: LlvmTarget,
        count: impl FnOnce(&CountedLaunch<'_, '_>) -> Result<T, E>,
    ) -> Result<T, String> {
        let (program, step) = self.program(workload, launch, target)?;
        let inputs = launch.inputs_on_demand(&workload.kernel.name, &workload.parameters);
        let launch = CountedLaunch {
            program: &program,
            step,
            bytes: &launch.bytes(),
            input: &inputs,
            budget: Budget::for_addresses(),
        };
        count(&launch).map_err(|why| why.to_string())
    }

    /// The program as a CPU's runtime gets it, before it makes vectors of work-items.
    ///
    /// # Errors
    /// The launch can't be analysed; why.
    pub fn cpu_program(&self, workload: &Workload<'_>, launch: &Launch) -> Result<Program, String> {
        self.program(workload, launch, LlvmTarget::Cpu)
            .map(|it| it.0)
    }

    /// Whether the compiled kernel has no memory access left.
    ///
    /// # Errors
    /// The launch can't be analysed; why.
    pub fn compiles_to_nothing(
        &self,
        workload: &Workload<'_>,
        launch: &Launch,
    ) -> Result<bool, String> {
        let (program, _) = self.program(workload, launch, LlvmTarget::Gpu)?;
        Ok(program.accesses.is_empty())
    }

    /// The reading for a device, or why there is none.
    #[must_use]
    pub fn read_for(
        &self,
        device: &wire::Device,
        workload: &Workload<'_>,
        launch: &Launch,
    ) -> Reading {
        self.read_on(CountedDevice::new(device), workload, launch)
    }

    fn read_on(&self, device: CountedDevice, workload: &Workload<'_>, launch: &Launch) -> Reading {
        let counted = match device {
            CountedDevice::Cpu(cores) => self
                .cpu_counts(workload, launch, cores)
                .map(|it| reading(it.counters, it.extent)),
            CountedDevice::Gpu(gpu) => self
                .gpu_counts(workload, launch, gpu)
                .map(|it| reading(it.counters, it.extent)),
        };
        counted.unwrap_or_else(refuse)
    }

    fn program<'l>(
        &self,
        workload: &Workload<'_>,
        launch: &'l Launch,
        target: LlvmTarget,
    ) -> Result<(Program, &'l Step), String> {
        let Some(step) = launch.only_step() else {
            return Err(format!(
                "{} launches: what one reads another has written, and most of this does not add up",
                launch.steps.len()
            ));
        };
        if launch.has_images() {
            return Err("images and samplers are not understood".to_owned());
        }
        let text = self.clang()?.llvm(launch, &workload.kernel.folder, target);
        let text = text.map_err(|why| why.to_string())?;
        let module = llvm::read(&text).map_err(|why| why.to_string())?;
        let program = lower(&module, &step.function).map_err(|why| why.to_string())?;
        Ok((program, step))
    }
}

impl Provider for Analysis {
    fn name(&self) -> &'static str {
        NAME
    }

    fn tool_version(&self) -> Option<String> {
        self.version().ok().map(str::to_owned)
    }

    fn read(&self, subject: CountedWorkload<'_>, _limit: Duration) -> Reading {
        let own = || CountedDevice::new(&sample_device(subject.device));
        let device = self.device.unwrap_or_else(own);
        self.read_on(device, subject.workload, subject.launch)
    }
}
