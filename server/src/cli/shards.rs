use std::{collections::BTreeMap, io::Write};

use anyhow::{Context, anyhow};
use clap::Subcommand;
use kerncast_server::shards::{self, ALL, COORDINATOR, Home, Shards};
use sqlx::PgPool;

use super::{Place, database::on_database};

#[derive(Subcommand)]
pub(super) enum Command {
    /// List the shards, and which devices are where.
    List,
    /// Set up shards that the file names and the database does not know. Servers that run do so by themselves.
    Add,
    /// Move the counters' values and repetitions of a device's samples to a shard, or spread them, while servers run.
    #[command(after_help = "\
Ended at any moment it leaves every value where it is found; the same command goes on from there.")]
    Move {
        /// The device, by its id as the dashboard's address has it.
        device: i32,
        /// The shard's name; coordinator: the database itself; all: each sample's to one of all shards, for a device that
        /// has more samples than one should hold.
        shard: String,
    },
    /// Move every device to where it would be were it new, and samples of those that are spread to shards that were added.
    Rebalance {
        /// Only say what it would move.
        #[arg(long)]
        dry_run: bool,
    },
}

/// Lists, sets up or moves.
pub(super) fn run(place: &Place, command: Command) -> anyhow::Result<()> {
    let file = place.shards.as_deref();
    let file = file.context("which shards? --shards FILE names them (docs/operations.md)")?;
    on_database(place, async |pool| {
        let before = shards::known(&pool).await?;
        let all = Shards::open(&pool, file).await?;
        let known = Known(shards::known(&pool).await?);
        let mut out = std::io::stdout();
        match command {
            Command::List => list(&pool, &all, &known).await,
            Command::Add => {
                for (number, name) in &known.0 {
                    let new = !before.contains_key(number);
                    let is = if new {
                        "is set up; new devices go there too"
                    } else {
                        "was there"
                    };
                    writeln!(out, "{name}\t{is}")?;
                }
                Ok(())
            }
            Command::Move { device, shard } => {
                let to = known.home(&shard)?;
                move_one(&pool, &all, device, to).await
            }
            Command::Rebalance { dry_run } => {
                for it in shards::devices(&pool).await? {
                    if it.home == it.wanted && it.home != Home::All {
                        continue;
                    }
                    let to = match it.home {
                        Home::All => "all shards, as far as they are not there",
                        _ => known.name(it.wanted),
                    };
                    writeln!(
                        out,
                        "device {}, {}: {} samples to {to}",
                        it.device, it.name, it.samples
                    )?;
                    if !dry_run {
                        move_one(&pool, &all, it.device, it.wanted).await?;
                    }
                }
                Ok(())
            }
        }
    })
}

async fn move_one(pool: &PgPool, all: &Shards, device: i32, to: Home) -> anyhow::Result<()> {
    let mut told = 0;
    let tell = |looked| {
        if looked >= told + 100_000 {
            told = looked;
            tracing::info!("{looked} samples looked at");
        }
    };
    let moved = shards::move_device(pool, all, device, to, tell).await?;
    Ok(writeln!(
        std::io::stdout(),
        "moved: the values of {moved} samples of device {device}"
    )?)
}

async fn list(pool: &PgPool, all: &Shards, known: &Known) -> anyhow::Result<()> {
    let mut out = std::io::stdout();
    for (&number, name) in &known.0 {
        match all.size(number).await {
            Ok((bytes, readings)) => {
                let size = bytes >> 20;
                writeln!(
                    out,
                    "{name}\t{size} MiB, about {readings} readings and lists of repetitions"
                )?;
            }
            Err(error) => writeln!(out, "{name}\t{error}")?,
        }
    }
    for it in shards::devices(pool).await? {
        let at = known.name(it.home);
        writeln!(
            out,
            "device {}, {}\t{at}\t{} samples",
            it.device, it.name, it.samples
        )?;
    }
    Ok(())
}

/// The shards that the database knows, by number.
struct Known(BTreeMap<i16, String>);

impl Known {
    fn name(&self, home: Home) -> &str {
        match home {
            Home::Coordinator => COORDINATOR,
            Home::Shard(number) => &self.0[&number],
            Home::All => ALL,
        }
    }

    fn home(&self, name: &str) -> anyhow::Result<Home> {
        match name {
            COORDINATOR => return Ok(Home::Coordinator),
            ALL => return Ok(Home::All),
            _ => {}
        }
        let found = self.0.iter().find(|(_, it)| *it == name);
        let (&number, _) = found.ok_or_else(|| {
            let names: Vec<&str> = self.0.values().map(String::as_str).collect();
            anyhow!(
                "{name}: expected {COORDINATOR}, {ALL} or a shard: {}",
                names.join(", ")
            )
        })?;
        Ok(Home::Shard(number))
    }
}
