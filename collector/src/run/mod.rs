//! A run of `kerncast run` or of the agent: measures this machine's devices into the spool, and uploads it. It has the
//! list of workloads, the budget, and the devices one after the other; `measure` measures each workload.

use std::{path::PathBuf, time::Duration};

use anyhow::{Result, anyhow};
use chrono::Utc;
use kerncast_opencl::DeviceFacts;
use kerncast_suite::{Kernel, Parameters, SuiteError};
use kerncast_wire::{
    RunReport, TimeSummary,
    provider::{ANALYSIS, LAUNCH, NCU, OCLGRIND, ROCPROFV3},
};

use crate::{
    UsageError,
    agent::{self, NightlyRun},
    child::Children,
    clang::Clang,
    client::Uploaded,
    delivery::{Destination, keep_sources, send_missing_analyses},
    device,
    device_choice::local,
    generated,
    kernels::{LoadedKernels, load_kernels},
    measure::{Budget, DeviceRun, Outcome, Reference, Settings},
    progress::say_step,
    providers::{Analysis, Geometry, Ncu, Oclgrind, Provider, Rocprofv3},
    source_analysis::accesses::Reader,
    spool::Spool,
    units,
    workload::{self, Filter, Workload, plan},
};

mod ceilings_upload;
mod device_measurements;

pub use ceilings_upload::CeilingsUpload;
pub use device_measurements::{measure_ceilings, measure_local_memory};

/// The request of a run: what to measure, and how.
pub struct Request {
    /// Folders of kernels; empty: the suite, unless kernels are generated.
    pub folders: Vec<PathBuf>,
    /// The number of kernels to generate.
    pub generated: Option<u32>,
    /// The choice of kernels, variants and sizes.
    pub filter: Filter,
    /// This machine's devices by name or number; empty: one of each model.
    pub devices: Vec<String>,
    /// Names of providers; empty: all that are available.
    pub providers: Vec<String>,
    /// Time for all devices together.
    pub budget: Option<Duration>,
    /// How each workload is measured.
    pub settings: Settings,
    /// Whether devices' ceilings are measured first.
    pub with_ceilings: bool,
    /// Whether local memory is measured, on devices for which the server has no such samples.
    pub with_local_memory: bool,
    /// The spool's folder.
    pub spool: PathBuf,
}

/// A workload and its outcome.
#[expect(missing_docs, reason = "their names say it")]
pub struct WorkloadResult {
    pub device: String,
    pub kernel: String,
    pub variant: String,
    pub parameters: Parameters,
    /// Whether outputs of other variants are compared with this one's.
    pub is_reference: bool,
    pub outcome: Outcome,
}

/// The results of a run.
pub struct Run {
    /// Results in the order of measuring.
    pub results: Vec<WorkloadResult>,
    /// Ceilings of the devices on which they were measured.
    pub ceilings: Vec<CeilingsUpload>,
    /// The spool with the results.
    pub spool: Spool,
    /// Kernels with at least one measured workload.
    measured: Vec<Kernel>,
    /// Kernels that could not be loaded.
    pub problems: Vec<SuiteError>,
}

/// Measures what is asked for, or the part of it that is due in the agent's nightly run.
///
/// # Errors
/// Something that is asked for does not exist, or the spool or the agent's log can't be written.
pub fn measure(
    request: &Request,
    destination: &Destination,
    children: &Children,
    mut nightly_run: Option<&mut NightlyRun>,
) -> Result<Run> {
    let LoadedKernels { kernels, problems } = find_kernels(request, children)?;
    let devices = local::select(&children.devices(&[])?, &request.devices)?;
    let mut plans = plans(&kernels, &request.filter, &devices)?;
    if let Some(nightly_run) = nightly_run.as_deref_mut() {
        let all = devices.iter().zip(plans);
        plans = all
            .map(|(device, plan)| nightly_run.due(device, plan))
            .collect();
    }
    let spool = Spool::open_to_write(&request.spool)?;
    destination.warn_if_refused(&request.settings.agent.name);
    make_room(destination, &spool)?;
    let providers = find_providers(&request.providers, children, &devices);
    let mut session = Session {
        request,
        destination,
        children,
        providers: &providers,
        spool: &spool,
        nightly_run,
        results: Vec::new(),
        ceilings: Vec::new(),
    };
    let budget = request.budget;
    let budget = budget.map(|it| it / u32::try_from(devices.len()).unwrap_or(1));
    for (device, workloads) in devices.iter().zip(&plans) {
        session.measure_device(device, workloads, &Budget::start(budget))?;
    }
    let Session {
        results, ceilings, ..
    } = session;
    let was_measured = |kernel: &&Kernel| {
        let mut of_kernel = results.iter().filter(|it| it.kernel == kernel.name);
        of_kernel.any(|it| matches!(it.outcome, Outcome::Measured(_)))
    };
    let measured: Vec<Kernel> = kernels.iter().filter(was_measured).cloned().collect();
    keep_sources(&measured, &spool)?;
    Ok(Run {
        results,
        ceilings,
        spool,
        measured,
        problems,
    })
}

/// Uploads the results of a run, and reports on the run and this agent to the server.
///
/// # Errors
/// The upload fails; the results stay in the spool.
pub fn deliver(
    run: &Run,
    request: &Request,
    destination: &Destination,
    nightly_run: Option<&NightlyRun>,
) -> Result<Option<Uploaded>> {
    let uploaded = destination.deliver(&run.spool)?;
    if let (Some(_), Some(server)) = (&uploaded, destination.server()?) {
        let outcomes = run.results.iter().map(|it| {
            let name = workload::name(&it.kernel, &it.variant, &it.parameters);
            (format!("{} {name}", it.device), &it.outcome)
        });
        let complaints = nightly_run.map(NightlyRun::complaints).unwrap_or_default();
        let report = agent::report_run(outcomes, &run.problems, complaints);
        let agent = request.settings.agent.clone();
        agent::send_report(server, Some(&run.spool), agent, Some(report));
        // Models learn from generated kernels; nobody reads those.
        if request.generated.is_none() {
            send_missing_analyses(server, &run.measured);
        }
    }
    Ok(uploaded)
}

/// Reports to the server why nothing was measured, because nobody reads cron's mails.
pub fn report_failure(request: &Request, destination: &Destination, error: &anyhow::Error) {
    if let Ok(Some(server)) = destination.server()
        && server.answers()
    {
        let (spool, agent) = (Spool::open(&request.spool).ok(), &request.settings.agent);
        let report = RunReport {
            ended_at: Utc::now(),
            errors: vec![error.to_string()],
            ..RunReport::default()
        };
        agent::send_report(server, spool.as_ref(), agent.clone(), Some(report));
    }
}

/// The kernels to measure: the suite, or the folders and generated kernels that are asked for.
fn find_kernels(request: &Request, children: &Children) -> Result<LoadedKernels> {
    let Some(count) = request.generated else {
        return load_kernels(&request.folders);
    };
    let mut kernels = if request.folders.is_empty() {
        LoadedKernels::default()
    } else {
        load_kernels(&request.folders)?
    };
    let mut generated = generated::kernels(&children.scratch().join("generated"), count)?;
    if request.budget.is_some() {
        generated::rotate(&mut generated, Utc::now());
    }
    kernels.kernels.append(&mut generated);
    Ok(kernels)
}

fn plans<'k>(
    kernels: &'k [Kernel],
    filter: &Filter,
    devices: &[DeviceFacts],
) -> Result<Vec<Vec<Workload<'k>>>, UsageError> {
    let kinds = devices.iter().map(device::kind);
    let plans = kinds.map(|kind| plan(kernels, filter, kind));
    let plans: Vec<Vec<Workload<'_>>> = plans.collect::<Result<_, _>>()?;
    if plans.iter().all(Vec::is_empty) {
        let problem = "nothing to run: no kernel has sizes for these devices";
        return Err(UsageError(problem.to_owned()));
    }
    Ok(plans)
}

/// Uploads a full spool before measuring, because it could not store the results.
fn make_room(destination: &Destination, spool: &Spool) -> Result<()> {
    if !spool.is_full() {
        return Ok(());
    }
    let folder = spool.folder().display();
    say!("the disk of the spool {folder} is full: uploading before measuring");
    destination.deliver_if_there(spool)?;
    if spool.is_full() {
        return Err(anyhow!(
            "there is no room for samples on the disk of {folder}: nothing was measured. Make room, or name another \
             folder by KERNCAST_SPOOL"
        ));
    }
    Ok(())
}

/// The providers of these names; without names all that can count on one of the devices.
fn find_providers<'c>(
    names: &[String],
    children: &'c Children,
    devices: &[DeviceFacts],
) -> Vec<Box<dyn Provider + 'c>> {
    let is_wanted = |provider: &str| names.is_empty() || names.iter().any(|it| it == provider);
    let mut providers: Vec<Box<dyn Provider>> = Vec::new();
    if is_wanted(LAUNCH) {
        providers.push(Box::new(Geometry));
    }
    if is_wanted(OCLGRIND) {
        providers.push(Box::new(Oclgrind::find(children)));
    }
    if is_wanted(ANALYSIS) {
        providers.push(Box::new(Analysis::find()));
    }
    // On another maker's devices they are used only by name.
    let is_here = |vendor| devices.iter().any(|device| device.vendor == vendor);
    if is_wanted(NCU) && (is_here(device::NVIDIA) || !names.is_empty()) {
        providers.push(Box::new(Ncu::find(children)));
    }
    if is_wanted(ROCPROFV3) && (is_here(device::AMD) || !names.is_empty()) {
        providers.push(Box::new(Rocprofv3::find(children)));
    }
    providers
}

/// The state of a run while it measures one device after the other.
struct Session<'a> {
    request: &'a Request,
    destination: &'a Destination,
    children: &'a Children,
    providers: &'a [Box<dyn Provider + 'a>],
    spool: &'a Spool,
    nightly_run: Option<&'a mut NightlyRun>,
    results: Vec<WorkloadResult>,
    ceilings: Vec<CeilingsUpload>,
}

impl Session<'_> {
    fn measure_device(
        &mut self,
        device: &DeviceFacts,
        workloads: &[Workload<'_>],
        budget: &Budget,
    ) -> Result<()> {
        let (request, children, spool) = (self.request, self.children, self.spool);
        let agent = &request.settings.agent;
        // Where no workload is due, or not now, the ceilings are not either.
        let may_measure = !local::is_simulator(device)
            && self
                .nightly_run
                .as_deref_mut()
                .is_none_or(|it| !workloads.is_empty() && it.go_on(device).is_ok());
        if may_measure && request.with_ceilings {
            let ceilings = measure_ceilings(device, agent, children, budget, spool)?;
            self.ceilings.extend(ceilings);
        }
        let is_stored = || {
            let server = self.destination.server().ok().flatten();
            server.is_some_and(|it| device_measurements::has_local_memory(it, device))
        };
        if may_measure && request.with_local_memory && !is_stored() {
            measure_local_memory(device, agent, children, spool)?;
        }
        self.measure_workloads(device, workloads, budget)
    }

    fn measure_workloads(
        &mut self,
        device: &DeviceFacts,
        workloads: &[Workload<'_>],
        budget: &Budget,
    ) -> Result<()> {
        let total = workloads.len();
        say!("{}: {}", device.name, units::count(total, "workload"));
        let clang = Clang::find().ok();
        let mut run = DeviceRun {
            device,
            settings: &self.request.settings,
            providers: self.providers,
            children: self.children,
            reader: clang.as_ref().map(Reader::new),
            reference: Reference::default(),
            hung: Vec::new(),
        };
        for (index, workload) in workloads.iter().enumerate() {
            let nightly_run = self.nightly_run.as_deref_mut();
            let outcome = if budget.is_over() {
                Outcome::Postponed("not run: the time budget is over".to_owned())
            } else if let Some(Err(why)) = nightly_run.map(|it| it.go_on(device)) {
                Outcome::Postponed(format!("not run: {why}"))
            } else {
                run.measure(workload, &workloads[index + 1..], budget)
            };
            if let Outcome::Measured(sample) = &outcome {
                self.spool.put_sample(sample)?;
            }
            // After the spool has it: a power cut in between measures it twice, and loses nothing.
            if let Some(nightly_run) = self.nightly_run.as_deref_mut() {
                nightly_run.note_outcome(device, workload, &outcome)?;
            }
            say_outcome(index + 1, total, workload, &outcome);
            self.results.push(WorkloadResult {
                device: device.name.clone(),
                kernel: workload.kernel.name.clone(),
                variant: workload.variant.name.clone(),
                parameters: workload.parameters.clone(),
                is_reference: workload.variant.name == workload.kernel.reference().name,
                outcome,
            });
        }
        Ok(())
    }
}

fn say_outcome(place: usize, total: usize, workload: &Workload<'_>, outcome: &Outcome) {
    let result = match outcome {
        Outcome::Measured(sample) => {
            let time = TimeSummary::of(&sample.times.repetitions_s);
            format!("{} (n={})", units::time(time.median_s), time.n)
        }
        Outcome::Failed(reason) => format!("FAILED: {reason}"),
        // Hundreds, where a budget ends; the report says why, once.
        Outcome::Skipped(_) | Outcome::Postponed(_) => return,
    };
    say_step(place, total, &format!("{}: {result}", workload.name()));
}
