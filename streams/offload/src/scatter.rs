//! How a scatter is done whose output does not fit the device: in windows of the output, and all of the input is read
//! for each.

use crate::{
    Job, Options, PlannedTrip, Rates,
    job::{Sizes, moved},
    needs::fit,
};

/// Windows that are planned.
const MOST_WINDOWS: u64 = 1 << 12;

impl Job {
    pub(crate) fn scatter(
        &self,
        options: &Options,
        rates: Option<&Rates>,
    ) -> Option<Vec<PlannedTrip>> {
        let columns = [self.inputs[0], self.output];
        let widths = columns.map(|it| it.bytes() as u64);
        let (both, value) = (widths.iter().sum::<u64>(), widths[1]);
        let (n, slots) = (self.elements, options.slots as u64);
        let wish = n.min(options.chunk_bytes / widths.into_iter().max().unwrap_or(1));
        let share = options.device_memory / 4 / slots / both;
        let needs = |chunk: u64| slots * chunk * both + 8;
        let chunk = fit(wish.min(share), options.device_memory, needs)?;
        let left = options.device_memory - needs(chunk);
        let room = options.device_memory * 3 / 4 / value;
        let window = fit(n.min(room), left, |elements| elements * value)?;
        if n.div_ceil(window) > MOST_WINDOWS {
            return None;
        }
        let mut trips = Vec::new();
        let mut done = 0;
        while done < n {
            let here = window.min(n - done);
            let sizes = Sizes {
                chunk,
                slots: options.slots,
            };
            let inputs = columns.map(|it| moved(self.way_in, it, n, chunk, options));
            let inputs = inputs.into();
            trips.push(self.planned(options, rates, &sizes, inputs, Vec::new(), n));
            let back = vec![moved(self.way_out, self.output, here, here, options)];
            let sizes = Sizes {
                chunk: here,
                slots: 1,
            };
            trips.push(self.planned(options, rates, &sizes, Vec::new(), back, 0));
            done += here;
        }
        Some(trips)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Type, Way, Work};

    #[test]
    fn each_window_reads_all_of_the_input() {
        let options = Options::new(1 << 20);
        let job = Job::new(Work::Scatter, Type::U32, 1 << 20, Way::Staged);
        let trips = job.explain(&options, None).expect("a plan").trips;
        assert!(trips.len() > 8, "the output does not fit");
        assert!(trips.iter().step_by(2).all(|it| it.bytes_in == 8 << 20));
        let back: u64 = trips.iter().map(|it| it.bytes_out).sum();
        assert_eq!(back, 4 << 20);
    }
}
