//! Streams of files through a device: `kerncast stream`, and the rates that forecast them.

mod device;
mod operation;
mod rates;
mod unfinished;

pub use device::{memory_limit, select_device};
pub use operation::{FileOperation, Inputs, Outcome, TRIAL_ELEMENTS, reduce_nothing};
pub use rates::{DeviceRates, rates, stored_rates, to_upload};
