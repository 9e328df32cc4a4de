//! What events cost NVIDIA's GPUs, as documents and microbenchmarks say: on one multiprocessor, in cycles.
//! Only ratios matter: a fit finds out how long a cycle is, and how many multiprocessors share the work.
//!
//! Throughput: NVIDIA, *CUDA C++ Programming Guide*, "Arithmetic Instructions" (results per cycle and
//! multiprocessor, compute capability 7.0 to 9.0); L1, L2 and DRAM: Jia, Maggioni, Staiger, Scarpazza,
//! *Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking*, 2018. Latency: the same two,
//! divided by the few instructions or loads of a warp that are under way at once (Volkov, *Understanding
//! Latency Hiding on GPUs*, 2016). What neither tells (launching a work-group or a warp, atomics) is the
//! order of magnitude.

use Cycles::{About, No, UpTo};

/// One kind of event.
pub(super) struct Event {
    /// How its counter's name ends: ncu's, and nvprof's where that counts the same.
    pub(super) names: &'static [&'static str],
    /// Where there is none of these: what counts the same by work-items instead of warps, or by bytes instead
    /// of sectors, so that 32 are an event. The first set of which there is one; its counters add up.
    pub(super) of_32: &'static [&'static [&'static str]],
    /// How long it keeps a resource of its multiprocessor busy.
    pub(super) throughput: Cycles,
    /// How long a warp waits for it.
    pub(super) latency: Cycles,
    /// Counted in the busiest of the units that share the work, so a cycle is one of that unit.
    pub(super) busiest: bool,
}

/// Cycles, as far as they are known.
#[derive(Clone, Copy)]
pub(super) enum Cycles {
    /// Counted elsewhere.
    No,
    /// About so many.
    About(f64),
    /// From none to so many: it depends on what the counter does not tell.
    UpTo(f64),
}

const fn event(names: &'static [&'static str], throughput: Cycles, latency: Cycles) -> Event {
    Event {
        names,
        of_32: &[],
        throughput,
        latency,
        busiest: false,
    }
}

impl Event {
    const fn or_32(self, of_32: &'static [&'static [&'static str]]) -> Self {
        Self { of_32, ..self }
    }

    const fn in_the_busiest_unit(self) -> Self {
        Self {
            busiest: true,
            ..self
        }
    }
}

#[rustfmt::skip]
pub(super) const EVENTS: &[Event] = &[
    event(&["smsp__inst_executed.sum", "inst_executed"], About(0.25), About(2.0))
        .or_32(&[&["smsp__thread_inst_executed.sum"], &["sm__sass_thread_inst_executed.sum"], &["thread_inst_executed"]]),
    event(&["smsp__inst_executed_pipe_alu.sum"], About(0.5), About(1.0))
        .or_32(&[&["smsp__sass_thread_inst_executed_op_integer_pred_on.sum"], &["sm__sass_thread_inst_executed_op_integer_pred_on.sum"], &["inst_integer"]]),
    event(&["smsp__inst_executed_pipe_fma.sum"], About(0.25), About(1.0))
        .or_32(&[
            &["smsp__sass_thread_inst_executed_op_fp32_pred_on.sum"],
            &["smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"],
            &["sm__sass_thread_inst_executed_op_fadd_pred_on.sum", "sm__sass_thread_inst_executed_op_fmul_pred_on.sum", "sm__sass_thread_inst_executed_op_ffma_pred_on.sum"],
            &["inst_fp_32"],
            &["flop_count_sp_add", "flop_count_sp_mul", "flop_count_sp_fma"],
            &["flop_count_sp"],
        ]),
    event(&["smsp__inst_executed_pipe_fp64.sum"], About(0.5), About(4.0))
        .or_32(&[
            &["smsp__sass_thread_inst_executed_op_fp64_pred_on.sum"],
            &["smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum"],
            &["sm__sass_thread_inst_executed_op_dadd_pred_on.sum", "sm__sass_thread_inst_executed_op_dmul_pred_on.sum", "sm__sass_thread_inst_executed_op_dfma_pred_on.sum"],
            &["inst_fp_64"],
            &["flop_count_dp_add", "flop_count_dp_mul", "flop_count_dp_fma"],
            &["flop_count_dp"],
        ]),
    event(&["smsp__inst_executed_pipe_xu.sum"], About(2.0), About(8.0))
        .or_32(&[&["smsp__sass_thread_inst_executed_op_conversion_pred_on.sum"], &["inst_bit_convert", "flop_count_sp_special"]]),
    event(&["smsp__inst_executed_pipe_lsu.sum", "ldst_executed"], About(1.0), No)
        .or_32(&[&["smsp__sass_thread_inst_executed_op_memory_pred_on.sum"], &["inst_compute_ld_st"]]),
    event(&["smsp__inst_executed_op_branch.sum"], No, About(8.0))
        .or_32(&[&["smsp__sass_thread_inst_executed_op_control_pred_on.sum"], &["inst_control"]]),
    // Global memory at L1: a warp's request, and its sectors of 32 bytes.
    event(&["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "smsp__inst_executed_op_global_ld.sum", "global_load_requests"], About(0.5), About(20.0)),
    event(&["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "smsp__inst_executed_op_global_st.sum", "global_store_requests"], About(0.5), About(10.0)),
    event(&["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "gld_transactions"], About(0.25), About(1.0))
        .or_32(&[&["l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum"]]),
    event(&["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "gst_transactions"], About(0.25), About(1.0))
        .or_32(&[&["l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum"]]),
    event(&["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum"], No, About(10.0)),
    event(&["l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "local_load_transactions"], About(0.25), No),
    event(&["l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "local_store_transactions"], About(0.25), No),
    // All passes through its data banks, local memory's too: one after the other (Nsight Compute, "Metrics
    // Decoder").
    event(&["l1tex__data_pipe_lsu_wavefronts.sum"], About(1.0), No),
    // Local memory: a warp's load, and its passes through the banks.
    event(&["smsp__sass_inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_ld.sum", "inst_executed_shared_loads"], No, About(15.0)),
    event(&["smsp__sass_inst_executed_op_shared_st.sum", "smsp__inst_executed_op_shared_st.sum", "inst_executed_shared_stores"], No, About(5.0)),
    event(&["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "shared_load_transactions"], About(1.0), About(1.0)),
    event(&["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "shared_store_transactions"], About(1.0), About(1.0)),
    event(&["smsp__inst_executed_op_shared_atom.sum"], About(4.0), About(60.0)),
    // What all multiprocessors share, as one's part of it.
    event(&["lts__t_requests.sum"], About(1.0), No),
    event(&["lts__t_sectors_op_read.sum", "l2_read_transactions"], About(0.5), No)
        .or_32(&[&["lts__t_bytes.sum"]]),
    event(&["lts__t_sectors_op_write.sum", "l2_write_transactions"], About(0.5), No),
    event(&["dram__sectors_read.sum", "dram_read_transactions"], About(0.8), No)
        .or_32(&[&["dram__bytes_read.sum"], &["dram__bytes_op_read.sum"], &["dram_read_bytes"], &["dram__bytes.sum"]]),
    event(&["dram__sectors_write.sum", "dram_write_transactions"], About(0.8), No)
        .or_32(&[&["dram__bytes_write.sum"], &["dram__bytes_op_write.sum"], &["dram_write_bytes"]]),
    // Atomics: those on one address wait for each other, and their sum does not say how many. A fit that
    // has seen some is not let believe that all others wait as long.
    event(&["lts__t_sectors_op_atom.sum"], UpTo(10.0), No),
    event(&["lts__t_sectors_op_red.sum"], UpTo(10.0), No),
    event(&["l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"], No, UpTo(60.0)),
    event(&["l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"], No, UpTo(60.0)),
    // The busiest slice does say: it takes one a cycle (NVIDIA, *Kepler GK110 Whitepaper*, 2012).
    event(&["lts__t_sectors_op_atom.max"], About(1.0), No).in_the_busiest_unit(),
    event(&["lts__t_sectors_op_red.max"], About(1.0), No).in_the_busiest_unit(),
    // A warp scheduler issues one a cycle.
    event(&["smsp__inst_executed.max"], About(1.0), No).in_the_busiest_unit(),
    event(&["sm__ctas_launched.sum"], About(100.0), No),
    event(&["smsp__warps_launched.sum", "warps_launched"], About(25.0), No),
];

/// Counters that count who does the work, by how their names end: the first that there is.
pub(super) const WORKERS: &[&str] = &[
    "smsp__warps_launched.sum",
    "warps_launched",
    "work_items",
    "launch__thread_count",
];

/// Where nothing counts workers, stores and atomics do, added up: who works writes down what comes out, most
/// often once. Of each kind the first that there is.
#[rustfmt::skip]
pub(super) const WRITERS: [&[&str]; 3] = [
    &["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "smsp__inst_executed_op_global_st.sum", "global_store_requests"],
    &["l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "lts__t_sectors_op_atom.sum"],
    &["l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", "lts__t_sectors_op_red.sum"],
];
