//! How well times cross devices on the public AIWC data: `across FILE.csv`. Mean and median error, share of
//! rows that 90 % intervals cover, and their typical width; the mean of devices, or of their pairs.
#![expect(clippy::print_stdout, reason = "prints figures")]

use std::{collections::BTreeMap, env, error::Error, fs};

use kerncast_models::{
    Dataset, DatasetError, HoldOutKey, Method,
    across::{ByMedianRatio, COUNTED_ON_TIME, FromCounters, FromCountersAndTime, Paper},
    coverage, errors, hold_out,
};
use kerncast_profilers::catalogue::roles;
use ndarray::{Array1, Array2, Axis, concatenate};

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
    let measured = read(&fs::read_to_string(path)?)?;
    let devices: Vec<&str> = measured.times.keys().map(String::as_str).collect();
    let mut all = Vec::new();
    for device in &devices {
        all.push(figures(&measured.dataset(None, device)?, &FromCounters)?);
    }
    println!("across_counters            {}", show(&all));
    for (name, same) in [("same vendor", true), ("across vendors", false)] {
        let pairs = devices
            .iter()
            .flat_map(|counted_on| devices.iter().map(move |target| (counted_on, target)));
        let asked = |(counted_on, target): &(&&str, &&str)| {
            counted_on != target && (NVIDIA.contains(counted_on) == NVIDIA.contains(target)) == same
        };
        let pairs: Vec<_> = pairs.filter(asked).collect();
        println!("{name}, {} pairs", pairs.len());
        let methods: [(&dyn Method, bool); 4] = [
            (&FromCountersAndTime, true),
            (&ByMedianRatio, true),
            (&Paper::Counters, false),
            (&Paper::CountersAndTime, true),
        ];
        for (method, with_time) in methods {
            let mut all = Vec::new();
            for (counted_on, target) in &pairs {
                let dataset = measured.dataset(with_time.then_some(counted_on), target)?;
                all.push(figures(&dataset, method)?);
            }
            println!("  {:24} {}", method.name(), show(&all));
        }
    }
    Ok(())
}

fn figures(dataset: &Dataset, method: &dyn Method) -> Result<[f64; 4], Box<dyn Error>> {
    let held_out = hold_out(dataset, HoldOutKey::Kernel, method);
    let overall = errors(dataset, &held_out).overall.ok_or("no forecast")?;
    // The paper's has none: it forecasts times below 0.
    let intervals = coverage(dataset, &held_out, 0.9);
    let [covered, width] =
        intervals.map_or([f64::NAN; 2], |it| [it.covered_rows, it.typical_factor]);
    Ok([overall.mean_ape, overall.median_ape, covered, width])
}

fn show(figures: &[[f64; 4]]) -> String {
    let mean = |at: usize| figures.iter().map(|it| it[at]).sum::<f64>() / figures.len() as f64;
    let [mean_ape, median_ape, covered] = [0, 1, 2].map(|at| 100.0 * mean(at));
    format!(
        "{mean_ape:5.1} / {median_ape:4.1}, {covered:4.1} % ×/÷ {:4.2}",
        mean(3)
    )
}

/// Workloads that all devices have run.
struct Measured {
    counters: Vec<String>,
    kernels: Vec<String>,
    x: Array2<f64>,
    times: BTreeMap<String, Array1<f64>>,
}

impl Measured {
    /// The target's times by the counters, and by the time on the device counted on where there is one.
    fn dataset(&self, counted_on: Option<&&&str>, target: &str) -> Result<Dataset, DatasetError> {
        let (mut counters, mut x) = (self.counters.clone(), self.x.clone());
        if let Some(counted_on) = counted_on {
            counters.push(COUNTED_ON_TIME.to_owned());
            let time = self.times[**counted_on].view().insert_axis(Axis(1));
            x = concatenate![Axis(1), x, time];
        }
        let roles = roles(&counters);
        let times = self.times[target].clone();
        Dataset::new(counters, self.kernels.clone(), x, times)?.with_roles(roles)
    }
}

/// The GPUs' rows: device, application and size, counters, seconds. The application is what is left out.
fn read(text: &str) -> Result<Measured, Box<dyn Error>> {
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().ok_or("an empty file")?;
    let columns = 5..header.len() - 1;
    let mut x: BTreeMap<Vec<&str>, Vec<f64>> = BTreeMap::new();
    let mut times: BTreeMap<String, BTreeMap<Vec<&str>, f64>> = BTreeMap::new();
    for cells in lines.filter(|it| NVIDIA.contains(&it[0]) || AMD.contains(&it[0])) {
        let workload = cells[1..5].to_vec();
        let values = cells[columns.clone()].iter().map(|cell| cell.parse());
        x.insert(workload.clone(), values.collect::<Result<_, _>>()?);
        let of_device = times.entry(cells[0].to_owned()).or_default();
        of_device.insert(workload, cells[columns.end].parse()?);
    }
    let of_device =
        |(device, times): (String, BTreeMap<_, _>)| (device, times.into_values().collect());
    Ok(Measured {
        counters: header[columns.clone()]
            .iter()
            .map(ToString::to_string)
            .collect(),
        kernels: x.keys().map(|workload| workload[0].to_owned()).collect(),
        x: Array2::from_shape_vec(
            (x.len(), columns.len()),
            x.into_values().flatten().collect(),
        )?,
        times: times.into_iter().map(of_device).collect(),
    })
}
