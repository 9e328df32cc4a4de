//! All SQL, in a room for each subject. Listings come as JSON in the words of the API; the types of the crate `wire` read
//! them.

pub mod access;
pub(crate) mod catalogue;
mod connect;
mod convert;
mod error;
pub(crate) mod events;
pub(crate) mod fitting;
pub(crate) mod forecasts;
pub(crate) mod limit;
pub(crate) mod models;
pub(crate) mod upkeep;
pub(crate) mod uploads;
pub(crate) mod views;

use convert::{from_word, interval, number, plain, to_json, to_word};

pub(crate) use connect::ping;
pub use connect::{ConnectError, connect};
pub use error::{Error, Result};
