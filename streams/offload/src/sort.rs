//! Plans of a sort: one trip there and one back where all keys fit into the device's memory; otherwise a trip that sorts runs
//! and one that merges them.

use crate::{
    Options, PlannedTrip, StreamJob, StreamRates, StreamWay,
    memory::{LONGEST_RUN, longest_chunk, run_length, sort_scratch},
    stream_job::{Sizes, moved_array},
};

impl StreamJob {
    pub(crate) fn sort(
        &self,
        options: &Options,
        rates: Option<&StreamRates>,
    ) -> Option<Vec<PlannedTrip>> {
        let key = self.inputs[0];
        let width = key.bytes() as u64;
        let bytes = |slots: u64, chunk: u64| slots * chunk * width + sort_scratch(key, chunk);
        let n = self.elements;
        let keys = |way, chunk| vec![moved_array(way, key, n, chunk, options)];
        if n <= LONGEST_RUN && bytes(1, n) <= options.device_memory {
            let sizes = Sizes { chunk: n, slots: 1 };
            return Some(vec![
                self.plan_trip(options, rates, &sizes, keys(self.way_in, n), Vec::new(), n),
                self.plan_trip(options, rates, &sizes, Vec::new(), keys(self.way_out, n), 0),
            ]);
        }
        let slots = options.slots;
        let chunk = longest_chunk(run_length(n, key), options.device_memory, |chunk| {
            bytes(slots as u64, chunk)
        })?;
        let sizes = Sizes { chunk, slots };
        // Between the trips the runs are in pageable memory. For pinned arrays they are planned as pinned: the checks of the
        // rates stretch that forecast by what it is off.
        let between = match self.way_out {
            StreamWay::Pinned => StreamWay::Pinned,
            _ => StreamWay::Staged,
        };
        let parts = chunk.div_ceil(n.div_ceil(chunk));
        Some(vec![
            self.plan_trip(
                options,
                rates,
                &sizes,
                keys(self.way_in, chunk),
                keys(between, chunk),
                n,
            ),
            self.plan_trip(
                options,
                rates,
                &sizes,
                keys(between, parts),
                keys(self.way_out, chunk),
                n,
            ),
        ])
    }
}
