use crate::wide::Wide;
use crate::{Error, Format, Profile};

pub(crate) fn is_header(cells: &[&str]) -> bool {
    cells.contains(&"Dispatch_ID") && cells.contains(&"Kernel_Name") && cells.contains(&"GPU_ID")
}

/// Reads `pmc_perf.csv` (a row for each dispatch, hundreds of counters) and `timestamps.csv` (times only).
pub(crate) fn parse(text: &str) -> Result<Profile, Error> {
    let columns = Wide {
        format: Format::RocprofilerCompute,
        is_header,
        dispatch: "Dispatch_ID",
        kernel: "Kernel_Name",
        gpu: "GPU_ID",
        process: "PID",
        grid: "Grid_Size",
        group: "Workgroup_Size",
        start: "Start_Timestamp",
        end: "End_Timestamp",
        is_of_launch,
    };
    columns.parse(text)
}

/// Columns that describe the launch and are no counters.
const LAUNCH_COLUMNS: &str = "Dispatch_ID Kernel_ID Kernel_Name GPU_ID Queue_ID queue-id queue-index PID pid \
                               TID tid Grid_Size Workgroup_Size LDS_Per_Workgroup Scratch_Per_Workitem \
                               Arch_VGPR Accum_VGPR SGPR wave_size Wave_Size sig obj Correlation_ID XCC_Index \
                               DispatchNs CompleteNs Start_Timestamp End_Timestamp";

/// Whether a column describes the launch, perhaps with the number of a run behind its name: merging runs repeats some
/// (`obj_3`). Counters may end in a number of their own (`SQC_DCACHE_REQ_READ_16`), so only known names lose it.
fn is_of_launch(column: &str) -> bool {
    let first_run = match column.rsplit_once('_') {
        Some((name, run)) if !run.is_empty() && run.bytes().all(|byte| byte.is_ascii_digit()) => {
            name
        }
        _ => column,
    };
    LAUNCH_COLUMNS.split(' ').any(|it| it == first_run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_launch_columns_lose_the_number_of_their_run() {
        assert!(
            is_of_launch("obj_16") && is_of_launch("Correlation_ID_3") && is_of_launch("XCC_Index")
        );
        assert!(!is_of_launch("SQC_DCACHE_REQ_READ_16") && !is_of_launch("TCC_HIT[3]"));
    }
}
