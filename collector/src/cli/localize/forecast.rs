//! Whether it pays, said beforehand: both variants' counters, from the source alone, and what the server says of them.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use kerncast_collector::{client::Client, localize::GENERATED, workload::Workload};
use kerncast_suite::{Kernel, load, sizes};
use kerncast_wire::{
    CounterSet, DeviceOverview, Interval, NamedCounterSet, Outcome, Prediction, PredictionRequest,
    SpeedupForecast, SpeedupRequest,
};
use serde::Serialize;

use crate::cli::{
    forecast::{counting::Counting, local_memory::seconds, refusal},
    kernels::largest,
    lab,
    options::ServerOptions,
    progress::Progress,
};

/// How likely a time is to lie within its interval.
const LEVEL: f64 = 0.9;

/// Times with and without the local memory that was made.
#[derive(Clone, Serialize)]
pub(super) struct Forecast {
    /// What people call the device.
    pub(super) on: String,
    /// At these sizes.
    pub(super) at: String,
    /// Of the variant that it is made of.
    pub(super) before: Prediction,
    /// Of the variant that was made.
    pub(super) after: Prediction,
    /// Time before ÷ time after; absent where one has no forecast.
    pub(super) speedup: Option<f64>,
    /// Where it lies while both times lie in their intervals: from, to. Absent where one has no interval.
    pub(super) speedup_within: Option<[f64; 2]>,
    /// Whether it pays; absent where nobody can tell.
    pub(super) pays_off: Option<bool>,
    /// Why, or why nobody can tell.
    pub(super) why: String,
}

impl Forecast {
    /// Seconds of the variant that was made.
    pub(super) fn after_s(&self) -> Option<f64> {
        seconds(&self.after)
    }
}

/// A variant that was made.
pub(super) struct Variant<'a> {
    /// The kernel's folder with it.
    pub(super) folder: &'a Path,
    /// Whether its work-groups have another size than the author's.
    pub(super) is_resized: bool,
}

/// Asks the server for variants that were made, in their order; within, why it has no answer.
///
/// # Errors
/// The device has no such name, or a source can't be counted.
pub(super) fn forecast(
    options: &ServerOptions,
    on: &str,
    of: &str,
    variants: &[Variant<'_>],
) -> Result<Result<Vec<Forecast>, String>> {
    let server = options.connect()?;
    let overview = match server.overview() {
        Ok(overview) => overview,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let target = lab::target(&overview, on)?;
    let id = target.device.id;
    let mut counting = Counting::of_source(&target.device.device)?;
    let (mut at, mut sets) = (String::new(), Vec::new());
    let progress = Progress::new(variants.len());
    for (place, Variant { folder, .. }) in variants.iter().enumerate() {
        progress.next(place + 1, "counting a candidate");
        let kernel = load(folder)?.pop();
        let kernel = kernel.context("a folder is a kernel's")?;
        let names = [of, GENERATED];
        // What it is made of is the same for all.
        for variant in &names[usize::from(place > 0)..] {
            let (own, counters) = counted(&mut counting, &kernel, variant, target)?;
            at = own;
            sets.push(counters);
        }
    }
    let local_memory = speedup(&server, id, &sets[0])?;
    let named = |(place, counters): (usize, &CounterSet)| NamedCounterSet {
        name: Some(place.to_string()),
        counters: counters.clone(),
        time_s: None,
        measured: None,
        foreseen: Vec::new(),
    };
    let request = PredictionRequest {
        counter_sets: Some(sets.iter().enumerate().map(named).collect()),
        device: Some(id),
        level: Some(LEVEL),
        ..PredictionRequest::default()
    };
    let answers = match refusal(server.predict(&request))? {
        Ok(answers) => answers.predictions,
        Err(why) => return Ok(Err(why)),
    };
    let [before, after @ ..] = answers.as_slice() else {
        return Err(anyhow!("the server has answered nothing"));
    };
    if let Outcome::Refused(refused) = &before.outcome {
        return Ok(Err(refused.refusal.clone()));
    }
    let of = |(after, variant): (&Prediction, &Variant<'_>)| {
        let (pays_off, why) = match variant.is_resized {
            true => of_resized(before, after),
            false => verdict(before, after, local_memory.as_ref()),
        };
        let times = seconds(before).zip(seconds(after));
        Forecast {
            on: target.device.short_name.clone(),
            at: at.clone(),
            before: before.clone(),
            after: after.clone(),
            speedup: times.map(|(before, after)| before / after),
            speedup_within: interval(before).zip(interval(after)).and_then(within),
            pays_off,
            why,
        }
    };
    Ok(Ok(after.iter().zip(variants).map(of).collect()))
}

/// At the largest size for such a device.
fn counted(
    counting: &mut Counting,
    kernel: &Kernel,
    variant: &str,
    target: &DeviceOverview,
) -> Result<(String, CounterSet)> {
    let kind = target.device.device.kind;
    let parameters = largest(kernel, kind)
        .with_context(|| format!("the launch file has no sizes for a {kind}"))?;
    let workload = Workload {
        kernel,
        variant: kernel.variant(variant).context("the variant is there")?,
        parameters: parameters.clone(),
    };
    let at = sizes(parameters);
    let mut counters = CounterSet::new();
    let name = format!("{} {variant} {at}", kernel.name);
    counting.add(&workload, &name, &mut counters)?;
    Ok((at, counters))
}

/// What the server says of local memory for such a kernel, whoever writes it.
fn speedup(server: &Client, device: i64, counters: &CounterSet) -> Result<Option<SpeedupForecast>> {
    let request = SpeedupRequest {
        counted_on: device,
        counters: counters.clone(),
        time_s: None,
        devices: Some(vec![device]),
        level: Some(LEVEL),
    };
    let answer = refusal(server.speedups(&request))?.ok();
    Ok(answer.and_then(|all| all.into_iter().next()))
}

fn interval(prediction: &Prediction) -> Option<Interval> {
    match &prediction.outcome {
        Outcome::Forecast(forecast) => forecast.interval,
        Outcome::Refused(_) => None,
    }
}

/// What the quotient of two times may be: where each lies in its interval with a probability of 90 %, it is in this with
/// one of 80 % at least, however they hang together.
fn within((before, after): (Interval, Interval)) -> Option<[f64; 2]> {
    let (low, high) = (before.low_s / after.high_s, before.high_s / after.low_s);
    (low.is_finite() && high.is_finite() && low > 0.0).then_some([low, high])
}

/// Of work-groups of another size: the author's variant might gain by these alone, and the model of local memory's
/// speedups is of the same ones.
fn of_resized(before: &Prediction, after: &Prediction) -> (Option<bool>, String) {
    match verdict(before, after, None) {
        (Some(pays_off), why) => (Some(pays_off), why),
        (None, _) => (
            None,
            "the two intervals overlap, and work-groups of another size may be what gains"
                .to_owned(),
        ),
    }
}

/// Yes or no only where both times' intervals lie apart, or where the server's model of speedups, which knows how often
/// it is right, says the same as the two times.
fn verdict(
    before: &Prediction,
    after: &Prediction,
    local_memory: Option<&SpeedupForecast>,
) -> (Option<bool>, String) {
    let (before, after) = match (&before.outcome, &after.outcome) {
        (Outcome::Forecast(before), Outcome::Forecast(after)) => (before, after),
        (Outcome::Refused(why), _) | (_, Outcome::Refused(why)) => {
            return (None, why.refusal.clone());
        }
    };
    if before.time_s <= 0.0 || after.time_s <= 0.0 {
        return (None, "a forecast is no time".to_owned());
    }
    if let (Some(one), Some(other)) = (&before.interval, &after.interval)
        && (other.high_s < one.low_s || other.low_s > one.high_s)
    {
        let pays_off = after.time_s < before.time_s;
        return (Some(pays_off), "the two intervals lie apart".to_owned());
    }
    let is_faster = after.time_s < before.time_s;
    match local_memory {
        Some(SpeedupForecast {
            pays_off: Some(pays_off),
            ..
        }) if *pays_off == is_faster => (
            Some(is_faster),
            "the model of local memory's speedups says the same".to_owned(),
        ),
        Some(SpeedupForecast {
            pays_off: Some(_), ..
        }) => (
            None,
            "the model of local memory's speedups says the opposite".to_owned(),
        ),
        Some(SpeedupForecast {
            cannot_tell: Some(why),
            ..
        }) => (
            None,
            format!("the two intervals overlap, and of local memory's speedup: {why}"),
        ),
        _ => (
            None,
            "the two intervals overlap, and there is no model of local memory's speedups"
                .to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speedup_is_as_wide_as_both_times() {
        let of = |low_s, high_s| Interval {
            level: LEVEL,
            low_s,
            high_s,
        };
        let found = within((of(2.0, 4.0), of(1.0, 2.0)));
        assert_eq!(found, Some([1.0, 4.0]));
        assert_eq!(within((of(2.0, 4.0), of(0.0, 2.0))), None);
    }
}
