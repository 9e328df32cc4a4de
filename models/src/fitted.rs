use ndarray::ArrayView1;

/// A fit: response = intercept + Σ weight · (counter − mean) ÷ scale.
///
/// Its parts are all there is to it: stored and put together again, it forecasts the same, without the
/// method that made it. Columns are those of the x that it was fitted to.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The response where every counter is at its mean (a0), seconds.
    pub intercept: f64,
    /// One for each column in the fit, in the columns' order.
    pub coefficients: Vec<Coefficient>,
    /// The other columns, in their order.
    pub dropped: Vec<Dropped>,
}

/// One column's share in a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficient {
    /// The column.
    pub column: usize,
    /// Its mean over the rows fitted.
    pub mean: f64,
    /// Its population standard deviation over them, above 0.
    pub scale: f64,
    /// Response per standard deviation: the paper's ai, seconds.
    pub weight: f64,
    /// Smallest value fitted.
    pub min: f64,
    /// Largest value fitted.
    pub max: f64,
}

/// A column that is not in a fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The column.
    pub column: usize,
    /// Why it was left out.
    pub reason: DropReason,
}

/// Why a fit leaves a column out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// Every row fitted has the same value, up to rounding.
    Constant,
    /// Up to rounding, it is a constant plus a combination of columns that are in the fit.
    Collinear {
        /// Those columns; all of them come before it.
        with: Vec<usize>,
    },
}

impl Fitted {
    /// The forecast for one row of raw counter values (p), seconds. Can come out at or below 0.
    ///
    /// # Panics
    /// Where `row` is shorter than the columns of the fit ask for.
    #[must_use]
    pub fn predict(&self, row: ArrayView1<'_, f64>) -> f64 {
        let share = |c: &Coefficient| c.weight * ((row[c.column] - c.mean) / c.scale);
        self.intercept + self.coefficients.iter().map(share).sum::<f64>()
    }

    /// The columns of the fit where `row` (p) lies outside the values fitted: there the forecast is an
    /// extrapolation.
    ///
    /// # Panics
    /// Where `row` is shorter than the columns of the fit ask for.
    #[must_use]
    pub fn outside(&self, row: ArrayView1<'_, f64>) -> Vec<usize> {
        self.coefficients
            .iter()
            .filter(|c| row[c.column] < c.min || row[c.column] > c.max)
            .map(|c| c.column)
            .collect()
    }
}

impl DropReason {
    /// In words, with the columns' names (p).
    ///
    /// # Panics
    /// Where `counters` is shorter than the columns named ask for.
    #[must_use]
    pub fn in_words(&self, counters: &[String]) -> String {
        match self {
            Self::Constant => "the same in every sample".to_owned(),
            Self::Collinear { with } => {
                let names: Vec<&str> = with.iter().map(|&c| counters[c].as_str()).collect();
                format!("a combination of {}", names.join(", "))
            }
        }
    }
}
