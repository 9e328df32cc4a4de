//! Limits of a device, and whether a launch is within them.

use thiserror::Error;

use super::Launch;
use crate::Access;

/// The limits of a device.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most work-items of a work-group.
    pub work_group_items: u64,
    /// The most bytes of one buffer.
    pub buffer_bytes: u64,
    /// The most bytes of all buffers.
    pub global_bytes: u64,
    /// The most bytes of a work-group's local memory.
    pub local_bytes: u64,
    /// The largest image; none if the device has no images.
    pub images: Option<ImageLimits>,
}

/// The largest image.
#[derive(Clone, Copy, Debug)]
pub struct ImageLimits {
    /// Width, pixels.
    pub width: u64,
    /// Height, pixels.
    pub height: u64,
}

/// A need beyond a device's limits.
#[derive(Debug, Error)]
#[error("{subject} needs {needed}; the device has {available}")]
pub struct TooLarge {
    /// The thing that does not fit.
    pub subject: String,
    /// The amount that it needs.
    pub needed: String,
    /// The amount that there is.
    pub available: String,
}

impl Launch {
    /// Checks that the device has room for the launch, before its driver refuses with a worse message.
    ///
    /// # Errors
    /// The first need that is too large.
    pub fn fits(&self, limits: Limits) -> Result<(), TooLarge> {
        self.needs(limits)?;
        // What is read and written is kept twice, to be filled anew.
        let global = self.buffers.iter().map(|buffer| {
            let copies = 1 + u64::from(buffer.access == Access::ReadWrite);
            copies * buffer.bytes() as u64
        });
        check("global memory", global.sum(), limits.global_bytes, "bytes")
    }

    /// Checks that the device has room for the launch itself, without what measuring it needs.
    ///
    /// # Errors
    /// The first need that is too large.
    pub fn needs(&self, limits: Limits) -> Result<(), TooLarge> {
        if self.has_images() && limits.images.is_none() {
            return Err(TooLarge {
                subject: "the kernel".to_owned(),
                needed: "images".to_owned(),
                available: "none".to_owned(),
            });
        }
        let group = self.work_group_size() as u64;
        check("a work-group", group, limits.work_group_items, "work-items")?;
        let mut global = 0;
        for buffer in &self.buffers {
            let bytes = buffer.bytes() as u64;
            let kind = if buffer.image.is_some() {
                "image"
            } else {
                "buffer"
            };
            let name = format!("{kind} `{}`", buffer.name);
            if let (Some(image), Some(most)) = (buffer.image, limits.images) {
                check(&name, image.width as u64, most.width, "pixels of width")?;
                check(&name, image.height as u64, most.height, "pixels of height")?;
            }
            check(&name, bytes, limits.buffer_bytes, "bytes")?;
            global += bytes;
        }
        check("global memory", global, limits.global_bytes, "bytes")?;
        let local = self.steps.iter().map(super::Step::local_bytes).max();
        let local = local.unwrap_or_default();
        check("local memory", local, limits.local_bytes, "bytes")
    }
}

fn check(subject: &str, needed: u64, available: u64, unit: &str) -> Result<(), TooLarge> {
    if needed <= available {
        return Ok(());
    }
    Err(TooLarge {
        subject: subject.to_owned(),
        needed: format!("{needed} {unit}"),
        available: format!("{available}"),
    })
}
