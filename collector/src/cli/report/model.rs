//! A model, as tables and a plot.

use std::collections::BTreeMap;

use kerncast_wire::{
    DroppedCounter, Errors, Fit, HeldOut, HoldOut, HoldOutKey, ModelDetail, ModelSummary,
    Validation, words::some_of,
};

use crate::cli::{plot, table, units};

/// Counters of a line; `--json` has all.
const NAMED: usize = 4;
/// Characters of the longest bar.
const BAR: f64 = 30.0;

pub(super) fn in_words(model: &ModelDetail, validation: &Validation) -> String {
    let ModelDetail { summary, fit, .. } = model;
    let mut parts = vec![title(summary)];
    if let Some(refusal) = &summary.refusal {
        parts.push(format!("no fit: {refusal}"));
    }
    parts.extend(summary.warnings.0.iter().map(|it| format!("warning: {it}")));
    let by_kernel = |it: &&HoldOut| it.key == HoldOutKey::Kernel;
    if let Some(hold_out) = validation.hold_outs.iter().find(by_kernel) {
        parts.push(kernels(hold_out));
        if summary.specification.response == "time" {
            parts.extend(plot(&hold_out.rows));
        }
    }
    if let Some(fit) = fit {
        parts.push(coefficients(fit));
        parts.extend(dropped(fit));
    }
    parts.join("\n")
}

fn title(model: &ModelSummary) -> String {
    let specification = &model.specification;
    let variant = specification.variant.as_deref().unwrap_or("all variants");
    let keys = [
        ("kernel", &model.leave_one_kernel_out),
        ("family", &model.leave_one_family_out),
        ("row", &model.leave_one_row_out),
    ];
    let error = |(key, errors): (&str, &Option<Errors>)| {
        let errors = errors.as_ref()?;
        let (mean, median) = (errors.mean_ape, errors.median_ape);
        Some(format!(
            "one {key} left out: mean error {}, median {}",
            units::percent(mean),
            units::percent(median)
        ))
    };
    let mut lines = vec![format!(
        "\nModel {}: {} on {}, {}, {variant}, {} samples of {} kernels",
        model.id,
        specification.method,
        model.device.name,
        specification.provider,
        model.samples,
        model.kernels
    )];
    lines.extend(keys.into_iter().filter_map(error));
    if let Some(coverage) = model.coverage {
        lines.push(format!(
            "{:.0} % intervals cover {} of unseen kernels' times; typically ×/÷ {:.2}",
            100.0 * coverage.level,
            units::percent(coverage.covered),
            coverage.typical_factor
        ));
    }
    lines.join("\n")
}

/// Kernels by their error, the worst first.
fn kernels(hold_out: &HoldOut) -> String {
    let judged = hold_out.kernels.iter();
    let mut judged: Vec<_> = judged
        .filter_map(|it| Some((&it.kernel, it.errors?)))
        .collect();
    judged.sort_by(|one, other| other.1.mean_ape.total_cmp(&one.1.mean_ape));
    let most = judged.first().map_or(0.0, |it| it.1.mean_ape);
    let mut rows = table::new(["kernel", "samples", "mean error", ""]);
    for (kernel, errors) in judged {
        rows.add_row([
            kernel.into(),
            table::number(errors.n.to_string()),
            table::number(units::percent(errors.mean_ape)),
            bar(errors.mean_ape, most).into(),
        ]);
    }
    rows.to_string()
}

fn bar(error: f64, most: f64) -> String {
    let share = if most > 0.0 { error / most } else { 0.0 };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 30 characters"
    )]
    let characters = (BAR * share).round() as usize;
    "█".repeat(characters)
}

/// Predicted against measured; both axes go by powers of ten: times span many. None where nothing was
/// forecast.
fn plot(rows: &[HeldOut]) -> Option<String> {
    let forecast = |row: &HeldOut| Some((row.measured, row.predicted?));
    let forecasts: Vec<(f64, f64)> = rows.iter().filter_map(forecast).collect();
    #[expect(clippy::cast_possible_truncation, reason = "dots are coarser")]
    let log =
        |(measured, predicted): &(f64, f64)| (measured.log10() as f32, predicted.log10() as f32);
    let points: Vec<(f32, f32)> = forecasts.iter().filter(|it| it.1 > 0.0).map(log).collect();
    let lowest = points.iter().map(|it| it.0).reduce(f32::min)?;
    let highest = points.iter().map(|it| it.0).reduce(f32::max)?;
    // One point has no width of its own.
    let (lowest, highest) = (lowest - 0.1, highest + 0.1);
    let exact = [(lowest, lowest), (highest, highest)];
    let label = |exponent: f32| units::time(10_f64.powf(exponent.into()));
    let chart = plot::terminal(&points, &exact, (lowest, highest), label);
    let impossible = match forecasts.len() - points.len() {
        0 => String::new(),
        n => format!("; {n} forecasts at or below 0 are not in it"),
    };
    Some(format!(
        "{chart}predicted against measured, and the line where they agree{impossible}"
    ))
}

fn coefficients(fit: &Fit) -> String {
    let mut rows = table::new(["counter", "shared out over", "per event", "seen"]);
    for coefficient in &fit.coefficients {
        let per_event = coefficient.per_event;
        let per_event = per_event.map(|it| format!("{it:.3e} {}", fit.unit));
        let (min, max) = (coefficient.min, coefficient.max);
        rows.add_row([
            (&coefficient.counter).into(),
            coefficient.over.join(" + ").into(),
            table::maybe(per_event),
            table::number(format!("{min:.3e} … {max:.3e}")),
        ]);
    }
    rows.to_string()
}

/// A line a reason why counters are not in the fit.
fn dropped(fit: &Fit) -> impl Iterator<Item = String> {
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for DroppedCounter { counter, reason } in &fit.dropped {
        by_reason.entry(reason).or_default().push(counter);
    }
    let line = |(reason, counters): (&str, Vec<&str>)| {
        let first = &counters[..counters.len().min(NAMED)];
        let named = some_of(first, counters.len(), |it| (*it).to_owned());
        format!("not in it: {named} ({reason})")
    };
    by_reason.into_iter().map(line)
}
