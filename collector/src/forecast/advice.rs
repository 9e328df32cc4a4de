//! Advice on how to improve a forecast.

use kerncast_wire::{
    Better, Outcome, Prediction,
    provider::{NCU, NVPROF, ROCPROFV3},
};

use super::Case;
use crate::{device_choice::target::Target, units};

/// Sentences on what to record of a case for a better forecast on `target`.
pub(super) fn advice(case: &Case, prediction: &Prediction, target: &Target) -> Vec<String> {
    let mut advice = Vec::new();
    let device = &target.short_name;
    if let Outcome::Forecast(forecast) = &prediction.outcome {
        let missing = forecast.missing.len();
        if missing > 0 {
            let counters = units::count(missing, "counter");
            advice.push(format!("the model's {counters} that the set lacks"));
        }
        let better = forecast.better.iter().filter(|it| {
            // What was refused here is refused again, and images or several launches are not replayed for ncu.
            !case.gaps.uncounted.contains_key(&it.provider)
                && (it.provider != NCU || case.launch.is_replayable)
        });
        advice.extend(better.map(|it| in_words(it, prediction, device)));
    }
    if prediction.measured_s.is_none() {
        let (folder, name) = (case.launch.folder.display(), &target.device.name);
        advice.push(format!(
            "its time on the {device} (there: kerncast run --kernels {folder} --device '{name}')"
        ));
    }
    advice
}

/// A sentence on which counters would give a better forecast on `device`, and how to get them. For a device that was
/// never measured, they come from the GPU that is like it.
/// never measured.
pub fn in_words(better: &Better, prediction: &Prediction, device: &str) -> String {
    let like = prediction.unmeasured.as_ref();
    let device = like.map_or(device, |it| &it.like_name);
    let (provider, factor) = (&better.provider, better.factor);
    let instead = better
        .instead_of
        .map_or_else(String::new, |it| format!(" in place of ×/÷ {it:.2}"));
    let command = match provider.as_str() {
        NCU | ROCPROFV3 | NVPROF => {
            format!("kerncast metrics {provider} --on '{device}'")
        }
        // From the source, or by simulation here.
        _ => format!("kerncast forecast DIR|KERNEL --on '{device}'"),
    };
    format!("{provider}'s counters: off by ×/÷ {factor:.2} on average{instead} (`{command}`)")
}
