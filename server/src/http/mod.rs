//! What every request passes, whatever it asks: the connection, admission, memory, its parts and what is wrong with them,
//! and errors as answers. Nothing here knows what Kerncast is about.

pub(crate) mod admission;
mod checker;
mod error;
pub(crate) mod extract;
pub mod listen;
pub(crate) mod memory_budget;
mod paging;
pub(crate) mod problem;
mod slow_client;

pub use admission::Hosts;
pub(crate) use checker::{Checker, MOST_NAMES};
pub(crate) use error::Error;
pub(crate) use extract::{Id, Name, Number, Query};
pub(crate) use memory_budget::{Memory, MemoryBudget};
pub(crate) use paging::{Paging, bad_cursor, parse_cursor};
pub(crate) use problem::{
    escaped, field, field_problem, fields_problem, not_found, problem, problem_response,
    refuse_wrong_fields, shortened, two_names, unavailable, unprocessable,
};
