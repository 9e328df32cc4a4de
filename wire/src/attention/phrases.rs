//! Parts of the texts of what needs attention.

use crate::{HoldOutKey, Uploads};

pub(super) fn failures(failed: u32, all: u32, error: Option<&String>, refused: u32) -> String {
    let failed = (failed > 0).then(|| format!("{failed} of {all} workloads failed"));
    let refused = (refused > 0).then(|| format!("{refused} files of its spool were refused"));
    let parts = [failed, error.cloned(), refused];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

pub(super) fn plural(left_out: HoldOutKey) -> &'static str {
    match left_out {
        HoldOutKey::Family => "families",
        HoldOutKey::Region => "regions",
        HoldOutKey::Kernel | HoldOutKey::Row => "kernels",
    }
}

pub(super) fn fit_sources(providers: &[String], across: usize) -> String {
    let own =
        (!providers.is_empty()).then(|| format!("from its counters of {}", providers.join(", ")));
    let others = (across > 0).then(|| format!("{across} from other devices' counters"));
    let all: Vec<String> = [own, others].into_iter().flatten().collect();
    all.join(" and ")
}

/// The gate judges before the first fit.
pub(super) fn until_fitted(first: bool) -> &'static str {
    if first {
        "until then there is no model, and none of its samples has been judged"
    } else {
        "forecasts may change once they are there"
    }
}

pub(super) fn rate_unit(ceiling: &str) -> &'static str {
    match ceiling {
        "copy_bytes_per_s" => "bytes a second",
        "fp64_flop_per_s" => "double-precision operations a second",
        _ => "single-precision operations a second",
    }
}

pub(super) fn quarantined_samples(samples: i64) -> String {
    match samples {
        1 => "1 sample is quarantined".to_owned(),
        n => format!("{n} samples are quarantined; the commonest reason"),
    }
}

/// How many more models have moved forecasts.
pub(super) fn others_moved(others: usize) -> String {
    match others {
        0 => String::new(),
        1 => "; so did those of another of its models".to_owned(),
        n => format!("; so did those of {n} more of its models"),
    }
}

pub(super) fn from_device(counted_on: Option<i64>) -> String {
    let from = counted_on.map(|it| format!(" from counters of device {it}"));
    from.unwrap_or_default()
}

/// The samples that have come since the champion before.
pub(super) fn uploads_since(uploads: &[Uploads]) -> String {
    if uploads.is_empty() {
        return "; no sample has come since the one before".to_owned();
    }
    let of_agent = |it: &Uploads| match it.samples {
        1 => format!("1 sample of {}", it.agent),
        n => format!("{n} samples of {}", it.agent),
    };
    let all: Vec<String> = uploads.iter().map(of_agent).collect();
    format!("; since the one before have come {}", all.join(", "))
}

pub(super) fn shift(factor_less_one: f64) -> String {
    match factor_less_one {
        it if it < 10.0 => format!("{:.1} %", 100.0 * it),
        it if it < 1e4 => format!("a factor of {it:.0}"),
        it => format!("a factor of {it:.0e}"),
    }
}
