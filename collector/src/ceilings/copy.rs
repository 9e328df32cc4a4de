//! Copies within global memory.

use std::fmt;

use kerncast_opencl::DeviceKind;

use super::{
    Way,
    bench::{Bench, Missing, vector},
};

/// Bytes of a buffer on a GPU: far more than the caches hold.
const GPU_BYTES: usize = 1 << 30;
const CPU_BYTES: usize = 256 << 20;

enum Shape {
    /// `clEnqueueCopyBuffer`.
    Command,
    /// A kernel of our own that copies vectors.
    Kernel {
        /// Components of a vector.
        width: usize,
        /// Vectors that a work-item copies.
        each: usize,
        group: usize,
    },
}

/// Shapes of the copying kernel: components of a vector, vectors that a work-item copies, work-items of a group.
const KERNELS: [(usize, usize, usize); 7] = [
    (4, 1, 256),
    (16, 1, 64),
    (1, 4, 256),
    (4, 2, 512),
    (4, 1, 1024),
    (16, 4, 64),
    (4, 4, 256),
];

pub(super) fn copy(bench: Bench<'_>) -> Result<Vec<Way>, Missing> {
    let facts = &bench.device.facts;
    let cache = usize::try_from(facts.cache_bytes.unwrap_or(0)).unwrap_or(usize::MAX);
    let wanted_bytes = match facts.kind {
        DeviceKind::Cpu => cache.saturating_mul(4).clamp(CPU_BYTES, GPU_BYTES),
        DeviceKind::Gpu | DeviceKind::Accelerator => GPU_BYTES,
    };
    let bytes = bench.buffer_bytes(wanted_bytes);
    let (from, to) = (bench.buffer(bytes)?, bench.buffer(bytes)?);
    let kernels = KERNELS.map(|(width, each, group)| Shape::Kernel { width, each, group });
    bench.compare([Shape::Command].into_iter().chain(kernels), |way| {
        let took = match *way {
            Shape::Command => bench.time(|| bench.queue.copy(&from, &to, &[]))?,
            Shape::Kernel { width, each, group } => {
                let element = vector("float", width);
                let options = format!("-D ELEMENT={element} -D EACH={each}");
                let source = include_str!("copy.cl");
                let mut function = bench.function(source, &options, "copy")?;
                function.set_buffer(0, from.clone())?;
                function.set_buffer(1, to.clone())?;
                let items = bytes / (width * size_of::<f32>() * each);
                bench.time(|| bench.queue.launch(&function, &[items], &[group], &[]))?
            }
        };
        Ok(took.rate(2.0 * bytes as f64))
    })
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Command => f.write_str("clEnqueueCopyBuffer"),
            Self::Kernel { width, each, group } => {
                let element = vector("float", width);
                write!(f, "{each} {element} a work-item, groups of {group}")
            }
        }
    }
}
