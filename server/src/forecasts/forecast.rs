//! A time from a stored fit, with what stands beside it.

use std::sync::Arc;

use kerncast_profilers::catalogue::{Counter, describe, ncu::TIME, of_provider};
use kerncast_training::LEVEL;
use kerncast_wire::{
    Baseline, FieldProblem, Floor, Forecast, Interval, Lies, Outside, Warning, Warnings, words,
};

use super::{
    answer::{Answer, Answering},
    asked::Set,
    contradiction::NCU,
    explain::explanation,
    floor::raise,
    others::{disagreement, others},
};

/// A profiler replays a launch with cold caches and a clock that is held: of 1,682 samples between a third and 2.4 times
/// what it takes else.
const PROFILED_OFF: f64 = 3.0;

/// Models whose forecasts stand beside another's.
pub(super) struct Beside {
    /// The paper's.
    pub(super) paper: Option<Arc<Answering>>,
    /// Those that should say the same.
    pub(super) others: Vec<Arc<Answering>>,
}

/// The model's forecast of a set, none of it below `floor`, and the baseline's beside it; and how far up and down nine in ten kernels lie.
///
/// # Errors
/// See [`Answering::answer`].
pub(super) fn forecast(
    answering: &Answering,
    baselines: &Beside,
    set: &Set,
    floor: Option<Floor>,
) -> Result<(Forecast, Option<f64>), FieldProblem> {
    let Answering {
        model, forecaster, ..
    } = answering;
    let answer = answering.answer(set)?;
    let reach = answering.reach(&answer);
    let Answer {
        fit,
        value: time_s,
        interval,
        values,
        outside,
        missing,
        unknown,
        warnings: of_answer,
    } = answer;
    let mut warnings = Vec::new();
    if time_s <= 0.0 {
        warnings.push(Warning::NoTime { time_s });
    }
    let (mut interval, no_interval) = match interval {
        Ok(ends) => (Some(self::interval(ends)), None),
        Err(why) => (None, Some(why)),
    };
    let least_s = floor.as_ref().map(|it| it.time_s);
    let is_far = outside.iter().any(Outside::is_far_above);
    let others = others(
        &baselines.others,
        set,
        time_s,
        least_s,
        is_far,
        interval.as_mut(),
    );
    warnings.extend(misspelt(set));
    warnings.extend(disagreement(&others, time_s));
    warnings.extend(of_answer);
    if forecaster.leave_one_kernel_out_mean_ape.is_none() {
        warnings.push(Warning::NotValidated);
    }
    let mut forecast = Forecast {
        time_s,
        interval,
        no_interval: no_interval.as_ref().map(ToString::to_string),
        no_interval_kind: no_interval,
        others,
        better: Vec::new(),
        floor: None,
        explanation: explanation(fit, values.view(), &forecaster.counters),
        model: *model,
        method: forecaster.method.clone(),
        provider: forecaster.provider.clone(),
        leave_one_kernel_out_mean_ape: forecaster.leave_one_kernel_out_mean_ape,
        baseline: baselines.paper.as_ref().and_then(|it| beside(it, set)),
        outside,
        missing,
        unknown,
        warnings: Warnings(warnings),
    };
    if let Some(floor) = floor {
        raise(&mut forecast, floor);
    }
    Ok((forecast, reach))
}

/// Of nine in ten kernels, from low to high.
pub(super) fn interval([low_s, high_s]: [f64; 2]) -> Interval {
    Interval {
        level: LEVEL,
        low_s,
        high_s,
    }
}

/// So many counters that nobody knows are a profiler's, not a person's.
const BY_HAND: usize = 30;

/// Counters that nobody knows by names that are nearly those of counters which the set lacks.
pub(super) fn misspelt(set: &Set) -> Vec<Warning> {
    let unknown = set.counters.iter().flat_map(|(provider, counters)| {
        let names = counters.keys().map(move |name| (provider, counters, name));
        names.filter(|(provider, _, name)| describe(provider, name).is_none())
    });
    let unknown: Vec<_> = unknown.take(BY_HAND).collect();
    if unknown.len() == BY_HAND {
        return Vec::new();
    }
    let each = unknown
        .into_iter()
        .filter_map(|(provider, counters, name)| {
            let is_lacking =
                |counter: &&Counter| !counter.names().any(|name| counters.contains_key(name));
            let lacking = of_provider(provider).filter(is_lacking);
            let meant = words::misspelt(name, lacking.flat_map(Counter::names))?;
            Some(Warning::Misspelt {
                counter: format!("{provider}:{name}"),
                meant: format!("{provider}:{meant}"),
                champion: None,
            })
        });
    each.collect()
}

/// Where a measured time lies beside an interval.
pub(super) fn lies(interval: &Interval, measured_s: f64) -> Lies {
    match measured_s {
        it if it < interval.low_s => Lies::Below,
        it if it > interval.high_s => Lies::Above,
        _ => Lies::Within,
    }
}

/// How many times beyond an interval's nearer end a time lies, where it is outside.
fn beyond(interval: &Interval, time_s: f64) -> Option<(Lies, f64)> {
    let lies = lies(interval, time_s);
    let factor = match lies {
        Lies::Below => interval.low_s / time_s,
        Lies::Above => time_s / interval.high_s,
        Lies::Within => return None,
    };
    Some((lies, factor))
}

/// What to say of a measured time outside an interval: an alarm.
pub(super) fn alarm(interval: &Interval, measured_s: f64) -> Option<Warning> {
    let (lies, factor) = beyond(interval, measured_s)?;
    Some(Warning::MeasuredOutside {
        measured_s,
        level: interval.level,
        lies,
        factor,
    })
}

/// What to say where the time that a profiler counted lies far outside an interval.
pub(super) fn profiled(interval: &Interval, set: &Set) -> Option<Warning> {
    let time_s = set.counters.get(NCU)?.get(TIME)? / 1e9;
    let (lies, factor) = beyond(interval, time_s).filter(|it| it.1 > PROFILED_OFF)?;
    Some(Warning::ProfiledOutside {
        counter: format!("{NCU}:{TIME}"),
        time_s,
        lies,
        factor,
    })
}

/// What the baseline says, where it says anything.
fn beside(baseline: &Answering, set: &Set) -> Option<Baseline> {
    let answer = baseline.answer(set).ok()?;
    Some(Baseline {
        time_s: answer.value,
        model: baseline.model,
        leave_one_kernel_out_mean_ape: baseline.forecaster.leave_one_kernel_out_mean_ape,
        missing: answer.missing,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kerncast_wire::CounterSet;

    use super::*;

    #[test]
    fn a_profilers_time_far_outside_the_interval_is_said() {
        let interval = Interval {
            level: 0.9,
            low_s: 1e-3,
            high_s: 2e-3,
        };
        let of = |time_ns: f64| {
            let set = Set {
                measured_on: None,
                name: None,
                measured: None,
                counted_on_time_s: None,
                counters: CounterSet::from([(NCU.to_owned(), [(TIME.to_owned(), time_ns)].into())]),
                providers: BTreeSet::new(),
                at: String::new(),
            };
            profiled(&interval, &set).map(|it| it.to_string())
        };
        // With cold caches it may be twice as long.
        assert_eq!(of(4e6), None);
        assert_eq!(of(4e5), None);
        let above = of(2e8).expect("a hundred times as long");
        assert!(
            above.contains("200 ms, a factor of 100 above the upper end"),
            "{above}"
        );
        let below = of(1e5).expect("a tenth");
        assert!(
            below.contains("a factor of 10.0 below the lower end"),
            "{below}"
        );
    }
}
