//! How a stream is cut into chunks and pieces, and how its arrays move.

use std::thread;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Elements that a work-group of a scan or a reduction processes (`TILE` in their kernels); chunks are multiples of it.
pub const GROUP_ELEMENTS: u64 = (WIDTH * ITEMS) as u64;
/// Work-items of a work-group.
pub const WIDTH: usize = 256;
/// Elements that a work-item processes.
pub const ITEMS: usize = 16;

/// Settings of streams. docs/notebook/streams.md has the measurements that the defaults come from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Options {
    /// Device memory that may be used, bytes.
    pub device_memory: u64,
    /// The largest array of a chunk, bytes. Sorts have chunks of their own.
    pub chunk_bytes: u64,
    /// The most that is staged at once, bytes.
    pub piece_bytes: usize,
    /// Chunks on the device at once.
    pub slots: usize,
    /// Threads that copy; where both ways need some, half of them each way.
    #[serde(rename = "lanes")]
    pub copying_threads: usize,
    /// Whether a device that is the host's processor works on memory where it lies.
    pub map: bool,
}

impl Options {
    /// For a device with `device_memory` bytes to use.
    #[must_use]
    pub fn new(device_memory: u64) -> Self {
        Self {
            device_memory,
            chunk_bytes: 32 << 20,
            piece_bytes: 4 << 20,
            slots: 3,
            copying_threads: thread::available_parallelism().map_or(1, usize::from),
            map: true,
        }
    }
}

/// The plan of a trip.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct StreamPlan {
    /// Number of chunks.
    pub chunks: usize,
    /// Elements of a chunk; the last one may have fewer.
    pub chunk_elements: u64,
    /// Chunks on the device at once.
    pub slots: usize,
    /// The most that is moved at once, bytes; arrays in pinned memory move by whole chunks.
    pub piece_bytes: usize,
    /// Threads that copy to the device.
    #[serde(rename = "lanes_in")]
    pub threads_in: usize,
    /// Threads that copy from the device.
    #[serde(rename = "lanes_out")]
    pub threads_out: usize,
    /// How each input gets to the device.
    pub ways_in: Vec<StreamWay>,
    /// How each output gets back.
    pub ways_out: Vec<StreamWay>,
}

/// How an array goes between the host and the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StreamWay {
    /// Pageable memory: threads copy its pieces to or from pinned memory.
    Staged,
    /// Pinned memory: the device reads or writes it directly.
    Pinned,
    /// Threads read or write pieces of a file.
    File,
    /// The device is the host's processor, and works on the memory where it lies.
    Mapped,
}

impl StreamWay {
    /// Its name in checks and tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Staged => "staged",
            Self::Pinned => "pinned",
            Self::File => "file",
            Self::Mapped => "mapped",
        }
    }

    /// Whether threads of the host copy.
    #[must_use]
    pub fn is_copied(self) -> bool {
        matches!(self, Self::Staged | Self::File)
    }
}

/// What most of the time goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StreamBound {
    /// The host's threads that copy to pinned memory.
    Staging,
    /// The way to the device.
    ToDevice,
    /// The device's own work.
    Device,
    /// The way back.
    FromDevice,
    /// The host's threads that copy from pinned memory.
    Unstaging,
    /// What a call takes however little there is to do: building programs, allocating memory, and the latency of launches and
    /// threads.
    Fixed,
}

impl StreamPlan {
    /// `chunking`: elements of a chunk, and the number of chunks.
    #[must_use]
    pub fn new(
        options: &Options,
        (chunk_elements, chunks): (u64, u64),
        slots: usize,
        ways_in: Vec<StreamWay>,
        ways_out: Vec<StreamWay>,
    ) -> Self {
        // More threads than cores slow each other down: on 16 cores 8 each way were best, then 16
        // (docs/notebook/streams.md).
        let copied = |ways: &[StreamWay]| ways.iter().any(|way| way.is_copied());
        let threads = if copied(&ways_in) && copied(&ways_out) {
            options.copying_threads.div_ceil(2)
        } else {
            options.copying_threads
        };
        Self {
            chunks: usize::try_from(chunks).unwrap_or(usize::MAX),
            chunk_elements,
            slots,
            piece_bytes: options.piece_bytes,
            threads_in: threads,
            threads_out: threads,
            ways_in,
            ways_out,
        }
    }
}
