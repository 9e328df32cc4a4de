//! Predicted against measured, on a terminal.

use kerncast_wire::HeldOut;
use textplots::{Chart, LabelBuilder, LabelFormat, Plot, Shape};

use crate::cli::units;

/// Dots; a character has 2 × 4.
const SIZE: (u32, u32) = (120, 72);

/// Both axes go by powers of ten: times span many. None where nothing was forecast.
pub(super) fn terminal(rows: &[HeldOut]) -> Option<String> {
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
    let label = |exponent: f32| units::time(10_f64.powf(exponent.into()));
    let exact = [(lowest, lowest), (highest, highest)];
    let (points_shape, exact) = (Shape::Points(&points), Shape::Lines(&exact));
    let mut chart = Chart::new(SIZE.0, SIZE.1, lowest, highest);
    let chart = chart
        .lineplot(&points_shape)
        .lineplot(&exact)
        .x_label_format(LabelFormat::Custom(Box::new(label)))
        .y_label_format(LabelFormat::Custom(Box::new(label)));
    chart.figures();
    let impossible = forecasts.len() - points.len();
    let impossible = match impossible {
        0 => String::new(),
        n => format!("; {n} forecasts at or below 0 are not in it"),
    };
    Some(format!(
        "{chart}predicted against measured, and the line where they agree{impossible}"
    ))
}
