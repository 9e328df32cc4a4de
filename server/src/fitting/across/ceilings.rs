//! A device that has run nothing but its ceilings.

use std::collections::{BTreeMap, BTreeSet};

use kerncast_models::{
    Dataset, FitError, HoldOutKey, Method,
    across::{BY_CEILINGS, ByCeilings, Ceilings, asked},
    hold_out,
};
use kerncast_profilers::catalogue::roles;
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
    let counters = counters(pair, "nnls");
    let counters = asked(&counters, &roles(&counters));
    let others: Vec<(&Device, Ceilings)> = devices
        .iter()
        .filter(|it| it.id != pair.target.id && !it.ran.is_empty())
        .filter_map(|it| Some((it, it.ceilings?)))
        .collect();
    if others.is_empty() {
        return None;
    }
    let paired = paired(pair, &others, &counters);
    let method = ByCeilings {
        ceilings: of_devices(&paired, &others),
        target: ceilings,
    };
    let version = format!("{} {}", method.name(), method.revision());
    let model = new_model(pair, BY_CEILINGS, &version, 0, &paired);
    let fit = move |mut model: NewModel| {
        model.outcome = fit(&mut model, &paired, &method);
        model
    };
    Some(Plan {
        model,
        fit: Box::new(fit),
    })
}

/// What the other devices with ceilings have run of the source's workloads, one device after the other.
fn paired(pair: &Pair<'_>, others: &[(&Device, Ceilings)], counters: &[String]) -> Paired {
    let training = pair.training;
    let usable = training.samples.iter().filter_map(|sample| {
        let row = row(training, counters, sample)?;
        Some((sample, row, sample.median_s))
    });
    let samples = newest(usable.collect());
    let (mut values, mut kernels, mut times) = (Vec::new(), Vec::new(), Vec::new());
    let (mut sample_ids, mut source_sample_ids) = (Vec::new(), Vec::new());
    let mut names = Vec::new();
    for (device, _) in others {
        for (sample, row, _) in &samples {
            let Some(own) = device.ran.get(&sample.workload) else {
                continue;
            };
            values.extend_from_slice(row);
            kernels.push(sample.kernel.clone());
            times.push(own.median_s);
            names.push(device.id.to_string());
            sample_ids.push(own.sample);
            source_sample_ids.push(sample.id);
        }
    }
    let shape = (kernels.len(), counters.len());
    let x = Array2::from_shape_vec(shape, values).expect("rows have a value a counter");
    let distinct = samples.iter().map(|(sample, ..)| &sample.kernel);
    Paired {
        source_sample_ids,
        counters: counters.to_vec(),
        table: Table {
            sample_ids,
            kernels: distinct.collect::<BTreeSet<_>>().len(),
            warnings: vec![format!(
                "the device has run nothing but its ceilings: its times are forecast by those of {} other \
                 devices with ceilings",
                others.len()
            )],
            dataset: Dataset::new(counters.to_vec(), kernels, x, Array1::from(times))
                .and_then(|dataset| dataset.with_roles(roles(counters)))
                .and_then(|dataset| dataset.with_devices(&names)),
        },
    }
}

/// The ceilings in the order of the rows' devices.
fn of_devices(paired: &Paired, others: &[(&Device, Ceilings)]) -> Vec<Ceilings> {
    let ceilings = others
        .iter()
        .map(|(device, it)| (device.id.to_string(), *it));
    let ceilings: BTreeMap<String, Ceilings> = ceilings.collect();
    let names = paired.table.dataset.iter().flat_map(Dataset::device_names);
    names.map(|name| ceilings[name]).collect()
}

fn fit(model: &mut NewModel, paired: &Paired, method: &ByCeilings) -> Result<NewFit, String> {
    let dataset = paired.table.dataset.as_ref().map_err(ToString::to_string)?;
    let fitted = method.fit(&dataset.rows());
    let fitted = fitted.map_err(|error| error.to_string())?;
    let (held_out, report) = judged(dataset, hold_out(dataset, HoldOutKey::Device, method));
    match (report.overall, held_out.forecasts.first()) {
        (None, Some(Err(error))) => model.warnings.push(format!(
            "it can't be validated by leaving devices out: {error}"
        )),
        (overall, _) => {
            model.warnings.extend(overall.map(|errors| {
                format!(
                    "leaving each of these devices out in turn, its times are off by {:.0} % on average",
                    100.0 * errors.mean_ape
                )
            }));
            model.hold_outs.push((held_out, report));
        }
    }
    let json = stored_fit::write(&fitted).ok_or_else(|| FitError::NotFinite.to_string())?;
    Ok(NewFit {
        json,
        dropped: dropped(&fitted, &paired.counters),
    })
}
