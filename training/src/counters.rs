//! The counters that a fit takes where nobody says.

use kerncast_profilers::catalogue::grows_with_work;

use crate::{Question, Response, Samples};

/// Counts the launch's geometry: beside every provider's counters.
pub const LAUNCH: &str = "launch";
/// The microbenchmark of local memory (docs/microbenchmark.md): what it counts, and how long that took.
pub const LOCAL_MEMORY: &str = "local_memory";
const PRODUCT: &str = "local_memory:product";
/// What the microbenchmark measures, where it could read a clock.
pub(crate) const CYCLES: &str = "local_memory:cycles";

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
/// How many workers a launch has, beside every provider's counters.
const WORK_ITEMS: &str = "launch:work_items";

/// The paper's, as far as any sample has them; where there is none, those that grow with the work.
pub(crate) fn papers(samples: &Samples, question: &Question) -> Vec<String> {
    let provider = question.provider.as_str();
    if provider == LOCAL_MEMORY {
        return vec![PRODUCT.to_owned()];
    }
    let names = match provider {
        "ncu" => COUNTED_BY_NCU,
        _ => COUNTED,
    };
    let usable = |name: &String| !is_response(question, name) && samples.seen(name);
    let names = names.iter().map(|name| format!("{provider}:{name}"));
    let mut counters: Vec<String> = names.filter(usable).collect();
    if !counters.is_empty() || provider == LAUNCH {
        counters.extend(Some(WORK_GROUPS.to_owned()).filter(usable));
    }
    if counters.is_empty() {
        return volumes(samples, question);
    }
    counters
}

/// The provider's counters that grow with the work, and the launch's geometry, that nearly every workload has
/// a sample with. What lacks one is left out of the fit: a few samples with few counters take none from all
/// others.
pub(crate) fn volumes(samples: &Samples, question: &Question) -> Vec<String> {
    if question.provider == LOCAL_MEMORY {
        return vec![PRODUCT.to_owned()];
    }
    let own = format!("{}:", question.provider);
    let named = samples.counters.keys().filter(|name| {
        name.strip_prefix(&own)
            .is_some_and(|counter| grows_with_work(&question.provider, counter))
    });
    let geometry = [WORK_ITEMS, WORK_GROUPS].map(str::to_owned);
    let geometry = geometry.iter().filter(|name| !name.starts_with(&own));
    let usable = |name: &&String| !is_response(question, name) && samples.nearly_everywhere(name);
    named.chain(geometry).filter(usable).cloned().collect()
}

fn is_response(question: &Question, name: &str) -> bool {
    matches!(&question.response, Response::Counter(response) if response == name)
}
