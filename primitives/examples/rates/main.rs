//! How fast primitives are on this machine, beside its CPU: one core, and all of them (rayon).
//!
//! Prints a line of JSON a measurement (and the most of it on standard error): seconds of each repetition after one that warms up, their median, and GB/s of
//! the input, one way. Outputs are verified; a wrong one ends the program.

mod arrays;
mod paper;
mod peers;
mod scatter;

use std::{
    error::Error,
    fs,
    io::{Write, stderr, stdout},
    path::PathBuf,
    time::Instant,
};

use clap::Parser;
use kerncast_opencl::{DeviceKind, OpenClDevice, devices};
use kerncast_primitives::{
    Job, Number, Operation, Options, Rates, Report, Scan, Sink, Source, Streamer, Type, Way, Work,
};
use serde_json::{Value, json};

use arrays::{Array, checksum, fill, fill_floats, is_sorted};

type Done<T> = Result<T, Box<dyn Error>>;

#[derive(Parser)]
struct Arguments {
    /// Of the input: 4GiB, 512MiB
    #[arg(long, value_parser = bytes, default_value = "1GiB")]
    bytes: u64,
    /// Device memory that may be used
    #[arg(long, value_parser = bytes, default_value = "8GiB")]
    device_memory: u64,
    /// Repetitions, after one that warms up
    #[arg(long, default_value_t = 5)]
    repeats: usize,
    /// Only these, as transform,sort
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Only these ways: pageable, pinned
    #[arg(long, value_delimiter = ',')]
    ways: Vec<String>,
    /// Measure no CPU
    #[arg(long)]
    no_peers: bool,
    /// Threads that copy
    #[arg(long)]
    lanes: Option<usize>,
    /// Chunks on a device at once
    #[arg(long)]
    slots: Option<usize>,
    /// What is staged at once
    #[arg(long, value_parser = bytes)]
    piece: Option<u64>,
    /// Take the chunks that are forecast to be the fastest, by rates as `kerncast offload` keeps them
    #[arg(long, value_name = "FILE")]
    rates: Option<PathBuf>,
    /// Redo the paper's figures instead, of arrays of at most --bytes
    #[arg(long)]
    paper: bool,
    /// The device's place among the machine's, from 0. Else the first GPU, or the first
    #[arg(long)]
    device: Option<usize>,
}

/// What is measured.
struct Bench {
    arguments: Arguments,
    /// By which chunks are chosen.
    rates: Option<Rates>,
}

fn main() -> Done<()> {
    let arguments = Arguments::parse();
    let device = choose(arguments.device)?;
    let mut options = Options::new(arguments.device_memory);
    options.lanes = arguments.lanes.unwrap_or(options.lanes);
    options.slots = arguments.slots.unwrap_or(options.slots);
    if let Some(piece) = arguments.piece {
        options.piece_bytes = usize::try_from(piece)?;
    }
    say(&json!({
        "device": device.facts.name,
        "driver": device.facts.driver_version,
        "bytes": arguments.bytes,
        "options": options,
        "threads": rayon::current_num_threads(),
    }))?;
    if arguments.paper {
        return paper::measure(&mut Streamer::new(device, options)?, &arguments);
    }
    let bytes = usize::try_from(arguments.bytes)? / 8 * 8;
    let rates = match &arguments.rates {
        Some(path) => Some(serde_json::from_slice(&fs::read(path)?)?),
        None => None,
    };
    let mut bench = Bench { arguments, rates };
    if bench.wants_way("pageable") {
        let [mut a, mut b] = [Array::pageable(bytes), Array::pageable(bytes)];
        bench.through(&device, &options, &mut a, &mut b)?;
        if !bench.arguments.no_peers {
            peers::measure(&bench.arguments, a.bytes_mut(), b.bytes_mut())?;
        }
    }
    if bench.wants_way("pinned") {
        let start = Instant::now();
        let streamer = Streamer::new(device.clone(), options.clone())?;
        let a = Array::Pinned(streamer.pinned(bytes)?);
        let b = Array::Pinned(streamer.pinned(bytes)?);
        let seconds = start.elapsed().as_secs_f64();
        say(&json!({"what": "pinning", "bytes": 2 * bytes, "seconds": seconds}))?;
        let [mut a, mut b] = [a, b];
        bench.through(&device, &options, &mut a, &mut b)?;
    }
    Ok(())
}

impl Bench {
    fn through(
        &mut self,
        device: &OpenClDevice,
        options: &Options,
        a: &mut Array,
        b: &mut Array,
    ) -> Done<()> {
        let mut streamer = Streamer::new(device.clone(), options.clone())?;
        if let Some(rates) = &self.rates {
            streamer.expect(rates.clone());
        }
        self.all(&mut streamer, a, b)
    }

    fn all(&mut self, streamer: &mut Streamer, a: &mut Array, b: &mut Array) -> Done<()> {
        fill(a.slice_mut::<u32>());
        self.choose(streamer, Work::Transform, a)?;
        self.transform(streamer, a, b)?;
        self.choose(streamer, Work::Reduce, a)?;
        self.reduce(streamer, a)?;
        self.choose(streamer, Work::Scan, a)?;
        self.scan(streamer, a, b)?;
        self.choose(streamer, Work::Sort, a)?;
        self.sort(streamer, a, b)?;
        self.choose(streamer, Work::Scatter, a)?;
        scatter::measure(streamer, &self.arguments, a, b)?;
        fill_floats(a.slice_mut::<f64>());
        self.choose(streamer, Work::Sine, a)?;
        self.sine(streamer, a, b)
    }

    /// The chunks of such a work of an array, where there are rates.
    fn choose(&self, streamer: &mut Streamer, work: Work, a: &Array) -> Done<()> {
        if self.rates.is_none() {
            return Ok(());
        }
        let element = match work {
            Work::Sine => Type::F64,
            _ => Type::U32,
        };
        // Of a scatter half of the array is the index.
        let width = match work {
            Work::Scatter => 8,
            _ => element.bytes() as u64,
        };
        let way = match a {
            Array::Pinned(_) => Way::Pinned,
            Array::Pageable(_) if matches!(work, Work::Sort | Work::Scatter) => Way::Staged,
            Array::Pageable(_) => streamer.way(),
        };
        let job = Job::new(work, element, self.arguments.bytes / width, way);
        let explained = streamer.choose(&job)?;
        say(&json!({ "chosen": work, "device_s": explained.trips_s }))
    }

    fn transform(&mut self, streamer: &mut Streamer, a: &mut Array, b: &mut Array) -> Done<()> {
        let operation = Operation::new("return k * x;").with("k", peers::FACTOR)?;
        self.repeat(
            streamer,
            "transform",
            a,
            b,
            |streamer, a, b| {
                Ok(streamer.transform(&operation, vec![a.source::<u32>()], b.sink::<u32>())?)
            },
            |a, b| peers::is_scaled(a.slice(), b.slice()),
        )
    }

    fn sine(&mut self, streamer: &mut Streamer, a: &mut Array, b: &mut Array) -> Done<()> {
        let operation = Operation::new("return sin(x) * sin(x) + cos(x) * cos(x);");
        self.repeat(
            streamer,
            "sine",
            a,
            b,
            |streamer, a, b| {
                Ok(streamer.transform(&operation, vec![a.source::<f64>()], b.sink::<f64>())?)
            },
            |_, b| peers::are_ones(b.slice()),
        )
    }

    fn reduce(&mut self, streamer: &mut Streamer, a: &mut Array) -> Done<()> {
        let operation = Operation::new("return a + b;");
        let mut sum = None;
        let mut none = Array::pageable(0);
        self.repeat(
            streamer,
            "reduce",
            a,
            &mut none,
            |streamer, a, _| {
                let (found, report) = streamer.reduce::<u32>(&operation, a.source::<u32>())?;
                sum = found;
                Ok(report)
            },
            |_, _| true,
        )?;
        let expected = peers::sum(a.slice());
        if sum.is_some_and(|sum| sum != expected) {
            return Err(format!("reduce: {sum:?} in place of {expected}").into());
        }
        Ok(())
    }

    fn scan(&mut self, streamer: &mut Streamer, a: &mut Array, b: &mut Array) -> Done<()> {
        let operation = Operation::new("return a + b;");
        self.repeat(
            streamer,
            "scan",
            a,
            b,
            |streamer, a, b| {
                let (from, to) = (a.source::<u32>(), b.sink::<u32>());
                Ok(streamer.scan(&operation, Scan::<u32>::Inclusive, from, to)?)
            },
            |a, b| peers::is_scanned(a.slice(), b.slice()),
        )
    }

    fn sort(&mut self, streamer: &mut Streamer, a: &mut Array, b: &mut Array) -> Done<()> {
        let before = checksum(a.slice());
        self.repeat(
            streamer,
            "sort",
            a,
            b,
            |streamer, a, b| {
                let scratch = b.sink::<u32>();
                Ok(streamer.sort(a.sink::<u32>(), Some(scratch))?)
            },
            |a, _| is_sorted(a.slice()) && checksum(a.slice()) == before,
        )
    }

    /// Does it once, and then as often as is asked for; verifies the first and the last output.
    fn repeat(
        &mut self,
        streamer: &mut Streamer,
        what: &str,
        a: &mut Array,
        b: &mut Array,
        mut once: impl FnMut(&mut Streamer, &mut Array, &mut Array) -> Done<Report>,
        verify: impl Fn(&Array, &Array) -> bool,
    ) -> Done<()> {
        if !wants(&self.arguments, what) {
            return Ok(());
        }
        let (mut seconds, mut last) = (Vec::new(), None);
        for round in 0..=self.arguments.repeats {
            if what == "sort" {
                fill(a.slice_mut::<u32>());
            }
            let start = Instant::now();
            let report = once(streamer, a, b)?;
            if round > 0 {
                seconds.push(start.elapsed().as_secs_f64());
            }
            let ends = round == 0 || round == self.arguments.repeats;
            if ends && !verify(a, b) {
                return Err(format!("{what}: the output is wrong").into());
            }
            last = Some(report);
        }
        let mut line = measured(what, a.way(), self.arguments.bytes, seconds);
        line["verified"] = json!(true);
        line["report"] = json!(last);
        say(&line)
    }

    fn wants_way(&self, way: &str) -> bool {
        let ways = &self.arguments.ways;
        ways.is_empty() || ways.iter().any(|it| it == way)
    }
}

impl Array {
    fn source<T: Number>(&mut self) -> Source<'_> {
        match self {
            Self::Pageable(_) => Source::slice(self.slice::<T>()),
            Self::Pinned(pinned) => Source::pinned::<T>(pinned),
        }
    }

    fn sink<T: Number>(&mut self) -> Sink<'_> {
        match self {
            Self::Pageable(_) => Sink::slice(self.slice_mut::<T>()),
            Self::Pinned(pinned) => Sink::pinned::<T>(pinned),
        }
    }
}

fn wants(arguments: &Arguments, what: &str) -> bool {
    arguments.only.is_empty() || arguments.only.iter().any(|it| it == what)
}

/// A line, of repetitions over `bytes`.
fn measured(what: &str, way: &str, bytes: u64, mut seconds: Vec<f64>) -> Value {
    seconds.sort_by(f64::total_cmp);
    let median = seconds.get(seconds.len() / 2).copied();
    let rate = median.map(|median| bytes as f64 * 1e-9 / median);
    json!({"what": what, "way": way, "bytes": bytes, "median": median, "GB_per_s": rate, "seconds": seconds})
}

/// On standard output, and in short on standard error.
fn say(line: &Value) -> Done<()> {
    if let (Some(median), Some(rate)) = (line["median"].as_f64(), line["GB_per_s"].as_f64()) {
        let options = line
            .get("options")
            .map(Value::to_string)
            .unwrap_or_default();
        let (what, way) = (&line["what"], &line["way"]);
        writeln!(
            stderr(),
            "{what} {way}: {rate:.3} GB/s, {median:.4} s {options}"
        )?;
    }
    let mut out = stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

fn choose(place: Option<usize>) -> Done<OpenClDevice> {
    let mut found = devices()?;
    let gpu = || found.iter().position(|it| it.facts.kind == DeviceKind::Gpu);
    let place = place.or_else(gpu).unwrap_or(0);
    if place >= found.len() {
        return Err(format!("--device {place}: there are {}", found.len()).into());
    }
    Ok(found.swap_remove(place))
}

/// `4GiB`, `512MiB`, `100`.
fn bytes(text: &str) -> Result<u64, String> {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10), ("", 0)];
    let (unit, shift) = units
        .into_iter()
        .find(|it| text.ends_with(it.0))
        .expect("the last");
    let number: u64 = text[..text.len() - unit.len()]
        .parse()
        .map_err(|_| format!("{text:?}: expected a number and KiB, MiB or GiB"))?;
    Ok(number << shift)
}
