//! Buffers and images of a launch file on the device.

use std::sync::Arc;

use kerncast_opencl::{Buffer, Context, Image, OpenClError, Queue, Sampler};
use kerncast_suite::{self as suite, Access, Data, LaunchBuffer};

/// A buffer or an image.
#[derive(Clone)]
pub(super) enum Memory {
    Buffer(Arc<Buffer>),
    Image(Arc<Image>),
}

impl Memory {
    /// Memory of the size and format of a launch's buffer; its contents are arbitrary.
    pub(super) fn new(context: &Context, buffer: &LaunchBuffer) -> Result<Self, OpenClError> {
        let Some(image) = buffer.image else {
            return Ok(Self::Buffer(context.buffer(buffer.bytes())?.into()));
        };
        let (format, size) = (image.format.to_string(), [image.width, image.height]);
        let is_written = buffer.access != Access::Read;
        Ok(Self::Image(
            context.image(&format, size, is_written)?.into(),
        ))
    }

    /// Writes all of it and waits for that.
    pub(super) fn write(&self, queue: &Queue, data: &Data) -> Result<(), OpenClError> {
        match self {
            Self::Buffer(buffer) => queue.write(buffer, data.bytes()),
            Self::Image(image) => queue.write_image(image, data.bytes()),
        }
        .map(drop)
    }

    pub(super) fn fill(&self, queue: &Queue, byte: u8) -> Result<(), OpenClError> {
        match self {
            Self::Buffer(buffer) => queue.fill(buffer, byte, &[]),
            // OpenCL fills images with colours, which have other bytes.
            Self::Image(image) => queue.write_image(image, &vec![byte; image.bytes()]),
        }
        .map(drop)
    }

    pub(super) fn read(&self, queue: &Queue, into: &mut Data) -> Result<(), OpenClError> {
        match self {
            Self::Buffer(buffer) => queue.read(buffer, into.bytes_mut()),
            Self::Image(image) => queue.read_image(image, into.bytes_mut()),
        }
        .map(drop)
    }

    /// Copies all of another memory of the same kind over this one, on the device.
    ///
    /// # Panics
    /// If one is an image and the other is not.
    pub(super) fn copy_from(&self, other: &Self, queue: &Queue) -> Result<(), OpenClError> {
        match (other, self) {
            (Self::Buffer(other), Self::Buffer(this)) => queue.copy(other, this, &[]),
            (Self::Image(other), Self::Image(this)) => queue.copy_image(other, this),
            _ => unreachable!("both are of the same argument"),
        }
        .map(drop)
    }
}

pub(super) fn sampler(context: &Context, settings: suite::Sampler) -> Result<Sampler, OpenClError> {
    let (addressing, filter) = (settings.addressing.name(), settings.filter.name());
    context.sampler(settings.normalized, addressing, filter)
}
