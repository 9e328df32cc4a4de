use std::io::Write;

use anyhow::bail;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use clap::{Args, Subcommand};
use kerncast_server::{
    check_decision,
    db::{self, audit::Actor},
};
use kerncast_wire::{Decided, DecidedDevice, Decision, NewDecision, SampleSelection, Standing};
use uuid::Uuid;

use super::{
    Place,
    database::on_database,
    told::{in_order, time},
};

/// The first is the newest.
const MOST_LISTED: i64 = 1000;

#[derive(Subcommand)]
pub(super) enum Command {
    /// Set samples aside: they stay stored and listed, and count for nothing.
    #[command(after_help = "\
Examples:
  kerncast-server samples reject --agent lab-9 --since 2026-11-20 --reason 'its clock was wrong' --dry-run
  kerncast-server samples reject --token 7 --reason 'the token was stolen'")]
    Reject(Chosen),
    /// Fit samples, whatever the gate says of them.
    Accept(Chosen),
    /// Take back what was decided of samples.
    Restore(Chosen),
    /// List samples that the gate has set aside, and why.
    Quarantined,
}

/// Which samples: those to which all of it applies.
#[derive(Args)]
pub(super) struct Chosen {
    /// Their ids.
    #[arg(value_name = "ID")]
    ids: Vec<Uuid>,
    /// What this agent measured.
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// What this token brought, by its id as `token list` has it.
    #[arg(long, value_name = "ID")]
    token: Option<i64>,
    /// Of this device, by its id as the dashboard's address has it.
    #[arg(long, value_name = "ID")]
    device: Option<i64>,
    /// Of this kernel.
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Of this standing: unjudged, sound, quarantined, rejected or accepted.
    #[arg(long, value_parser = standing)]
    standing: Option<Standing>,
    /// Stored from then on, by the server's clock: 2026-11-20 (UTC) or 2026-11-20T08:00:00+09:00.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    since: Option<DateTime<Utc>>,
    /// Stored before then.
    #[arg(long, value_name = "TIME", value_parser = moment)]
    before: Option<DateTime<Utc>>,
    /// Why, for those who read the audit log.
    #[arg(long, value_name = "TEXT")]
    reason: String,
    /// Only say what it would change.
    #[arg(long)]
    dry_run: bool,
}

fn standing(word: &str) -> Result<Standing, String> {
    match word {
        "unjudged" => Ok(Standing::Unjudged),
        "sound" => Ok(Standing::Sound),
        "quarantined" => Ok(Standing::Quarantined),
        "rejected" => Ok(Standing::Rejected),
        "accepted" => Ok(Standing::Accepted),
        _ => Err("expected unjudged, sound, quarantined, rejected or accepted".to_owned()),
    }
}

fn moment(text: &str) -> Result<DateTime<Utc>, String> {
    if let Ok(day) = text.parse::<NaiveDate>() {
        return Ok(day.and_time(NaiveTime::MIN).and_utc());
    }
    let time = DateTime::parse_from_rfc3339(text);
    time.map(Into::into)
        .map_err(|_| "expected a day, 2026-11-20, or a time, 2026-11-20T08:00:00Z".to_owned())
}

/// Decides, or lists.
pub(super) fn run(place: &Place, command: Command) -> anyhow::Result<()> {
    let (decision, chosen) = match command {
        Command::Reject(chosen) => (Decision::Reject, chosen),
        Command::Accept(chosen) => (Decision::Accept, chosen),
        Command::Restore(chosen) => (Decision::Restore, chosen),
        Command::Quarantined => return quarantined(place),
    };
    let new = chosen.decision(decision);
    in_order(check_decision(&new))?;
    on_database(place, async |pool| {
        let decided = db::decisions::decide(&pool, &new, &Actor::command_line()).await?;
        let Decided {
            samples,
            devices,
            dry_run,
        } = match decided {
            Ok(decided) => decided,
            Err((field, value, expected)) => bail!("{field} {value}: expected {expected}"),
        };
        let mut out = std::io::stdout();
        let would = if dry_run { "would change" } else { "changed" };
        writeln!(out, "{would}: {samples} samples")?;
        for DecidedDevice {
            device,
            name,
            samples,
        } in devices
        {
            writeln!(out, "{device}\t{name:?}\t{samples} samples")?;
        }
        Ok(())
    })
}

impl Chosen {
    fn decision(self, decision: Decision) -> NewDecision {
        let Self {
            ids,
            agent,
            token,
            device,
            kernel,
            standing,
            since,
            before,
            reason,
            dry_run,
        } = self;
        NewDecision {
            decision,
            samples: SampleSelection {
                ids: Some(ids).filter(|ids| !ids.is_empty()),
                agent,
                token,
                device,
                kernel,
                standing,
                stored_from: since,
                stored_before: before,
                measured_from: None,
                measured_before: None,
            },
            reason,
            dry_run,
        }
    }
}

fn quarantined(place: &Place) -> anyhow::Result<()> {
    on_database(place, async |pool| {
        let mut out = std::io::stdout();
        for sample in db::samples::quarantined(&pool, MOST_LISTED).await? {
            let new = &sample.sample;
            writeln!(
                out,
                "{}\t{:?}\t{:?}\t{} {}\t{}\tstored {}\t{:?}",
                new.id,
                new.agent.name,
                new.device.name,
                new.workload.kernel,
                new.workload.variant,
                serde_json::json!(new.workload.parameters),
                time(&sample.received_at),
                sample.standing_reason.unwrap_or_default(),
            )?;
        }
        Ok(())
    })
}
