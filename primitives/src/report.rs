//! What a call did.

use serde::Serialize;

use crate::{Busy, Type};

/// What a call of a primitive did, and how long that took.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Which.
    pub primitive: &'static str,
    /// Of the (first) input.
    pub element: Type,
    /// Of the (first) input.
    pub elements: u64,
    /// From the call to its return, seconds: also allocating, compiling and, of a sort, looking for splitters.
    pub seconds: f64,
    /// One after the other.
    pub trips: Vec<TripReport>,
}

/// One way of arrays through the device.
#[derive(Clone, Debug, Serialize)]
pub struct TripReport {
    /// How it was done.
    pub plan: Plan,
    /// Towards the device.
    pub bytes_in: u64,
    /// From the device.
    pub bytes_out: u64,
    /// Seconds.
    pub seconds: f64,
    /// How long each part of the machine was busy.
    pub busy: Busy,
    /// The part with the largest share.
    pub bound_by: Bound,
    /// That share of the time, 1 where it was never idle. Copying threads count together.
    pub bound_share: f64,
}

/// How a trip is done.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// How many.
    pub chunks: usize,
    /// Of a chunk; the last one may have fewer.
    pub chunk_elements: u64,
    /// Chunks on the device at once.
    pub slots: usize,
    /// The most that is moved at once, bytes; of pinned memory it is a chunk.
    pub piece_bytes: usize,
    /// Threads that copy towards the device.
    pub lanes_in: usize,
    /// Threads that copy from the device.
    pub lanes_out: usize,
    /// How each input gets there.
    pub ways_in: Vec<Way>,
    /// How each output gets back.
    pub ways_out: Vec<Way>,
}

/// How an array goes between the host and the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// Pageable memory: threads copy its pieces to or from pinned memory.
    Staged,
    /// Pinned memory: the device fetches or brings it.
    Pinned,
    /// Threads read or write pieces of a file.
    File,
}

/// Parts of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are Busy's")]
pub enum Bound {
    Staging,
    ToDevice,
    Device,
    FromDevice,
    Unstaging,
}

impl Busy {
    /// The part with the largest share of `seconds`, and that share. All lanes of a way together are a part.
    pub(crate) fn bound(&self, seconds: f64, plan: &Plan) -> (Bound, f64) {
        let parts = [
            (Bound::Staging, self.staging / plan.lanes_in as f64),
            (Bound::ToDevice, self.to_device),
            (Bound::Device, self.device),
            (Bound::FromDevice, self.from_device),
            (Bound::Unstaging, self.unstaging / plan.lanes_out as f64),
        ];
        let most = parts.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        let (bound, busy) = most.expect("there are five");
        (bound, if seconds > 0.0 { busy / seconds } else { 0.0 })
    }
}
