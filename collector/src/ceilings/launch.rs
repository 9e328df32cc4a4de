//! The latency of the shortest launch: one work-item that does nothing, from its event's start to its end. Time of the
//! host and the queue is not included.

use super::{Way, bench};

pub(super) fn latency(bench: bench::Bench<'_>) -> Result<Vec<Way>, bench::Missing> {
    let source = include_str!("launch.cl");
    let function = bench.function(source, "", "nothing")?;
    let took = bench.time(|| bench.queue.launch(&function, &[1], &[1], &[]))?;
    let latency = bench::Rate {
        value: took.median_s,
        spread: took.spread,
    };
    Ok(vec![latency.way("an empty kernel of one work-item")])
}
