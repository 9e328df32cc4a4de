//! The words of enumerations are the same in SQL as in JSON, so serde writes and reads them; and whole rows come
//! as JSON where a listing answers just that.

use std::time::Duration;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use sqlx::{postgres::types::PgInterval, types::Json};

use super::{Error, Result};

/// The column's text for a value that serde writes as a string.
pub(super) fn to_word(value: impl Serialize) -> Result<String> {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => Ok(word),
        Ok(other) => Err(Error::Inconsistent(format!("{other} is no word"))),
        Err(error) => Err(Error::conversion(error)),
    }
}

/// What a column of JSON holds.
pub(super) fn to_json(value: impl Serialize) -> Result<Value> {
    serde_json::to_value(value).map_err(Error::conversion)
}

/// The value that a column's text stands for.
pub(super) fn from_word<T: DeserializeOwned>(word: String) -> Result<T> {
    serde_json::from_value(Value::String(word)).map_err(Error::conversion)
}

/// A number that the column's CHECK keeps within the type.
pub(super) fn number<T: TryFrom<i64, Error: std::error::Error + Send + Sync + 'static>>(
    value: i64,
) -> Result<T> {
    T::try_from(value).map_err(Error::conversion)
}

/// A duration as Postgres has it.
pub(super) fn interval(duration: Duration) -> PgInterval {
    let microseconds = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
    PgInterval {
        months: 0,
        days: 0,
        microseconds,
    }
}

/// Rows that came as JSON.
pub(super) fn plain<T>(rows: Vec<Json<T>>) -> Vec<T> {
    rows.into_iter().map(|Json(row)| row).collect()
}
