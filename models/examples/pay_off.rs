//! Whether local memory pays off, from a tidy CSV of one device: `pay_off FILE.csv`. Columns: kernel,
//! family, variant, time_s, param:*, launch:*, ncu:*.
#![expect(clippy::print_stdout, reason = "prints figures")]

use std::{collections::BTreeMap, env, error::Error, fs};

use kerncast_models::{ErrorReport, across};
use ndarray::{Array1, Array2};

/// Totals that cost where a throughput limits.
const VOLUMES: [&str; 9] = [
    "ncu:dram__sectors_read.sum",
    "ncu:dram__sectors_write.sum",
    "ncu:lts__t_sectors_op_read.sum",
    "ncu:lts__t_sectors_op_write.sum",
    "ncu:l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "ncu:l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "ncu:l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "ncu:l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "ncu:smsp__inst_executed_pipe_fp64.sum",
];

type Workload<'a> = (&'a str, Vec<&'a str>);

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args()
        .nth(1)
        .ok_or("expected the path of the CSV file")?;
    for key in ["kernel", "family"] {
        let text = fs::read_to_string(&path)?;
        let workloads = read(&text, key)?;
        let found = across::pay_off(&workloads, [0, 1])?;
        println!("leaving a {key} out, {} workloads", workloads.len());
        println!("  forecast   {}", show(&found.forecast)?);
        println!("  no change  {}", show(&found.no_change)?);
        let percent = |share: Option<f64>| share.map(|share| 100.0 * share);
        println!(
            "  sign right {:.1?} %, by majority {:.1?} %",
            percent(found.sign_right),
            percent(found.majority_right)
        );
    }
    Ok(())
}

fn show(report: &ErrorReport) -> Result<String, Box<dyn Error>> {
    let errors = report.overall.ok_or("no forecast")?;
    Ok(format!(
        "{:5.1} / {:4.1}, factor {:.3?}",
        100.0 * errors.mean_ape,
        100.0 * errors.median_ape,
        errors.factor
    ))
}

/// Workloads that have both variants, with the counters of `global`; `key` is what is left out.
fn read(text: &str, key: &str) -> Result<across::Workloads, Box<dyn Error>> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().ok_or("an empty file")?.split(',').collect();
    let column = |name: &str| {
        header
            .iter()
            .position(|it| *it == name)
            .ok_or(format!("no column {name}"))
    };
    let (kernel, variant, time) = (column("kernel")?, column("variant")?, column("time_s")?);
    let key = column(key)?;
    let parameters: Vec<usize> = (0..header.len())
        .filter(|&at| header[at].starts_with("param:"))
        .collect();
    let names: Vec<&str> = [
        "ncu:smsp__inst_executed.sum",
        "ncu:smsp__warps_launched.sum",
    ]
    .into_iter()
    .chain(VOLUMES)
    .collect();
    let columns: Vec<usize> = names
        .iter()
        .map(|name| column(name))
        .collect::<Result<_, _>>()?;
    let mut global: BTreeMap<Workload<'_>, (&str, Vec<f64>, f64)> = BTreeMap::new();
    let mut local: BTreeMap<Workload<'_>, f64> = BTreeMap::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let workload = (
            cells[kernel],
            parameters.iter().map(|&at| cells[at]).collect(),
        );
        let seconds = cells[time].parse()?;
        match cells[variant] {
            "global" => {
                let values = columns
                    .iter()
                    .map(|&at| cells[at].parse())
                    .collect::<Result<_, _>>()?;
                global.insert(workload, (cells[key], values, seconds));
            }
            "local" => drop(local.insert(workload, seconds)),
            _ => {}
        }
    }
    global.retain(|workload, _| local.contains_key(workload));
    local.retain(|workload, _| global.contains_key(workload));
    let x: Vec<f64> = global
        .values()
        .flat_map(|(_, values, _)| values.clone())
        .collect();
    let x = Array2::from_shape_vec((global.len(), names.len()), x)?;
    let times = BTreeMap::from([
        (
            "global".to_owned(),
            global.values().map(|it| it.2).collect::<Array1<f64>>(),
        ),
        ("local".to_owned(), local.into_values().collect()),
    ]);
    let roles = across::Roles {
        instructions: 0,
        items: 1,
        longest: None,
        volumes: (2..names.len()).collect(),
    };
    let kernels = global.values().map(|it| it.0.to_owned()).collect();
    let counters = names.iter().map(ToString::to_string).collect();
    Ok(across::Workloads::new(counters, kernels, x, times, roles)?)
}
