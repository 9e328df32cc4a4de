//! What Kerncast's providers, and AIWC, call the counters that forecasts across devices ask for.

use super::{AcrossError, Demands, Roles};

/// Instructions of all work-items, by what their counter is called: the first that there is.
const INSTRUCTIONS: &[&str] = &[
    "smsp__thread_inst_executed.sum",
    "smsp__inst_executed.sum",
    "instructions",
    "total_instruction_count",
];
/// Work-items.
const ITEMS: &[&str] = &[
    "launch:work_items",
    "launch__thread_count",
    "workitems",
    "smsp__warps_launched.sum",
];
/// The longest chain of instructions.
const LONGEST: &[&str] = &["max_instructions_to_barrier"];
/// What costs where a throughput limits: all of them.
const VOLUMES: &[&str] = &[
    "dram__sectors_read.sum",
    "dram__sectors_write.sum",
    "lts__t_sectors_op_read.sum",
    "lts__t_sectors_op_write.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "smsp__inst_executed_pipe_fp64.sum",
    "load_global_bytes",
    "store_global_bytes",
    "load_local_bytes",
    "store_local_bytes",
    "TCC_READ_sum",
    "TCC_WRITE_sum",
    "total_memory_footprint",
];

impl Roles {
    /// Of counters (p), by their names.
    ///
    /// # Errors
    /// [`AcrossError::NoRole`] where none counts instructions, or none work-items.
    pub fn of(counters: &[String]) -> Result<Self, AcrossError> {
        let needed = |names: &'static [&'static str], what| {
            find(counters, names).ok_or(AcrossError::NoRole { what, names })
        };
        let volumes = VOLUMES.iter().filter_map(|name| place(counters, name));
        Ok(Self {
            instructions: needed(INSTRUCTIONS, "instructions")?,
            items: needed(ITEMS, "work-items")?,
            longest: find(counters, LONGEST),
            volumes: volumes.collect(),
        })
    }
}

/// The counters that forecasts across devices ask for, by their names; all of them where a role is missing.
#[must_use]
pub fn asked(counters: &[String]) -> Vec<String> {
    let Ok(roles) = Roles::of(counters) else {
        return counters.to_vec();
    };
    let mut columns = roles.columns();
    columns.extend(Demands::of(counters).columns());
    columns.sort_unstable();
    columns.dedup();
    columns.into_iter().map(|it| counters[it].clone()).collect()
}

fn find(counters: &[String], names: &[&str]) -> Option<usize> {
    names.iter().find_map(|name| place(counters, name))
}

/// By the counter's name, whoever counted it; or by both, where `named` has the provider too.
pub(super) fn place(counters: &[String], named: &str) -> Option<usize> {
    let is = |it: &String| it == named || it.rsplit(':').next() == Some(named);
    counters.iter().position(is)
}
