//! Parts of a request, each with a problem of its own where it is not what was expected.

mod body;
mod expected;
mod json;
mod path;
mod query;
mod strict;

pub(crate) use body::{Json, JsonOrFile, JsonText, discard};
pub(crate) use json::parse;
pub(crate) use path::{Id, Name, Number};
pub(crate) use query::Query;
