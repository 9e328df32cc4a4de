//! What the server's gate makes of what was just sent: models learn from none of what it sets aside.

use std::{
    collections::BTreeSet,
    thread,
    time::{Duration, Instant},
};

use kerncast_collector::client::{Client, ServerError};
use kerncast_suite::sizes;
use kerncast_wire::{Sample, Standing};
use uuid::Uuid;

use crate::cli::progress::Still;

/// The gate judges what is new before the next fit, which begins at once where no other is under way.
const PATIENCE: Duration = Duration::from_secs(30);
const BETWEEN: Duration = Duration::from_millis(500);
/// Of so many somebody is told what became of them; whoever loads more looks at the dashboard.
const MOST: usize = 200;
/// Reasons that a person reads.
const SHOWN: usize = 5;

/// Which of the new samples were set aside and why, or that this is not known yet; none where all is well.
pub(super) fn set_aside(
    server: &Client,
    new: &BTreeSet<Uuid>,
) -> Result<Option<String>, ServerError> {
    let later = "the server judges them before its next fit: the dashboard's page Quarantine has what it sets aside";
    if new.len() > MOST {
        return Ok(Some(later.to_owned()));
    }
    let start = Instant::now();
    let _still = Still::doing(
        "waiting for the server to judge them",
        "half a minute at most",
    );
    let mut own = Vec::new();
    for id in new {
        // Those of a device are judged together, so that only the first one of each is waited for.
        let sample = loop {
            let sample = server.sample(*id)?;
            if sample.standing != Standing::Unjudged {
                break sample;
            }
            if start.elapsed() > PATIENCE {
                return Ok(Some(later.to_owned()));
            }
            thread::sleep(BETWEEN);
        };
        if sample.standing == Standing::Quarantined {
            own.push(sample);
        }
    }
    Ok((!own.is_empty()).then(|| in_words(&own, new.len())))
}

fn in_words(own: &[Sample], new: usize) -> String {
    let mut lines = vec![format!(
        "{} of {new} new samples set aside, and no model learns from them until an admin accepts them (the dashboard's \
         page Quarantine):",
        own.len()
    )];
    for it in own.iter().take(SHOWN) {
        let of = &it.sample.workload;
        let why = it.standing_reason.as_deref().unwrap_or("no reason is told");
        let (kernel, variant, sizes) = (&of.kernel, &of.variant, sizes(&of.parameters));
        let device = &it.sample.device.name;
        lines.push(format!("  {kernel} {variant} {sizes} on {device}: {why}"));
    }
    if own.len() > SHOWN {
        lines.push(format!("  and {} more", own.len() - SHOWN));
    }
    lines.join("\n")
}
