//! What honest data lose: rows that fits leave out as absurd, and new kernels that the gate would doubt.

use std::{collections::BTreeMap, sync::Arc};

use kerncast_models::HoldOutKey;
use kerncast_training::{
    Candidate, Model, Question, Response,
    gate::{Arrived, Said, Verdict, judge},
};
use kerncast_wire::Warning;
use uuid::Uuid;

use super::{
    data::{DEVICE, Numbers, read, samples},
    world::start,
};

/// The level of the intervals that the gate goes by.
const LEVEL: f64 = 0.9;

/// Of every method on a file's device: rows, those that its fit leaves out, and those that the gate would doubt were
/// their kernel new and this method champion.
pub(crate) fn report(file: &str, provider: &str) {
    let (measured, ceilings) = read(file, provider);
    let mut numbers = Numbers::default();
    let all = (measured.iter().zip(1..))
        .map(|(it, id)| numbers.sample(it, id))
        .collect();
    let samples = samples(&numbers, all, ceilings);
    let question = Question {
        target: DEVICE,
        counted_on: None,
        provider: provider.to_owned(),
        variant: None,
        response: Response::Time,
    };
    for candidate in Candidate::all(&question, &samples) {
        let model = Model::of(&candidate);
        let left_out = model.warnings.iter().find_map(|it| match it {
            Warning::Absurd { samples, .. } => Some(*samples),
            _ => None,
        });
        let left_out = left_out.unwrap_or(0);
        let rows = candidate.training.sample_ids.len();
        let method = candidate.method.name();
        let doubted = doubted(&candidate, &model, provider);
        eprintln!(
            "{file:28} {provider:9} {method:12} {rows:5} rows, {left_out:>3} left out, {doubted}"
        );
    }
}

fn doubted(candidate: &Candidate, model: &Model, provider: &str) -> String {
    let factor = (model.calibration.as_ref()).and_then(|it| it.factor(LEVEL).ok());
    let mut by_kernel = model.hold_outs.iter();
    let by_kernel = by_kernel.find(|(it, _)| it.key == HoldOutKey::Kernel);
    let (Some(factor), Some((hold_out, _)), Ok(dataset)) =
        (factor, by_kernel, &candidate.training.dataset)
    else {
        return "judges nobody".to_owned();
    };
    let (mut slower, mut faster) = (0, 0);
    for (row, forecast) in hold_out.forecasts.iter().enumerate() {
        let Ok(forecast) = forecast else { continue };
        let kernel = dataset.kernel_numbers()[row];
        let arrived = Arrived {
            id: Uuid::from_u128(1),
            agent: "honest".to_owned(),
            measured_at: start(),
            received_at: start(),
            workload: 1,
            kernel: dataset.kernels()[kernel].to_string(),
            variant: String::new(),
            median_s: dataset.y()[row],
            counters: BTreeMap::new(),
            history: Arc::default(),
            forecasts: vec![Said {
                provider: provider.to_owned(),
                time_s: *forecast,
                factor: Some(factor),
            }],
        };
        match judge(&[arrived], None)[0] {
            Verdict::Sound => {}
            Verdict::Quarantined { .. } if dataset.y()[row] > *forecast => slower += 1,
            Verdict::Quarantined { .. } => faster += 1,
        }
    }
    format!("{slower} doubted as slow, {faster} as fast (intervals × {factor:.2})")
}
