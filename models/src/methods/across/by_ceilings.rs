use kerncast_wire::Ceilings;
use ndarray::{Array1, Array2};

use super::{
    super::{FitError, Method, checked::Checked, folds::count},
    BY_CEILINGS,
    costs::relative,
    enough_kernels,
};
use crate::{
    Cost, Costs, DropReason, Dropped, Fitted, Form, Rows, Seen,
    fitted::across::{Demand, Demands, KINDS, rates},
};

/// Times of a device that has run nothing but the ceilings, by those of others: t = Σ c_k · demand_k ÷
/// ceiling_k + c · launch latency, with one c ≥ 0 for each kind of demand, the same for all devices. Every
/// kernel counts the same. The rows are those of the other devices.
///
/// Leaving out is not refitting here: each row left out is forecast for its own device, by that one's ceilings.
#[derive(Clone, Debug, PartialEq)]
pub struct ByCeilings {
    /// What each device of the rows can do at most, in the order of their first rows.
    pub ceilings: Vec<Ceilings>,
    /// What the device that is to be forecast can do at most.
    pub target: Ceilings,
}

impl Method for ByCeilings {
    fn name(&self) -> &'static str {
        BY_CEILINGS
    }

    fn revision(&self) -> u32 {
        1
    }

    fn fit(&self, rows: &Rows<'_>) -> Result<Fitted, FitError> {
        let demands = Demands::of(rows.roles);
        let inefficiency = self.learn(&Checked::times(rows)?, &demands)?;
        let costs = inefficiency.costs(&self.target, &demands);
        let costs = costs.ok_or(FitError::NoCeiling)?;
        let free = (0..rows.counters.len())
            .filter(|&column| costs.terms.iter().all(|term| term.column != column));
        let dropped = free.map(|column| Dropped {
            column,
            reason: if demands.columns().contains(&column) {
                DropReason::NoCost
            } else {
                DropReason::NoRole
            },
        });
        Ok(Fitted {
            seen: Seen::learn(rows.x, Array1::ones(rows.y.len()).view()),
            dropped: dropped.collect(),
            form: Form::Costs(costs),
        })
    }

    fn forecasts_without(
        &self,
        rows: &Rows<'_>,
        folds: &[usize],
    ) -> Option<Vec<Result<f64, FitError>>> {
        if rows.weights.is_some() {
            return None;
        }
        let checked = Checked::times(rows).ok()?;
        let demands = Demands::of(rows.roles);
        let fits: Vec<Result<Inefficiency, FitError>> = (0..count(folds))
            .map(|fold| {
                let rest = (0..checked.y.len()).filter(|&row| folds.get(row) != Some(&fold));
                self.learn(&checked.rows(&rest.collect::<Vec<_>>()), &demands)
            })
            .collect();
        let forecast = |(row, &fold): (usize, &usize)| {
            let inefficiency = fits[fold].as_ref().map_err(Clone::clone)?;
            let demand = demands.demand(checked.x.row(row));
            let forecast = inefficiency.seconds(self.of(checked.devices[row])?, &demand);
            forecast.ok_or(FitError::NoCeiling)
        };
        Some(folds.iter().enumerate().map(forecast).collect())
    }
}

impl ByCeilings {
    fn of(&self, device: usize) -> Result<&Ceilings, FitError> {
        let ceilings = self.ceilings.get(device);
        ceilings.ok_or(FitError::NoCeilings { device })
    }

    fn learn(&self, rows: &Checked, demands: &Demands) -> Result<Inefficiency, FitError> {
        enough_kernels(rows, 1)?;
        let mut seconds = Vec::new();
        for (row, &device) in rows.x.rows().into_iter().zip(&rows.devices) {
            seconds.push(demands.demand(row).seconds(self.of(device)?));
        }
        let known: Vec<usize> = (0..KINDS)
            .filter(|&kind| seconds.iter().all(|row| row[kind].is_some()))
            .collect();
        if known.is_empty() {
            return Err(FitError::NoCommonCeiling);
        }
        let values = Array2::from_shape_fn((seconds.len(), known.len()), |(row, at)| {
            seconds[row][known[at]].expect("known in every row")
        });
        let costs = relative(values.view(), rows.y.view(), &rows.shares())?;
        let mut inefficiency = [0.0; KINDS];
        for (&kind, cost) in known.iter().zip(costs) {
            inefficiency[kind] = cost;
        }
        Ok(Inefficiency(inefficiency))
    }
}

/// How many times longer than at the full rate a demand takes in real kernels (c), by kind: global bytes,
/// fp32, fp64, int32, local bytes, launch. 0 where some device that was learned from lacks the ceiling, or some
/// workload the count.
struct Inefficiency([f64; KINDS]);

impl Inefficiency {
    /// The forecast for a workload on a device with these ceilings; absent where the device lacks a ceiling,
    /// or the workload a count, that costs time.
    fn seconds(&self, ceilings: &Ceilings, demand: &Demand) -> Option<f64> {
        let costs = self.0.iter().zip(demand.seconds(ceilings));
        let needed = costs.filter(|&(&cost, _)| cost > 0.0);
        needed.map(|(cost, seconds)| Some(cost * seconds?)).sum()
    }

    /// The same as costs of columns.
    fn costs(&self, ceilings: &Ceilings, demands: &Demands) -> Option<Costs> {
        let mut terms = Vec::new();
        let rates = rates(ceilings).into_iter().zip(demands.kinds());
        for (&cost, (rate, columns)) in self.0.iter().zip(rates) {
            for &(column, units) in columns.iter().filter(|_| cost > 0.0) {
                terms.push(Cost {
                    column,
                    over: Vec::new(),
                    seconds: cost * units / rate?,
                });
            }
        }
        let constant = match self.0[KINDS - 1] {
            cost if cost > 0.0 => cost * ceilings.launch_latency_s?,
            _ => 0.0,
        };
        Some(Costs {
            constant,
            terms,
            p: 1.0,
        })
    }
}
