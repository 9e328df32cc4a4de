//! Warnings in English.

use std::fmt;

use super::{AbsurdSample, CounterValue, Disagreeing, MissedKernel, Warning};
use crate::{
    Lies, Scope,
    words::{how_to_count, number, seconds, some_of},
};

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = |it: &CounterValue| format!("{} ({})", it.counter, number(it.value));
        let text = match self {
            Self::Borrowed { of, kernels } => format!(
                "the device has few kernels of its own: this fit also learns from {kernels} kernels of the {of}, whose \
                 times are converted by both data sheets, and is judged by them"
            ),
            Self::LaunchesLeftOut { samples } => format!(
                "{samples} samples are of several launches, and are left out: a forecast is of one"
            ),
            Self::CounterLacking {
                counter,
                samples,
                of,
            } => format!("{samples} of {of} samples lack {counter} and are left out"),
            Self::CountedInPart {
                provider,
                scope,
                samples,
                of,
            } => {
                let what = match scope {
                    Scope::Full => "the whole launch",
                    Scope::FirstAndLastGroup => {
                        "the first and last work-groups, scaled to all of them"
                    }
                    Scope::SampledGroups => "some work-groups, which stand for the others",
                    Scope::ReducedSize => "a smaller size of the kernel",
                };
                format!("{samples} of {of} samples have {provider} counters of {what}")
            }
            Self::Flagged { flag, samples, of } => {
                format!("{samples} of {of} samples are flagged {flag}")
            }
            Self::Absurd { samples, of, named } => {
                let one = |it: &AbsurdSample| {
                    format!("{} of {} ({:.3e})", it.sample, it.kernel, it.response)
                };
                format!(
                    "{samples} of {of} samples are not fitted, as they are absurdly far from what a fit without their \
                     kernels forecasts; those of kernels that people wrote count in its errors: {}",
                    some_of(named, *samples, one)
                )
            }
            Self::SetAside { samples, standing } => {
                format!("{samples} samples of the device are {standing} and left out")
            }
            Self::FewKernels { kernels, counters } => format!(
                "few kernels ({kernels}) for the counters ({counters}): {} or more are advised",
                counters + 2
            ),
            Self::NearlyCollinear { condition } => format!(
                "the counters are nearly collinear (condition number {:.0}): single coefficients mean little, and \
                 forecasts unlike the samples can be far off",
                condition.unwrap_or(f64::INFINITY)
            ),
            Self::NegativeTimes { samples, of } => {
                format!("{samples} of the {of} samples fitted come out at or below 0 seconds")
            }
            Self::Missed {
                times,
                of,
                kernels,
                level,
                farthest,
            } => {
                let one = |it: &MissedKernel| {
                    let forecast = seconds(it.forecast_s.unwrap_or(f64::INFINITY));
                    let measured = seconds(it.measured_s);
                    format!("{} (measured {measured}, forecast {forecast})", it.kernel)
                };
                format!(
                    "{times} of {of} times, of {kernels} kernels, lie outside the {:.0} % intervals of their forecasts, \
                     though the fit has seen them; the farthest: {}",
                    100.0 * level,
                    some_of(farthest, farthest.len(), one)
                )
            }
            Self::NotJudged { left_out, why } => {
                let why = why.as_ref().map(|why| format!(": {why}"));
                format!(
                    "leaving one {} out, no fit is left to judge by{}",
                    left_out.word(),
                    why.unwrap_or_default()
                )
            }
            Self::NegativeForecasts {
                left_out,
                forecasts,
                of,
            } => format!(
                "leaving one {} out, {forecasts} of {of} forecasts are at or below 0",
                left_out.word()
            ),
            Self::NotForecast {
                left_out,
                samples,
                of,
            } => format!(
                "leaving one {} out, {samples} of {of} samples could not be forecast",
                left_out.word()
            ),
            Self::MeasuredOutside {
                measured_s,
                level,
                lies,
                factor,
            } => format!(
                "the time measured, {}, lies outside the {:.0} % interval, a factor of {} {} end: do not rely on this \
                 forecast, nor on those of kernels like it",
                seconds(*measured_s),
                100.0 * level,
                number(*factor),
                beyond(*lies)
            ),
            Self::ProfiledOutside {
                counter,
                time_s,
                lies,
                factor,
            } => format!(
                "{counter} says that the launch took {}, a factor of {} {} end of the interval: the other counters or \
                 the model are wrong",
                seconds(*time_s),
                number(*factor),
                beyond(*lies)
            ),
            Self::Pending { providers, since } => format!(
                "fits from counters of {} are pending since {}: the answer may change once they are there \
                 (kerncast's --wait 600s waits for them)",
                providers.join(", "),
                since.format("%Y-%m-%d %H:%M UTC")
            ),
            Self::NoTime { time_s } => format!(
                "{} is no time: a linear model can come out at or below 0, most of all for short kernels with small \
                 counters; nothing more is known than \"short\"",
                seconds(*time_s)
            ),
            Self::Disagree { others } => {
                let one = |it: &Disagreeing| {
                    let (off, times) = match it.ratio > 1.0 {
                        true => ("×", it.ratio),
                        false => ("÷", 1.0 / it.ratio),
                    };
                    let (method, provider) = (&it.method, &it.provider);
                    let time = seconds(it.time_s);
                    format!(
                        "{method} on {provider} says {time} ({off}{})",
                        number(times)
                    )
                };
                format!(
                    "models disagree by more than their intervals say, and the interval is widened to hold what those say that have seen the like: {}",
                    some_of(others, others.len(), one)
                )
            }
            Self::SeveralLaunches { launches } => format!(
                "the counters are of {launches} launches, which wait each by itself, and the model has learnt from \
                 single ones: forecast each launch by its own counters, and add"
            ),
            Self::OnlyGeometry { unused } => {
                let unused = match unused.is_empty() {
                    true => String::new(),
                    false => format!(", no counter of {} is used", unused.join(", ")),
                };
                format!(
                    "the forecast knows only the launch's geometry: how much each work-item does is not counted{unused}"
                )
            }
            Self::CountersUnused { providers } => format!(
                "no counter of {} is used: the forecast knows only the launch's geometry",
                providers.join(", ")
            ),
            Self::Missing {
                counters,
                of,
                provider,
                named,
            } => format!(
                "lacks {counters} of the model's {of} counters, for which the means of its samples stand in: {}{}",
                some_of(named, *counters, value),
                how_to_count(provider)
            ),
            Self::Outside {
                counter,
                value: found,
                min,
                max,
                others,
                more,
            } => {
                let others = match others.is_empty() {
                    true => String::new(),
                    false => format!("; so are {}", some_of(others, others.len() + more, value)),
                };
                let [found, min, max] = [*found, *min, *max].map(number);
                format!(
                    "{counter} is {found}, outside the {min} to {max} that the model has seen: this is an \
                     extrapolation{others}"
                )
            }
            Self::Misspelt { counter, meant } => format!(
                "{counter} is no counter that is known here, and counts for nothing. Did you mean `{meant}`?"
            ),
            Self::NotValidated => {
                "the model could not be validated on kernels it had not seen".to_owned()
            }
            Self::OtherArchitecture { gpu, like } => format!(
                "the {gpu} is of another architecture than the {like}, whose models answer: how far off that is nobody \
                 has measured"
            ),
            Self::BelowCeilings { time_s, least_s } => format!(
                "the model says {}, and the device's measured ceilings allow nothing below {}, which is given in its \
                 place: it may take much longer",
                seconds(*time_s),
                seconds(*least_s)
            ),
            Self::AgainstCeilings { high_s, least_s } => format!(
                "the model is wrong about this kernel: it says {} at most, and by the device's measured ceilings it \
                 takes {} at least",
                seconds(*high_s),
                seconds(*least_s)
            ),
            Self::MeansUnknown => {
                "counters are missing: how far means in their place are off is not known".to_owned()
            }
            Self::TooFarOff => {
                "the model is too far off for an interval with an upper end".to_owned()
            }
            Self::NoLevel { level } => {
                format!("the level is {level}; expected a number above 0 and below 1")
            }
            Self::TooFewLeftOut {
                folds,
                needed,
                level,
            } => format!(
                "too few kernels, or regions of kernels, ({folds}) were left out for an interval at level {level}: \
                 {needed} are needed"
            ),
            Self::TooManyNoTimes { level } => format!(
                "too many forecasts of what was left out are no times for an interval at level {level}"
            ),
            Self::NothingForecast => "nothing was forecast".to_owned(),
            Self::NothingToBound { time_s } => {
                format!("the forecast is {time_s} s: no time, so nothing to put an interval around")
            }
        };
        f.write_str(&text)
    }
}

/// On which side of an interval something lies outside.
fn beyond(lies: Lies) -> &'static str {
    match lies {
        Lies::Below => "below the lower",
        Lies::Above | Lies::Within => "above the upper",
    }
}
