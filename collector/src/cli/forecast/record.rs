//! What would make the answer better.

use kerncast_wire::{Outcome, Prediction};

use super::asked::Case;
use crate::cli::{lab::Target, predict::answer::surer, units};

pub(super) fn advice(case: &Case, prediction: &Prediction, target: &Target) -> Vec<String> {
    let mut advice = Vec::new();
    let device = &target.short_name;
    if let Outcome::Forecast(forecast) = &prediction.outcome {
        let missing = forecast.missing.len();
        if missing > 0 {
            let counters = units::count(missing, "counter");
            advice.push(format!("the model's {counters} that the set lacks"));
        }
        // What was refused here is refused again: why stands above.
        let better = forecast.better.iter();
        let better = better.filter(|it| !case.gaps.uncounted.contains_key(&it.provider));
        let like = prediction
            .unmeasured
            .as_ref()
            .map_or(device, |it| &it.like_name);
        advice.extend(better.map(|it| surer(it, like)));
    }
    if prediction.measured_s.is_none() {
        let run = case.launched.as_ref().map(|it| {
            let folder = it.folder.display();
            format!(
                " (there: kerncast run --kernels {folder} --device '{}')",
                target.device.name
            )
        });
        advice.push(format!(
            "its time on the {device}{}",
            run.unwrap_or_default()
        ));
    }
    advice
}
