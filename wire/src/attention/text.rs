//! What needs attention in English.

use std::fmt;

use chrono::{DateTime, Utc};

use super::Because;
use crate::{HoldOutKey, Uploads, words::number};

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AgentFailing {
                failed,
                of,
                error,
                refused,
            } => {
                let failed = (*failed > 0).then(|| format!("{failed} of {of} workloads failed"));
                let refused =
                    (*refused > 0).then(|| format!("{refused} files of its spool were refused"));
                let parts = [failed, error.clone(), refused];
                f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
            }
            Self::AgentSilent { last_seen_at } => write!(f, "last seen {}", minute(last_seen_at)),
            Self::ErrorRose {
                left_out,
                before,
                now,
            } => {
                let unseen = match left_out {
                    HoldOutKey::Family => "families",
                    HoldOutKey::Region => "regions",
                    HoldOutKey::Kernel | HoldOutKey::Row => "kernels",
                };
                write!(
                    f,
                    "forecasts of unseen {unseen} were off by a factor of {before:.3}, and are now by {now:.3}"
                )
            }
            Self::CoverageOff { level, covered } => write!(
                f,
                "{:.0} % intervals cover {:.1} % of unseen kernels' times",
                100.0 * level,
                100.0 * covered
            ),
            Self::NoModel { why } => write!(f, "{why}"),
            Self::FitsPending {
                since,
                providers,
                across,
                first,
            } => {
                let own = (!providers.is_empty())
                    .then(|| format!("from its counters of {}", providers.join(", ")));
                let others =
                    (*across > 0).then(|| format!("{across} from other devices' counters"));
                let what: Vec<String> = [own, others].into_iter().flatten().collect();
                // The gate judges before the first fit.
                let until = match first {
                    true => "until then there is no model, and none of its samples has been judged",
                    false => "forecasts may change once they are there",
                };
                write!(
                    f,
                    "fits are pending since {}, {}: {until}",
                    minute(since),
                    what.join(" and ")
                )
            }
            Self::CeilingBeaten {
                ceiling,
                says,
                per_second,
                kernel,
                provider,
            } => {
                let unit = match ceiling.as_str() {
                    "copy_bytes_per_s" => "bytes a second",
                    "fp64_flop_per_s" => "double-precision operations a second",
                    _ => "single-precision operations a second",
                };
                write!(
                    f,
                    "by counters of {provider}, {kernel} makes {} {unit}, where {} is the most by the ceiling {ceiling}, {} \
                     times less: the ceilings may have been measured on a busy device; measure them again (kerncast \
                     ceilings)",
                    number(*per_second),
                    number(*says),
                    number(per_second / says)
                )
            }
            Self::JobFailing {
                error,
                given_up,
                attempts,
                counted_on,
            } => {
                let tried = if *given_up { "given up" } else { "tried again" };
                let from = from(*counted_on);
                write!(f, "{error}; {tried} after {attempts} tries{from}")
            }
            Self::DiskLow {
                folder,
                free_bytes,
                full_bytes,
            } => {
                let refused = match free_bytes < full_bytes {
                    true => "; uploads are refused, and stay with the agents",
                    false => "",
                };
                write!(
                    f,
                    "{} MiB are free on the disk of {folder}; below {} MiB nothing is stored{refused}",
                    free_bytes >> 20,
                    full_bytes >> 20
                )
            }
            Self::SamplesQuarantined { samples: 1, why } => {
                write!(f, "1 sample is quarantined: {why}")
            }
            Self::SamplesQuarantined { samples, why } => write!(
                f,
                "{samples} samples are quarantined; the commonest reason: {why}"
            ),
            Self::ModelHeld {
                response,
                counted_on,
                why,
                uploads,
            } => write!(
                f,
                "new models of {response}s{} wait: {why}{}",
                from(*counted_on),
                since_before(uploads)
            ),
            Self::ForecastsMoved {
                since,
                response,
                counted_on,
                median,
                worst,
                kernel,
                uploads,
                others,
            } => {
                let others = match others {
                    0 => String::new(),
                    1 => "; so did those of another of its models".to_owned(),
                    n => format!("; so did those of {n} more of its models"),
                };
                write!(
                    f,
                    "since {} forecast {response}s{} of known workloads have moved by {} (median) and up to {} (of \
                     {kernel}){}{others}",
                    minute(since),
                    from(*counted_on),
                    share(*median),
                    share(*worst),
                    since_before(uploads)
                )
            }
        }
    }
}

fn minute(at: &DateTime<Utc>) -> impl fmt::Display {
    at.format("%Y-%m-%d %H:%M UTC")
}

fn from(counted_on: Option<i64>) -> String {
    let from = counted_on.map(|it| format!(" from counters of device {it}"));
    from.unwrap_or_default()
}

/// What has come since the champion before.
fn since_before(uploads: &[Uploads]) -> String {
    if uploads.is_empty() {
        return "; no sample has come since the one before".to_owned();
    }
    let of = |it: &Uploads| match it.samples {
        1 => format!("1 sample of {}", it.agent),
        n => format!("{n} samples of {}", it.agent),
    };
    let all: Vec<String> = uploads.iter().map(of).collect();
    format!("; since the one before have come {}", all.join(", "))
}

/// A factor less 1, for people.
fn share(shift: f64) -> String {
    match shift {
        it if it < 10.0 => format!("{:.1} %", 100.0 * it),
        it if it < 1e4 => format!("a factor of {it:.0}"),
        it => format!("a factor of {it:.0e}"),
    }
}
