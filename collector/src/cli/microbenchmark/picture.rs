//! i·w·c against the response, with the line, as SVG.

use std::collections::BTreeSet;

use anyhow::{Result, anyhow};
use kerncast_collector::local_memory::{MeasuredPoints, Point, line};
use plotters::prelude::*;

const SIZE: (u32, u32) = (900, 600);
const ONE_WARP: RGBColor = RGBColor(230, 120, 20);
const MORE_WARPS: RGBColor = RGBColor(60, 120, 190);

/// Both axes are logarithmic: the points span four decades.
pub(super) fn svg(device: &str, measured: &MeasuredPoints) -> Result<String> {
    let responses = measured.responses();
    let line = line(&responses)?;
    let mut drawn = String::new();
    draw(&mut drawn, device, measured, |product| line.at(product))
        .map_err(|error| anyhow!("{error}"))?;
    Ok(drawn)
}

fn draw(
    into: &mut String,
    device: &str,
    measured: &MeasuredPoints,
    line: impl Fn(f64) -> f64,
) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(into, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    // A logarithm's axis has no 0.
    let is_drawn = |point: &(f64, f64)| point.1 > 0.0;
    let responses: Vec<(f64, f64)> = measured.responses().into_iter().filter(is_drawn).collect();
    let most = responses.iter().map(|point| point.0).fold(1.0, f64::max);
    let lowest = responses
        .iter()
        .map(|point| point.1)
        .fold(f64::INFINITY, f64::min);
    let highest = responses.iter().map(|point| point.1).fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(&root)
        .caption(format!("Local-memory loads, {device}"), ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(45)
        .y_label_area_size(70)
        .build_cartesian_2d(
            (0.9..most * 1.2).log_scale(),
            (lowest * 0.7..highest * 1.4).log_scale(),
        )?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc("instructions · warps · congestion (iwc)")
        .y_desc(measured.unit())
        .draw()?;
    let dots = |one_warp: bool| {
        let points = measured
            .points
            .iter()
            .filter(move |point| (point.warps == 1) == one_warp);
        // Those of the full grid overlap: one in a few pixels is enough.
        let mut seen = BTreeSet::new();
        let responses: Vec<(f64, f64)> = points.map(Point::response).filter(is_drawn).collect();
        #[expect(clippy::cast_possible_truncation, reason = "logarithms are small")]
        let mut is_new =
            |(x, y): &(f64, f64)| seen.insert(((x.ln() * 30.0) as i32, (y.ln() * 25.0) as i32));
        responses
            .into_iter()
            .filter(|point| is_new(point))
            .collect::<Vec<_>>()
    };
    for (one_warp, colour, name) in [
        (false, MORE_WARPS, "2 to 32 warps"),
        (true, ONE_WARP, "1 warp"),
    ] {
        chart
            .draw_series(
                dots(one_warp)
                    .into_iter()
                    .map(|point| Circle::new(point, 1, colour.filled())),
            )?
            .label(name)
            .legend(move |at| Circle::new(at, 3, colour.filled()));
    }
    let steps = (0..=200).map(|step| most.powf(f64::from(step) / 200.0));
    let curve = steps
        .map(|product| (product, line(product)))
        .filter(is_drawn);
    chart
        .draw_series(LineSeries::new(curve, BLACK.stroke_width(2)))?
        .label(format!(
            "{:.3}·iwc + {:.1}",
            line(1.0) - line(0.0),
            line(0.0)
        ))
        .legend(|(x, y)| PathElement::new([(x - 8, y), (x + 8, y)], BLACK.stroke_width(2)));
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .margin(20)
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()?;
    root.present()?;
    Ok(())
}
