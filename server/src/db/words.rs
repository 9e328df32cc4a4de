//! The words of enumerations are the same in SQL as in JSON, so serde writes and reads them.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// The column's text for a value that serde writes as a string.
pub(super) fn to_word(value: impl Serialize) -> sqlx::Result<String> {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => Ok(word),
        Ok(other) => Err(sqlx::Error::Encode(format!("{other} is no word").into())),
        Err(error) => Err(sqlx::Error::Encode(error.into())),
    }
}

/// The value that a column's text stands for.
pub(super) fn from_word<T: DeserializeOwned>(word: String) -> sqlx::Result<T> {
    serde_json::from_value(Value::String(word)).map_err(|error| sqlx::Error::Decode(error.into()))
}

/// A number that the column's CHECK keeps within the type.
pub(super) fn number<T: TryFrom<i64, Error: std::error::Error + Send + Sync + 'static>>(
    value: i64,
) -> sqlx::Result<T> {
    T::try_from(value).map_err(|error| sqlx::Error::Decode(error.into()))
}
