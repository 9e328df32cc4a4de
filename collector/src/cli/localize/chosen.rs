//! Which candidate: by forecast, by loads, or by measuring.

use std::path::Path;

use anyhow::Result;
use kerncast_collector::{child::Children, localize::Rewritten};
use kerncast_opencl::DeviceFacts;
use kerncast_suite::Kernel;

use super::{
    Answer, Arguments,
    candidate::{self, Candidate},
    forecast, measured,
};

/// What is asked, and where it runs.
pub(super) struct Asked<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) children: &'a Children,
    pub(super) device: &'a DeviceFacts,
    pub(super) kernel: &'a Kernel,
}

/// All candidates, the best first; `again` rewrites some arrays alone.
pub(super) fn chosen(
    asked: &Asked<'_>,
    first: Rewritten,
    again: &impl Fn(Vec<String>) -> Result<Rewritten>,
    answer: &mut Answer,
) -> Result<Vec<Candidate>> {
    let Asked {
        arguments,
        children,
        device,
        kernel,
    } = asked;
    let (of, made) = (answer.of.clone(), first.made);
    let mut candidates = vec![Candidate::new(children.scratch(), 0, kernel, first)?];
    let is_asked = arguments.on.is_some() || arguments.tune.is_some();
    if is_asked && arguments.undo.is_none() {
        candidate::others(children.scratch(), kernel, &mut candidates, again)?;
    }
    let mut is_forecast = false;
    if let Some(on) = &arguments.on {
        let folders: Vec<&Path> = candidates.iter().map(|it| &*it.folder).collect();
        match forecast::forecast(&arguments.server, on, &of, made, &folders)? {
            Ok(forecasts) => {
                is_forecast = true;
                for (candidate, forecast) in candidates.iter_mut().zip(forecasts) {
                    candidate.forecast = Some(forecast);
                }
            }
            Err(why) => answer.no_forecast = Some(why),
        }
    }
    candidate::rank(children, &of, &mut candidates, is_forecast);
    if let Some(most) = arguments.tune {
        let most = usize::from(most);
        answer.measured_before_s = measured::measure(children, device, &of, &mut candidates, most)?;
    }
    Ok(candidates)
}
