//! How well times cross devices on the public AIWC data: `across FILE.csv`. Mean and median error, share of
//! rows that 90 % intervals cover, and their typical width.
#![expect(clippy::print_stdout, reason = "prints figures")]

use std::{collections::BTreeMap, env, error::Error, fs};

use kerncast_models::{HoldOut, HoldOutKey, across, coverage, errors};
use ndarray::{Array1, Array2};

const NVIDIA: [&str; 5] = ["gtx1080", "gtx1080ti", "k20c", "k40c", "titanx"];
const AMD: [&str; 6] = [
    "fiji-furyx",
    "firepro-s9150",
    "hawaii-r9-290x",
    "hawaii-r9-295x2",
    "polaris-rx480",
    "tahiti-hd7970",
];

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args()
        .nth(1)
        .ok_or("expected the path of the CSV file")?;
    let workloads = read(&fs::read_to_string(path)?)?;
    println!("counters only");
    let mut all = Vec::new();
    for device in 0..workloads.devices().len() {
        let figures = figures(
            &workloads,
            device,
            &across::from_counters(&workloads, device)?,
        )?;
        println!("  {:16} {}", workloads.devices()[device], show(figures));
        all.push(figures);
    }
    println!("  {:16} {}", "mean", show(mean(&all)));
    for (name, same) in [("same vendor", true), ("across vendors", false)] {
        let pairs = pairs(&workloads, same);
        println!("{name}, mean of {} pairs", pairs.len());
        let over = |forecast: &dyn Fn([usize; 2]) -> Result<HoldOut, Box<dyn Error>>| {
            let figures = pairs
                .iter()
                .map(|&[source, target]| figures(&workloads, target, &forecast([source, target])?));
            Ok::<_, Box<dyn Error>>(show(mean(&figures.collect::<Result<Vec<_>, _>>()?)))
        };
        println!(
            "  with the source's time   {}",
            over(&|pair| Ok(across::from_source(&workloads, pair)?))?
        );
        println!(
            "  baseline: median ratio   {}",
            over(&|pair| Ok(across::by_median_ratio(&workloads, pair)?))?
        );
        for paper in [across::Paper::Counters, across::Paper::CountersAndTime] {
            let forecast = |pair| Ok(paper.hold_out(&workloads, pair, HoldOutKey::Kernel)?);
            println!("  {:24} {}", paper.name(), over(&forecast)?);
        }
    }
    Ok(())
}

/// Source and target, of one vendor or of two.
fn pairs(workloads: &across::Workloads, same: bool) -> Vec<[usize; 2]> {
    let devices = 0..workloads.devices().len();
    let all = devices
        .clone()
        .flat_map(|source| devices.clone().map(move |target| [source, target]));
    all.filter(|&[source, target]| source != target)
        .filter(|&[source, target]| {
            (vendor(workloads, source) == vendor(workloads, target)) == same
        })
        .collect()
}

fn vendor(workloads: &across::Workloads, device: usize) -> bool {
    NVIDIA.contains(&workloads.devices()[device].as_str())
}

fn figures(
    workloads: &across::Workloads,
    device: usize,
    hold_out: &HoldOut,
) -> Result<[f64; 4], Box<dyn Error>> {
    let report = errors(&workloads.dataset(device), hold_out);
    let overall = report.overall.ok_or("no forecast")?;
    // The paper's has none: it forecasts times below 0.
    let intervals = coverage(&workloads.dataset(device), hold_out, 0.9);
    let intervals = intervals.map_or([f64::NAN; 2], |it| [it.covered_rows, it.typical_factor]);
    Ok([
        overall.mean_ape,
        overall.median_ape,
        intervals[0],
        intervals[1],
    ])
}

fn mean(figures: &[[f64; 4]]) -> [f64; 4] {
    let count = figures.len() as f64;
    [0, 1, 2, 3].map(|at| figures.iter().map(|it| it[at]).sum::<f64>() / count)
}

fn show([mean, median, covered, width]: [f64; 4]) -> String {
    let [mean, median, covered] = [mean, median, covered].map(|share| 100.0 * share);
    format!("{mean:5.1} / {median:4.1}, {covered:4.1} ×/÷ {width:4.2}")
}

/// The GPUs' rows; every device has run the same workloads. The application is what is left out.
fn read(text: &str) -> Result<across::Workloads, Box<dyn Error>> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().ok_or("an empty file")?.split(',').collect();
    let counters: Vec<String> = header[5..header.len() - 1]
        .iter()
        .map(ToString::to_string)
        .collect();
    let column = |name: &str| {
        counters
            .iter()
            .position(|counter| counter == name)
            .ok_or(format!("no column {name}"))
    };
    let roles = across::Roles {
        instructions: column("total_instruction_count")?,
        items: column("workitems")?,
        longest: Some(column("max_instructions_to_barrier")?),
        volumes: vec![column("total_memory_footprint")?],
    };
    let mut x: BTreeMap<Vec<&str>, Vec<f64>> = BTreeMap::new();
    let mut times: BTreeMap<String, BTreeMap<Vec<&str>, f64>> = BTreeMap::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        if !NVIDIA.contains(&cells[0]) && !AMD.contains(&cells[0]) {
            continue;
        }
        let values = cells[5..cells.len() - 1]
            .iter()
            .map(|cell| cell.parse())
            .collect::<Result<_, _>>()?;
        let time = cells.last().ok_or("an empty line")?.parse()?;
        let workload = cells[1..5].to_vec();
        x.insert(workload.clone(), values);
        times
            .entry(cells[0].to_owned())
            .or_default()
            .insert(workload, time);
    }
    let kernels = x.keys().map(|workload| workload[0].to_owned()).collect();
    let flat: Vec<f64> = x.values().flatten().copied().collect();
    let x = Array2::from_shape_vec((x.len(), counters.len()), flat)?;
    let column =
        |(name, times): (String, BTreeMap<_, f64>)| (name, Array1::from_iter(times.into_values()));
    let times = times.into_iter().map(column).collect();
    Ok(across::Workloads::new(counters, kernels, x, times, roles)?)
}
