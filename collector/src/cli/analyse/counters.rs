//! What is counted of a workload from the source alone.

use std::io;

use anyhow::{Result, anyhow};
use kerncast_collector::{
    child::Children,
    providers::{Analysis, geometry, scope},
    source_analysis::oclgrind_counts::SourceCounter,
    workload::Workload,
};
use kerncast_profilers::catalogue::ANALYSIS;
use kerncast_wire::{CounterSet, NamedCounterSet, Scope};
use serde_json::json;

use crate::cli::table;

/// Who counts from the source alone.
pub(super) const PROVIDERS: [&str; 2] = [ANALYSIS, OCLGRIND];
const OCLGRIND: &str = "oclgrind";

/// A workload's counters.
pub(super) struct Counts {
    /// The workload.
    name: String,
    /// For `POST /v1/predictions`.
    counters: CounterSet,
    /// What part of the launch they are of.
    scope: Scope,
}

/// As `POST /v1/predictions` takes them; a device is to be named beside them.
pub(super) fn print_json(all: Vec<Counts>) -> io::Result<()> {
    let sets = all.into_iter().map(|counted| NamedCounterSet {
        name: Some(counted.name),
        counters: counted.counters,
        time_s: None,
        measured: None,
    });
    table::print_json(&json!({ "counter_sets": sets.collect::<Vec<_>>() }))
}

/// Who counts what here.
pub(super) struct Counting {
    children: Children,
    analysis: Analysis,
}

impl Counting {
    pub(super) fn start(children: Children) -> Self {
        Self {
            children,
            analysis: Analysis::find(),
        }
    }

    /// What `provider` counts of the workload.
    ///
    /// # Errors
    /// Nobody can tell, and why.
    pub(super) fn count(&self, workload: &Workload<'_>, provider: &str) -> Result<Counts> {
        let name = workload.name();
        let counted = match provider {
            OCLGRIND => self.of_oclgrind(name.clone(), workload),
            _ => self.of_gpu(name.clone(), workload),
        };
        counted.map_err(|why| anyhow!("{name}: {why:#}"))
    }

    fn of_gpu(&self, name: String, workload: &Workload<'_>) -> Result<Counts> {
        let launch = workload.launch()?;
        let found = self
            .analysis
            .of_gpu(workload, &launch)
            .map_err(|why| anyhow!(why))?;
        let of_launch = geometry(&launch, found.local_bytes);
        let counters = [
            (ANALYSIS.to_owned(), found.counters),
            ("launch".to_owned(), of_launch),
        ];
        Ok(Counts {
            name,
            counters: counters.into(),
            scope: scope(found.extent),
        })
    }

    fn of_oclgrind(&self, name: String, workload: &Workload<'_>) -> Result<Counts> {
        let mut from_source = SourceCounter::find(&self.children).map_err(|why| anyhow!(why))?;
        let counted = from_source.counts(workload)?;
        Ok(Counts {
            name,
            scope: scope(counted.extent),
            counters: [
                (OCLGRIND.to_owned(), counted.counters),
                (
                    "launch".to_owned(),
                    geometry(&workload.launch()?, counted.local_bytes),
                ),
            ]
            .into(),
        })
    }
}

pub(super) fn in_words(counted: &Counts) -> String {
    let mut shown = table::new(["counter", "count"]);
    let mut zeros = 0;
    for (provider, counters) in &counted.counters {
        for (counter, count) in counters {
            if *count == 0.0 {
                zeros += 1;
                continue;
            }
            shown.add_row(vec![
                format!("{provider}:{counter}").into(),
                table::number(format!("{count:.0}")),
            ]);
        }
    }
    let sampled = match counted.scope {
        Scope::Full => "",
        _ => "\n  estimated from some of the work-groups",
    };
    let zeros = match zeros {
        0 => String::new(),
        n => format!("\n  {n} more are 0"),
    };
    format!("{}\n{shown}{zeros}{sampled}", counted.name)
}
