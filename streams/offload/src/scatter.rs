//! Plans of a scatter: windows of the output that fit the device, and all of the input is read for each window.

use crate::{
    Options, PlannedTrip, StreamJob, StreamRates,
    memory::longest_chunk,
    stream_job::{Sizes, moved_array},
};

/// The most windows of a plan.
const MOST_WINDOWS: u64 = 1 << 12;

impl StreamJob {
    pub(crate) fn scatter(
        &self,
        options: &Options,
        rates: Option<&StreamRates>,
    ) -> Option<Vec<PlannedTrip>> {
        let columns = [self.inputs[0], self.output];
        let widths = columns.map(|it| it.bytes() as u64);
        let (both, value) = (widths.iter().sum::<u64>(), widths[1]);
        let (n, slots) = (self.elements, options.slots as u64);
        let wish = n.min(options.chunk_bytes / widths.into_iter().max().unwrap_or(1));
        let share = options.device_memory / 4 / slots / both;
        let chunk_bytes = |chunk: u64| slots * chunk * both + 8;
        let chunk = longest_chunk(wish.min(share), options.device_memory, chunk_bytes)?;
        let free_bytes = options.device_memory - chunk_bytes(chunk);
        let most = options.device_memory * 3 / 4 / value;
        let window = longest_chunk(n.min(most), free_bytes, |elements| elements * value)?;
        if n.div_ceil(window) > MOST_WINDOWS {
            return None;
        }
        let mut trips = Vec::new();
        let mut start = 0;
        while start < n {
            let length = window.min(n - start);
            let sizes = Sizes {
                chunk,
                slots: options.slots,
            };
            let inputs = columns.map(|it| moved_array(self.way_in, it, n, chunk, options));
            trips.push(self.plan_trip(options, rates, &sizes, inputs.into(), Vec::new(), n));
            let back = vec![moved_array(
                self.way_out,
                self.output,
                length,
                length,
                options,
            )];
            let sizes = Sizes {
                chunk: length,
                slots: 1,
            };
            trips.push(self.plan_trip(options, rates, &sizes, Vec::new(), back, 0));
            start += length;
        }
        Some(trips)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ElementType, StreamWay, StreamWork};

    #[test]
    fn each_window_reads_all_of_the_input() {
        let options = Options::new(1 << 20);
        let job = StreamJob::new(
            StreamWork::Scatter,
            ElementType::U32,
            1 << 20,
            StreamWay::Staged,
        );
        let trips = job.explain(&options, None).expect("a plan").trips;
        assert!(trips.len() > 8, "the output does not fit");
        assert!(trips.iter().step_by(2).all(|it| it.bytes_in == 8 << 20));
        let back: u64 = trips.iter().map(|it| it.bytes_out).sum();
        assert_eq!(back, 4 << 20);
    }
}
