//! Uploaded rates of streams: checked, stored; and whether a device pays by the newest.

use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use kerncast_offload::{Line, NewStreamRates, OffloadAnswer, OffloadQuestion, Options, Rates};
use kerncast_wire::FieldProblem;
use serde_json::json;
use sqlx::PgPool;

use crate::{
    access::Bearer,
    checker::Checker,
    content::content_hash,
    db::{
        measurements::{Kind, Measurement},
        streams::{self, Newest},
    },
    error::Error,
    heavy::heavy,
    measurements,
    problem::{in_order, unprocessable},
    samples::LONGEST_TIME,
};

/// A million times what the fastest buses do.
const LARGEST_RATE: f64 = 1e21;
const MOST_ROWS: usize = 1000;
const MOST_THREADS: usize = 1 << 16;
/// No machine holds a longer array.
const LONGEST_ARRAY: u64 = 1 << 50;

/// Stores rates that are in order.
///
/// # Errors
/// Every field that is not in order, or that the token may not say; others under the same id.
pub(crate) async fn store(
    pool: &PgPool,
    new: &NewStreamRates,
    bearer: &Bearer,
) -> Result<StatusCode, Error> {
    let row = Measurement {
        kind: Kind::StreamRates,
        id: new.id,
        agent: &new.agent,
        device: &new.device,
        origin: new.origin,
        whole: json!(new),
        hash: content_hash(new),
    };
    measurements::store(pool, row, check(new, Utc::now()), bearer).await
}

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

/// Everything wrong with them beyond their JSON types.
fn check(new: &NewStreamRates, now: DateTime<Utc>) -> Vec<FieldProblem> {
    let NewStreamRates {
        id: _,
        measured_at,
        agent,
        device,
        rates,
        origin: _,
    } = new;
    let mut checker = Checker::new("");
    checker.measured_at(*measured_at, now);
    checker.agent(agent);
    checker.device(device);
    checker.rates(rates);
    checker.problems
}

impl Checker<'_> {
    fn rates(&mut self, rates: &Rates) {
        let Rates {
            device,
            driver,
            is_host: _,
            threads,
            lanes,
            pinning_bytes_per_s,
            trip_s,
            chunk_s,
            mapped_chunk_s,
            allocating_bytes_per_s,
            starts,
            moves,
            kernels,
            one_core,
            all_cores,
            checks,
            first_runs: _,
        } = rates;
        self.name("/rates/device", device);
        self.name("/rates/driver", driver);
        for (name, count) in [("threads", *threads), ("lanes", *lanes)] {
            if !(1..=MOST_THREADS).contains(&count) {
                let expected = format!("a number from 1 to {MOST_THREADS}");
                self.wrong(format_args!("/rates/{name}"), count, expected);
            }
        }
        self.rate("/rates/pinning_bytes_per_s", Some(*pinning_bytes_per_s));
        self.rate("/rates/allocating_bytes_per_s", *allocating_bytes_per_s);
        self.time("/rates/trip_s", *trip_s);
        self.time("/rates/chunk_s", *chunk_s);
        self.time("/rates/mapped_chunk_s", mapped_chunk_s.unwrap_or(0.0));
        let lists = [
            ("starts", starts.len()),
            ("moves", moves.len()),
            ("kernels", kernels.len()),
            ("one_core", one_core.len()),
            ("all_cores", all_cores.len()),
            ("checks", checks.len()),
        ];
        for (name, rows) in lists {
            self.at_most(format_args!("/rates/{name}"), rows, MOST_ROWS, "rows");
        }
        for (i, it) in starts.iter().enumerate() {
            self.time(format_args!("/rates/starts/{i}/new_s"), it.new_s);
            self.time(format_args!("/rates/starts/{i}/kept_s"), it.kept_s);
        }
        for (i, it) in moves.iter().enumerate() {
            let lines = [
                ("to_device", it.to_device),
                ("from_device", it.from_device),
                ("both", it.both),
            ];
            for (
                name,
                Line {
                    bytes_per_s,
                    piece_s,
                },
            ) in lines
            {
                let at = format!("/rates/moves/{i}/{name}");
                self.rate(format_args!("{at}/bytes_per_s"), Some(bytes_per_s));
                self.time(format_args!("{at}/piece_s"), piece_s);
            }
        }
        for (name, list) in [
            ("kernels", kernels),
            ("one_core", one_core),
            ("all_cores", all_cores),
        ] {
            for (i, it) in list.iter().enumerate() {
                let at = format!("/rates/{name}/{i}");
                self.some(&at, it.elements);
                self.took(format_args!("{at}/seconds"), it.seconds);
            }
        }
        for (i, it) in checks.iter().enumerate() {
            let at = format!("/rates/checks/{i}");
            self.some(&at, it.elements);
            self.name(format_args!("{at}/by"), &it.by);
            self.took(format_args!("{at}/forecast_s"), it.forecast_s);
            self.took(format_args!("{at}/measured_s"), it.measured_s);
            if let Some(first) = it.first {
                self.took(format_args!("{at}/first/forecast_s"), first.forecast_s);
                self.took(format_args!("{at}/first/measured_s"), first.measured_s);
            }
        }
    }

    fn some(&mut self, at: &str, elements: u64) {
        if elements == 0 {
            self.wrong(format_args!("{at}/elements"), 0, "more than 0");
        }
    }

    fn rate(&mut self, at: impl std::fmt::Display, value: Option<f64>) {
        if let Some(value) = value.filter(|it| !(*it > 0.0 && *it < LARGEST_RATE)) {
            let expected = format!("a number above 0 and below {LARGEST_RATE:e}");
            self.wrong(at, value, expected);
        }
    }

    /// A constant, which may be lost in noise.
    fn time(&mut self, at: impl std::fmt::Display, seconds: f64) {
        self.number(at, seconds, 0.0, LONGEST_TIME);
    }

    /// What something took, which is not nothing.
    fn took(&mut self, at: impl std::fmt::Display, seconds: f64) {
        if !(seconds > 0.0 && seconds < LONGEST_TIME) {
            let expected = format!("seconds above 0 and below {LONGEST_TIME:e}");
            self.wrong(at, seconds, expected);
        }
    }
}
