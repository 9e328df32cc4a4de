//! A table on the device, and what is launched of it.

use kerncast_opencl::Function;

use crate::{
    Kind, Sink, Source, StreamError, Streamer, TripReport, Type,
    memory::Lease,
    pipeline::{Segment, Slot},
    streamer::{Leg, Task, WIDTH, bytes, groups, set},
};

pub(super) const WHAT: &str = "a hash table";
/// Entries of a table have 32 bits, and there are two a key.
pub(super) const LONGEST: u64 = 1 << 30;

pub(super) struct Kernels {
    pub(super) hash: Function,
    clear: Function,
    insert: Function,
    find: Function,
    pub(super) places: Function,
    pub(super) back: Function,
    source: String,
    /// Drawn anew for each call: nobody can choose keys that lie together.
    pub(super) seed: u64,
}

/// Device memory for so many keys and their values.
pub(super) struct Table {
    keys: Lease,
    values: Lease,
    entries: Lease,
    missing: Lease,
}

/// Keys and values of a table, in one chunk.
pub(super) struct Stored<'a> {
    pub(super) keys: Source<'a>,
    pub(super) values: Source<'a>,
    pub(super) segments: Vec<Segment>,
    pub(super) length: u64,
    /// Whether hashes are in place of the keys.
    pub(super) is_hashed: bool,
}

/// Keys that are asked for.
pub(super) struct Asked<'a> {
    pub(super) keys: Source<'a>,
    /// Answers that are kept where a key is not found.
    pub(super) kept: Option<Source<'a>>,
    pub(super) answers: Sink<'a>,
    pub(super) segments: &'a [Segment],
    /// Of each chunk.
    pub(super) lengths: &'a [u64],
    pub(super) chunk: u64,
}

impl Kernels {
    pub(super) fn new(
        streamer: &mut Streamer,
        key: Type,
        value: Kind,
        seed: u64,
    ) -> Result<Self, StreamError> {
        let source = format!(
            "#define KEY {}\n{}#line 1 \"stream_hash_insert.cl\"\n{}\
             #line 1 \"stream_look_up.cl\"\n{}",
            key.opencl(),
            value.moved_as("VALUE"),
            include_str!("../../kernels/stream_hash_insert/stream_hash_insert.cl"),
            include_str!("../../kernels/stream_look_up/stream_look_up.cl")
        );
        let program = streamer.program(source.clone())?;
        Ok(Self {
            hash: program.function("stream_hash")?,
            clear: program.function("stream_hash_clear")?,
            insert: program.function("stream_hash_insert")?,
            find: program.function("stream_hash_find")?,
            places: program.function("stream_hash_places")?,
            back: program.function("stream_hash_back")?,
            source,
            seed,
        })
    }
}

impl Table {
    /// Bytes of a key, its value and its entries.
    pub(super) fn each(key: Type, value: Kind) -> u64 {
        (key.bytes() + value.bytes() + 2 * Type::U32.bytes()) as u64
    }

    pub(super) fn new(
        streamer: &Streamer,
        length: u64,
        key: Type,
        missing: &[u8],
    ) -> Result<Self, StreamError> {
        let take = |bytes| streamer.memory.take(WHAT, bytes);
        let room = length.max(1);
        let values = usize::try_from(room).unwrap_or(usize::MAX);
        let table = Self {
            keys: take(bytes(room, key))?,
            values: take(values.saturating_mul(missing.len()))?,
            entries: take(bytes(2 * room, Type::U32))?,
            missing: take(missing.len())?,
        };
        streamer.queues[1].write(&table.missing, missing)?;
        Ok(table)
    }
}

impl Stored<'_> {
    fn entries(&self) -> u64 {
        2 * self.length.max(1)
    }

    /// To the device, and into a table's entries.
    fn build(
        self,
        streamer: &mut Streamer,
        kernels: &mut Kernels,
        table: &Table,
    ) -> Result<TripReport, StreamError> {
        let (n, entries, is_hashed) = (self.length, self.entries(), self.is_hashed);
        let held = [Slot {
            buffers_in: vec![table.keys.share(), table.values.share()],
            buffers_out: Vec::new(),
        }];
        let key = format!("build {}", kernels.source);
        let task = Task::of((n, 1), self.keys.element, key, n);
        let inputs = [self.keys, self.values].map(|array| Leg::new(array, &self.segments));
        let table = table.entries.share();
        let Kernels {
            hash,
            clear,
            insert,
            seed,
            ..
        } = kernels;
        streamer.trip(
            task,
            &held,
            inputs.into(),
            Vec::new(),
            false,
            |_, slot, launches| {
                let keys = &slot.buffers_in[0];
                set(clear, &[&table], &[entries])?;
                launches.launch(clear, groups(entries, WIDTH as u64), WIDTH)?;
                if n == 0 {
                    return Ok(());
                }
                if !is_hashed {
                    set(hash, &[keys], &[n, *seed])?;
                    launches.launch(hash, groups(n, WIDTH as u64), WIDTH)?;
                }
                set(insert, &[keys, &table], &[n, entries])?;
                launches.launch(insert, groups(n, WIDTH as u64), WIDTH)
            },
        )
    }
}

/// Builds a table, and has the keys that are asked for go by.
pub(super) fn answer(
    streamer: &mut Streamer,
    kernels: &mut Kernels,
    table: &Table,
    slots: &[Slot],
    stored: Stored<'_>,
    asked: Asked<'_>,
) -> Result<[TripReport; 2], StreamError> {
    let numbers = [
        stored.entries(),
        kernels.seed,
        stored.is_hashed.into(),
        asked.kept.is_some().into(),
    ];
    let built = stored.build(streamer, kernels, table)?;
    let Asked {
        keys,
        kept,
        answers,
        segments,
        lengths,
        chunk,
    } = asked;
    let key = format!("find {}", kernels.source);
    let task = Task::of(
        (chunk, lengths.len()),
        answers.element,
        key,
        lengths.iter().sum(),
    );
    // What is kept lies where answers are written.
    let in_place = kept.is_some();
    let inputs = [Some(keys), kept].into_iter().flatten();
    let inputs = inputs.map(|array| Leg::new(array, segments)).collect();
    let outputs = vec![Leg::new(answers, segments)];
    let held = [&table.keys, &table.values, &table.entries, &table.missing];
    let [keys, values, entries, missing] = &held.map(Lease::share);
    let find = &mut kernels.find;
    let found = streamer.trip(
        task,
        slots,
        inputs,
        outputs,
        in_place,
        |index, slot, launches| {
            let n = lengths[index];
            let (asked, out) = (&slot.buffers_in[0], &slot.buffers_out[0]);
            let [entries_, seed, is_hashed, keeps] = numbers;
            set(
                find,
                &[asked, keys, values, entries, missing, out],
                &[n, entries_, seed, is_hashed, keeps],
            )?;
            launches.launch(find, groups(n, WIDTH as u64), WIDTH)
        },
    )?;
    Ok([built, found])
}
