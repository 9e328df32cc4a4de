use std::collections::BTreeMap;

use ndarray::{Array1, Array2};

use super::{
    AcrossError, Ceilings, Demand, Roles, Workloads, by_median_ratio, from_counters, from_source,
    scaled_by_ceilings,
};
use crate::{ErrorReport, FitError, HoldOut, HoldOutKey, errors};

/// One device and what it has run.
#[derive(Clone, Debug)]
pub struct Measured {
    /// Its name.
    pub device: String,
    /// The names of its counters (p).
    pub counters: Vec<String>,
    /// Which of them say what.
    pub roles: Roles,
    /// What it can do at most, where that was measured.
    pub ceilings: Option<Ceilings>,
    /// By workload, named the same on all devices.
    pub samples: BTreeMap<String, Counted>,
}

/// One workload on one device.
#[derive(Clone, Debug)]
pub struct Counted {
    /// Its kernel: what a hold-out leaves out together.
    pub kernel: String,
    /// Raw counter values (p).
    pub counters: Vec<f64>,
    /// What it asks of a device.
    pub demand: Demand,
    /// Seconds.
    pub time: f64,
}

/// Errors from one device to another, leaving kernels out; every way beside the others.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The device that was counted on.
    pub source: String,
    /// The device whose time was forecast.
    pub target: String,
    /// Workloads that both have run.
    pub workloads: usize,
    /// From the source's counters.
    pub counters: Result<ErrorReport, AcrossError>,
    /// From its counters and its time.
    pub time: Result<ErrorReport, AcrossError>,
    /// Baseline: its time by the median ratio of the other kernels.
    pub median_ratio: Result<ErrorReport, AcrossError>,
    /// Baseline: its time by the devices' ceilings; absent where one has not measured them.
    pub ceilings: Option<ErrorReport>,
}

/// A cell for every ordered pair of devices that have a workload in common.
#[must_use]
pub fn matrix(devices: &[Measured]) -> Vec<Cell> {
    let pairs = devices.iter().flat_map(|source| {
        let targets = devices
            .iter()
            .filter(|target| target.device != source.device);
        targets.map(move |target| (source, target))
    });
    pairs
        .filter_map(|(source, target)| cell(source, target))
        .collect()
}

fn cell(source: &Measured, target: &Measured) -> Option<Cell> {
    let common: Vec<(&Counted, f64)> = source
        .samples
        .iter()
        .filter_map(|(workload, counted)| Some((counted, target.samples.get(workload)?.time)))
        .collect();
    if common.is_empty() {
        return None;
    }
    // Sorted by name in `Workloads`; these two sort as said.
    const ENDS: [usize; 2] = [0, 1];
    let workloads = together(source, &common);
    let report = |hold_out: fn(&Workloads) -> Result<HoldOut, AcrossError>| {
        let workloads = workloads.as_ref().map_err(Clone::clone)?;
        Ok(errors(&workloads.dataset(ENDS[1]), &hold_out(workloads)?))
    };
    let ceilings = || {
        let (from, to) = (source.ceilings?, target.ceilings?);
        let workloads = workloads.as_ref().ok()?;
        let forecast = |(counted, _): &(&Counted, f64)| {
            scaled_by_ceilings(counted.time, &from, &to, &counted.demand)
                .ok_or(FitError::Forecast { forecast: f64::NAN })
        };
        let hold_out = HoldOut {
            key: HoldOutKey::Kernel,
            forecasts: common.iter().map(forecast).collect(),
        };
        Some(errors(&workloads.dataset(ENDS[1]), &hold_out))
    };
    Some(Cell {
        source: source.device.clone(),
        target: target.device.clone(),
        workloads: common.len(),
        counters: report(|workloads| from_counters(workloads, ENDS[1])),
        time: report(|workloads| from_source(workloads, ENDS)),
        median_ratio: report(|workloads| by_median_ratio(workloads, ENDS)),
        ceilings: ceilings(),
    })
}

fn together(source: &Measured, common: &[(&Counted, f64)]) -> Result<Workloads, AcrossError> {
    let columns = source.counters.len();
    let values: Vec<f64> = common
        .iter()
        .flat_map(|(counted, _)| counted.counters.clone())
        .collect();
    let found = values.len();
    let expected = common.len() * columns;
    let x = Array2::from_shape_vec((common.len(), columns), values)
        .map_err(|_| AcrossError::Shape { found, expected })?;
    let kernels = common.iter().map(|(counted, _)| counted.kernel.clone());
    let from: Array1<f64> = common.iter().map(|(counted, _)| counted.time).collect();
    let to: Array1<f64> = common.iter().map(|&(_, time)| time).collect();
    let times = BTreeMap::from([("0 source".to_owned(), from), ("1 target".to_owned(), to)]);
    Workloads::new(
        source.counters.clone(),
        kernels.collect(),
        x,
        times,
        source.roles.clone(),
    )
}
