//! Data-parallel primitives on data larger than the device (docs/streams.md).
//!
//! A [`Streamer`] takes arrays through one device in chunks: [`Source`]s and [`Sink`]s are slices, pinned memory
//! or files of any length, [`Operation`]s are OpenCL C. Each call returns a [`Report`] of what it did and how
//! long that took. Lengths are 64-bit everywhere, and so are the hosts that this is for.
//!
//! After Miura, Chang, Miyazaki, whose Algorithm 1 is mended here (docs/notebook/streams.md).

#[cfg(not(target_pointer_width = "64"))]
compile_error!("streams are for hosts of 64 bits");

mod array;
mod element;
mod error;
mod measure;
mod memory;
mod npy;
mod operation;
mod pipeline;
mod reduce;
mod report;
mod scan;
mod scatter;
mod sort;
mod steps;
mod streamer;
mod transform;

pub use array::{Sink, Source};
pub use element::Number;
pub use error::StreamError;
pub use kerncast_offload::{
    ElementType, ExplainedStream, ForecastAndTime, MoveRate, Offload, OffloadChange, OffloadOffer,
    Options, Processor, Programs, RateLine, StartForecast, StreamBound, StreamCheck, StreamJob,
    StreamPlan, StreamRates, StreamStart, StreamWay, StreamWork, TimedWork, TripForecast,
};
pub use kerncast_opencl::Pinned;
pub use measure::{MeasuredLengths, check, measure};
pub use npy::Npy;
pub use operation::Operation;
pub use pipeline::{Busy, Cancel};
pub use report::{Report, TripReport};
pub use streamer::Streamer;
