//! What rates of streams must be beyond their JSON type; and whether a device pays by the newest.

use chrono::{DateTime, Utc};
use kerncast_offload::{NewStreamRates, OffloadAnswer, OffloadQuestion, Options};
use kerncast_wire::FieldProblem;
use serde_json::Value;
use sqlx::PgPool;

use crate::{
    checker::Checker,
    db::streams::{self, Newest},
    error::Error,
    heavy::heavy,
    problem::{in_order, unprocessable},
    samples::LONGEST_TIME,
};

/// A million times what the fastest buses do.
const LARGEST_RATE: f64 = 1e21;
const MOST_ROWS: usize = 1000;
const MOST_THREADS: f64 = 65_536.0;
/// These may be lost in noise, and the host has no passes; what is divided by is not nothing.
const CONSTANTS: [&str; 7] = [
    "trip_s",
    "chunk_s",
    "mapped_chunk_s",
    "new_s",
    "kept_s",
    "piece_s",
    "passes",
];
/// No machine holds a longer array.
const LONGEST_ARRAY: u64 = 1 << 50;

/// Whether a device pays.
///
/// # Errors
/// The question is not in order, or the device's newest rates do not answer it.
pub(crate) async fn answer(
    pool: &PgPool,
    question: OffloadQuestion,
) -> Result<OffloadAnswer, Error> {
    in_order(check_question(&question))?;
    let newest = streams::newest(pool, question.device).await?;
    let Newest {
        measured_at,
        rates,
        global_memory_bytes,
    } = newest.ok_or_else(|| {
        let expected =
            "one of GET /v1/streams, whose streams were measured: kerncast offload … --upload on its machine";
        unprocessable("/device", question.device, expected)
    })?;
    let has = global_memory_bytes.and_then(|it| u64::try_from(it).ok());
    let memory = question.device_memory.or_else(|| Some(has? / 4 * 3));
    let memory = memory.ok_or_else(|| {
        let expected = "bytes: nobody has said how much memory the device has";
        unprocessable("/device_memory", "absent", expected)
    })?;
    if let Some(has) = has.filter(|has| memory > *has) {
        let expected = format!("at most {has}, which the device has");
        return Err(unprocessable("/device_memory", memory, expected).into());
    }
    let threads = rates.threads as u64;
    let (work, element, bytes) = (question.work, question.element, question.bytes);
    // A scatter to thousands of windows is planned for a hundred lengths.
    let offload = heavy(move || rates.offload(work, element, bytes, &Options::new(memory)));
    let offload = offload.await?.ok_or_else(|| {
        let expected =
            "a type that this was measured with, and device memory for a few thousand elements";
        unprocessable("/element", element.name(), expected)
    })?;
    Ok(OffloadAnswer {
        device: question.device,
        device_memory: memory,
        threads,
        measured_at,
        offload,
    })
}

fn check_question(question: &OffloadQuestion) -> Vec<FieldProblem> {
    let mut checker = Checker::new("");
    let (bytes, width) = (question.bytes, question.element.bytes() as u64);
    if bytes == 0 || bytes > LONGEST_ARRAY || bytes % width > 0 {
        let expected = format!("a multiple of {width} above 0, at most {LONGEST_ARRAY}");
        checker.wrong("/bytes", bytes, expected);
    }
    if question.device_memory == Some(0) {
        checker.wrong("/device_memory", 0, "more than 0");
    }
    checker.problems
}

/// Everything wrong with them beyond their JSON types; `rates` are theirs in JSON.
pub(crate) fn check(new: &NewStreamRates, rates: &Value, now: DateTime<Utc>) -> Vec<FieldProblem> {
    let NewStreamRates {
        id: _,
        measured_at,
        agent,
        device,
        rates: _,
        origin: _,
    } = new;
    let mut checker = Checker::new("");
    checker.measured_at(*measured_at, now);
    checker.agent(agent);
    checker.device(device);
    checker.rates("/rates", rates);
    checker.problems
}

impl Checker<'_> {
    /// Everything that rates are made of, wherever it is in them.
    fn rates(&mut self, at: &str, value: &Value) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    self.rates(&format!("{at}/{name}"), value);
                }
            }
            Value::Array(rows) => {
                self.at_most(at, rows.len(), MOST_ROWS, "rows");
                for (i, row) in rows.iter().enumerate() {
                    self.rates(&format!("{at}/{i}"), row);
                }
            }
            Value::String(name) => self.name(at, name),
            Value::Number(number) => {
                let name = at.rsplit('/').next().unwrap_or_default();
                self.rate(at, name, number.as_f64().unwrap_or(f64::NAN));
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn rate(&mut self, at: &str, name: &str, value: f64) {
        let most = match name {
            "threads" | "lanes" => MOST_THREADS,
            "elements" | "passes" => u64::MAX as f64,
            name if name.ends_with("_per_s") => LARGEST_RATE,
            _ => LONGEST_TIME,
        };
        if CONSTANTS.contains(&name) {
            self.number(at, value, 0.0, most);
        } else if !(value > 0.0 && value <= most) {
            self.wrong(at, value, format!("a number above 0, at most {most:e}"));
        }
    }
}
