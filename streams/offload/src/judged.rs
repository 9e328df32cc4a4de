//! Checks of forecasts, as people look at them.

use serde::Serialize;
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{First, Rates, Work};

/// A forecast as it would be now, beside what was measured.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = JudgedStream)]
pub struct Judged {
    /// `staged`, `pinned`, `file`, `mapped`, `one core`, `all cores`.
    pub by: String,
    /// Of the array.
    pub bytes: u64,
    /// How often data go to the device: in one pass or in several. Of the host none.
    pub passes: usize,
    /// Seconds; of the device a call that is not the first.
    pub forecast_s: f64,
    /// Seconds.
    pub measured_s: f64,
    /// Whether the forecast is stretched by this very check: it then says nothing of how good forecasts are.
    pub is_fitted: bool,
    /// Of a first call.
    pub first: Option<First>,
}

impl Rates {
    /// What was checked of a work, the shortest arrays first.
    #[must_use]
    pub fn judged(&self, work: Work) -> Vec<Judged> {
        let of_work = self.checks.iter().filter(|it| it.work == work);
        let judged = of_work.map(|it| {
            let stretch = match it.passes {
                0 => 1.0,
                passes => self.stretch(work, &it.by, passes),
            };
            Judged {
                by: it.by.clone(),
                bytes: it.elements * it.element.bytes() as u64,
                passes: it.passes,
                forecast_s: it.forecast_s * stretch,
                measured_s: it.measured_s,
                is_fitted: self.is_fitted_to(it),
                first: it.first,
            }
        });
        let mut judged: Vec<Judged> = judged.collect();
        judged.sort_by_key(|it| it.bytes);
        judged
    }
}
