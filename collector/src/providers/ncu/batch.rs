//! Several workloads in one process of ncu: it takes over a second to start.

use std::{fs, time::Duration};

use kerncast_profilers::{
    Error, Format, Launch,
    catalogue::ncu::{METRICS, REPLAY_TIME, TIME},
    parse_as,
};
use kerncast_wire::Reading;

use super::{NAME, tool::Tool};
use crate::{
    child::Children,
    providers::{ahead::Counted, refuse},
    replay::{Outcome, Target, Through, replay},
};

/// Replays `targets` under ncu.
///
/// # Errors
/// Why ncu itself gave nothing: it will do no better with other targets.
pub(super) fn count(
    tool: &Tool,
    children: &Children,
    device: usize,
    targets: &[Target],
    limit: Duration,
) -> Result<Counted, String> {
    let log = children.scratch().join("ncu.csv");
    let _ = fs::remove_file(&log); // of the batch before
    let before = tool.command_line(&log);
    let ended = replay(children, &before, Through::Cuda, device, targets, limit)
        .map_err(|error| format!("{}: {error}", tool.path.display()))?;
    let log = fs::read_to_string(&log).unwrap_or_default();
    let how = || {
        ended.status.map_or_else(
            || format!("the replay hung: killed after {} s", limit.as_secs_f64()),
            |status| format!("the replay crashed ({status})"),
        )
    };
    match ended.fault(targets.len(), how) {
        None => match_up(ended.outcomes, &log).map(Counted::All),
        Some((place, fault)) => match parse_as(Format::Ncu, &log) {
            Err(error) if !is_of_the_replay(&error) => Err(in_words(&error)),
            _ => Ok(Counted::Fault(place, fault)),
        },
    }
}

/// Whether ncu only says that what it ran ended badly, or nothing at all.
fn is_of_the_replay(error: &Error) -> bool {
    match error {
        Error::Profiler { message, .. } => message.contains("application"),
        Error::NothingProfiled { .. } | Error::NoLaunches { .. } | Error::Empty => true,
        _ => false,
    }
}

/// ncu's problem, and what to do where ncu does not say it.
fn in_words(error: &Error) -> String {
    match error {
        Error::Profiler { message, .. } if message.contains("driver resource") => format!(
            "{error}. Another profiler holds the counters; DCGM lets go of them with `dcgmi profile \
             --pause`"
        ),
        _ => error.to_string(),
    }
}

/// Gives each outcome its row of ncu's table: there is one for each profiled launch, in order.
fn match_up(outcomes: Vec<Outcome>, log: &str) -> Result<Vec<Reading>, String> {
    let profiled = outcomes
        .iter()
        .filter(|outcome| outcome.profiled.is_some())
        .count();
    let mut rows = Vec::new();
    if profiled > 0 {
        let parsed = parse_as(Format::Ncu, log).map_err(|error| in_words(&error))?;
        rows = parsed.launches;
    }
    if rows.len() != profiled {
        let found = rows.len();
        return Err(format!(
            "ncu wrote {found} rows for {profiled} profiled launches"
        ));
    }
    let mut rows = rows.into_iter();
    let readings = outcomes.into_iter().map(|outcome| {
        let row = outcome.profiled.as_ref().and_then(|_| rows.next());
        match (outcome.time_s, row) {
            (Ok(time_s), Some(row)) => reading(&row, time_s),
            (Ok(_), None) => refuse("the replay ended before it was profiled"),
            (Err(reason), _) => refuse(reason),
        }
    });
    Ok(readings.collect())
}

fn reading(row: &Launch, replay_time_s: f64) -> Reading {
    let counted = row.counters.get(NAME);
    let value = |name: &str| match name {
        // The parser takes it for the launch's time.
        TIME => row.time_s.map(|seconds| seconds * 1e9),
        _ => counted.and_then(|counters| counters.get(name)).copied(),
    };
    let mut reading = Reading::default();
    for metric in METRICS {
        let found = value(metric.name).or_else(|| metric.also.and_then(value));
        let counter = found.map(|found| (metric.name.to_owned(), found));
        reading.counters.extend(counter);
    }
    let replayed = (REPLAY_TIME.name.to_owned(), replay_time_s * 1e9);
    reading.counters.extend([replayed]);
    reading
}

#[cfg(test)]
mod tests {
    use super::*;

    /// tests/captured/ncu/README.md
    const TWO_LAUNCHES: &str = include_str!("../../../tests/captured/ncu/dwt_haar_1d.csv");

    fn profiled(time_s: Result<f64, &str>) -> Outcome {
        Outcome {
            profiled: Some("dwt_haar_1d".to_owned()),
            time_s: time_s.map_err(str::to_owned),
        }
    }

    #[test]
    fn each_profiled_launch_gets_its_row() {
        let unprofiled = Outcome {
            profiled: None,
            time_s: Err("no such luck".to_owned()),
        };
        let outcomes = vec![profiled(Ok(206.4e-6)), unprofiled, profiled(Ok(246e-6))];
        let readings = match_up(outcomes, TWO_LAUNCHES).expect("as many rows as launches");
        let counters: Vec<_> = readings.iter().map(|reading| &reading.counters).collect();
        assert_eq!(counters[0].len(), METRICS.len() + 1);
        for (name, global, local) in [
            ("smsp__inst_executed.sum", 138_674_176.0, 147_062_784.0),
            ("dram__sectors_read.sum", 8_389_040.0, 8_389_752.0),
            ("launch__registers_per_thread", 17.0, 17.0),
            (TIME, 206_432.0, 246_368.0),
            (REPLAY_TIME.name, 206_400.0, 246_000.0),
        ] {
            for (counters, expected) in [(counters[0], global), (counters[2], local)] {
                assert!((counters[name] / expected - 1.0).abs() < 1e-12, "{name}");
            }
        }
        assert_eq!(readings[1].refusal.as_deref(), Some("no such luck"));
    }

    #[test]
    fn counters_of_a_replay_that_differs_are_not_believed() {
        let outcomes = vec![profiled(Err("outputs differ")), profiled(Ok(246e-6))];
        let readings = match_up(outcomes, TWO_LAUNCHES).expect("as many rows as launches");
        assert!(readings[0].counters.is_empty());
        assert_eq!(readings[0].refusal.as_deref(), Some("outputs differ"));
        assert!(readings[1].refusal.is_none());
    }

    #[test]
    fn rows_that_cannot_be_told_apart_are_refused() {
        let problem = match_up(vec![profiled(Ok(1e-6))], TWO_LAUNCHES).expect_err("two rows");
        assert_eq!(problem, "ncu wrote 2 rows for 1 profiled launches");
    }

    #[test]
    fn what_ncu_refuses_comes_with_what_to_do() {
        // As Nsight Compute words them.
        for (error, advice) in [
            (
                "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU \
                 Performance Counters on the target device 0.",
                "NVreg_RestrictProfilingToAdminUsers=0",
            ),
            (
                "==ERROR== Profiling failed because a driver resource was unavailable. Ensure that no \
                 other tool (like DCGM) is concurrently collecting profiling data.",
                "dcgmi profile --pause",
            ),
        ] {
            let log =
                format!("==PROF== Connected to process 1 (/usr/local/bin/kerncast)\n{error}\n");
            let problem = match_up(vec![profiled(Ok(1e-6))], &log).expect_err("no rows");
            assert!(problem.contains(advice), "{problem}");
        }
    }
}
