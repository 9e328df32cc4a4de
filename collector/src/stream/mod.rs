//! Streams of files through a device: `kerncast stream`, and the rates that forecast them.

mod device;
mod operation;
mod rates;
mod session;
mod unfinished;

pub use device::{memory_limit, select_device};
pub use operation::{FileOperation, Inputs, Outcome, reduce_nothing};
pub use rates::{DeviceRates, rates, to_upload};
pub use session::Session;
