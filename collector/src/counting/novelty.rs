//! Finds features of a workload that no counter shows and that models have hardly seen: long functions that few kernels
//! of the suite call, values that are computed much more slowly, loops that atomics end, and branches that a CPU
//! mispredicts.

use std::collections::BTreeMap;

use kerncast_analysis::{Hazards, Origin, hazards, math_functions};
use kerncast_suite::{Data, Launch, Parameters};
use kerncast_wire::{
    CounterSet, DeviceKind,
    provider::{ANALYSIS, OCLGRIND},
};

use crate::{providers::Analysis, workload::Workload};

/// Long functions that at least two kernels of the suite call, so that every fit has seen one.
pub const FAMILIAR_FUNCTIONS: [&str; 5] = [
    "cos(float)",
    "erf(float)",
    "exp(float)",
    "log(float)",
    "sin(float)",
];
/// The smallest share of the instructions that matters: less changes a time less than a forecast is off.
const LEAST_SHARE_OF_CALLS: f64 = 0.1;
/// The smallest share of slow values in a buffer that matters.
const LEAST_SUBNORMAL_SHARE: f64 = 0.01;
/// The most bytes of all buffers that are read; larger launches are read at the launch file's first sizes.
const LARGEST_LAUNCH_BYTES: usize = 64 << 20;
/// The argument from about which circular functions reduce their argument in a slower way (CUDA C++ programming guide,
/// arithmetic instructions, sine and cosine: above 105,615 in single precision).
const LARGE_ARGUMENT: f64 = 1e5;
/// The circular functions.
const CIRCULAR_FUNCTIONS: [&str; 4] = ["sin", "cos", "tan", "sincos"];

/// The novelties of a workload in words, for a device of this kind; empty where the source can't be followed.
/// `counters` are the launch's; they weigh the functions.
#[must_use]
pub fn novelties(
    analysis: &Analysis,
    workload: &Workload<'_>,
    counters: &CounterSet,
    kind: DeviceKind,
) -> Vec<String> {
    let Ok(launch) = workload.launch() else {
        return Vec::new();
    };
    let Ok(program) = analysis.cpu_program(workload, &launch) else {
        return Vec::new();
    };
    let functions = math_functions(&program);
    let inputs = inputs(workload, launch);
    let seldom = seldom_called(&functions, counters);
    let circular = functions.keys().filter_map(|it| it.split('(').next());
    let mut circular = circular.filter(|it| CIRCULAR_FUNCTIONS.contains(it));
    let function = circular.next();
    let large = function.and_then(|it| large_arguments(&inputs, it));
    let Hazards {
        switches,
        divides_by,
        waits,
    } = hazards(&program);
    let waits = waits.then(|| {
        "it goes round a loop until an atomic operation lets it go on: how often depends on what runs at the same time, and was not counted"
            .to_owned()
    });
    let mut all = vec![seldom, large, dependence_on_order(counters), waits];
    // A GPU's warps' ways are followed one by one, its divisions raise nothing, and subnormal numbers are like others.
    if kind != DeviceKind::Gpu {
        all.extend([
            subnormal_inputs(&inputs),
            switch_over_input(switches),
            division_by_zero(divides_by, &inputs),
        ]);
    }
    all.into_iter().flatten().collect()
}

fn dependence_on_order(counters: &CounterSet) -> Option<String> {
    let dependence = counters.get(ANALYSIS)?.get("dependence")?;
    (*dependence > 0.0).then(|| {
        "what a work-group does depends on what others have written, and only some of them were followed"
            .to_owned()
    })
}

fn switch_over_input(switches: bool) -> Option<String> {
    switches.then(|| {
        "it goes on by a `switch` over what it reads, which no kernel of the suite does: a CPU guesses the way, and what wrong guesses cost no counter tells"
            .to_owned()
    })
}

fn division_by_zero(by: Origin, inputs: &[(String, Data)]) -> Option<String> {
    let may_be_zero = match by {
        Origin::Other => false,
        Origin::Read => holds_zero(inputs),
        Origin::PartOfRead => true,
    };
    may_be_zero.then(|| {
        "it divides whole numbers by what it reads from memory: by 0 the result is undefined, and many CPUs then take a thousand times as long"
            .to_owned()
    })
}

fn seldom_called(functions: &BTreeMap<String, f64>, counters: &CounterSet) -> Option<String> {
    let all = functions.iter();
    let unfamiliar = all.filter(|(name, _)| !FAMILIAR_FUNCTIONS.contains(&name.as_str()));
    let unfamiliar: Vec<_> = unfamiliar.collect();
    let lengths = unfamiliar.iter().map(|(_, length)| **length);
    let longest = lengths.fold(0.0, f64::max);
    if unfamiliar.is_empty() {
        return None;
    }
    let oclgrind = counters.get(OCLGRIND);
    let calls_and_instructions =
        oclgrind.and_then(|it| Some((it.get("math_calls")?, it.get("instructions")?)));
    if let Some((calls, instructions)) = calls_and_instructions {
        let in_calls = calls * longest;
        if in_calls < LEAST_SHARE_OF_CALLS * (in_calls + instructions) {
            return None;
        }
    }
    let names: Vec<&str> = unfamiliar.iter().map(|(name, _)| name.as_str()).collect();
    Some(format!(
        "much of its work may be in {}, which at most one kernel of the suite calls: what a call costs is guessed",
        names.join(", ")
    ))
}

/// The buffers that the kernel reads, by name, with their contents.
fn inputs(workload: &Workload<'_>, launch: Launch) -> Vec<(String, Data)> {
    let is_small = |it: &(Launch, Parameters)| it.0.global_bytes() <= LARGEST_LAUNCH_BYTES;
    let first = || {
        let parameters = workload.kernel.sizes.first()?.parameters.clone();
        let launch = Launch::new(workload.kernel, workload.variant, &parameters).ok()?;
        Some((launch, parameters))
    };
    let own = Some((launch, workload.parameters.clone())).filter(is_small);
    let Some((launch, parameters)) = own.or_else(|| first().filter(is_small)) else {
        return Vec::new();
    };
    let data = launch.inputs(&workload.kernel.name, &parameters);
    let buffers = launch.buffers.iter().zip(data.unwrap_or_default());
    let buffers = buffers.filter_map(|(buffer, data)| Some((buffer.name.clone(), data?)));
    buffers.collect()
}

fn large_arguments(inputs: &[(String, Data)], function: &str) -> Option<String> {
    let largest = |data: &Data| match data {
        Data::Float(all) => all.iter().map(|it| f64::from(it.abs())).fold(0.0, f64::max),
        Data::Double(all) => all.iter().map(|it| it.abs()).fold(0.0, f64::max),
        _ => 0.0,
    };
    let all = inputs.iter().map(|(name, data)| (name, largest(data)));
    let (name, largest) = all.max_by(|a, b| a.1.total_cmp(&b.1))?;
    (largest > LARGE_ARGUMENT).then(|| {
        format!(
            "`{name}` holds numbers up to {largest:.0e}, and {function} takes much longer of numbers above {LARGE_ARGUMENT:.0e}"
        )
    })
}

fn subnormal_inputs(inputs: &[(String, Data)]) -> Option<String> {
    let share = |data: &Data| {
        let subnormal = match data {
            Data::Float(all) => all.iter().filter(|it| it.is_subnormal()).count(),
            Data::Double(all) => all.iter().filter(|it| it.is_subnormal()).count(),
            _ => 0,
        };
        subnormal as f64 / data.len().max(1) as f64
    };
    let shares = inputs.iter().map(|(name, data)| (name, share(data)));
    let (name, share) = shares.max_by(|a, b| a.1.total_cmp(&b.1))?;
    (share > LEAST_SUBNORMAL_SHARE).then(|| {
        format!(
            "{:.0} % of `{name}` are subnormal numbers, with which many CPUs compute up to a hundred times as slowly",
            100.0 * share
        )
    })
}

/// Whether a buffer of integers holds a 0.
fn holds_zero(inputs: &[(String, Data)]) -> bool {
    let mut all = inputs.iter().map(|(_, data)| data);
    all.any(|data| {
        let is_whole = !matches!(data, Data::Half(_) | Data::Float(_) | Data::Double(_));
        let bytes = data.bytes().len() / data.len().max(1);
        let mut each = data.bytes().chunks_exact(bytes.max(1));
        is_whole && each.any(|number| number.iter().all(|byte| *byte == 0))
    })
}
