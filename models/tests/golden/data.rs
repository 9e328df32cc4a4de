//! What the fits in this folder were fitted to. Whole numbers and quotients alone, so that it is the same on
//! every machine.

use kerncast_models::Dataset;
use kerncast_profilers::catalogue::roles;
use ndarray::{Array1, Array2};

const COUNTERS: [&str; 6] = [
    "oclgrind:instructions",
    "launch:work_items",
    "oclgrind:load_global_bytes",
    "oclgrind:store_global_bytes",
    "oclgrind:load_local_bytes",
    "counted_on_time",
];

const KERNELS: usize = 6;
const SIZES: usize = 3;

/// Six kernels of three sizes: the bytes stored are half of those loaded, the local bytes never vary. The
/// response is the time on a device, the last column that on another.
pub(crate) fn dataset() -> Dataset {
    let counted = Array2::from_shape_fn((KERNELS * SIZES, 5), |(row, column)| {
        let (kernel, size) = ((row / SIZES) as f64, (row % SIZES) as f64);
        let items = 256.0 * (1.0 + 7.0 * size * size);
        let bytes = items * (4.0 + 8.0 * ((5.0 * kernel) % 7.0));
        [
            items * 20.0 * (1.0 + kernel * kernel),
            items,
            bytes,
            bytes / 2.0,
            64.0,
        ][column]
    });
    let counted_on = times(&counted, [4e-6, 3e-12, 1e-11]);
    let y = times(&counted, [7e-6, 1e-12, 4e-11]);
    let mut x = Array2::zeros((KERNELS * SIZES, COUNTERS.len()));
    x.slice_mut(ndarray::s![.., ..5]).assign(&counted);
    x.column_mut(5).assign(&counted_on);
    let kernels = (0..x.nrows()).map(|row| format!("k{}", row / SIZES));
    let counters = COUNTERS.map(str::to_owned).to_vec();
    let roles = roles(&counters);
    let dataset = Dataset::new(counters, kernels.collect(), x, y);
    let dataset = dataset.and_then(|it| it.with_roles(roles));
    dataset.expect("sound rows")
}

/// The same numbers, as if the hardware had counted them.
pub(crate) fn counted_by_hardware() -> Dataset {
    let counters = [
        "ncu:smsp__inst_executed.sum",
        "launch:work_items",
        "ncu:dram__sectors_read.sum",
        "ncu:l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
        "ncu:launch__occupancy_limit_warps",
        "ncu:smsp__sass_inst_executed_op_global_ld.sum",
    ];
    let counters = counters.map(str::to_owned).to_vec();
    let roles = roles(&counters);
    let same = dataset();
    let (x, y) = (same.x().to_owned(), same.y().to_owned());
    let dataset = Dataset::new(counters, same.kernels().to_vec(), x, y);
    let dataset = dataset.and_then(|it| it.with_roles(roles));
    dataset.expect("sound rows")
}

/// By seconds of a launch, an instruction and a byte, and what no counter tells: the second kernel takes half
/// as long again.
fn times(counted: &Array2<f64>, [launch, instruction, byte]: [f64; 3]) -> Array1<f64> {
    let rows = counted.rows().into_iter().enumerate();
    let time = rows.map(|(at, row)| {
        let odd = if at / SIZES == 1 { 1.5 } else { 1.0 };
        odd * (launch + instruction * row[0] + byte * row[2])
    });
    time.collect()
}
