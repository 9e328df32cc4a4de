//! How a scatter is done whose output does not fit the device: in windows of the output.
//!
//! Either all of the input is read for each window, or a trip before takes the input apart by window, and comes back with it:
//! then each window reads its part alone.

use crate::{
    Job, Moved, Options, PlannedTrip, Rates, Type, Way, Work,
    job::{Sizes, moved},
    needs::{DIGITS, fit, tile},
    plan::TILE,
};

/// Windows that are planned, where all of the input is read for each.
const MOST_WINDOWS: u64 = 1 << 12;

/// Whether to take the input apart first: `bytes` of indices and values that come this way, for so many windows. By the rates'
/// forecast, or else as though both ways at once took as long as one after the other.
#[must_use]
pub fn taken_apart_pays(
    windows: u64,
    (way, bytes): (Way, u64),
    elements: u64,
    options: &Options,
    rates: Option<&Rates>,
) -> bool {
    // A digit of a radix sort has room for so many; and parts of files would have to be in memory.
    if windows > DIGITS || way == Way::File {
        return false;
    }
    let pieces = |most: u64| bytes.div_ceil(most.max(1));
    let forecast = rates.and_then(|rates| {
        let rate = rates.of(way)?;
        let pieces = match way {
            Way::Pinned => pieces(options.chunk_bytes),
            _ => pieces(options.piece_bytes as u64),
        };
        let there = rate.to_device.seconds(bytes, pieces);
        let both = rate.both.seconds(2 * bytes, 2 * pieces);
        let pass = rates.kernel(Work::Sort, Type::U32)? / 4.0 * elements as f64;
        Some((windows as f64 * there, both.max(pass) + there))
    });
    let (whole, apart) = forecast.unwrap_or((windows as f64, 3.0));
    apart < whole
}

/// Device memory besides the slots for taking `length` elements of two columns apart.
#[must_use]
pub fn apart_room(columns: [Type; 2], length: u64) -> u64 {
    let both: usize = columns.iter().map(|it| it.bytes()).sum();
    let counts = DIGITS * length.div_ceil(tile(both));
    length * both as u64 + 4 * (counts + counts.div_ceil(TILE) + 1) + 8
}

/// Elements of a window where the input is taken apart: a power of two, so that bits of an index say which it is.
#[must_use]
pub fn apart_window(window: u64) -> u64 {
    1 << window.max(1).ilog2()
}

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
        let mut window = fit(n.min(room), left, |elements| elements * value)?;
        let windows = n.div_ceil(apart_window(window));
        let apart =
            n > window && taken_apart_pays(windows, (self.way_in, n * both), n, options, rates);
        if apart {
            window = apart_window(window);
        } else if n.div_ceil(window) > MOST_WINDOWS {
            return None;
        }
        let mut trips = Vec::new();
        let columns_of = |way: Way, elements: u64, chunk: u64| -> Vec<Moved> {
            columns
                .map(|it| moved(way, it, elements, chunk, options))
                .into()
        };
        if apart {
            let needs = |chunk: u64| slots * chunk * both + apart_room(columns, chunk);
            let chunk = fit(wish, options.device_memory, needs)?;
            let sizes = Sizes {
                chunk,
                slots: options.slots,
            };
            let (there, back) = (
                columns_of(self.way_in, n, chunk),
                columns_of(Way::Staged, n, chunk),
            );
            trips.push(self.planned(options, rates, &sizes, there, back, n));
        }
        let mut done = 0;
        while done < n {
            let here = window.min(n - done);
            let sizes = Sizes {
                chunk,
                slots: options.slots,
            };
            // About as many indices name a place of one window as of another.
            let (way, read) = match apart {
                true => (Way::Staged, here),
                false => (self.way_in, n),
            };
            let inputs = columns_of(way, read, chunk);
            trips.push(self.planned(options, rates, &sizes, inputs, Vec::new(), read));
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

    #[test]
    fn taking_apart_pays_from_some_windows_on() {
        let options = Options::new(1 << 20);
        let pays =
            |windows, way| taken_apart_pays(windows, (way, 1 << 30), 1 << 27, &options, None);
        assert!(!pays(3, Way::Staged) && pays(4, Way::Staged) && pays(256, Way::Pinned));
        assert!(!pays(257, Way::Staged) && !pays(40, Way::File));
        let mut job = Job::new(Work::Scatter, Type::U32, 1 << 20, Way::Staged);
        let trips = job.explain(&options, None).expect("a plan").trips;
        // 8 MiB go there and back, and are read once more, 4 MiB come back.
        let moved = trips.iter().fold((0, 0), |sum, it| {
            (sum.0 + it.bytes_in, sum.1 + it.bytes_out)
        });
        assert_eq!(moved, (16 << 20, 12 << 20));
        job.way_in = Way::File;
        let trips = job.explain(&options, None).expect("a plan").trips;
        assert!(trips.iter().step_by(2).all(|it| it.bytes_in == 8 << 20));
    }
}
