//! Forecasts of kernels by folder and of counters by file: counted here, forecast by the server.

use std::{collections::BTreeMap, path::Path};

use anyhow::Result;
use kerncast_suite::Parameters;
use kerncast_wire::{
    CounterSet, DeviceKind, Forecast, NamedCounterSet, NoVerdict, Outcome, Prediction,
    PredictionRequest, Refused, SpeedupForecast, SpeedupRequest, Trust, TrustWord,
};
use serde::Serialize;

use crate::{
    child::Children,
    client::{Client, ServerError},
    counting::Counting,
    device_choice::target::Target,
    kernels::{find_all, workloads},
};

mod advice;
mod case;
pub mod requests;
pub mod samples;
mod time_shares;

pub use advice::{advise_measuring, in_words as advise_better};
pub use case::{Case, CaseReader};
pub use time_shares::{TimeShare, time_shares};

/// The workloads to forecast.
pub struct ForecastRequest<'a> {
    /// Kernels' folders, or kernels of the suite.
    pub kernels: &'a [String],
    /// Only these variants; empty: all.
    pub variants: &'a [String],
    /// Only these sizes; empty: the largest of the launch file.
    pub sizes: &'a [Parameters],
    /// Whether many devices are compared: then at one size, and without simulation, which would take too long.
    pub compares_devices: bool,
}

/// The forecast of a workload on a device, with notes.
#[derive(Serialize)]
pub struct KernelForecast {
    /// Kernel, variant and sizes.
    pub name: String,
    /// The device's short name.
    pub on: String,
    /// The server's number of the device.
    pub device: i64,
    /// Providers that gave counters.
    pub counted: Vec<String>,
    /// Providers that could not count, with their reasons.
    pub uncounted: BTreeMap<String, String>,
    /// Providers whose counts are estimated from some of the work-groups.
    pub estimated: Vec<String>,
    /// The server's answer, with trust lowered by what is doubtful about the launch.
    pub prediction: Prediction,
    /// The speedup over the first variant at the same sizes, where that is forecast too.
    pub speedup: Option<SpeedupForecast>,
    /// The device's full name.
    #[serde(skip)]
    pub device_name: String,
    #[serde(skip)]
    case: Case,
    /// Sentences on what to record for a better answer.
    #[serde(rename = "record")]
    pub advice: Vec<String>,
}

impl KernelForecast {
    /// The kernel's folder, where it has no other variant than the one that is forecast.
    pub fn folder_of_only_variant(&self) -> Option<&Path> {
        let launch = &self.case.launch;
        launch.is_only_variant.then_some(&*launch.folder)
    }
}

/// Forecasts each workload that is asked for on a device.
///
/// # Errors
/// A kernel is not there or its launch file is wrong, a source is refused, or the server gives no answer.
pub fn forecast_kernels(
    request: &ForecastRequest<'_>,
    server: &Client,
    target: &Target,
    children: &Children,
) -> Result<Vec<KernelForecast>> {
    let kernels = find_all(request.kernels)?;
    let kind = if request.compares_devices {
        DeviceKind::Gpu
    } else {
        target.device.kind
    };
    let workloads = workloads(&kernels, request.variants, request.sizes, kind)?;
    let counting = if request.compares_devices {
        Counting::without_device_source_first(children, &target.device)?.without_simulation()
    } else {
        Counting::without_device(children, &target.device)?
    };
    let mut reader = CaseReader::new(server, target, counting);
    let cases = workloads.iter().map(|workload| reader.read(workload));
    let cases: Vec<Case> = cases.collect::<Result<_>>()?;
    let mut forecasts = Vec::new();
    for case in cases {
        let mut forecast = forecast(server, target, case)?;
        forecast.speedup = speedup_beside_first(server, target, &forecasts, &forecast)?;
        forecasts.push(forecast);
    }
    Ok(forecasts)
}

fn forecast(server: &Client, target: &Target, case: Case) -> Result<KernelForecast> {
    let (devices, gpus) = target.in_request();
    let answer = match &case.refusal {
        Some(why) => Err(why.clone()),
        None => answer_or_refusal(server.predict(&PredictionRequest {
            counter_sets: Some(vec![case.counter_set(target.id)]),
            devices,
            gpus,
            ..PredictionRequest::default()
        }))?,
    };
    let mut prediction = match answer {
        Ok(mut predictions) => predictions.predictions.remove(0),
        // Why nothing was counted here says more than what the server then lacks.
        Err(refusal) => Prediction {
            counter_set: 0,
            name: Some(case.name.clone()),
            measured_s: case.measured_s,
            measured_lies: None,
            device: target.id.unwrap_or_default(),
            unmeasured: None,
            trust: Trust::without_forecast(),
            pending: Vec::new(),
            outcome: Outcome::Refused(Refused {
                refusal: (case.gaps.explain_nothing_counted(&case.counters)).unwrap_or(refusal),
            }),
        },
    };
    lower_trust(&mut prediction, &case.doubts);
    let advice = match &case.refusal {
        Some(_) => Vec::new(),
        None => advice::advice(&case, &prediction, target),
    };
    Ok(KernelForecast {
        speedup: None,
        on: target.short_name.clone(),
        device_name: target.device.name.clone(),
        device: prediction.device,
        counted: case.counters.keys().cloned().collect(),
        uncounted: case.gaps.uncounted.clone(),
        estimated: case.gaps.estimated.clone(),
        name: case.name.clone(),
        prediction,
        case,
        advice,
    })
}

/// The speedup over the first of `earlier` of the same kernel and sizes; none where there is none.
fn speedup_beside_first(
    server: &Client,
    target: &Target,
    earlier: &[KernelForecast],
    forecast: &KernelForecast,
) -> Result<Option<SpeedupForecast>> {
    let is_same = |it: &&KernelForecast| {
        let [one, other] = [it, forecast].map(|it| &it.case.launch);
        (&one.folder, &one.sizes) == (&other.folder, &other.sizes)
    };
    let Some(first) = earlier.iter().find(is_same) else {
        return Ok(None);
    };
    let [before, after] = [first, forecast].map(|it| it.case.counter_set(target.id));
    let request = speedup_request(target, before, vec![after]);
    let answer = answer_or_refusal(server.speedups(&request))?.ok();
    let mut speedup = answer.and_then(|all| all.into_iter().next());
    if let Some(speedup) = &mut speedup {
        lower_speedup_trust(speedup, &first.case.doubts, &forecast.case.doubts);
    }
    Ok(speedup)
}

/// Lowers the trust if there are doubts about the launch, whose source the server does not see. The doubts come before
/// the server's reason.
fn lower_trust(prediction: &mut Prediction, doubts: &[String]) {
    if doubts.is_empty() {
        return;
    }
    let trust = &mut prediction.trust;
    let mut why = doubts.join("; ");
    if trust.word <= TrustWord::Low {
        why = format!("{why}; {}", trust.why);
    }
    trust.word = trust.word.min(TrustWord::Low);
    trust.why = why;
}

/// Lowers the trust in both sides of a change. If there are doubts, the change has no verdict.
pub fn lower_speedup_trust(speedup: &mut SpeedupForecast, before: &[String], after: &[String]) {
    lower_trust(&mut speedup.before, before);
    lower_trust(&mut speedup.after, after);
    if speedup.verdict.is_some() && !(before.is_empty() && after.is_empty()) {
        (speedup.verdict, speedup.right) = (None, None);
        speedup.no_verdict = Some(NoVerdict::Doubtful);
    }
}

/// The request for the speedups from `before` to each of `after`, all counted for `target`.
pub fn speedup_request(
    target: &Target,
    before: NamedCounterSet,
    after: Vec<NamedCounterSet>,
) -> SpeedupRequest {
    let (devices, gpus) = target.in_request();
    SpeedupRequest {
        before,
        after,
        counted_on: None,
        devices,
        gpus,
    }
}

/// A counter set without a name or a measured time.
pub fn unnamed_set(counters: CounterSet) -> NamedCounterSet {
    NamedCounterSet {
        name: None,
        counters,
        time_s: None,
        measured: None,
    }
}

/// The forecast; none where it is refused.
pub fn forecast_of(prediction: &Prediction) -> Option<&Forecast> {
    match &prediction.outcome {
        Outcome::Forecast(forecast) => Some(forecast),
        Outcome::Refused(_) => None,
    }
}

/// The forecast time, seconds; none where it is refused or not above 0.
pub fn time_s(prediction: &Prediction) -> Option<f64> {
    let time_s = forecast_of(prediction)?.time_s;
    (time_s > 0.0).then_some(time_s)
}

/// The server's answer; the inner error says why the server can't answer this question.
pub fn answer_or_refusal<T>(
    answer: Result<T, ServerError>,
) -> Result<Result<T, String>, ServerError> {
    match answer {
        Ok(answer) => Ok(Ok(answer)),
        Err(ServerError::Status { status, detail, .. }) if status < 500 && status != 429 => {
            Ok(Err(detail))
        }
        Err(error) => Err(error),
    }
}
