//! Columns that a fit leaves out, and why.

/// A column that is not in a fit.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Dropped {
    /// The column.
    pub column: usize,
    /// Why it was left out.
    pub reason: DropReason,
}

/// Why a fit leaves a column out.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DropReason {
    /// Its values are the same in every row fitted, up to rounding.
    Constant,
    /// It is a constant plus a combination of columns that are in the fit, up to rounding.
    Collinear {
        /// The columns of the combination; all of them come before it.
        with: Vec<usize>,
    },
    /// Its events come out as costing nothing: other columns explain the times.
    NoCost,
    /// The method knows nothing of what its events cost.
    Unknown,
    /// Forecasts across devices do not ask for it.
    NoRole,
}

impl DropReason {
    /// The reason in words, with the columns' names (p).
    ///
    /// # Panics
    /// Where `counters` is shorter than the columns named ask for.
    #[must_use]
    pub fn in_words(&self, counters: &[String]) -> String {
        match self {
            Self::Unknown => "the method does not know what it counts".to_owned(),
            Self::NoCost => "costs nothing beside the other counters".to_owned(),
            Self::NoRole => "not asked for across devices".to_owned(),
            Self::Constant => "the same in every sample".to_owned(),
            Self::Collinear { with } => {
                let names: Vec<&str> = with.iter().map(|&c| counters[c].as_str()).collect();
                format!("a combination of {}", names.join(", "))
            }
        }
    }
}
