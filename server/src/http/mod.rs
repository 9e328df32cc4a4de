//! What every request passes, whatever it asks: the connection, admission, memory, its parts and what is wrong with them,
//! and errors as answers. Nothing here knows what Kerncast is about.

pub(crate) mod admission;
pub(crate) mod checker;
pub(crate) mod error;
pub(crate) mod extract;
pub mod listen;
pub(crate) mod memory_budget;
pub(crate) mod paging;
pub(crate) mod problem;
mod slow_client;

pub use admission::Hosts;
