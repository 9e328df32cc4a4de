//! i·w·c against the response, with the line, on a terminal.

use kerncast_collector::local_memory::Line;
use textplots::{Chart, LabelBuilder, LabelFormat, Plot, Shape};

/// Dots; a character has 2 × 4.
const SIZE: (u32, u32) = (120, 72);

/// Both axes go by powers of two: the points span fifteen.
pub(super) fn terminal(responses: &[(f64, f64)], line: &Line) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "dots are coarser")]
    let log = |(x, y): (f64, f64)| (x.log2() as f32, y.log2() as f32);
    let points: Vec<(f32, f32)> = responses
        .iter()
        .filter(|(_, response)| *response > 0.0)
        .map(|point| log(*point))
        .collect();
    let most = responses.iter().map(|point| point.0).fold(1.0, f64::max);
    let on_line = |step: u32| {
        let product = most.powf(f64::from(step) / 100.0);
        (product, line.at(product))
    };
    let curve: Vec<(f32, f32)> = (0..=100)
        .map(on_line)
        .filter(|(_, response)| *response > 0.0)
        .map(log)
        .collect();
    let power = |exponent: f32| format!("{:.0}", exponent.exp2());
    let (points, curve) = (Shape::Points(&points), Shape::Lines(&curve));
    let mut chart = Chart::new(SIZE.0, SIZE.1, 0.0, log((most, 1.0)).0);
    let chart = chart
        .lineplot(&points)
        .lineplot(&curve)
        .x_label_format(LabelFormat::Custom(Box::new(power)))
        .y_label_format(LabelFormat::Custom(Box::new(power)));
    chart.figures();
    chart.to_string()
}
