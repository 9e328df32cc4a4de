//! GPUs that nobody has measured here, by the models of the one that is most like them.

use std::collections::BTreeMap;

use kerncast_profilers::gpus;
use kerncast_wire::{Facts, Forecast, Problem, Unmeasured, short_name};

use super::{answer::Elsewhere, candidates::Candidates};
use crate::{db::forecasts::machines::Machine, http::problem::unprocessable};

/// Devices with data sheets and models that can be told of others.
pub(super) fn known_gpus(
    candidates: &Candidates,
    machines: &BTreeMap<i64, Machine>,
) -> Vec<(i64, &'static Facts)> {
    let known = candidates.travelling().into_iter().filter_map(|id| {
        let facts = gpus::named(&machines.get(&id)?.device.name)?;
        Some((id, facts))
    });
    known.collect()
}

/// By what a GPU is forecast: of those known the one whose architecture is nearest.
///
/// # Errors
/// There is none.
pub(super) fn elsewhere(
    at: String,
    to: &'static Facts,
    known: &[(i64, &'static Facts)],
) -> Result<Elsewhere, Problem> {
    let Some((like, from)) = gpus::nearest(to, known.iter().copied()) else {
        let expected = "an NVIDIA GPU of /v1/gpus with models of times (`waves` or `waves_forest`) on this server, whose \
                        models could answer for it";
        return Err(unprocessable(at, &to.name, expected));
    };
    let unmeasured = Unmeasured {
        gpu: to.name.clone(),
        like,
        like_name: short_name(&from.name),
        same_architecture: from.architecture == to.architecture,
        measured_there_s: None,
    };
    Ok(Elsewhere {
        from,
        to,
        unmeasured,
    })
}

/// What a GPU's forecast is once the time of the same set on the device of its models is known, and so how far these are
/// off there: on a GPU of the same architecture nearly as far. Where the interval reaches is not known better for that.
pub(super) fn scale(forecast: &mut Forecast, off: f64) {
    forecast.time_s *= off;
    forecast.explanation.rest_s *= off;
    let shares = forecast.explanation.shares.iter_mut();
    shares.for_each(|it| it.time_s *= off);
    if let Some(interval) = &mut forecast.interval {
        interval.low_s *= off;
        interval.high_s *= off;
    }
}
