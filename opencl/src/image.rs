//! 2-D images on a device, and samplers.

use std::ptr;

use opencl3::{
    memory::{
        CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_MIRRORED_REPEAT, CL_ADDRESS_NONE,
        CL_ADDRESS_REPEAT, CL_BGRA, CL_FILTER_LINEAR, CL_FILTER_NEAREST, CL_FLOAT, CL_HALF_FLOAT,
        CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_ONLY, CL_MEM_READ_WRITE, CL_R, CL_RG, CL_RGBA,
        CL_SIGNED_INT8, CL_SIGNED_INT16, CL_SIGNED_INT32, CL_SNORM_INT8, CL_SNORM_INT16,
        CL_UNORM_INT8, CL_UNORM_INT16, CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32,
        ClMem,
    },
    types::{cl_bool, cl_image_desc, cl_image_format, cl_mem, cl_sampler},
};

use super::{Context, ErrorContext, OpenClError};

/// OpenCL's names of channel orders, without `CL_`, and their numbers.
const ORDERS: [(&str, u32); 4] = [
    ("r", CL_R),
    ("rg", CL_RG),
    ("rgba", CL_RGBA),
    ("bgra", CL_BGRA),
];

const CHANNELS: [(&str, u32); 12] = [
    ("snorm_int8", CL_SNORM_INT8),
    ("snorm_int16", CL_SNORM_INT16),
    ("unorm_int8", CL_UNORM_INT8),
    ("unorm_int16", CL_UNORM_INT16),
    ("signed_int8", CL_SIGNED_INT8),
    ("signed_int16", CL_SIGNED_INT16),
    ("signed_int32", CL_SIGNED_INT32),
    ("unsigned_int8", CL_UNSIGNED_INT8),
    ("unsigned_int16", CL_UNSIGNED_INT16),
    ("unsigned_int32", CL_UNSIGNED_INT32),
    ("half_float", CL_HALF_FLOAT),
    ("float", CL_FLOAT),
];

const ADDRESSING: [(&str, u32); 5] = [
    ("none", CL_ADDRESS_NONE),
    ("clamp_to_edge", CL_ADDRESS_CLAMP_TO_EDGE),
    ("clamp", CL_ADDRESS_CLAMP),
    ("repeat", CL_ADDRESS_REPEAT),
    ("mirrored_repeat", CL_ADDRESS_MIRRORED_REPEAT),
];

const FILTERS: [(&str, u32); 2] = [("nearest", CL_FILTER_NEAREST), ("linear", CL_FILTER_LINEAR)];

fn name_of(names: &[(&'static str, u32)], number: u32) -> Option<&'static str> {
    names.iter().find(|it| it.1 == number).map(|it| it.0)
}

fn number_of(names: &[(&str, u32)], name: &str) -> Option<u32> {
    names.iter().find(|it| it.0 == name).map(|it| it.1)
}

/// A format's name, such as `rgba_unorm_int8`, by OpenCL's numbers of order and type; none where one is unknown.
#[must_use]
pub fn image_format(order: u32, channel: u32) -> Option<String> {
    let (order, channel) = (name_of(&ORDERS, order)?, name_of(&CHANNELS, channel)?);
    Some(format!("{order}_{channel}"))
}

/// OpenCL's names of addressing and filter by their numbers; none where one is unknown.
#[must_use]
pub fn sampler_words(addressing: u32, filter: u32) -> Option<[&'static str; 2]> {
    Some([
        name_of(&ADDRESSING, addressing)?,
        name_of(&FILTERS, filter)?,
    ])
}

/// An image on the device.
pub struct Image {
    inner: opencl3::memory::Image,
    /// Width and height, pixels.
    size: [usize; 2],
    bytes: usize,
}

#[expect(
    unsafe_code,
    reason = "all calls but those that set a kernel's arguments may come from any thread (OpenCL 1.2, A.2)"
)]
unsafe impl Sync for Image {}

/// A sampler: how kernels read images.
pub struct Sampler(opencl3::memory::Sampler);

impl Context {
    /// An image with arbitrary contents, of `size` pixels (width and height). `format` is made of OpenCL's names of
    /// order and type, as `rgba_unorm_int8`. Kernels only read it unless `is_written`.
    ///
    /// # Errors
    /// The device lacks the format ([`NoImageFormat`](OpenClError::NoImageFormat)), or there is too little memory, for
    /// one.
    #[expect(unsafe_code, reason = "no host pointer is handed over")]
    pub fn image(
        &self,
        format: &str,
        size: [usize; 2],
        is_written: bool,
    ) -> Result<Image, OpenClError> {
        let flags = if is_written {
            CL_MEM_READ_WRITE
        } else {
            CL_MEM_READ_ONLY
        };
        let formats = self
            .inner()
            .get_supported_image_formats(flags, CL_MEM_OBJECT_IMAGE2D)
            .when("clGetSupportedImageFormats")?;
        let is_there = |wanted: &cl_image_format| {
            formats.iter().any(|it| {
                it.image_channel_order == wanted.image_channel_order
                    && it.image_channel_data_type == wanted.image_channel_data_type
            })
        };
        let as_numbers = numbers(format).filter(is_there);
        let numbers = as_numbers.ok_or_else(|| OpenClError::NoImageFormat {
            format: format.to_owned(),
            used: if is_written { "written" } else { "read" },
            found: formats
                .iter()
                .filter_map(|it| image_format(it.image_channel_order, it.image_channel_data_type))
                .collect::<Vec<_>>()
                .join(", "),
        })?;
        let [width, height] = size;
        let description = cl_image_desc {
            image_type: CL_MEM_OBJECT_IMAGE2D,
            image_width: width,
            image_height: height,
            image_depth: 1,
            image_array_size: 1,
            image_row_pitch: 0,
            image_slice_pitch: 0,
            num_mip_levels: 0,
            num_samples: 0,
            buffer: ptr::null_mut(),
        };
        let host = ptr::null_mut();
        let inner = unsafe {
            opencl3::memory::Image::create(self.inner(), flags, &numbers, &description, host)
        };
        let inner = inner.when(&format!("an image of {width} × {height} {format}"))?;
        let pixel = inner.element_size().when("CL_IMAGE_ELEMENT_SIZE")?;
        let bytes = width * height * pixel;
        Ok(Image { inner, size, bytes })
    }

    /// A sampler of coordinates that are `normalized` or pixels. `addressing` and `filter` are OpenCL's names, such as
    /// `clamp_to_edge` and `nearest`.
    ///
    /// # Errors
    /// The driver has no such sampler.
    pub fn sampler(
        &self,
        normalized: bool,
        addressing: &str,
        filter: &str,
    ) -> Result<Sampler, OpenClError> {
        // 0 is no value of OpenCL's, so the driver refuses an unknown name.
        let mode = number_of(&ADDRESSING, addressing).unwrap_or(0);
        let between = number_of(&FILTERS, filter).unwrap_or(0);
        // The form of OpenCL 1.2, which every device and Oclgrind have.
        let normalized = cl_bool::from(normalized);
        let created = opencl3::memory::Sampler::create(self.inner(), normalized, mode, between);
        created
            .map(Sampler)
            .when(&format!("a sampler ({addressing}, {filter})"))
    }
}

impl Image {
    /// Bytes of all pixels, as the host sees them.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Width and height, pixels.
    pub fn size(&self) -> [usize; 2] {
        self.size
    }

    pub(super) fn handle(&self) -> cl_mem {
        self.inner.get()
    }
}

impl Sampler {
    pub(super) fn handle(&self) -> cl_sampler {
        self.0.get()
    }
}

fn numbers(format: &str) -> Option<cl_image_format> {
    let (order, channel) = format.split_once('_')?;
    Some(cl_image_format {
        image_channel_order: number_of(&ORDERS, order)?,
        image_channel_data_type: number_of(&CHANNELS, channel)?,
    })
}
