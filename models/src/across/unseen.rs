use ndarray::{Array1, Array2, ArrayView2};

use super::{AcrossError, Ceilings, Demand, Demands, ceilings::KINDS, relative::relative};
use crate::{Cost, Costs, DropReason, Dropped, Fitted, Form, Seen};

/// One device that has run workloads and the ceilings.
#[derive(Clone, Debug)]
pub struct Ran {
    /// What it can do at most.
    pub ceilings: Ceilings,
    /// What each workload asks of it (n).
    pub demands: Vec<Demand>,
    /// The kernel of each workload (n), the same number on all devices.
    pub kernels: Vec<usize>,
    /// The time of each workload (n), seconds.
    pub times: Vec<f64>,
}

/// Times of a device that has run nothing but the ceilings: t = Σ c_k · demand_k ÷ ceiling_k + c · launch
/// latency, with one c ≥ 0 for each kind, the same for all devices. A c says how many times longer than
/// at the full rate such a demand takes in real kernels.
#[derive(Clone, Debug, PartialEq)]
pub struct ByCeilings {
    /// c by kind: global bytes, fp32, fp64, int32, local bytes, launch. 0 where some device that was
    /// learned from lacks the ceiling, or some workload the count.
    pub inefficiency: [f64; KINDS],
}

impl ByCeilings {
    /// Learns from devices that know their times. Every kernel counts the same.
    ///
    /// # Errors
    /// [`AcrossError`] where there is nothing to learn from.
    pub fn fit(devices: &[Ran]) -> Result<Self, AcrossError> {
        let rows = || {
            devices.iter().flat_map(|ran| {
                ran.demands
                    .iter()
                    .map(|demand| ran.ceilings.seconds(demand))
            })
        };
        let known: Vec<usize> = (0..KINDS)
            .filter(|&kind| rows().all(|row| row[kind].is_some()))
            .collect();
        let times: Vec<f64> = devices.iter().flat_map(|ran| ran.times.clone()).collect();
        let kernels: Vec<usize> = devices.iter().flat_map(|ran| ran.kernels.clone()).collect();
        if times.is_empty() {
            return Err(AcrossError::NoDevice);
        }
        if known.is_empty() {
            return Err(AcrossError::NoCommonCeiling);
        }
        let values: Vec<f64> = rows()
            .flat_map(|row| {
                known
                    .iter()
                    .filter_map(|&kind| row[kind])
                    .collect::<Vec<_>>()
            })
            .collect();
        let rows = times.len();
        let found = values.len();
        let values = Array2::from_shape_vec((rows, known.len()), values).map_err(|_| {
            AcrossError::Shape {
                found,
                expected: rows * known.len(),
            }
        })?;
        let costs = relative(values.view(), &times, &kernels)?;
        let mut inefficiency = [0.0; KINDS];
        for (&kind, cost) in known.iter().zip(costs) {
            inefficiency[kind] = cost;
        }
        Ok(Self { inefficiency })
    }

    /// The forecast for a workload on a device with these ceilings, seconds; absent where the device
    /// lacks a ceiling, or the workload a count, that costs time.
    #[must_use]
    pub fn predict(&self, ceilings: &Ceilings, demand: &Demand) -> Option<f64> {
        let costs = self.inefficiency.iter().zip(ceilings.seconds(demand));
        let needed = costs.filter(|&(&cost, _)| cost > 0.0);
        needed.map(|(cost, seconds)| Some(cost * seconds?)).sum()
    }

    /// As a fit for a device with these ceilings, of rows (n × p) that `demands` speaks of. Absent where the
    /// device lacks a ceiling that costs time.
    #[must_use]
    pub fn on(
        &self,
        ceilings: &Ceilings,
        demands: &Demands,
        x: ArrayView2<'_, f64>,
    ) -> Option<Fitted> {
        let mut terms = Vec::new();
        let rates = ceilings.rates().into_iter().zip(demands.kinds());
        for (&cost, (rate, columns)) in self.inefficiency.iter().zip(rates) {
            for &(column, units) in columns.iter().filter(|_| cost > 0.0) {
                terms.push(Cost {
                    column,
                    over: Vec::new(),
                    seconds: cost * units / rate?,
                });
            }
        }
        let constant = match self.inefficiency[KINDS - 1] {
            cost if cost > 0.0 => cost * ceilings.launch_latency_s?,
            _ => 0.0,
        };
        let free = (0..x.ncols()).filter(|column| terms.iter().all(|it| it.column != *column));
        let dropped = free.map(|column| Dropped {
            column,
            reason: if demands.columns().contains(&column) {
                DropReason::NoCost
            } else {
                DropReason::NoRole
            },
        });
        Some(Fitted {
            seen: Seen::learn(x, Array1::ones(x.nrows()).view()),
            dropped: dropped.collect(),
            form: Form::Costs(Costs {
                constant,
                p: 1.0,
                terms,
            }),
        })
    }
}

/// Forecasts every device's times by the others: in the devices' order, one for each of its workloads,
/// seconds.
///
/// # Errors
/// [`AcrossError`] where the others have nothing to learn from.
pub fn leave_devices_out(devices: &[Ran]) -> Result<Vec<Vec<Option<f64>>>, AcrossError> {
    let forecast = |at: usize| {
        let mut others = devices.to_vec();
        let ran = others.remove(at);
        let fit = ByCeilings::fit(&others)?;
        let forecasts = ran
            .demands
            .iter()
            .map(|demand| fit.predict(&ran.ceilings, demand));
        Ok(forecasts.collect())
    };
    (0..devices.len()).map(forecast).collect()
}
