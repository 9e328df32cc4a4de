//! Many queries of a table, each answered by itself: what gathers and searches have in common.
//!
//! A table that the device has room for stays there, and queries stream by. Of a larger one windows of queries stay, with
//! their answers, and the table streams by once a window.

use kerncast_opencl::Function;

use crate::{
    Sink, Source, StreamError, Streamer, TripReport,
    memory::Lease,
    pipeline::{Launches, Segment, Slot, in_order},
    streamer::{Leg, TILE, Task, WIDTH, bytes, groups, set},
};

/// What is asked of what.
pub(crate) struct Lookup<'a> {
    /// In words.
    pub(crate) what: &'static str,
    pub(crate) queries: Source<'a>,
    pub(crate) table: Source<'a>,
    /// As long as the queries.
    pub(crate) answers: Sink<'a>,
    pub(crate) source: String,
    /// Its arguments: queries, (a part of) the table, answers; how many queries, where the part begins, how long it is,
    /// and whether it is the first one that these queries see.
    pub(crate) function: Function,
}

impl Streamer {
    pub(crate) fn answer_each(
        &mut self,
        mut lookup: Lookup<'_>,
    ) -> Result<Vec<TripReport>, StreamError> {
        if lookup.queries.length == 0 || lookup.table.length == 0 {
            return Ok(Vec::new());
        }
        match self.hold_table(&lookup)? {
            Some(held) => self.queries_stream(&mut lookup, &held),
            None => self.table_streams(&mut lookup),
        }
    }

    /// Device memory for all of the table; none where there is not as much.
    fn hold_table(&self, lookup: &Lookup<'_>) -> Result<Option<Lease>, StreamError> {
        let table = bytes(lookup.table.length, lookup.table.element);
        let pair = lookup.queries.element.bytes() + lookup.answers.element.bytes();
        let least = self.options.slots as u64 * TILE * pair as u64;
        if table as u64 > (self.memory.budget / 4 * 3).min(self.memory.budget.saturating_sub(least))
        {
            return Ok(None);
        }
        match self.memory.take(lookup.what, table) {
            Ok(held) => Ok(Some(held)),
            Err(StreamError::Memory { .. }) => Ok(None),
            Err(StreamError::Device(why)) if why.is_out_of_memory() => Ok(None),
            Err(why) => Err(why),
        }
    }

    fn queries_stream(
        &mut self,
        lookup: &mut Lookup<'_>,
        held: &Lease,
    ) -> Result<Vec<TripReport>, StreamError> {
        let entries = lookup.table.length;
        let table = whole(lookup.table.again(), &(0..entries));
        let there = self.carry(vec![held], entries, vec![table], Vec::new())?;

        let (queries, answers) = (lookup.queries.again(), lookup.answers.again());
        let (asked, answered, length) = (queries.element, answers.element, queries.length);
        let widest = asked.bytes().max(answered.bytes());
        let count = self.slot_count(&[&queries], &answers);
        let (chunk, (slots, _leases)) = self.fit(self.wish(length, widest), |chunk| {
            self.slots(lookup.what, count, chunk, &[asked], Some(&[(answered, 1)]))
        })?;
        let segments = in_order(length, chunk);
        let inputs = vec![Leg::new(queries, &segments)];
        let outputs = vec![Leg::new(answers, &segments)];
        let task = Task::of(
            (chunk, segments.len()),
            answered,
            format!("held {}", lookup.source),
            length,
        );
        let (function, table) = (&mut lookup.function, held.share());
        let trip = self.trip(
            task,
            &slots,
            inputs,
            outputs,
            false,
            |index, slot, launches| {
                let part = &segments[index].host;
                let n = part.end - part.start;
                let buffers = [&slot.buffers_in[0], &table, &slot.buffers_out[0]];
                set(function, &buffers, &[n, 0, entries, 1])?;
                launches.launch(function, groups(n, WIDTH as u64), WIDTH)
            },
        )?;
        Ok(vec![there, trip])
    }

    fn table_streams(&mut self, lookup: &mut Lookup<'_>) -> Result<Vec<TripReport>, StreamError> {
        let (asked, answered) = (lookup.queries.element, lookup.answers.element);
        let (entry, length) = (lookup.table.element, lookup.queries.length);
        // Every launch goes through all queries of the window, so chunks are as long as there is room for.
        let share = self.memory.budget / 4 / self.options.slots as u64 / entry.bytes() as u64;
        let (chunk, (slots, _leases)) = self.fit(lookup.table.length.min(share), |chunk| {
            self.slots(lookup.what, self.options.slots, chunk, &[entry], Some(&[]))
        })?;
        let both = asked.bytes() + answered.bytes();
        let room = self.memory.budget / 4 * 3 / both as u64;
        let (most, (queries, answers)) = self.fit(length.min(room), |elements| {
            let queries = self.memory.take(lookup.what, bytes(elements, asked))?;
            let answers = self.memory.take(lookup.what, bytes(elements, answered))?;
            Ok((queries, answers))
        })?;
        let segments = in_order(lookup.table.length, chunk);
        let mut trips = Vec::new();
        for window in in_order(length, most) {
            let host = window.host;
            let n = host.end - host.start;
            let leg = whole(lookup.queries.again(), &host);
            trips.push(self.carry(vec![&queries], n, vec![leg], Vec::new())?);

            let inputs = vec![Leg::new(lookup.table.again(), &segments)];
            let task = Task::of(
                (chunk, segments.len()),
                answered,
                format!("windows {}", lookup.source),
                n * segments.len() as u64,
            );
            let (function, asked, found) = (&mut lookup.function, queries.share(), answers.share());
            let trip = self.trip(
                task,
                &slots,
                inputs,
                Vec::new(),
                false,
                |index, slot, launches| {
                    let part = &segments[index].host;
                    let buffers = [&asked, &slot.buffers_in[0], &found];
                    let held = part.end - part.start;
                    let numbers = [n, part.start, held, u64::from(index == 0)];
                    set(function, &buffers, &numbers)?;
                    launches.launch(function, groups(n, WIDTH as u64), WIDTH)
                },
            )?;
            trips.push(trip);
            let leg = whole(lookup.answers.again(), &host);
            trips.push(self.carry(vec![&answers], n, Vec::new(), vec![leg])?);
        }
        Ok(trips)
    }

    /// To or from device memory that stays, in one chunk.
    pub(crate) fn carry(
        &mut self,
        held: Vec<&Lease>,
        elements: u64,
        inputs: Vec<Leg<Source<'_>>>,
        outputs: Vec<Leg<Sink<'_>>>,
    ) -> Result<TripReport, StreamError> {
        let own = || held.iter().map(|it| it.share()).collect();
        let slots = [Slot {
            buffers_in: own(),
            buffers_out: own(),
        }];
        let task = Task {
            chunk: elements,
            chunks: 1,
            launched: None,
        };
        let nothing = |_: usize, _: &Slot, _: &mut Launches<'_>| Ok(());
        self.trip(task, &slots, inputs, outputs, true, nothing)
    }
}

/// A part of an array as a chunk.
pub(crate) fn whole<A>(array: A, host: &std::ops::Range<u64>) -> Leg<A> {
    Leg::new(
        array,
        &[Segment {
            chunk: 0,
            host: host.clone(),
            device: 0,
        }],
    )
}
