//! `backup` and `restore`.

use std::{
    io::{Write, stdout},
    path::Path,
    time::Instant,
};

use kerncast_server::upkeep::backup;

use super::{Place, database::on_source};

pub(super) fn back_up(place: &Place, file: &Path) -> anyhow::Result<()> {
    let start = Instant::now();
    on_source(place, async |source| {
        Ok(backup::back_up(&source, file).await?)
    })?;
    report("written", file, start)
}

pub(super) fn restore(place: &Place, file: &Path) -> anyhow::Result<()> {
    let start = Instant::now();
    on_source(place, async |source| {
        Ok(backup::restore(&source, file).await?)
    })?;
    report("restored", file, start)
}

fn report(verb: &str, file: &Path, start: Instant) -> anyhow::Result<()> {
    let bytes = file.metadata().map_or(0, |it| it.len());
    Ok(writeln!(
        stdout(),
        "{verb}: {}, {} MiB, in {:.0} s",
        file.display(),
        bytes >> 20,
        start.elapsed().as_secs_f64()
    )?)
}
