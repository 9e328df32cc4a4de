//! Data-parallel primitives on data larger than the device (docs/streams.md).
//!
//! A [`Streamer`] takes arrays through one device in chunks: [`Source`]s and [`Sink`]s are slices, pinned memory
//! or files of any length, [`Operation`]s are OpenCL C. Each call returns a [`Report`] of what it did and how
//! long that took. Lengths are 64-bit everywhere, and so are the hosts that this is for.
//!
//! After Miura, Chang, Miyazaki, whose Algorithm 1 is mended here (docs/streams.md).

#[cfg(not(target_pointer_width = "64"))]
compile_error!("streams are for hosts of 64 bits");

mod array;
#[macro_use]
mod by_cores;
mod chain;
mod element;
mod error;
mod gather;
mod hash_table;
mod histogram;
mod lookup;
mod measure;
mod memory;
mod merge;
mod npy;
mod on_host;
mod operation;
mod pipeline;
mod record;
mod reduce;
mod reduce_by_key;
mod report;
mod reserved;
mod runs;
mod scan;
mod scatter;
mod segmented_sort;
mod sort;
mod sorted_search;
mod streamer;
mod top_k;
mod transform;
mod unique;
mod windows;

pub use array::{Sink, Source};
pub use chain::Chain;
pub use element::Number;
pub use error::StreamError;
pub use kerncast_offload::{
    Bound, Change, Check, Explained, First, Job, Line, Move, Offer, Offload, Options, Plan,
    PlannedTrip, Programs, Rates, Start, StartForecast, Timed, TripForecast, Type, WORKS, Way, Who,
    Work,
};
pub use kerncast_opencl::Pinned;
pub use measure::{Effort, SoFar, Told, bus, check, measure, measure_on};
pub use npy::Npy;
pub use operation::Operation;
pub use pipeline::{Busy, Cancel};
pub use record::{Element, Field, Kind, Member, Record};
pub use report::{Report, Share, TripReport};
#[doc(hidden)]
pub use reserved::is_reserved;
pub use scan::Scan;
pub use scatter::Unnamed;
pub use sorted_search::Side;
pub use streamer::{Streamer, host_has_room};
