//! Measures on the device: builds the kernel once for each i, and launches it for each w and c.

use std::sync::Arc;

use kerncast_opencl::{Buffer, Function, OpenClDevice, Queue};
use kerncast_wire::{TimeSummary, Times};

use super::{GRID, LocalMemoryError, MeasuredPoints, Point, WARP};
use crate::device::NVIDIA;

pub(super) const SOURCE: &str = include_str!("local_memory.cl");

/// Rounds of a launch with a clock, as many as the published measurement has.
const CLOCKED_ROUNDS: u32 = 100;
/// Rounds of a launch without a clock: only the whole launch is timed, and its loads should outweigh its start.
const TIMED_ROUNDS: u32 = 1000;
/// Timed launches of each point, after one that is not timed.
const LAUNCHES: usize = 3;

/// Measures every point that the device can run.
///
/// # Errors
/// OpenCL fails, or the compiler left loads out.
pub fn measure(device: &OpenClDevice) -> Result<MeasuredPoints, LocalMemoryError> {
    let bench = Bench::new(device)?;
    let mut clock_cycles = None;
    if bench.has_clock {
        let (mut function, _) = bench.build(0)?;
        clock_cycles = bench.run(&mut function, 0, 1, 1)?.cycles;
    }
    let fits = |warps: &u32| (warps * WARP) as usize <= device.facts.max_work_group_size;
    let warps: Vec<u32> = GRID.into_iter().filter(fits).collect();
    let mut points = Vec::new();
    for instructions in GRID {
        let (mut function, build_options) = bench.build(instructions)?;
        for &warps in &warps {
            for congestion in GRID {
                let run = bench.run(&mut function, instructions, warps, congestion)?;
                let less = |cycles: f64| Some((cycles - clock_cycles?).max(0.0));
                points.push(Point {
                    instructions,
                    warps,
                    congestion,
                    cycles: run.cycles.and_then(less),
                    times: run.times,
                    build_options: build_options.clone(),
                });
            }
        }
    }
    Ok(MeasuredPoints {
        clock_cycles,
        points,
    })
}

/// A queue with the kernel's buffers.
struct Bench {
    queue: Queue,
    has_clock: bool,
    rounds: u32,
    /// The sum of each thread (32 warps).
    sums: Arc<Buffer>,
    /// The clock when each warp of each round started (rounds × 32), and when it ended.
    starts: Arc<Buffer>,
    ends: Arc<Buffer>,
}

struct Run {
    cycles: Option<f64>,
    times: Times,
}

impl Bench {
    fn new(device: &OpenClDevice) -> Result<Self, LocalMemoryError> {
        let queue = device.context()?.queue()?;
        // Inline PTX is NVIDIA's compiler's alone.
        let has_clock = device.facts.vendor == NVIDIA;
        let rounds = if has_clock {
            CLOCKED_ROUNDS
        } else {
            TIMED_ROUNDS
        };
        let sums = queue.buffer(&[0; 4 * (WARP * WARP) as usize])?;
        let clocks = vec![0; 4 * (rounds * WARP) as usize];
        let (starts, ends) = (queue.buffer(&clocks)?, queue.buffer(&clocks)?);
        Ok(Self {
            queue,
            has_clock,
            rounds,
            sums: sums.into(),
            starts: starts.into(),
            ends: ends.into(),
        })
    }

    fn build(&self, instructions: u32) -> Result<(Function, String), LocalMemoryError> {
        let mut options = format!("-DLOADS={instructions} -DROUNDS={}", self.rounds);
        if self.has_clock {
            // 32 warps must fit into a compute unit's registers.
            options.push_str(" -DCLOCK -cl-nv-maxrregcount=64");
        }
        let program = self.queue.context().build(SOURCE, &options)?;
        let mut function = program.function("local_memory")?;
        function.set_buffer(1, self.sums.clone())?;
        function.set_buffer(2, self.starts.clone())?;
        function.set_buffer(3, self.ends.clone())?;
        Ok((function, options))
    }

    fn run(
        &self,
        function: &mut Function,
        instructions: u32,
        warps: u32,
        congestion: u32,
    ) -> Result<Run, LocalMemoryError> {
        function.set_scalar(0, &congestion.to_ne_bytes())?;
        let threads = [(warps * WARP) as usize];
        let launch = |_| self.queue.launch(function, &threads, &threads, &[]);
        let launches = (0..=LAUNCHES).map(launch).collect::<Result<Vec<_>, _>>()?;
        self.queue.finish()?;
        self.check(threads[0], instructions * self.rounds)?;
        let mut repetitions_s = Vec::new();
        for launch in &launches[1..] {
            let (start, end) = launch.start_and_end()?;
            if end <= start {
                return Err(LocalMemoryError::Timer);
            }
            repetitions_s.push((end - start) as f64 * 1e-9);
        }
        let times = Times {
            repetitions_s,
            launches_per_repetition: 1,
            settled: None,
            cold_repetitions_s: Vec::new(),
        };
        let cycles = self.has_clock.then(|| self.cycles(warps as usize));
        let cycles = cycles.transpose()?;
        Ok(Run { cycles, times })
    }

    /// Checks the number of loaded words: every word is 1, so the sums count them.
    fn check(&self, threads: usize, expected: u32) -> Result<(), LocalMemoryError> {
        let sums = self.read(&self.sums, (WARP * WARP) as usize)?;
        match sums[..threads].iter().position(|sum| *sum != expected) {
            None => Ok(()),
            Some(thread) => Err(LocalMemoryError::Loads {
                thread,
                actual: sums[thread],
                expected,
            }),
        }
    }

    fn cycles(&self, warps: usize) -> Result<f64, LocalMemoryError> {
        let clocks = (self.rounds * WARP) as usize;
        let starts = self.read(&self.starts, clocks)?;
        let ends = self.read(&self.ends, clocks)?;
        Ok(median_of_rounds(&starts, &ends, warps))
    }

    fn read(&self, buffer: &Buffer, numbers: usize) -> Result<Vec<u32>, LocalMemoryError> {
        let mut content = vec![0; numbers];
        self.queue
            .read(buffer, bytemuck::cast_slice_mut(&mut content))?;
        Ok(content)
    }
}

/// Cycles from the first start to the last end of `warps` warps: the median of the rounds. Each round has 32 places in
/// `starts` and in `ends`. The clock has 32 bits and may wrap around.
fn median_of_rounds(starts: &[u32], ends: &[u32], warps: usize) -> f64 {
    let width = WARP as usize;
    let rounds: Vec<f64> = starts
        .chunks_exact(width)
        .zip(ends.chunks_exact(width))
        .map(|(starts, ends)| {
            let since = |clock: &u32| i64::from(clock.wrapping_sub(starts[0]).cast_signed());
            let first = starts[..warps].iter().map(since).min().unwrap_or_default();
            let last = ends[..warps].iter().map(since).max().unwrap_or_default();
            (last - first) as f64
        })
        .collect();
    TimeSummary::of(&rounds).median_s
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_run_from_the_first_start_to_the_last_end() {
        let mut starts = vec![0; 96];
        let mut ends = vec![0; 96];
        // Two warps; in the second round the clock runs over, in the third one warp is late.
        starts[..2].copy_from_slice(&[110, 100]);
        ends[..2].copy_from_slice(&[130, 150]);
        starts[32..34].copy_from_slice(&[u32::MAX - 9, u32::MAX]);
        ends[32..34].copy_from_slice(&[20, 30]);
        starts[64..66].copy_from_slice(&[0, 5]);
        ends[64..66].copy_from_slice(&[40, 1005]);
        // 50, 40 and 1005 cycles. A third warp's places are not looked at.
        ends[2] = 100_000;
        assert_eq!(
            median_of_rounds(&starts, &ends, 2).to_bits(),
            50.0_f64.to_bits()
        );
    }

    #[test]
    fn the_second_clock_read_waits_for_the_loads() {
        let (_, after) = SOURCE
            .split_once("define READ_CLOCK_AFTER")
            .expect("the macro");
        let (after, _) = after.split_once("#endif").expect("its end");
        assert!(
            after.contains("setp.ne.u32 there, %1"),
            "depends on the sum"
        );
        assert!(
            after.contains("@there mov.u32 %0, %%clock"),
            "reads when it is there"
        );
        assert_eq!(SOURCE.matches("asm volatile").count(), 2);
        assert!(
            SOURCE.contains("volatile __local word *at"),
            "loads stay loads"
        );
    }
}
