//! What was measured, for people and for programs.

use kerncast_collector::local_memory::{Line, MeasuredPoints, Point, bend, line};
use serde_json::{Value, json};

use crate::cli::{plot, table};

pub(super) fn as_json(reports: &[(String, MeasuredPoints)]) -> Vec<Value> {
    let reports = reports.iter().map(|(device, measured)| {
        let responses = measured.responses();
        json!({
            "device": device,
            "unit": measured.unit(),
            "line": line(&responses).ok(),
            "bend": bend(&responses),
            "clock_cycles": measured.clock_cycles,
            "points": measured.points,
        })
    });
    reports.collect()
}

pub(super) fn in_words(reports: &[(String, MeasuredPoints)]) -> String {
    let reports: Vec<String> = reports
        .iter()
        .map(|(device, measured)| one(device, measured))
        .collect();
    reports.join("\n\n")
}

fn one(device: &str, measured: &MeasuredPoints) -> String {
    let unit = measured.unit();
    let responses = measured.responses();
    let mut words = format!("{device}: {} points, in {unit}", responses.len());
    if let Some(cycles) = measured.clock_cycles {
        words.push_str(&format!(", less {cycles:.0} of the clock itself"));
    }
    if let Some((_, least)) = responses.iter().find(|(product, _)| *product <= 1.0) {
        words.push_str(&format!("\nleast latency, T(1, 1, 1): {least:.1} {unit}"));
    }
    let whole = match line(&responses) {
        Ok(line) => line,
        Err(error) => return format!("{words}\nno line: {error}"),
    };
    let Line { c1, c2, r2, .. } = whole;
    words.push_str(&format!("\nT = {c1:.3}·iwc + {c2:.1}, R² {r2:.4}"));
    let (fits, bins) = (fits(measured), bins(&responses, &whole));
    let plot = plot(&responses, &whole);
    format!(
        "{words}\n\n{fits}\n{bins}\n{plot}i·w·c against {unit}, both by powers of two, and the line"
    )
}

/// Both axes go by powers of two: the points span fifteen.
fn plot(responses: &[(f64, f64)], line: &Line) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "dots are coarser")]
    let log = |(x, y): (f64, f64)| (x.log2() as f32, y.log2() as f32);
    let is_drawn = |point: &(f64, f64)| point.1 > 0.0;
    let points = responses.iter().copied().filter(is_drawn).map(log);
    let most = responses.iter().map(|point| point.0).fold(1.0, f64::max);
    let products = (0..=100).map(|step| most.powf(f64::from(step) / 100.0));
    let curve = products.map(|product| (product, line.at(product)));
    let points: Vec<(f32, f32)> = points.collect();
    let curve: Vec<(f32, f32)> = curve.filter(is_drawn).map(log).collect();
    let power = |exponent: f32| format!("{:.0}", exponent.exp2());
    plot::terminal(&points, &curve, (0.0, log((most, 1.0)).0), power)
}

/// The line in parts of the grid: where they differ, it bends.
fn fits(measured: &MeasuredPoints) -> table::Table {
    let mut fits = table::new(["fitted to", "points", "C1", "C2", "R²"]);
    let mut add = |name: &str, line: Line| {
        fits.add_row([
            name.into(),
            table::number(line.n.to_string()),
            table::number(format!("{:.3}", line.c1)),
            table::number(format!("{:.1}", line.c2)),
            table::number(format!("{:.4}", line.r2)),
        ]);
    };
    type Part = (&'static str, fn(&Point) -> bool);
    let parts: [Part; 7] = [
        ("w = 1", |point| point.warps == 1),
        ("w = 2 … 4", |point| (2..=4).contains(&point.warps)),
        ("w = 5 … 32", |point| point.warps > 4),
        ("c = 1", |point| point.congestion == 1),
        ("c = 2 … 4", |point| (2..=4).contains(&point.congestion)),
        ("c = 5 … 16", |point| (5..=16).contains(&point.congestion)),
        ("c = 17 … 32", |point| point.congestion > 16),
    ];
    for (name, is_in) in parts {
        let points = measured.points.iter().filter(|point| is_in(point));
        let points: Vec<(f64, f64)> = points.map(Point::response).collect();
        // A small device may have no points there.
        if let Ok(line) = line(&points) {
            add(name, line);
        }
    }
    if let Some(bend) = bend(&measured.responses()) {
        add(&format!("iwc ≤ {}", bend.product), bend.below);
        add(&format!("iwc > {}", bend.product), bend.above);
    }
    fits
}

/// The responses by i·w·c, and how far the line is off there.
fn bins(responses: &[(f64, f64)], line: &Line) -> table::Table {
    let mut bins = table::new(["iwc", "points", "5 %", "median", "95 %", "line there"]);
    for power in 0..=15 {
        let upper = 2.0_f64.powi(power);
        let is_in = |product: f64| product <= upper && product > upper / 2.0;
        let mut there: Vec<(f64, f64)> = responses
            .iter()
            .filter(|point| is_in(point.0))
            .copied()
            .collect();
        if there.is_empty() {
            continue;
        }
        there.sort_by(|one, other| one.1.total_cmp(&other.1));
        let at = |percent: usize| there[(there.len() - 1) * percent / 100];
        let name = if power < 2 {
            upper.to_string()
        } else {
            format!("{} … {upper}", upper / 2.0 + 1.0)
        };
        let number = |value: f64| table::number(format!("{value:.0}"));
        bins.add_row([
            name.into(),
            table::number(there.len().to_string()),
            number(at(5).1),
            number(at(50).1),
            number(at(95).1),
            number(line.at(at(50).0)),
        ]);
    }
    bins
}
