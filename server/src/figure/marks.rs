use std::collections::{BTreeSet, HashMap};

use kerncast_wire::{HeldOut, HoldOut};

/// Forecasts that are further off are drawn at the axis's end.
const FURTHEST: f64 = 1e3;

/// What the figure shows, in its own coordinates.
pub(super) struct Marks {
    /// From the best forecast one to the worst; kernel i lies between x = i and i + 1.
    pub(super) kernels: Vec<String>,
    pub(super) variants: Vec<String>,
    pub(super) marks: Vec<Mark>,
    /// The axis's ends: they hold every mark, and 1.
    pub(super) lowest: f64,
    pub(super) highest: f64,
}

/// A sample.
#[derive(Debug, PartialEq)]
pub(super) struct Mark {
    pub(super) x: f64,
    /// Predicted ÷ measured.
    pub(super) y: f64,
    /// Its place among the variants.
    pub(super) variant: usize,
    /// Whether the ratio lies beyond the axis: there is none for forecasts at or below 0.
    pub(super) beyond: bool,
}

impl Marks {
    pub(super) fn of(hold_out: &HoldOut) -> Self {
        let mut kernels: Vec<_> = hold_out.kernels.iter().collect();
        let error = |it: Option<kerncast_wire::Errors>| it.map_or(f64::INFINITY, |it| it.mean_ape);
        kernels.sort_by(|one, other| error(one.errors).total_cmp(&error(other.errors)));
        let kernels: Vec<String> = kernels.into_iter().map(|it| it.kernel.clone()).collect();
        // The two that most kernels have come first, and so have their own colours.
        let order = |variant: &str| (variant != "global", variant != "local", variant.to_owned());
        let variants: BTreeSet<_> = hold_out
            .rows
            .iter()
            .map(|row| order(&row.variant))
            .collect();
        let variants: Vec<String> = variants.into_iter().map(|(.., name)| name).collect();

        let ratios = hold_out.rows.iter().filter_map(ratio);
        let on_axis = ratios.filter(|ratio| (1.0 / FURTHEST..FURTHEST).contains(ratio));
        let (lowest, highest) = on_axis.fold((0.8, 1.25), |(lowest, highest), ratio| {
            (ratio.min(lowest), ratio.max(highest))
        });
        // A little room, so that no mark lies on the axis.
        let (lowest, highest) = (lowest / 1.15, highest * 1.15);

        let mut by_kernel: HashMap<&str, Vec<&HeldOut>> = HashMap::new();
        for row in &hold_out.rows {
            by_kernel.entry(&row.kernel).or_default().push(row);
        }
        let mut marks = Vec::new();
        for (place, kernel) in (0..).map(f64::from).zip(&kernels) {
            let mut rows = by_kernel.remove(&**kernel).unwrap_or_default();
            // Small sizes first, variants beside each other.
            rows.sort_by(|one, other| one.measured.total_cmp(&other.measured));
            #[expect(clippy::cast_precision_loss, reason = "a kernel's samples are few")]
            let step = 0.8 / rows.len() as f64;
            for (nth, row) in (0..).map(f64::from).zip(rows) {
                let Some(ratio) = ratio(row) else { continue };
                marks.push(Mark {
                    x: place + 0.1 + step * (nth + 0.5),
                    y: ratio.clamp(lowest, highest),
                    variant: variants
                        .iter()
                        .position(|it| *it == row.variant)
                        .unwrap_or(0),
                    beyond: !(lowest..=highest).contains(&ratio),
                });
            }
        }
        Self {
            kernels,
            variants,
            marks,
            lowest,
            highest,
        }
    }
}

/// None where there is no forecast.
fn ratio(row: &HeldOut) -> Option<f64> {
    row.predicted.map(|predicted| predicted / row.measured)
}

/// Round ratios between the axis's ends: of a long axis the powers of ten alone. 1 is among them.
pub(super) fn ticks(lowest: f64, highest: f64) -> impl Iterator<Item = f64> {
    let steps: &[f64] = match (highest / lowest).log10() {
        decades if decades > 2.5 => &[1.0],
        decades if decades > 1.0 => &[1.0, 2.0, 5.0],
        _ => &[1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
    };
    let decades = (-4..=4_i32).flat_map(|exponent| steps.iter().map(move |step| (exponent, step)));
    // Divided, not multiplied by what is no binary fraction: 0.3, not 0.30000000000000004.
    let ratios = decades.map(|(exponent, step)| match exponent {
        0.. => step * 10_f64.powi(exponent),
        _ => step / 10_f64.powi(-exponent),
    });
    ratios.filter(move |ratio| (lowest..=highest).contains(ratio))
}

#[cfg(test)]
mod tests {
    use super::ticks;

    fn shown(lowest: f64, highest: f64) -> String {
        let ticks: Vec<String> = ticks(lowest, highest).map(|it| it.to_string()).collect();
        ticks.join(" ")
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(shown(0.004, 12.0), "0.01 0.1 1 10");
        assert_eq!(shown(0.15, 4.0), "0.2 0.5 1 2");
        assert_eq!(shown(0.7, 1.6), "0.7 0.8 0.9 1 1.2 1.5");
    }
}
