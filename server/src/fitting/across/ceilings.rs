//! A device that has run nothing but its ceilings.

use std::collections::BTreeMap;

use kerncast_models::{
    Dataset, FitError, HoldOut, HoldOutKey,
    across::{BY_CEILINGS, ByCeilings, Ceilings, Demands, Ran, asked, leave_devices_out},
};
use ndarray::{Array1, Array2};

use super::{Pair, Plan, counters, new_model, table::Paired};
use crate::{
    db::{
        fits::{NewFit, NewModel},
        pairs::Device,
        stored_fit,
    },
    fitting::{
        fit::{dropped, judged},
        table::{Table, newest, row},
    },
};

/// By what other devices make of their ceilings. None where the target's are not known, or nobody else's.
pub(super) fn plan(pair: &Pair<'_>, devices: &[Device]) -> Option<Plan> {
    let ceilings = pair.target.ceilings?;
    let counters = asked(&counters(pair, "nnls"));
    let (others, paired) = others(pair, devices, &counters);
    if others.is_empty() {
        return None;
    }
    let version = format!("{BY_CEILINGS} 1");
    let model = new_model(pair, BY_CEILINGS, &version, 0, &paired);
    let fit = move |mut model: NewModel| {
        model.outcome = fit(&mut model, &paired, &others, &ceilings);
        model
    };
    Some(Plan {
        model,
        fit: Box::new(fit),
    })
}

/// What the other devices with ceilings have run of the source's workloads, one device after the other; and
/// the same as a table.
fn others(pair: &Pair<'_>, devices: &[Device], counters: &[String]) -> (Vec<Ran>, Paired) {
    let training = pair.training;
    let usable = training.samples.iter().filter_map(|sample| {
        let row = row(training, counters, sample)?;
        Some((sample, row, sample.median_s))
    });
    let samples = newest(usable.collect());
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for (sample, ..) in &samples {
        let next = numbers.len();
        numbers.entry(&sample.kernel).or_insert(next);
    }
    let demands = Demands::of(counters);
    let (mut rans, mut values, mut kernels) = (Vec::new(), Vec::new(), Vec::new());
    let (mut sample_ids, mut source_sample_ids) = (Vec::new(), Vec::new());
    for device in devices.iter().filter(|it| it.id != pair.target.id) {
        let Some(ceilings) = device.ceilings.filter(|_| !device.ran.is_empty()) else {
            continue;
        };
        let mut ran = Ran {
            ceilings,
            demands: Vec::new(),
            kernels: Vec::new(),
            times: Vec::new(),
        };
        for (sample, row, _) in &samples {
            let Some(own) = device.ran.get(&sample.workload) else {
                continue;
            };
            ran.demands
                .push(demands.demand(Array1::from(row.clone()).view()));
            ran.kernels.push(numbers[sample.kernel.as_str()]);
            ran.times.push(own.median_s);
            values.extend_from_slice(row);
            kernels.push(sample.kernel.clone());
            sample_ids.push(own.sample);
            source_sample_ids.push(sample.id);
        }
        rans.push(ran);
    }
    let shape = (kernels.len(), counters.len());
    let x = Array2::from_shape_vec(shape, values).expect("rows have a value a counter");
    let times: Array1<f64> = rans.iter().flat_map(|ran| ran.times.clone()).collect();
    let paired = Paired {
        source_sample_ids,
        counters: counters.to_vec(),
        table: Table {
            dataset: Dataset::new(counters.to_vec(), kernels, x, times),
            sample_ids,
            kernels: numbers.len(),
            warnings: vec![format!(
                "the device has run nothing but its ceilings: its times are forecast by those of {} other \
                 devices with ceilings",
                rans.len()
            )],
        },
    };
    (rans, paired)
}

fn fit(
    model: &mut NewModel,
    paired: &Paired,
    others: &[Ran],
    ceilings: &Ceilings,
) -> Result<NewFit, String> {
    let dataset = paired.table.dataset.as_ref().map_err(ToString::to_string)?;
    let fit = ByCeilings::fit(others).map_err(|error| error.to_string())?;
    let demands = Demands::of(&paired.counters);
    let fitted = fit.on(ceilings, &demands, dataset.x());
    let fitted = fitted.ok_or("the device lacks a ceiling that costs time on the other devices")?;
    match leave_devices_out(others) {
        Ok(forecasts) => {
            let sound = |forecast: Option<f64>| {
                let forecast = forecast.unwrap_or(f64::NAN);
                let refused = FitError::Forecast { forecast };
                if forecast.is_finite() {
                    Ok(forecast)
                } else {
                    Err(refused)
                }
            };
            let held_out = HoldOut {
                key: HoldOutKey::Device,
                forecasts: forecasts.into_iter().flatten().map(sound).collect(),
            };
            let (held_out, report) = judged(dataset, held_out);
            if let Some(errors) = report.overall {
                model.warnings.push(format!(
                    "leaving each of these devices out in turn, its times are off by {:.0} % on average",
                    100.0 * errors.mean_ape
                ));
            }
            model.hold_outs.push((held_out, report));
        }
        Err(error) => model.warnings.push(format!(
            "it can't be validated by leaving devices out: {error}"
        )),
    }
    let json = stored_fit::write(&fitted).ok_or_else(|| FitError::NotFinite.to_string())?;
    Ok(NewFit {
        json,
        dropped: dropped(&fitted, &paired.counters),
    })
}
