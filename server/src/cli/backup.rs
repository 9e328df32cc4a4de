//! Backups, and whether what is stored is what it should be.

use std::{
    io::{Write, stdout},
    path::Path,
    time::Instant,
};

use anyhow::bail;
use kerncast_server::{
    backup::{self, Header},
    fitting::{self, Verified},
};

use super::{
    Place,
    database::{on_database, on_source},
    told::time,
};

pub(super) fn back_up(place: &Place, file: &Path) -> anyhow::Result<()> {
    let start = Instant::now();
    let shards = place.sources()?;
    let header = on_source(place, async |source| {
        Ok(backup::back_up(&source, file, &shards).await?)
    })?;
    let bytes = file.metadata().map_or(0, |it| it.len());
    say("written", file, &header, bytes, start)
}

pub(super) fn restore(place: &Place, file: &Path) -> anyhow::Result<()> {
    let start = Instant::now();
    let shards = place.sources()?;
    let header = on_source(place, async |source| {
        Ok(backup::restore(&source, file, &shards).await?)
    })?;
    let bytes = file.metadata().map_or(0, |it| it.len());
    say("restored", file, &header, bytes, start)
}

fn say(done: &str, file: &Path, header: &Header, bytes: u64, start: Instant) -> anyhow::Result<()> {
    let Header {
        server,
        migration,
        postgres,
        made_at,
        samples,
        models,
        shards,
    } = header;
    if !shards.is_empty() {
        let beside: Vec<String> = shards
            .iter()
            .map(|it| format!("{}.{it}", file.display()))
            .collect();
        writeln!(
            stdout(),
            "{done} with the values on its shards: {}",
            beside.join(", ")
        )?;
    }
    Ok(writeln!(
        stdout(),
        "{done}: {}, {} MiB, {samples} samples, {models} models, of {} by kerncast-server {server} (migration \
         {migration}, PostgreSQL {postgres}), in {:.0} s",
        file.display(),
        bytes >> 20,
        time(made_at),
        start.elapsed().as_secs_f64()
    )?)
}

pub(super) fn verify(place: &Place) -> anyhow::Result<()> {
    on_database(place, async |pool| {
        let mut out = stdout();
        let (mut same, mut differ, mut pending) = (0, 0, 0);
        let shards = place.shards(&pool).await?;
        fitting::verify(&pool, &shards, |model, verified| match verified {
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
