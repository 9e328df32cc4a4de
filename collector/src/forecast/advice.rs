//! Advice on how to improve a forecast.

use std::path::Path;

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
        advice.extend(better.map(|it| match it.provider.as_str() {
            // `kerncast metrics` is for CUDA programs: ncu sees OpenCL's launches only as `run` replays them.
            NCU => {
                let device = counting_device(prediction, device);
                let command = run_command(&case.launch.folder, device);
                sentence(it, &format!("on the {device}: `{command}`"))
            }
            _ => in_words(it, prediction, device),
        }));
    }
    if prediction.measured_s.is_none() {
        advice.push(advise_measuring(&case.launch.folder, target));
    }
    advice
}

/// A sentence on how to measure a folder's kernel on `target`.
pub fn advise_measuring(folder: &Path, target: &Target) -> String {
    let command = run_command(folder, &target.device.name);
    format!("its time on the {} (there: {command})", target.short_name)
}

fn run_command(folder: &Path, device: &str) -> String {
    let folder = folder.display();
    format!("kerncast run --kernels {folder} --device '{device}'")
}

/// The short name of the device that counts for a forecast on `device`: the GPU that is like it if nobody measured it.
fn counting_device<'a>(prediction: &'a Prediction, device: &'a str) -> &'a str {
    let like = prediction.unmeasured.as_ref();
    like.map_or(device, |it| &it.like_name)
}

/// A sentence on which counters would give a better forecast on `device`, and how to get them.
pub fn in_words(better: &Better, prediction: &Prediction, device: &str) -> String {
    let device = counting_device(prediction, device);
    let provider = &better.provider;
    let command = match provider.as_str() {
        NCU | ROCPROFV3 | NVPROF => format!("kerncast metrics {provider} --on '{device}'"),
        // From the source, or by simulation here.
        _ => format!("kerncast forecast DIR|KERNEL --on '{device}'"),
    };
    sentence(better, &format!("`{command}`"))
}

fn sentence(better: &Better, way: &str) -> String {
    let (provider, factor) = (&better.provider, better.factor);
    let instead = better.instead_of;
    let instead = instead.map_or_else(String::new, |it| format!(" in place of ×/÷ {it:.2}"));
    format!("{provider}'s counters: off by ×/÷ {factor:.2} on average{instead} ({way})")
}

#[cfg(test)]
mod tests {
    use kerncast_wire::Device;
    use serde_json::json;

    use super::*;
    use crate::{counting::Gaps, forecast::case::KernelLaunch};

    fn case(is_replayable: bool, refusing_provider: Option<&str>) -> Case {
        let mut gaps = Gaps::default();
        let refusing_provider = refusing_provider.map(|it| (it.to_owned(), "it can't".to_owned()));
        gaps.uncounted.extend(refusing_provider);
        Case {
            name: "blur global n=64".to_owned(),
            counters: Default::default(),
            measured_s: None,
            variation: None,
            gaps,
            refusal: None,
            doubts: Vec::new(),
            launch: KernelLaunch {
                folder: "kernels/blur".into(),
                sizes: "n=64".to_owned(),
                is_only_variant: true,
                is_replayable,
            },
        }
    }

    fn target() -> Target {
        let device =
            json!({ "vendor": "NVIDIA Corporation", "name": "NVIDIA H200", "kind": "gpu" });
        Target {
            id: Some(1),
            short_name: "h200".to_owned(),
            device: serde_json::from_value::<Device>(device).expect("a device"),
        }
    }

    /// A forecast that lacks `missing`, and that counters of these providers would better.
    fn prediction(missing: &[&str], better: &[&str]) -> Prediction {
        let better = better
            .iter()
            .map(|it| json!({ "provider": it, "factor": 1.2 }));
        serde_json::from_value(json!({
            "counter_set": 0,
            "device": 1,
            "trust": { "word": "low", "why": "it is a test" },
            "time_s": 1e-3,
            "others": [],
            "better": better.collect::<Vec<_>>(),
            "explanation": { "form": "costs", "rest_s": 1e-3, "shares": [] },
            "model": uuid::Uuid::nil(),
            "method": "per_worker",
            "provider": "oclgrind",
            "outside": [],
            "missing": missing,
            "unknown": [],
            "warned": [],
            "warnings": [],
        }))
        .expect("a prediction")
    }

    const RUN: &str =
        "its time on the h200 (there: kerncast run --kernels kernels/blur --device 'NVIDIA H200')";
    const NCU: &str = "ncu's counters: off by ×/÷ 1.20 on average (on the h200: `kerncast run --kernels kernels/blur --device 'h200'`)";
    const ANALYSIS: &str = "analysis's counters: off by ×/÷ 1.20 on average (`kerncast forecast DIR|KERNEL --on 'h200'`)";

    #[test]
    fn each_case_has_its_advice() {
        let better = prediction(&["a", "b"], &["ncu", "analysis"]);
        let mut measured = prediction(&[], &[]);
        measured.measured_s = Some(1e-3);
        for (case, prediction, expected) in [
            (
                case(true, None),
                &better,
                &[
                    "the model's 2 counters that the set lacks",
                    NCU,
                    ANALYSIS,
                    RUN,
                ][..],
            ),
            // Nothing replays images or several launches for ncu.
            (
                case(false, None),
                &better,
                &["the model's 2 counters that the set lacks", ANALYSIS, RUN],
            ),
            (
                case(true, Some("analysis")),
                &better,
                &["the model's 2 counters that the set lacks", NCU, RUN],
            ),
            (case(true, None), &prediction(&[], &[]), &[RUN]),
            (case(true, None), &measured, &[]),
        ] {
            assert_eq!(advice(&case, prediction, &target()), expected);
        }
    }
}
