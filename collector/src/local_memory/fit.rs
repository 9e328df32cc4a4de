//! The line T = C1·iwc + C2 through measured points.

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
    /// The number of points that the line was fitted to.
    pub n: usize,
}

/// The least-squares line through points (i·w·c, response).
///
/// # Errors
/// There are fewer than three points, or no two with different i·w·c.
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
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(actual: f64, expected: f64) {
        assert!(
            (actual - expected).abs() < 1e-9,
            "{actual}, expected {expected}"
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
    }

    #[test]
    fn too_few_points_have_no_line() {
        assert!(line(&[(1.0, 1.0), (2.0, 2.0)]).is_err());
        assert!(line(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]).is_err());
    }
}
