//! What rates of streams must be beyond their JSON type.

use chrono::{DateTime, Utc};
use kerncast_offload::NewStreamRates;
use kerncast_wire::FieldProblem;
use serde_json::Value;

use super::samples::LONGEST_TIME;
use crate::http::Checker;

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
    checker.past("/measured_at", *measured_at, now);
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
