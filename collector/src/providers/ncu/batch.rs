//! Counts several workloads in one process of ncu, which takes over a second to start.

use std::fs;

use kerncast_profilers::{
    Error, Format, Launch,
    catalogue::{
        ncu::{REPLAY_TIME, TIME},
        requested,
    },
    parse_as,
    sass::{Chain, Listing, chains, listings},
};
use kerncast_wire::Reading;

use super::{NAME, tool::NsightCompute};
use crate::{
    device::NVIDIA,
    providers::{BatchResult, Profiler, refuse},
    replay::{Batch, Outcome, Through, replay},
};

impl Profiler for NsightCompute {
    const NAME: &'static str = NAME;
    const VENDOR: &'static str = NVIDIA;

    fn version(&self) -> &str {
        &self.0.version
    }

    fn count(&mut self, batch: Batch<'_>) -> Result<BatchResult, String> {
        let [report, log] =
            ["counted.ncu-rep", "ncu.log"].map(|file| batch.children.scratch().join(file));
        for file in [&report, &log] {
            let _ = fs::remove_file(file); // of the batch before
        }
        let before = self.command_line(&report, &log);
        let finished = replay(batch, &before, Through::Cuda)
            .map_err(|error| format!("{}: {error}", self.0.path.display()))?;
        let page = |page| self.page(&report, page).unwrap_or_default();
        let (raw, source) = if report.exists() {
            (page("raw"), page("source"))
        } else {
            // It says why there is none.
            (fs::read_to_string(&log).unwrap_or_default(), String::new())
        };
        let how = || match finished.status {
            Some(status) => format!("the replay crashed ({status})"),
            None => {
                let seconds = batch.limit.as_secs_f64();
                format!("the replay hung: killed after {seconds} s")
            }
        };
        match finished.fault(batch.workloads.len(), how) {
            None => match_up(finished.outcomes, &raw, &source),
            Some((place, fault)) => match parse_as(Format::Ncu, &raw) {
                Err(error) if !is_of_the_replay(&error) => Err(problem_text(&error)),
                _ => Ok(BatchResult::Fault(place, fault)),
            },
        }
    }
}

/// Whether ncu's error only says that the replay ended badly or gave nothing.
fn is_of_the_replay(error: &Error) -> bool {
    match error {
        Error::Profiler { message, .. } => message.contains("application"),
        Error::NothingProfiled { .. } | Error::NoLaunches { .. } | Error::Empty => true,
        _ => false,
    }
}

/// The text of ncu's error, with advice that ncu does not give.
fn problem_text(error: &Error) -> String {
    match error {
        Error::Profiler { message, .. } if message.contains("driver resource") => format!(
            "{error}. Another profiler holds the counters; DCGM lets go of them with `dcgmi profile \
             --pause`"
        ),
        _ => error.to_string(),
    }
}

/// Gives each outcome its row of ncu's raw page and its code of the source page, which have one of each for each
/// profiled launch, in order. A launch that ncu could not count is a fault.
fn match_up(outcomes: Vec<Outcome>, raw: &str, source: &str) -> Result<BatchResult, String> {
    let profiled = outcomes.iter().enumerate();
    let profiled = profiled.filter_map(|(place, it)| Some((place, it.profiled.as_deref()?)));
    let profiled: Vec<(usize, &str)> = profiled.collect();
    let rows = match parse_as(Format::Ncu, raw) {
        _ if profiled.is_empty() => Vec::new(),
        Ok(parsed) => parsed.launches,
        Err(error) if is_of_the_replay(&error) => Vec::new(),
        Err(error) => return Err(problem_text(&error)),
    };
    let has_its_row = |(row, (_, function)): &(usize, &(usize, &str))| {
        rows.get(*row)
            .is_some_and(|it| is_called(&it.kernel, function))
    };
    if let Some((_, (place, _))) = profiled.iter().enumerate().find(|it| !has_its_row(it)) {
        let fault = "ncu wrote no row of its launch";
        return Ok(BatchResult::Fault(*place, fault.to_owned()));
    }
    if rows.len() > profiled.len() {
        let (rows, launches) = (rows.len(), profiled.len());
        return Err(format!(
            "ncu wrote {rows} rows for {launches} profiled launches"
        ));
    }
    // Without them only the chains are missing.
    let mut listings = listings(source).unwrap_or_default();
    let is_of = |(listing, row): (&Listing, &Launch)| is_called(&row.kernel, &listing.function);
    if listings.len() != rows.len() || !listings.iter().zip(&rows).all(is_of) {
        listings.clear();
    }
    let mut listings = listings.into_iter();
    let mut rows = rows.into_iter();
    let readings = outcomes.into_iter().map(|outcome| {
        let row = outcome.profiled.as_ref().and_then(|_| rows.next());
        let listing = row.as_ref().and_then(|_| listings.next());
        match (outcome.time_s, row) {
            (Ok(time_s), Some(row)) => reading(&row, listing.as_ref(), time_s),
            (Ok(_), None) => refuse("the replay ended before it was profiled"),
            (Err(reason), _) => refuse(reason),
        }
    });
    Ok(BatchResult::All(readings.collect()))
}

/// Whether a name that ncu shows, perhaps a signature, is that of the function.
fn is_called(kernel: &str, function: &str) -> bool {
    kernel.split('(').next() == Some(function)
}

fn reading(row: &Launch, listing: Option<&Listing>, replay_time_s: f64) -> Reading {
    let counters = row.counters.get(NAME);
    let value = |name: &str| match name {
        // The parser takes it for the launch's time.
        TIME => row.time_s.map(|seconds| seconds * 1e9),
        _ => counters.and_then(|counters| counters.get(name)).copied(),
    };
    let mut reading = Reading::default();
    for metric in requested(NAME) {
        let counter = value(&metric.name).map(|it| (metric.name.clone(), it));
        reading.counters.extend(counter);
    }
    let replayed = (REPLAY_TIME.to_owned(), replay_time_s * 1e9);
    reading.counters.extend([replayed]);
    if let Some(cycles) = listing.and_then(|it| chains(&it.code)) {
        let names = Chain::ALL.map(|(_, name)| name.to_owned());
        reading.counters.extend(names.into_iter().zip(cycles));
    }
    reading
}

#[cfg(test)]
mod tests {
    use kerncast_profilers::catalogue::Counter;

    use super::*;

    /// The file is described in tests/captured/ncu/README.md.
    const TWO_LAUNCHES: &str = include_str!("../../../tests/captured/ncu/dwt_haar_1d.csv");

    const GLOBAL: &str = "dwt_haar_1d_global";
    const LOCAL: &str = "dwt_haar_1d_local";

    fn profiled(function: &str, time_s: Result<f64, &str>) -> Outcome {
        Outcome {
            profiled: Some(function.to_owned()),
            time_s: time_s.map_err(str::to_owned),
        }
    }

    fn all_readings(result: Result<BatchResult, String>) -> Vec<Reading> {
        match result.expect("ncu gave something") {
            BatchResult::All(readings) => readings,
            BatchResult::Fault(place, fault) => panic!("{place}: {fault}"),
        }
    }

    #[test]
    fn a_launch_that_ncu_could_not_count_is_at_fault() {
        let (global, local) = (|| profiled(GLOBAL, Ok(1e-6)), || profiled(LOCAL, Ok(1e-6)));
        for (outcomes, place) in [
            (vec![global(), profiled("sobel", Ok(1e-6)), local()], 1),
            (vec![global(), local(), local()], 2),
        ] {
            let result = match_up(outcomes, TWO_LAUNCHES, "");
            assert!(
                matches!(result, Ok(BatchResult::Fault(at, _)) if at == place),
                "{result:?}"
            );
        }
    }

    #[test]
    fn each_profiled_launch_gets_its_row() {
        let unprofiled = Outcome {
            profiled: None,
            time_s: Err("no such luck".to_owned()),
        };
        let outcomes = vec![
            profiled(GLOBAL, Ok(206.4e-6)),
            unprofiled,
            profiled(LOCAL, Ok(246e-6)),
        ];
        let readings = all_readings(match_up(outcomes, TWO_LAUNCHES, ""));
        let counters: Vec<_> = readings.iter().map(|reading| &reading.counters).collect();
        // The file is older than the newest counters.
        let is_there = |it: &&'static Counter| TWO_LAUNCHES.contains(&format!("\"{}\"", it.name));
        let captured = requested(NAME).filter(is_there).count();
        assert!(captured > 80, "{captured} counters");
        assert_eq!(counters[0].len(), captured + 1);
        for (name, global, local) in [
            ("smsp__inst_executed.sum", 138_674_176.0, 147_062_784.0),
            ("dram__sectors_read.sum", 8_389_040.0, 8_389_752.0),
            ("launch__registers_per_thread", 17.0, 17.0),
            (TIME, 206_432.0, 246_368.0),
            (REPLAY_TIME, 206_400.0, 246_000.0),
        ] {
            for (counters, expected) in [(counters[0], global), (counters[2], local)] {
                assert!((counters[name] / expected - 1.0).abs() < 1e-12, "{name}");
            }
        }
        assert_eq!(readings[1].refusal.as_deref(), Some("no such luck"));
    }

    #[test]
    fn the_code_of_each_launch_tells_its_chains() {
        let outcomes = || vec![profiled(GLOBAL, Ok(1e-6)), profiled(LOCAL, Ok(1e-6))];
        let listing = |function: &str, executed: u64| {
            format!(
                "\"Kernel Name\",\"{function}\",\n\"Address\",\"Source\",\"inst_executed\"\n\
                 \"0x10\",\"LDG.E R0, desc[UR4][R2.64]\",\"{executed}\"\n\
                 \"0x20\",\"IADD3 R1, R0, R0, RZ\",\"{executed}\"\n"
            )
        };
        let source = listing(GLOBAL, 1) + &listing(LOCAL, 3);
        let readings = all_readings(match_up(outcomes(), TWO_LAUNCHES, &source));
        for (reading, warps) in readings.iter().zip([1.0, 3.0]) {
            // The sum is issued when the load is there, or a cycle after it where that is at once.
            let chain = |name: &str| reading.counters[&format!("sass_chain.{name}")] / warps;
            for (name, cycles) in [("fixed", 2.0), ("l1", 36.0), ("dram", 601.0)] {
                assert!(
                    (chain(name) - cycles).abs() < 1e-9,
                    "{name}: {}",
                    chain(name)
                );
            }
        }
        // Other code says nothing.
        let other = listing(LOCAL, 1) + &listing(GLOBAL, 3);
        for source in [other, listing(GLOBAL, 1)] {
            let readings = all_readings(match_up(outcomes(), TWO_LAUNCHES, &source));
            let chains = |it: &Reading| it.counters.keys().any(|name| name.starts_with("sass"));
            assert!(!readings.iter().any(chains));
        }
    }

    #[test]
    fn counters_of_a_replay_that_differs_are_not_believed() {
        let outcomes = vec![
            profiled(GLOBAL, Err("outputs differ")),
            profiled(LOCAL, Ok(246e-6)),
        ];
        let readings = all_readings(match_up(outcomes, TWO_LAUNCHES, ""));
        assert!(readings[0].counters.is_empty());
        assert_eq!(readings[0].refusal.as_deref(), Some("outputs differ"));
        assert!(readings[1].refusal.is_none());
    }

    #[test]
    fn rows_that_cannot_be_told_apart_are_refused() {
        let problem =
            match_up(vec![profiled(GLOBAL, Ok(1e-6))], TWO_LAUNCHES, "").expect_err("two rows");
        assert_eq!(problem, "ncu wrote 2 rows for 1 profiled launches");
    }

    #[test]
    fn what_ncu_refuses_comes_with_what_to_do() {
        // Nsight Compute's wording.
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
            let problem =
                match_up(vec![profiled(GLOBAL, Ok(1e-6))], &log, "").expect_err("no rows");
            assert!(problem.contains(advice), "{problem}");
        }
    }
}
