//! Parts of a request, each with its own problem where it is not as expected.

mod body;
mod json;
mod path;
mod query;
mod serde_messages;

pub(crate) use body::{Json, JsonOrFile, JsonText, MayUpload, discard};
pub(crate) use json::parse;
pub(crate) use path::{Id, Name, Number};
pub(crate) use query::Query;
