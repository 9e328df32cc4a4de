//! What is fitted where nobody says: the one place that lists the paper's counters.

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
pub(super) const VARIANTS: [&str; 2] = ["global", "local"];

/// The paper's counters as far as any sample has them; where a provider has none of them, all of its
/// counters that every sample has.
pub(super) fn counters(training: &Training, provider: &str) -> Vec<String> {
    let seen = |name: &String| {
        let id = training.counters.get(name);
        id.is_some_and(|id| {
            training
                .samples
                .iter()
                .any(|sample| sample.values.contains_key(id))
        })
    };
    let launch = provider == "launch";
    let names = if provider == "ncu" {
        COUNTED_BY_NCU
    } else {
        COUNTED
    };
    let counted: Vec<String> = names
        .iter()
        .map(|name| format!("{provider}:{name}"))
        .filter(seen)
        .collect();
    if !counted.is_empty() || launch {
        let mut counters = counted;
        counters.extend(Some(WORK_GROUPS.to_owned()).filter(seen));
        if !counters.is_empty() {
            return counters;
        }
    }
    let own = format!("{provider}:");
    let common = training.counters.iter().filter(|(name, id)| {
        name.starts_with(&own)
            && training
                .samples
                .iter()
                .all(|sample| sample.values.contains_key(id))
    });
    common.map(|(name, _)| name.clone()).collect()
}
