//! What is fitted where nobody says: the one place that lists the paper's counters.

use kerncast_profilers::catalogue::{Kind, describe};
use kerncast_wire::ModelSpecification;

use crate::db::training::Training;

/// The paper's method.
pub(super) const METHOD: &str = "ols";

/// The paper's counters, by the names that Oclgrind's provider gives them: loads and stores by address
/// space, branches, instructions. A user's own provider is fitted alike where it uses the same names.
const COUNTED: [&str; 6] = [
    "load_global",
    "store_global",
    "load_local",
    "store_local",
    "br",
    "instructions",
];

/// The same by Nsight Compute's names (docs/counters.md), in the same order. Not the paper's active cycles:
/// they hold the time that is asked for.
const COUNTED_BY_NCU: [&str; 6] = [
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "smsp__sass_inst_executed_op_shared_ld.sum",
    "smsp__sass_inst_executed_op_shared_st.sum",
    "smsp__inst_executed_op_branch.sum",
    "smsp__inst_executed.sum",
];

/// The paper's counter that the launch itself tells, whoever counts the rest.
const WORK_GROUPS: &str = "launch:work_groups";

/// The variants that the paper fits on their own, beside all together.
const VARIANTS: [&str; 2] = ["global", "local"];

/// The microbenchmark of local memory (docs/measuring.md): what it counts and how long that took.
const LOCAL_MEMORY: &str = "local_memory";
const PRODUCT: &str = "local_memory:product";
const CYCLES: &str = "local_memory:cycles";

/// What is fitted after an upload, counters still to be filled in: all variants, and the paper's two; of
/// the microbenchmark Okamoto's one line, in clock cycles where a clock was read.
pub(super) fn specifications(
    training: &Training,
    device: i32,
    provider: &str,
) -> Vec<ModelSpecification> {
    let specification = |variant: Option<&str>, response: &str| ModelSpecification {
        device: device.into(),
        provider: provider.to_owned(),
        method: METHOD.to_owned(),
        counters: Vec::new(),
        variant: variant.map(str::to_owned),
        response: response.to_owned(),
    };
    if provider == LOCAL_MEMORY {
        let response = if seen(training, CYCLES) {
            CYCLES
        } else {
            "time"
        };
        return vec![specification(None, response)];
    }
    let present = |variant: &&str| {
        let mut samples = training.samples.iter();
        samples.any(|sample| sample.variant == *variant)
    };
    let variants = VARIANTS.into_iter().filter(present).map(Some);
    std::iter::once(None)
        .chain(variants)
        .map(|variant| specification(variant, "time"))
        .collect()
}

/// The paper's counters as far as any sample has them; where a provider has none of them, all of its
/// counters that every sample has and that do not hold the time.
pub(super) fn counters(training: &Training, specification: &ModelSpecification) -> Vec<String> {
    let provider = specification.provider.as_str();
    if provider == LOCAL_MEMORY {
        return vec![PRODUCT.to_owned()];
    }
    let names = if provider == "ncu" {
        COUNTED_BY_NCU
    } else {
        COUNTED
    };
    let usable = |name: &String| *name != specification.response && seen(training, name);
    let counted: Vec<String> = names
        .iter()
        .map(|name| format!("{provider}:{name}"))
        .filter(usable)
        .collect();
    if !counted.is_empty() || provider == "launch" {
        let mut counters = counted;
        counters.extend(Some(WORK_GROUPS.to_owned()).filter(usable));
        if !counters.is_empty() {
            return counters;
        }
    }
    let own = format!("{provider}:");
    let common = training.counters.iter().filter(|(name, id)| {
        name.strip_prefix(&own)
            .is_some_and(|counter| !holds_the_time(provider, counter))
            && **name != specification.response
            && training
                .samples
                .iter()
                .all(|sample| sample.values.contains_key(id))
    });
    common.map(|(name, _)| name.clone()).collect()
}

/// Whether any sample has the counter.
fn seen(training: &Training, counter: &str) -> bool {
    let id = training.counters.get(counter);
    let mut samples = training.samples.iter();
    id.is_some_and(|id| samples.any(|sample| sample.values.contains_key(id)))
}

fn holds_the_time(provider: &str, counter: &str) -> bool {
    describe(provider, counter).is_some_and(|it| matches!(it.kind, Kind::Rate | Kind::Cycles))
}
