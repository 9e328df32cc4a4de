//! Operations and bytes, from what providers count.

use kerncast_wire::RooflinePoint;

use crate::db::counts::Counted;

/// Bytes of a sector of NVIDIA's memories.
const SECTOR: f64 = 32.0;

/// Providers whose counters tell operations and bytes, the better one first.
pub(crate) const PROVIDERS: [&str; 2] = ["ncu", "oclgrind"];

/// Additions and multiplications of single, then of double precision, with multiply-adds last; then what
/// DRAM read and wrote, under Hopper's names and Blackwell's.
const NCU: [&str; 10] = [
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
    "dram__sectors_read.sum",
    "dram__sectors_write.sum",
    "dram__sectors_op_read.sum",
    "dram__sectors_op_write.sum",
];

/// Single operations, then multiply-adds, then bytes.
const OCLGRIND: [&str; 10] = [
    "fadd",
    "fsub",
    "fmul",
    "fdiv",
    "frem",
    "call_fma",
    "call_mad",
    "call_llvm.fmuladd",
    "load_global_bytes",
    "store_global_bytes",
];

/// The counters of a provider that a point is made of.
pub(crate) fn counters(provider: &str) -> Vec<String> {
    let names = if provider == "ncu" { NCU } else { OCLGRIND };
    names.map(str::to_owned).to_vec()
}

/// The point of a sample whose values are those of [`counters`].
pub(crate) fn point(provider: &str, counted: Counted) -> RooflinePoint {
    let Counted {
        workload: _,
        sample,
        kernel,
        variant,
        parameters,
        time_s,
        values,
    } = counted;
    let (fp32_flop, fp64_flop, bytes) = if provider == "ncu" {
        by_ncu(&values)
    } else {
        by_oclgrind(&values)
    };
    RooflinePoint {
        sample,
        kernel,
        variant,
        parameters: parameters.0,
        time_s,
        provider: provider.to_owned(),
        fp32_flop,
        fp64_flop,
        bytes,
    }
}

type Parts = (Option<f64>, Option<f64>, Option<f64>);

fn by_ncu(values: &[Option<f64>]) -> Parts {
    let at = |place: usize| values.get(place).copied().flatten();
    let flop = |first| Some(at(first)? + at(first + 1)? + 2.0 * at(first + 2)?);
    let sectors = |first| Some(at(first)? + at(first + 1)?);
    let bytes = sectors(6).or_else(|| sectors(8));
    (flop(0), flop(3), bytes.map(|sectors| SECTOR * sectors))
}

/// Oclgrind counts everything that runs: an instruction that it does not mention did not run.
fn by_oclgrind(values: &[Option<f64>]) -> Parts {
    let sum = |places: std::ops::Range<usize>| -> f64 {
        values.get(places).into_iter().flatten().flatten().sum()
    };
    let flop = sum(0..5) + 2.0 * sum(5..8);
    (Some(flop), None, Some(sum(8..10)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_multiply_add_is_two_operations_and_a_sector_32_bytes() {
        let mut values = vec![
            Some(1.0),
            Some(2.0),
            Some(4.0),
            Some(0.0),
            Some(3.0),
            Some(5.0),
        ];
        values.extend([Some(10.0), Some(1.0), None, None]);
        assert_eq!(by_ncu(&values), (Some(11.0), Some(13.0), Some(352.0)));
    }

    #[test]
    fn what_ncu_did_not_count_is_absent_and_blackwells_names_are_known() {
        let mut values = vec![Some(1.0), None, Some(4.0), None, None, None];
        values.extend([None, None, Some(2.0), Some(1.0)]);
        assert_eq!(by_ncu(&values), (None, None, Some(96.0)));
    }

    #[test]
    fn what_oclgrind_does_not_mention_did_not_run() {
        let mut values = vec![
            Some(3.0),
            None,
            Some(1.0),
            None,
            None,
            Some(10.0),
            None,
            None,
        ];
        values.extend([Some(64.0), Some(32.0)]);
        assert_eq!(by_oclgrind(&values), (Some(24.0), None, Some(96.0)));
    }
}
