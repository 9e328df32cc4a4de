//! T = C1·iwc + C2, and where the points leave that line.

use kerncast_models::{FitError, Method, OrdinaryLeastSquares, Rows};
use ndarray::{Array1, Array2, ArrayView1};
use serde::Serialize;

/// A straight line through points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Response per i·w·c.
    pub c1: f64,
    /// Response where i·w·c is 0.
    pub c2: f64,
    /// Share of the responses' variance that the line explains.
    pub r2: f64,
    /// Points.
    pub n: usize,
    /// Sum of squared residuals.
    #[serde(skip)]
    squares: f64,
}

impl Line {
    /// The response at i·w·c.
    pub fn at(&self, product: f64) -> f64 {
        self.c1 * product + self.c2
    }
}

/// Two lines that fit better than one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bend {
    /// The greatest i·w·c of the first line; the second begins above it.
    pub product: f64,
    /// Up to it.
    pub below: Line,
    /// From there on.
    pub above: Line,
}

/// The line of least squares through (i·w·c, response), by the regression core.
///
/// # Errors
/// Fewer than three points, or no two with different i·w·c.
pub fn line(points: &[(f64, f64)]) -> Result<Line, FitError> {
    let products = points.iter().map(|(product, _)| *product).collect();
    let x = Array2::from_shape_vec((points.len(), 1), products).expect("one column");
    let y: Array1<f64> = points.iter().map(|(_, response)| *response).collect();
    let fitted = OrdinaryLeastSquares.fit(&Rows {
        counters: &["local_memory:product".to_owned()],
        roles: &[],
        x: x.view(),
        y: y.view(),
        kernels: &vec![0; points.len()],
        devices: &vec![0; points.len()],
        generated: 0,
        weights: None,
    })?;
    let from = |product: f64| fitted.predict(ArrayView1::from(&[product]));
    let (c2, c1) = (from(0.0), from(1.0) - from(0.0));
    let forecasts: Array1<f64> = points.iter().map(|point| from(point.0)).collect();
    let squares = (&y - &forecasts).pow2().sum();
    let spread = (&y - y.mean().unwrap_or_default()).pow2().sum();
    let r2 = 1.0 - squares / spread;
    Ok(Line {
        c1,
        c2,
        r2,
        n: points.len(),
        squares,
    })
}

/// Where one line should become two: at the power of two where the squared residuals of both together are
/// least. None where there are too few points for two lines.
pub fn bend(points: &[(f64, f64)]) -> Option<Bend> {
    let at = |power: i32| {
        let product = 2.0_f64.powi(power);
        let (below, above): (Vec<_>, Vec<_>) = points.iter().partition(|point| point.0 <= product);
        let (below, above) = (line(&below).ok()?, line(&above).ok()?);
        Some(Bend {
            product,
            below,
            above,
        })
    };
    let squares = |bend: &Bend| bend.below.squares + bend.above.squares;
    (0..15)
        .filter_map(at)
        .min_by(|one, other| squares(one).total_cmp(&squares(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 1e-9,
            "{found}, expected {expected}"
        );
    }

    #[test]
    fn a_straight_line_is_found() {
        let points: Vec<(f64, f64)> = (1..20)
            .map(f64::from)
            .map(|x| (x, 1.5 * x + 300.0))
            .collect();
        let line = line(&points).expect("a line");
        near(line.c1, 1.5);
        near(line.c2, 300.0);
        near(line.r2, 1.0);
        near(line.at(100.0), 450.0);
    }

    #[test]
    fn a_bend_is_found_where_it_is() {
        // By hand: flat at 25 up to 64, then 2 a step.
        let response = |x: f64| {
            if x <= 64.0 {
                25.0 + x / 64.0
            } else {
                2.0 * x - 100.0
            }
        };
        let points: Vec<(f64, f64)> = (1..=1024)
            .map(f64::from)
            .map(|x| (x, response(x)))
            .collect();
        let bend = bend(&points).expect("a bend");
        near(bend.product, 64.0);
        near(bend.below.c1, 1.0 / 64.0);
        near(bend.above.c1, 2.0);
    }

    #[test]
    fn too_few_points_have_no_line() {
        assert!(line(&[(1.0, 1.0), (2.0, 2.0)]).is_err());
        assert!(line(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]).is_err());
        assert_eq!(bend(&[(1.0, 1.0), (2.0, 2.0), (4.0, 4.0)]), None);
    }
}
