//! A primitive of files, or of their first elements, or none of it but its plan.

use std::{
    fs::{self, File},
    path::Path,
};

use anyhow::{Context as _, Result};
use kerncast_collector::UsageError;
use kerncast_primitives::{Npy, Operation, Report, Sink, Source, StreamError, Streamer, Type};

use super::{Files, Primitive, Side, edges::Edges, missing::Missing};
use crate::cli::stream::{
    Arguments,
    done::{TRIED, body},
    unfinished::{Unfinished, complete},
};

/// Of a gather that is tried.
const MOST_VALUES: u64 = 1 << 26;

/// What is to be done.
pub(super) struct Work<'a> {
    primitive: Primitive,
    files: &'a Files,
    operation: Operation,
    edges: Option<Edges>,
    missing: Option<Missing>,
    offsets: Vec<u64>,
    k: u64,
    side: kerncast_primitives::Side,
}

/// Seconds of the device and of the host's cores for the first elements, and how many times as many there are.
type Compared = ([f64; 2], Option<f64>);

/// Where it is made.
enum Made<'f> {
    /// New files.
    Files(&'f Path, Option<&'f Path>),
    /// Nobody looks at it.
    Nowhere,
}

impl<'a> Work<'a> {
    pub(super) fn new(all: &Arguments, files: &'a Files, streamer: &mut Streamer) -> Result<Self> {
        let its = &all.further;
        let (element, length) = (files.input.element(), files.input.length());
        let edges = its.bins.zip(its.range.as_deref());
        let edges = edges.map(|(bins, range)| Edges::new(element, range, bins));
        let missing = files.values.as_ref().zip(its.missing.as_deref());
        let missing = missing.map(|(values, text)| Missing::new(values.element(), text));
        let k = its.k.unwrap_or(0);
        if k > length {
            return Err(UsageError(format!(
                "--k {k}: IN has {length} elements; expected no more"
            ))
            .into());
        }
        Ok(Self {
            primitive: all.primitive,
            files,
            operation: Operation::new(body(all.op.as_deref().unwrap_or("a + b"))),
            edges: edges.transpose()?,
            missing: missing.transpose()?,
            offsets: match its.offsets {
                Some(_) => offsets(files.other(), streamer)?,
                None => Vec::new(),
            },
            k,
            side: match its.side {
                Some(Side::Upper) => kerncast_primitives::Side::Upper,
                Some(Side::Lower) | None => kerncast_primitives::Side::Lower,
            },
        })
    }

    /// Without its trips.
    pub(super) fn plan(&self, streamer: &mut Streamer) -> Result<Report, StreamError> {
        self.once(streamer, u64::MAX, &Made::Nowhere)
    }

    /// Of the first elements, twice, as the first time compiles: so it is known how long the device takes. Indices,
    /// needles and keys are of whole arrays, so of these nothing is tried.
    pub(super) fn try_some(&mut self, streamer: &mut Streamer) -> Result<(), StreamError> {
        let of_whole = [
            Primitive::Gather,
            Primitive::SortedSearch,
            Primitive::LookUp,
        ];
        if !of_whole.contains(&self.primitive) {
            for _ in 0..2 {
                self.once(streamer, TRIED, &Made::Nowhere)?;
            }
        }
        Ok(())
    }

    /// Seconds that the first elements take the streamer's device, and the host's cores, each the second time; and how many
    /// times as many bytes all elements have. That is not known of a gather, which reads all values each time. None of what the
    /// cores do not do, and of a gather of very many values.
    pub(super) fn compared(
        &self,
        streamer: &mut Streamer,
    ) -> Result<Option<Compared>, StreamError> {
        let is_gather = self.primitive == Primitive::Gather;
        if is_gather && self.files.input.length() > MOST_VALUES {
            return Ok(None);
        }
        let mut took = [0.0; 2];
        let [device_s, cores_s] = &mut took;
        for (is_cores, seconds) in [(true, cores_s), (false, device_s)] {
            streamer.leave_to_cores(is_cores);
            for _ in 0..2 {
                let report = self.once(streamer, TRIED, &Made::Nowhere)?;
                if report.by_cores != is_cores {
                    return Ok(None);
                }
                *seconds = report.seconds;
            }
        }
        let times = self.bytes() as f64 / self.first_bytes(TRIED).max(1) as f64;
        Ok(Some((took, (!is_gather).then_some(times))))
    }

    /// Bytes of what is read.
    pub(super) fn bytes(&self) -> u64 {
        self.first_bytes(u64::MAX)
    }

    /// Of at most so many elements of each array.
    fn first_bytes(&self, most: u64) -> u64 {
        let other = self.files.other.as_ref();
        let files = [
            Some(&self.files.input),
            // A segmented sort's offsets were read before.
            other.filter(|_| self.primitive != Primitive::SegmentedSort),
            self.files.values.as_ref(),
        ];
        let files = files.into_iter().flatten();
        files
            .map(|it| it.length().min(most) * it.element().bytes() as u64)
            .sum()
    }

    /// Bytes of memory that the host's cores need: what is read, what comes out, and what they keep of it.
    pub(super) fn bytes_by_cores(&self) -> u64 {
        let (input, element) = (&self.files.input, self.files.input.element().bytes() as u64);
        let besides = match self.primitive {
            Primitive::Histogram => 0,
            Primitive::Gather => self.files.other().length() * element,
            // Each share's greatest, all of them in one, and what comes out.
            Primitive::TopK => input.length() * element + 2 * self.k * element,
            Primitive::SortedSearch => input.length() * size_of::<u64>() as u64,
            // A table has up to four entries of four bytes a key.
            Primitive::LookUp => {
                let values = self.files.values.as_ref();
                let value = values.map_or(0, |it| it.element().bytes() as u64);
                input.length() * value + 16 * self.files.other().length()
            }
            _ => self.bytes(),
        };
        self.bytes() + besides
    }

    /// All of it, to files that are there once they are complete.
    pub(super) fn to_files(&self, streamer: &mut Streamer, all: &Arguments) -> Result<Report> {
        let output = all.output.as_deref().context("OUT is missing")?;
        let outputs = [Some(output), all.further.keys_out.as_deref()];
        let mut made = Vec::new();
        for output in outputs.into_iter().flatten() {
            let folder = Unfinished::beside(output)?;
            made.push((folder.path().join("it.npy"), folder, output));
        }
        let keys = made.get(1).map(|it| it.0.as_path());
        let report = self.once(streamer, u64::MAX, &Made::Files(&made[0].0, keys))?;
        for (at, (path, _, output)) in made.iter().enumerate() {
            if let Err(why) = complete(path, output) {
                // Both or none.
                for (_, _, before) in &made[..at] {
                    let _ = fs::remove_file(before);
                }
                return Err(why);
            }
        }
        Ok(report)
    }

    /// Of at most `most` elements of each input, but for the values of a gather.
    fn once(
        &self,
        streamer: &mut Streamer,
        most: u64,
        made: &Made<'_>,
    ) -> Result<Report, StreamError> {
        let (input, element) = (&self.files.input, self.files.input.element());
        let from = input.first(most);
        let length = most.min(input.length());
        match self.primitive {
            Primitive::Histogram => {
                let edges = self.edges.as_ref().expect("checked with the arguments");
                let (counts, report) = edges.count(streamer, from)?;
                if let Made::Files(path, _) = made {
                    let file = Npy::create(path, Type::U64, counts.len() as u64)?;
                    let same = Operation::new("return x;");
                    streamer.transform(&same, vec![Source::slice(&counts)], file.sink())?;
                }
                Ok(report)
            }
            Primitive::Gather => {
                let index = self.files.other();
                let to = made.output(element, most.min(index.length()))?;
                streamer.gather(index.first(most), input.source(), to.sink())
            }
            Primitive::TopK => {
                let to = made.output(element, self.k.min(length))?;
                streamer.top_k(from, to.sink())
            }
            Primitive::Merge => {
                let other = self.files.other();
                let both = length + most.min(other.length());
                let to = made.output(element, both)?;
                streamer.merge(from, other.first(most), to.sink())
            }
            Primitive::SortedSearch => {
                let to = made.output(Type::U64, length)?;
                let sorted = self.files.other().first(most);
                streamer.sorted_search(from, sorted, self.side, to.sink())
            }
            Primitive::SegmentedSort => {
                let to = made.output(element, length)?;
                let mut offsets = self.offsets.clone();
                if length < input.length() {
                    offsets.retain(|it| *it < length);
                    offsets.push(length);
                }
                streamer.segmented_sort(from, &offsets, to.sink())
            }
            Primitive::LookUp => {
                let missing = self.missing.as_ref().zip(self.files.values.as_ref());
                let (missing, values) = missing.expect("checked with the arguments");
                let to = made.output(values.element(), length)?;
                let keys = self.files.other().first(most);
                let arrays = [keys, values.first(most), from];
                missing.look_up(streamer, arrays, to.sink())
            }
            Primitive::ReduceByKey => self.by_key(streamer, most, made),
            _ => {
                let mut to = None;
                let here = &mut to;
                let done = streamer.unique(from, move |runs| {
                    Ok(here.insert(made.output(element, runs)?).sink())
                });
                Ok(done?.1)
            }
        }
    }

    fn by_key(
        &self,
        streamer: &mut Streamer,
        most: u64,
        made: &Made<'_>,
    ) -> Result<Report, StreamError> {
        let (keys, values) = (self.files.other(), &self.files.input);
        let (mut keys_to, mut to) = (None, None);
        let here = (&mut keys_to, &mut to);
        let (key, value) = (keys.element(), values.element());
        let (keys, values) = (keys.first(most), values.first(most));
        let done = streamer.reduce_by_key(&self.operation, keys, values, move |runs| {
            let keys = here.0.insert(made.keys(key, runs)?);
            let values = here.1.insert(made.output(value, runs)?);
            Ok((keys.sink(), values.sink()))
        });
        Ok(done?.1)
    }
}

/// An output, as long as it lives.
enum Output {
    Npy(Npy),
    Temporary(File, Type, u64),
}

impl Output {
    fn sink(&self) -> Sink<'_> {
        match self {
            Self::Npy(file) => file.sink(),
            Self::Temporary(file, element, length) => Sink::file(file, 0, *element, *length),
        }
    }
}

impl Made<'_> {
    fn output(&self, element: Type, length: u64) -> Result<Output, StreamError> {
        match self {
            Self::Files(path, _) => Ok(Output::Npy(Npy::create(path, element, length)?)),
            Self::Nowhere => temporary(element, length),
        }
    }

    /// The second one.
    fn keys(&self, element: Type, length: u64) -> Result<Output, StreamError> {
        match self {
            Self::Files(_, Some(path)) => Ok(Output::Npy(Npy::create(path, element, length)?)),
            _ => temporary(element, length),
        }
    }
}

fn temporary(element: Type, length: u64) -> Result<Output, StreamError> {
    let file = tempfile::tempfile().map_err(|why| StreamError::File {
        what: "a temporary file".to_owned(),
        why,
    })?;
    Ok(Output::Temporary(file, element, length))
}

/// All of them in memory: a segment takes less than its elements do.
fn offsets(file: &Npy, streamer: &mut Streamer) -> Result<Vec<u64>> {
    if !matches!(file.element(), Type::U32 | Type::U64) {
        return Err(UsageError(format!(
            "--offsets has elements of type {}; expected u32 or u64",
            file.element().name()
        ))
        .into());
    }
    let mut offsets = vec![0; usize::try_from(file.length())?];
    let same = Operation::new("return x;");
    streamer.transform(&same, vec![file.source()], Sink::slice(&mut offsets))?;
    Ok(offsets)
}
