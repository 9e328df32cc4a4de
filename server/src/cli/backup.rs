//! Backups, and whether what is stored is what it should be.

use std::{
    io::{Write, stdout},
    path::Path,
    time::Instant,
};

use anyhow::bail;
use kerncast_server::{
    backup,
    fitting::{self, Verified},
};

use super::{
    Place,
    database::{on_database, on_source},
};

pub(super) fn back_up(place: &Place, file: &Path) -> anyhow::Result<()> {
    let start = Instant::now();
    on_source(place, async |source| {
        Ok(backup::back_up(&source, file).await?)
    })?;
    say("written", file, start)
}

pub(super) fn restore(place: &Place, file: &Path) -> anyhow::Result<()> {
    let start = Instant::now();
    on_source(place, async |source| {
        Ok(backup::restore(&source, file).await?)
    })?;
    say("restored", file, start)
}

fn say(done: &str, file: &Path, start: Instant) -> anyhow::Result<()> {
    let bytes = file.metadata().map_or(0, |it| it.len());
    Ok(writeln!(
        stdout(),
        "{done}: {}, {} MiB, in {:.0} s",
        file.display(),
        bytes >> 20,
        start.elapsed().as_secs_f64()
    )?)
}

pub(super) fn verify(place: &Place) -> anyhow::Result<()> {
    on_database(place, async |pool| {
        let mut out = stdout();
        let (mut same, mut differ, mut pending) = (0, 0, 0);
        fitting::verify(&pool, |model, verified| match verified {
            Verified::Same => same += 1,
            Verified::Refused => same += 1,
            Verified::Pending => pending += 1,
            Verified::Differs(how) => {
                differ += 1;
                // Where nobody reads, the status says it.
                let _ = writeln!(out, "{model}: {how}");
            }
        })
        .await?;
        writeln!(
            stdout(),
            "{same} models come out as they are stored, {differ} do not; {pending} wait for a newer fit"
        )?;
        match differ {
            0 => Ok(()),
            n => bail!("{n} models come out otherwise than they are stored"),
        }
    })
}
