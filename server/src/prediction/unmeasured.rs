//! GPUs that nobody has measured here, by the models of the one that is most like them.

use std::collections::BTreeMap;

use kerncast_profilers::gpus;
use kerncast_wire::{Facts, Problem, Unmeasured, short_name, words::did_you_mean};

use super::candidates::Candidates;
use crate::{db::machines::Machine, problem::unprocessable};

/// What a GPU is forecast by.
#[derive(Clone)]
pub(super) struct Elsewhere {
    /// What the models that answer were fitted to.
    pub(super) from: &'static Facts,
    /// What is forecast.
    pub(super) to: &'static Facts,
    pub(super) unmeasured: Unmeasured,
}

/// The GPU of the table that a name means.
///
/// # Errors
/// None is, or several are.
pub(super) fn gpu(at: String, name: &str) -> Result<&'static Facts, Problem> {
    let names = |all: &[&Facts]| {
        let names: Vec<&str> = all.iter().map(|it| &*it.name).collect();
        names.join(", ")
    };
    match gpus::meant(name)[..] {
        [one] => Ok(one),
        [] => {
            let known = gpus::all().iter().map(|it| &*it.name);
            let expected = "a GPU of /v1/gpus".to_owned() + &did_you_mean(name, known);
            Err(unprocessable(at, name, expected))
        }
        ref several => {
            let expected = format!("one of {}", names(several));
            Err(unprocessable(at, name, expected))
        }
    }
}

/// By what a GPU is forecast: the device with models that can be told of others, whose architecture is nearest.
///
/// # Errors
/// There is none.
pub(super) fn elsewhere(
    at: String,
    to: &'static Facts,
    candidates: &Candidates,
    machines: &BTreeMap<i64, Machine>,
) -> Result<Elsewhere, Problem> {
    let known = candidates.travelling().into_iter().filter_map(|id| {
        let from = gpus::named(&machines.get(&id)?.device.name)?;
        Some((id, from))
    });
    let version = |of: &Facts| of.architecture.parse().unwrap_or(f64::NAN);
    let apart = |of: &Facts| {
        let sizes = f64::from(of.multiprocessors) / f64::from(to.multiprocessors);
        [version(of) - version(to), sizes.ln()].map(f64::abs)
    };
    let nearest = known.min_by(|(_, one), (_, other)| {
        let [[one, size], [other, others]] = [apart(one), apart(other)];
        one.total_cmp(&other).then(size.total_cmp(&others))
    });
    let Some((like, from)) = nearest else {
        let expected = "an NVIDIA GPU of /v1/gpus with models of times (`waves` or `waves_forest`) on this server, whose \
                        models could answer for it";
        return Err(unprocessable(at, &to.name, expected));
    };
    let unmeasured = Unmeasured {
        gpu: to.name.clone(),
        like,
        like_name: short_name(&from.name),
        same_architecture: from.architecture == to.architecture,
    };
    Ok(Elsewhere {
        from,
        to,
        unmeasured,
    })
}
