//! `kerncast run`.

use std::{cell::RefCell, path::PathBuf, process::ExitCode, time::Duration};

use anyhow::{Result, anyhow};
use chrono::Utc;
use clap::Args;
use kerncast_collector::{
    UsageError,
    agent::Rounds,
    child::Children,
    collect::{Budget, Collector, Filter, NamedCeilings, Outcome, Settings, plan},
    device, generated,
    providers::{self, Analysis, Geometry, Ncu, Oclgrind, Provider, Rocprofv3},
    spool::Spool,
    workload::{self, Workload},
};
use kerncast_opencl::DeviceFacts;
use kerncast_suite::{Kernel, MOST_GENERATED, Parameters, SuiteError};

use super::{
    agent_report, analyses, ceilings, choose, exit,
    kernels::{Suite, suite},
    microbenchmark,
    options::{self, MeasuringOptions, children},
    progress::Progress,
    status::Status,
    units, upload,
};

mod report;

/// Measure kernels on this machine's devices, and upload
#[derive(Args)]
#[command(after_help = "Examples:
  kerncast run
      every kernel, on one device of each model
  kerncast run --device h200 --kernel matmul_float
      one kernel, on the device called so
  kerncast run --kernels ~/my_kernel --size n=4096
      your own kernel, at one size
  kerncast run --budget 10m --json > run.json
      in cron
  kerncast run --generated
      generated kernels alone, for a new device's models
  kerncast run --kernels kernels --generated --budget 30m
      in cron: the suite, and other generated ones every night

Kernels are folders with a launch file: docs/kernels.md.")]
pub(super) struct Arguments {
    /// Folders of kernels [default: KERNCAST_KERNELS, else ./kernels]
    #[arg(long, value_name = "DIR", help_heading = "Kernels")]
    kernels: Vec<PathBuf>,
    /// N generated kernels [default: 500] in place of the suite, or beside the folders of --kernels: after their
    /// smallest sizes; with --budget other ones come first every day
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "500",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_GENERATED)), help_heading = "Kernels")]
    generated: Option<u32>,
    /// Only these kernels
    #[arg(long, value_name = "NAME", help_heading = "Kernels")]
    kernel: Vec<String>,
    /// Only these variants
    #[arg(long, value_name = "NAME", help_heading = "Kernels")]
    variant: Vec<String>,
    /// These sizes instead of the launch file's, as n=64 or n=64,m=2
    #[arg(long, value_name = "SIZES", value_parser = units::parameters, help_heading = "Kernels")]
    size: Vec<Parameters>,
    /// Only the first N sizes of each launch file
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "size",
        help_heading = "Kernels"
    )]
    first_sizes: Option<usize>,
    /// What counts: launch, oclgrind, analysis, ncu, rocprofv3 [default: all that are there]
    #[arg(long, value_name = "NAME", value_parser = providers::NAMES, help_heading = "Measuring")]
    provider: Vec<String>,
    /// End after about so long; small sizes of all kernels come first [default: no end]
    #[arg(long, value_name = "DURATION", value_parser = units::duration, help_heading = "Measuring")]
    pub(super) budget: Option<Duration>,
    /// Kill a workload's process after so long
    #[arg(long, value_name = "DURATION", value_parser = units::duration, default_value = "60s", help_heading = "Measuring")]
    workload_limit: Duration,
    /// Repeat a workload for at most so long, until its median has settled
    #[arg(long, value_name = "DURATION", value_parser = units::duration, default_value = "500ms", help_heading = "Measuring")]
    timing: Duration,
    /// Count a workload's instructions for at most so long; more is estimated from its first and last
    /// work-groups
    #[arg(long, value_name = "DURATION", value_parser = units::duration, default_value = "5s", help_heading = "Measuring")]
    count_limit: Duration,
    /// Do not measure the device's highest rates (kerncast ceilings)
    #[arg(long, help_heading = "Measuring")]
    no_ceilings: bool,
    /// Do not measure local-memory loads (kerncast microbenchmark) of a device of which the server has none
    #[arg(long, help_heading = "Measuring")]
    no_microbenchmark: bool,
    #[command(flatten)]
    pub(super) measuring: MeasuringOptions,
}

/// A workload, and what became of it.
struct Row {
    device: String,
    kernel: String,
    variant: String,
    parameters: Parameters,
    /// Whether the other variants are compared with it.
    is_reference: bool,
    outcome: Outcome,
}

impl Row {
    fn name(&self) -> String {
        let name = workload::name(&self.kernel, &self.variant, &self.parameters);
        format!("{} {name}", self.device)
    }
}

/// What a run has measured, and where it is.
struct Collected {
    rows: Vec<Row>,
    ceilings: Vec<NamedCeilings>,
    spool: Spool,
    /// Kernels of which something was measured.
    measured: Vec<Kernel>,
    /// Kernels that could not be loaded.
    wrong: Vec<SuiteError>,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    collect_and_upload(arguments, None).map(exit)
}

/// Measures all that was asked for, or what of it is due in the agent's rounds, and uploads. Whether all went well.
pub(super) fn collect_and_upload(
    arguments: &Arguments,
    mut rounds: Option<&mut Rounds>,
) -> Result<bool> {
    let is_wanted = upload::is_wanted(&arguments.measuring.keep).unwrap_or(false);
    let by_timer = rounds.is_some();
    let collected = measure_all(arguments, rounds.as_deref_mut());
    let collected = collected.inspect_err(|error| tell(&arguments.measuring, error, by_timer))?;
    let (rows, spool, wrong) = (&collected.rows, &collected.spool, &collected.wrong);
    let measuring = &arguments.measuring;
    let uploaded = upload::deliver_if_wanted(&measuring.keep, spool, is_wanted);
    let outcomes = rows.iter().map(|row| (row.name(), &row.outcome));
    let mut run = agent_report::of_run(outcomes, wrong);
    if let Some(rounds) = rounds {
        run.errors.splice(0..0, rounds.complaints());
        run.errors.truncate(agent_report::MOST_ERRORS);
    }
    if let Ok(Some(_)) = &uploaded {
        let server = measuring.keep.server.connect()?;
        agent_report::send(&server, Some(spool), options::agent(), Some(run));
        // Models learn from generated ones; nobody reads them.
        if arguments.generated.is_none() {
            analyses::send_lacking(&server, &collected.measured);
        }
    }
    let delivered = uploaded.as_ref().ok().and_then(Option::as_ref);
    report::print(rows, &collected.ceilings, delivered, spool, measuring.json)?;
    let failed = rows
        .iter()
        .any(|row| matches!(row.outcome, Outcome::Failed(_)));
    Ok(uploaded?.as_ref().is_none_or(upload::is_good) && !failed && wrong.is_empty())
}

/// Tells the server why nothing is measured here: nobody reads cron's mails. Who mistypes a command line reads what it
/// says, and the agent is none the worse; what the timer calls was right once, so that a device that is not there lost
/// its driver, and a launch file was spoilt.
fn tell(measuring: &MeasuringOptions, error: &anyhow::Error, by_timer: bool) {
    let is_a_mistake = match by_timer {
        true => error.is::<UsageError>(),
        false => Status::of_error(error) == Status::Usage,
    };
    if is_a_mistake {
        return;
    }
    let Ok(server) = measuring.keep.server.connect() else {
        return;
    };
    if !measuring.keep.no_upload && server.answers() {
        let (spool, run) = (options::spool().ok(), agent_report::of_error(error));
        agent_report::send(&server, spool.as_ref(), options::agent(), Some(run));
    }
}

fn measure_all(arguments: &Arguments, mut rounds: Option<&mut Rounds>) -> Result<Collected> {
    let measuring = &arguments.measuring;
    let children = children()?;
    let Suite { kernels, wrong } = chosen_kernels(arguments, &children)?;
    let devices = choose::devices(&children.devices(&[])?, &measuring.device)?;
    let mut plans = plans(arguments, &kernels, &devices)?;
    if let Some(rounds) = rounds.as_deref_mut() {
        let all = devices.iter().zip(plans);
        plans = all.map(|(device, plan)| rounds.due(device, plan)).collect();
    }
    let spool = options::spool_to_write()?;
    upload::say_if_refused(&measuring.keep);
    make_room(measuring, &spool)?;
    let providers = find_providers(&arguments.provider, &children, &devices);
    let settings = settings(arguments);

    let mut rows = Vec::new();
    let mut all_ceilings = Vec::new();
    for (device, workloads) in devices.iter().zip(&plans) {
        let total = arguments
            .budget
            .map(|budget| budget / u32::try_from(devices.len()).unwrap_or(1));
        let budget = Budget::start(total);
        let (providers, children) = (&providers, &children);
        let (agent, has_times) = (&settings.agent, !choose::is_simulator(device));
        // Nothing of it is due, or not now: then its ceilings are not, either.
        let is_idle = |rounds: &mut Rounds| !workloads.is_empty() && rounds.go_on(device).is_ok();
        let has_times = has_times && rounds.as_deref_mut().is_none_or(is_idle);
        if has_times && !arguments.no_ceilings {
            all_ceilings.extend(ceilings::measure(device, agent, children, &budget, &spool)?);
        }
        let wants_local_memory = has_times && !arguments.no_microbenchmark;
        if wants_local_memory && !microbenchmark::is_known(measuring, device) {
            microbenchmark::collect(device, agent, children, &spool)?;
        }
        let collector = Collector {
            device,
            settings: &settings,
            providers,
            children,
        };
        let rounds = rounds.as_deref_mut();
        rows.extend(measure(&collector, workloads, &budget, &spool, rounds)?);
    }
    let was_measured = |kernel: &&Kernel| {
        let is_of = |row: &&Row| row.kernel == kernel.name;
        rows.iter()
            .filter(is_of)
            .any(|row| matches!(row.outcome, Outcome::Measured(_)))
    };
    let measured: Vec<Kernel> = kernels.iter().filter(was_measured).cloned().collect();
    upload::keep_sources(&measured, &spool)?;
    Ok(Collected {
        rows,
        ceilings: all_ceilings,
        spool,
        measured,
        wrong,
    })
}

/// The suite's, or those that were asked for.
fn chosen_kernels(arguments: &Arguments, children: &Children) -> Result<Suite> {
    let Some(count) = arguments.generated else {
        return suite(&arguments.kernels);
    };
    let mut chosen = match arguments.kernels.is_empty() {
        true => Suite::default(),
        false => suite(&arguments.kernels)?,
    };
    let mut generated = generated::kernels(&children.scratch().join("generated"), count)?;
    if arguments.budget.is_some() {
        generated::rotate(&mut generated, Utc::now());
    }
    chosen.kernels.append(&mut generated);
    Ok(chosen)
}

/// A full spool is uploaded before anything is measured that it could not keep.
fn make_room(measuring: &MeasuringOptions, spool: &Spool) -> Result<()> {
    if !spool.is_full() {
        return Ok(());
    }
    let folder = spool.folder().display().to_string();
    say!("the disk of the spool {folder} is full: uploading before measuring");
    upload::deliver_if_wanted(&measuring.keep, spool, false)?;
    match spool.is_full() {
        true => Err(anyhow!(
            "there is no room for samples on the disk of {folder}: nothing was measured. Make room, or name another \
             folder by KERNCAST_SPOOL"
        )),
        false => Ok(()),
    }
}

fn plans<'k>(
    arguments: &Arguments,
    kernels: &'k [Kernel],
    devices: &[DeviceFacts],
) -> Result<Vec<Vec<Workload<'k>>>> {
    let filter = Filter {
        kernels: arguments.kernel.clone(),
        variants: arguments.variant.clone(),
        sizes: arguments.size.clone(),
        first_sizes: arguments.first_sizes,
    };
    let plans: Vec<Vec<Workload<'_>>> = devices
        .iter()
        .map(|device| plan(kernels, &filter, device::kind(device)))
        .collect::<Result<_, _>>()?;
    if plans.iter().all(Vec::is_empty) {
        return Err(
            UsageError("nothing to run: no kernel has sizes for these devices".into()).into(),
        );
    }
    Ok(plans)
}

fn find_providers<'c>(
    names: &[String],
    children: &'c Children,
    devices: &[DeviceFacts],
) -> Vec<Box<dyn Provider + 'c>> {
    let wanted = |provider: &str| names.is_empty() || names.iter().any(|name| name == provider);
    let mut found: Vec<Box<dyn Provider>> = Vec::new();
    if wanted("launch") {
        found.push(Box::new(Geometry));
    }
    if wanted("oclgrind") {
        found.push(Box::new(Oclgrind::find(children)));
    }
    if wanted("analysis") {
        found.push(Box::new(Analysis::find()));
    }
    // On others' devices they have nothing to say, unless somebody asks.
    let any_of = |vendor| devices.iter().any(|device| device.vendor == vendor);
    if wanted("ncu") && (any_of(device::NVIDIA) || !names.is_empty()) {
        found.push(Box::new(Ncu::find(children)));
    }
    if wanted("rocprofv3") && (any_of(device::AMD) || !names.is_empty()) {
        found.push(Box::new(Rocprofv3::find(children)));
    }
    found
}

fn settings(arguments: &Arguments) -> Settings {
    Settings {
        agent: options::agent(),
        timing: arguments.timing,
        workload_limit: arguments.workload_limit,
        count_limit: arguments.count_limit,
    }
}

fn measure(
    collector: &Collector<'_>,
    workloads: &[Workload<'_>],
    budget: &Budget,
    spool: &Spool,
    rounds: Option<&mut Rounds>,
) -> Result<Vec<Row>> {
    let device = &collector.device.name;
    say!("{device}: {}", units::count(workloads.len(), "workload"));
    let progress = Progress::new(workloads.len());
    let mut rows = Vec::new();
    let rounds = RefCell::new(rounds);
    let collected = collector.collect(
        workloads,
        budget,
        |_| {
            let mut rounds = rounds.borrow_mut();
            rounds
                .as_mut()
                .map_or(Ok(()), |it| it.go_on(collector.device))
        },
        |index, workload, outcome| {
            if let Outcome::Measured(sample) = &outcome {
                spool.put(sample)?;
            }
            // After the spool has it: a power cut in between measures it twice, and loses nothing.
            if let Some(rounds) = rounds.borrow_mut().as_mut() {
                rounds.note_outcome(collector.device, workload, &outcome)?;
            }
            progress.done(index, workload, &outcome);
            rows.push(Row {
                device: device.clone(),
                kernel: workload.kernel.name.clone(),
                variant: workload.variant.name.clone(),
                parameters: workload.parameters.clone(),
                is_reference: workload.variant.name == workload.kernel.reference().name,
                outcome,
            });
            anyhow::Ok(())
        },
    );
    collected?;
    Ok(rows)
}
