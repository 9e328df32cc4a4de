//! `--counters`: a provider's counters of workloads, from their sources.

use std::process::ExitCode;

use anyhow::Result;
use kerncast_collector::{
    counting, forecast::unnamed_set, providers::Analysis, workload::Workload,
};
use kerncast_wire::{NamedCounterSet, Scope};
use serde_json::json;

use crate::cli::{exit, options::children, table, wrap::for_terminal};

pub(super) fn print(workloads: &[Workload<'_>], provider: &str, json: bool) -> Result<ExitCode> {
    let (children, analysis) = (children()?, Analysis::find());
    let (mut counts, mut refusals) = (Vec::new(), Vec::new());
    for workload in workloads {
        match counting::count_from_source(&children, &analysis, workload, provider) {
            Ok(workload_counts) => counts.push(workload_counts),
            Err(why) => refusals.push(why),
        }
    }
    // Where nothing was counted there is nothing else to print than the last refusal.
    let last = refusals.pop_if(|_| counts.is_empty());
    refusals.iter().for_each(|why| say!("kerncast: {why:#}"));
    if let Some(why) = last {
        return Err(why);
    }
    if json {
        // The form that `POST /v1/predictions` takes; a device is to be named beside them.
        let sets = counts.into_iter().map(|it| NamedCounterSet {
            name: Some(it.workload),
            ..unnamed_set(it.counters)
        });
        table::print_json(&json!({ "counter_sets": sets.collect::<Vec<_>>() }))?;
    } else {
        let words: Vec<String> = counts.iter().map(in_words).collect();
        table::print(&for_terminal(&words.join("\n\n")))?;
    }
    Ok(exit(refusals.is_empty()))
}

fn in_words(counts: &counting::SourceCounts) -> String {
    let mut rows = table::new(["counter", "count"]);
    let mut zeros = 0;
    for (provider, counters) in &counts.counters {
        for (counter, count) in counters {
            if *count == 0.0 {
                zeros += 1;
                continue;
            }
            rows.add_row(vec![
                format!("{provider}:{counter}").into(),
                table::number(format!("{count:.0}")),
            ]);
        }
    }
    let estimated = match counts.scope {
        Scope::Full => "",
        _ => "\n  estimated from some of the work-groups",
    };
    let zeros = match zeros {
        0 => String::new(),
        n => format!("\n  {n} more are 0"),
    };
    format!("{}\n{rows}{zeros}{estimated}", counts.workload)
}
