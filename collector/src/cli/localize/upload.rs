//! What was made, sent to the server for the kernel's page.

use anyhow::{Context, Result, anyhow};
use kerncast_analysis::localize::Refusal;
use kerncast_collector::{
    client::Client, localize::Checked, localized_page::OnPage, providers::Analysis,
};
use kerncast_suite::{Kernel, load};
use kerncast_wire::{GlobalLoads, Localized, LocalizedChecks, LocalizedRefusal, LocalizedStatus};

use super::{Answer, Status};
use crate::cli::analyses;

/// Sends it with the sources that the kernel's folder has now: what was written into it changes their hash, and what is
/// said of others is shown nowhere.
pub(super) fn send(
    server: &Client,
    kernel: &Kernel,
    analysis: &Analysis,
    answer: &Answer,
    on_page: Option<OnPage>,
) -> Result<()> {
    let kernel = load(&kernel.folder)?
        .pop()
        .context("a folder is a kernel's")?;
    let variant = kernel.variant(&answer.of).context("the variant is there")?;
    let file = variant.source.strip_prefix(&kernel.folder);
    let file = file
        .unwrap_or(&variant.source)
        .to_string_lossy()
        .into_owned();
    let (variant, placed) = on_page.map_or((None, Vec::new()), |it| (it.variant, it.placed));
    let localized = Localized {
        of: answer.of.clone(),
        status: match answer.status {
            Status::Rewritten => LocalizedStatus::Rewritten,
            Status::NothingToGain => LocalizedStatus::NothingToGain,
            Status::Refused => LocalizedStatus::Refused,
            Status::CheckFailed => LocalizedStatus::CheckFailed,
        },
        source: answer.source.clone(),
        variant,
        placed,
        refusals: answer
            .refusals
            .iter()
            .map(|it| refused(it, &file))
            .collect(),
        global_loads: answer.global_loads.as_ref().map(|loads| GlobalLoads {
            at: loads.at.clone(),
            before: loads.before,
            after: loads.after,
        }),
        checked: answer.checked.as_ref().map(shown),
        file,
    };
    let sent = analyses::send(server, &kernel, analysis, Some(localized));
    sent.map_err(|why| anyhow!("{}: {why}", kernel.name))?;
    eprintln!(
        "{} knows what becomes of {} in local memory",
        server.url(),
        kernel.name
    );
    Ok(())
}

fn refused(refusal: &Refusal, file: &str) -> LocalizedRefusal {
    let place = &refusal.place;
    LocalizedRefusal {
        array: refusal.array.clone(),
        reason: refusal.reason.words().to_owned(),
        why: Some(refusal.reason),
        is_no_gain: refusal.reason.is_no_gain(),
        // Of a kernel that is not followed at all there is no place.
        file: match &*place.file {
            "" => file.to_owned(),
            own => own.to_owned(),
        },
        line: place.line,
        column: place.column,
    }
}

fn shown(checked: &Checked) -> LocalizedChecks {
    LocalizedChecks {
        equal: checked.equal.clone(),
        race_free: checked.race_free.clone(),
        skipped: checked.skipped.clone(),
        failures: checked.failures.clone(),
    }
}
