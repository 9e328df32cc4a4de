use ndarray::{Axis, concatenate};

use super::Workloads;
use crate::{Dataset, DatasetError, HoldOut, HoldOutKey, OrdinaryLeastSquares, hold_out};

/// The paper's experiments across devices: normalised least squares on one device's counters for the
/// time on another (Shimada, Endo, Maruyama, Matsuoka 2010).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// GeForce GTX 285 → GeForce GTX 480: counters alone.
    Counters,
    /// GeForce GTX 285 → Radeon HD 5870: the source's time is one more variable.
    CountersAndTime,
}

impl Paper {
    /// Its name in specifications.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Counters => "paper_counters",
            Self::CountersAndTime => "paper_counters_and_time",
        }
    }

    /// Forecasts every workload's time on the target, leaving out what `key` says. `devices`: source and
    /// target.
    ///
    /// # Errors
    /// None that [`Workloads`] has not refused already.
    ///
    /// # Panics
    /// Where there is no such device.
    pub fn hold_out(
        self,
        workloads: &Workloads,
        [source, target]: [usize; 2],
        key: HoldOutKey,
    ) -> Result<HoldOut, DatasetError> {
        let dataset = workloads.dataset(target);
        let dataset = match self {
            Self::Counters => dataset,
            Self::CountersAndTime => {
                let time = workloads.times(source).view().insert_axis(Axis(1));
                let x = concatenate(Axis(1), &[dataset.x(), time]).expect("equally many rows");
                let counters = dataset.counters().iter().cloned();
                let counters = counters.chain(["source_time".to_owned()]).collect();
                Dataset::new(
                    counters,
                    dataset.kernels().to_vec(),
                    x,
                    dataset.y().to_owned(),
                )?
            }
        };
        Ok(hold_out(&dataset, key, &OrdinaryLeastSquares))
    }
}
