//! Points and a line, on a terminal.

use textplots::{Chart, LabelBuilder, LabelFormat, Plot, Shape};

/// Dots; a character has 2 × 4.
const SIZE: (u32, u32) = (120, 72);

/// From x = `low` to `high`; both axes are labelled by `label`.
pub(super) fn terminal(
    points: &[(f32, f32)],
    line: &[(f32, f32)],
    (low, high): (f32, f32),
    label: fn(f32) -> String,
) -> String {
    let (points, line) = (Shape::Points(points), Shape::Lines(line));
    let mut chart = Chart::new(SIZE.0, SIZE.1, low, high);
    let chart = chart
        .lineplot(&points)
        .lineplot(&line)
        .x_label_format(LabelFormat::Custom(Box::new(label)))
        .y_label_format(LabelFormat::Custom(Box::new(label)));
    chart.figures();
    chart.to_string()
}
