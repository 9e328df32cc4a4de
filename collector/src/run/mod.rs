//! A run of `kerncast run` or of the agent: measures this machine's devices into the spool, and uploads it.

use std::{cell::RefCell, path::PathBuf, time::Duration};

use anyhow::{Result, anyhow};
use chrono::Utc;
use kerncast_opencl::DeviceFacts;
use kerncast_suite::{Kernel, Parameters, SuiteError};
use kerncast_wire::{
    TimeSummary,
    provider::{ANALYSIS, LAUNCH, NCU, OCLGRIND, ROCPROFV3},
};

use crate::{
    UsageError,
    agent::{self, Rounds},
    child::Children,
    client::Uploaded,
    collect::{Budget, Collector, Filter, NamedCeilings, Outcome, Settings, plan},
    delivery::{Destination, keep_sources, send_missing_analyses},
    device,
    device_choice::local,
    generated,
    kernels::{Suite, suite},
    progress::say_step,
    providers::{Analysis, Geometry, Ncu, Oclgrind, Provider, Rocprofv3},
    spool::Spool,
    units,
    workload::{self, Workload},
};

mod device_rates;

pub use device_rates::{measure_ceilings, measure_local_memory};

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
    pub ceilings: Vec<NamedCeilings>,
    /// The spool with the results.
    pub spool: Spool,
    /// Kernels with at least one measured workload.
    measured: Vec<Kernel>,
    /// Kernels that could not be loaded.
    pub wrong: Vec<SuiteError>,
}

/// Measures what is asked for, or the part of it that is due in the agent's rounds.
///
/// # Errors
/// Something that is asked for does not exist, or the spool or the agent's log can't be written.
pub fn measure(
    request: &Request,
    destination: &Destination,
    children: &Children,
    mut rounds: Option<&mut Rounds>,
) -> Result<Run> {
    let Suite { kernels, wrong } = find_kernels(request, children)?;
    let devices = local::select(&children.devices(&[])?, &request.devices)?;
    let mut plans = plans(&kernels, &request.filter, &devices)?;
    if let Some(rounds) = rounds.as_deref_mut() {
        let all = devices.iter().zip(plans);
        plans = all.map(|(device, plan)| rounds.due(device, plan)).collect();
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
        rounds,
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
        wrong,
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
    rounds: Option<&Rounds>,
) -> Result<Option<Uploaded>> {
    let uploaded = destination.deliver(&run.spool)?;
    if let (Some(_), Some(server)) = (&uploaded, destination.server()?) {
        let outcomes = run.results.iter().map(|it| {
            let name = workload::name(&it.kernel, &it.variant, &it.parameters);
            (format!("{} {name}", it.device), &it.outcome)
        });
        let complaints = rounds.map(Rounds::complaints).unwrap_or_default();
        let report = agent::report_run(outcomes, &run.wrong, complaints);
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
        let report = agent::report_failed_run(error);
        agent::send_report(server, spool.as_ref(), agent.clone(), Some(report));
    }
}

/// The kernels to measure: the suite, or the folders and generated kernels that are asked for.
fn find_kernels(request: &Request, children: &Children) -> Result<Suite> {
    let Some(count) = request.generated else {
        return suite(&request.folders);
    };
    let mut kernels = if request.folders.is_empty() {
        Suite::default()
    } else {
        suite(&request.folders)?
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
    rounds: Option<&'a mut Rounds>,
    results: Vec<WorkloadResult>,
    ceilings: Vec<NamedCeilings>,
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
                .rounds
                .as_deref_mut()
                .is_none_or(|it| !workloads.is_empty() && it.go_on(device).is_ok());
        if may_measure && request.with_ceilings {
            let ceilings = measure_ceilings(device, agent, children, budget, spool)?;
            self.ceilings.extend(ceilings);
        }
        let is_stored = || {
            let server = self.destination.server().ok().flatten();
            server.is_some_and(|it| device_rates::has_local_memory(it, device))
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
        let collector = Collector {
            device,
            settings: &self.request.settings,
            providers: self.providers,
            children: self.children,
        };
        let rounds = RefCell::new(self.rounds.as_deref_mut());
        collector.collect(
            workloads,
            budget,
            |_| {
                let mut rounds = rounds.borrow_mut();
                rounds.as_mut().map_or(Ok(()), |it| it.go_on(device))
            },
            |index, workload, outcome| {
                if let Outcome::Measured(sample) = &outcome {
                    self.spool.put(sample)?;
                }
                // After the spool has it: a power cut in between measures it twice, and loses nothing.
                if let Some(rounds) = rounds.borrow_mut().as_mut() {
                    rounds.note_outcome(device, workload, &outcome)?;
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
                anyhow::Ok(())
            },
        )
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
