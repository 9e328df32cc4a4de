//! GPUs that nobody has measured here, by the models of the one that is most like them.

use std::collections::BTreeMap;

use kerncast_profilers::gpus;
use kerncast_wire::{Facts, Forecast, Problem, Unmeasured, short_name};

use super::{candidates::Candidates, counter_set::PostedSet};
use crate::{db::forecasts::devices::KnownDevice, http::unprocessable};

/// A GPU that nobody has measured, and the device whose models answer for it.
pub(super) struct UnmeasuredGpu {
    /// The data sheet of that device.
    pub(super) from: &'static Facts,
    /// The GPU's own.
    pub(super) to: &'static Facts,
    pub(super) summary: Unmeasured,
}

impl UnmeasuredGpu {
    /// Chooses the device with the nearest architecture out of `measured`.
    /// Fails where there is none. `at`: the GPU's field.
    pub(super) fn new(
        at: String,
        to: &'static Facts,
        measured: &[(i64, &'static Facts)],
    ) -> Result<Self, Problem> {
        let Some((like, from)) = gpus::nearest(to, measured.iter().copied()) else {
            let expected = "an NVIDIA GPU of /v1/gpus with models of times (`waves` or `waves_forest`) on this server, \
                            whose models could answer for it";
            return Err(unprocessable(at, &to.name, expected));
        };
        let summary = Unmeasured {
            gpu: to.name.clone(),
            like,
            like_name: short_name(&from.name),
            same_architecture: from.architecture == to.architecture,
            measured_there_s: None,
        };
        Ok(Self { from, to, summary })
    }

    /// Seconds that a set took on the device whose models answer, where both are of one architecture: only then does
    /// that say anything of the GPU.
    pub(super) fn measured_there_s(&self, set: &PostedSet) -> Option<f64> {
        let measured = set.measured?;
        let is_there = measured.device == Some(self.summary.like);
        (is_there && self.summary.same_architecture).then_some(measured.time_s)
    }
}

/// Devices with data sheets and with models that can be transferred to other GPUs.
pub(super) fn measured_gpus(
    candidates: &Candidates,
    known_devices: &BTreeMap<i64, KnownDevice>,
) -> Vec<(i64, &'static Facts)> {
    let with_sheets = candidates.transferable().into_iter().filter_map(|id| {
        let facts = gpus::find(&known_devices.get(&id)?.device.name)?;
        Some((id, facts))
    });
    with_sheets.collect()
}

/// Multiplies a GPU's forecast by `factor`: measured time ÷ forecast of the same set on the device whose models answer.
/// On a GPU of the same architecture they are nearly as far off. The interval gets no narrower by that.
pub(super) fn scale(forecast: &mut Forecast, factor: f64) {
    forecast.time_s *= factor;
    forecast.explanation.rest_s *= factor;
    let shares = forecast.explanation.shares.iter_mut();
    shares.for_each(|it| it.time_s *= factor);
    if let Some(interval) = &mut forecast.interval {
        interval.low_s *= factor;
        interval.high_s *= factor;
    }
}
