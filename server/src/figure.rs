//! The paper's figure as SVG: predicted ÷ measured of every held-out sample, by kernel, on a log axis.

mod marks;

use std::error::Error;

use kerncast_wire::{HoldOut, ModelSummary};
use plotters::{
    coord::Shift,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use marks::{Mark, Marks, ticks};

/// Pixels that a kernel takes.
const KERNEL: u32 = 16;
/// Pixels: the least width, the plot's height, the axis at the left, the titles, the kernels' names.
const WIDTH: u32 = 720;
const PLOT: u32 = 400;
const AXIS: u32 = 64;
const TITLES: u32 = 62;
const NAMES: u32 = 150;

/// Of Okabe and Ito, 2008: told apart by the colour-blind. More variants share grey.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
];
const OTHERS: RGBColor = RGBColor(120, 120, 120);
const BAND: RGBColor = RGBColor(245, 245, 245);
const RULE: RGBColor = RGBColor(210, 210, 210);

/// A figure that could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the figure could not be drawn: {0}")]
pub(crate) struct FigureError(String);

/// Draws a model's held-out forecasts: kernels by their error, a mark a sample, coloured by variant.
pub(crate) fn svg(model: &ModelSummary, hold_out: &HoldOut) -> Result<String, FigureError> {
    let mut drawn = String::new();
    draw(&mut drawn, model, hold_out).map_err(|error| FigureError(error.to_string()))?;
    Ok(drawn)
}

fn draw(into: &mut String, model: &ModelSummary, hold_out: &HoldOut) -> Result<(), Box<dyn Error>> {
    let Marks {
        kernels,
        variants,
        marks,
        lowest,
        highest,
    } = Marks::of(hold_out);
    let n = u32::try_from(kernels.len())?;
    let size = (WIDTH.max(AXIS + 24 + KERNEL * n), TITLES + PLOT + NAMES);
    let root = SVGBackend::with_string(into, size).into_drawing_area();
    root.fill(&WHITE)?;
    let beyond = marks.iter().filter(|mark| mark.beyond).count();
    titles(&root, model, hold_out, beyond)?;
    legend(&root, &variants)?;
    let mut chart = ChartBuilder::on(&root)
        .margin_top(TITLES)
        .margin_left(6)
        .margin_right(16)
        .y_label_area_size(AXIS)
        .x_label_area_size(NAMES)
        .build_cartesian_2d(0.0..f64::from(n), (lowest..highest).log_scale())?;
    for place in (1..n).step_by(2).map(f64::from) {
        let band = [(place, lowest), (place + 1.0, highest)];
        chart.draw_series([Rectangle::new(band, BAND.filled())])?;
    }
    chart
        .configure_mesh()
        .disable_mesh()
        .x_labels(0)
        // It would label one ratio all the same.
        .y_label_formatter(&|_| String::new())
        .y_desc("predicted ÷ measured")
        .label_style(("sans-serif", 14))
        .draw()?;
    let left = ("sans-serif", 14).into_text_style(&root);
    let left = left.pos(Pos::new(HPos::Right, VPos::Center));
    for ratio in ticks(lowest, highest) {
        let is_one = (0.99..1.01).contains(&ratio);
        let style = if is_one {
            BLACK.stroke_width(2)
        } else {
            RULE.stroke_width(1)
        };
        let line = [(0.0, ratio), (f64::from(n), ratio)];
        chart.draw_series(LineSeries::new(line, style))?;
        let (x, y) = chart.backend_coord(&(0.0, ratio));
        root.draw_text(&ratio.to_string(), &left, (x - 8, y))?;
    }
    for &Mark {
        x,
        y,
        variant,
        beyond,
    } in &marks
    {
        let fill = colour(variant).mix(0.8).filled();
        if beyond {
            chart.draw_series([TriangleMarker::new((x, y), 5, fill)])?;
        } else {
            chart.draw_series([Circle::new((x, y), 3, fill)])?;
        }
    }
    let upwards = ("sans-serif", 14).into_text_style(&root);
    let upwards = upwards
        .transform(FontTransform::Rotate270)
        .pos(Pos::new(HPos::Right, VPos::Center));
    for (kernel, place) in kernels.iter().zip(0..n) {
        let (x, y) = chart.backend_coord(&(f64::from(place) + 0.5, lowest));
        root.draw_text(kernel, &upwards, (x, y + 6))?;
    }
    root.present()?;
    Ok(())
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

fn titles(
    root: &Area<'_>,
    model: &ModelSummary,
    hold_out: &HoldOut,
    beyond: usize,
) -> Result<(), Box<dyn Error>> {
    let specification = &model.specification;
    let variant = specification.variant.as_ref();
    let variant = variant
        .map(|it| format!(", variant {it}"))
        .unwrap_or_default();
    let what = format!(
        "{}: {} from {}{variant}",
        model.device.name, specification.method, specification.provider
    );
    let large = ("sans-serif", 20).into_text_style(root);
    root.draw_text(&what, &large, (16, 10))?;
    let left_out = hold_out.key.word();
    let errors = hold_out.overall.map(|errors| {
        format!(
            ": mean error {:.1} %, median {:.1} %",
            100.0 * errors.mean_ape,
            100.0 * errors.median_ape
        )
    });
    let mut how = format!(
        "leaving one {left_out} out{}; {} samples of {} kernels",
        errors.unwrap_or_default(),
        model.samples,
        model.kernels
    );
    if beyond > 0 {
        how.push_str(&format!(
            "; triangles: {beyond} beyond the axis, or not above 0"
        ));
    }
    let small = ("sans-serif", 15).into_text_style(root);
    root.draw_text(&how, &small, (16, 36))?;
    Ok(())
}

/// In the corner at the bottom, left of the kernels' names.
fn legend(root: &Area<'_>, variants: &[String]) -> Result<(), Box<dyn Error>> {
    let style = ("sans-serif", 13).into_text_style(root);
    let named = variants.iter().take(COLOURS.len()).map(String::as_str);
    let others = (variants.len() > COLOURS.len()).then_some("others");
    let top = i32::try_from(TITLES + PLOT + 20)?;
    for (place, name) in named.chain(others).enumerate() {
        let y = top + 18 * i32::try_from(place)?;
        root.draw(&Circle::new((10, y), 4, colour(place).filled()))?;
        root.draw_text(name, &style, (18, y - 6))?;
    }
    Ok(())
}

fn colour(variant: usize) -> RGBColor {
    COLOURS.get(variant).copied().unwrap_or(OTHERS)
}
