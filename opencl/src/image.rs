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

use super::{Context, OpenClError, Tried};

/// OpenCL's names, without `CL_`.
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

/// How kernels read images.
pub struct Sampler(opencl3::memory::Sampler);

/// What coordinates beyond the edges read: OpenCL's `CL_ADDRESS_…`.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "OpenCL's names")]
pub enum Addressing {
    None,
    ClampToEdge,
    Clamp,
    Repeat,
    MirroredRepeat,
}

/// What coordinates between pixels read: OpenCL's `CL_FILTER_…`.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "OpenCL's names")]
pub enum Filter {
    Nearest,
    Linear,
}

impl Context {
    /// An image that holds anything, of `size` pixels (width and height) of a `format` as `rgba_unorm_int8`: OpenCL's
    /// names of order and type. It is `written`, or only read by kernels.
    ///
    /// # Errors
    /// [`NoImageFormat`](OpenClError::NoImageFormat); too little memory, for one.
    #[expect(unsafe_code, reason = "no host pointer is handed over")]
    pub fn image(
        &self,
        format: &str,
        size: [usize; 2],
        written: bool,
    ) -> Result<Image, OpenClError> {
        let flags = if written {
            CL_MEM_READ_WRITE
        } else {
            CL_MEM_READ_ONLY
        };
        let found = self
            .inner()
            .get_supported_image_formats(flags, CL_MEM_OBJECT_IMAGE2D)
            .tried("clGetSupportedImageFormats")?;
        let is_there = |wanted: &cl_image_format| {
            found.iter().any(|found| {
                found.image_channel_order == wanted.image_channel_order
                    && found.image_channel_data_type == wanted.image_channel_data_type
            })
        };
        let as_numbers = numbers(format).filter(is_there);
        let numbers = as_numbers.ok_or_else(|| OpenClError::NoImageFormat {
            format: format.to_owned(),
            used: if written { "written" } else { "read" },
            found: found.iter().filter_map(name).collect::<Vec<_>>().join(", "),
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
        let inner = inner.tried(&format!("an image of {width} × {height} {format}"))?;
        let pixel = inner.element_size().tried("CL_IMAGE_ELEMENT_SIZE")?;
        let bytes = width * height * pixel;
        Ok(Image { inner, size, bytes })
    }

    /// A sampler of coordinates that are `normalized`, or pixels.
    ///
    /// # Errors
    /// The driver's: it has no such sampler.
    pub fn sampler(
        &self,
        normalized: bool,
        addressing: Addressing,
        filter: Filter,
    ) -> Result<Sampler, OpenClError> {
        let what = || format!("a sampler ({addressing:?}, {filter:?})");
        let mode = match addressing {
            Addressing::None => CL_ADDRESS_NONE,
            Addressing::ClampToEdge => CL_ADDRESS_CLAMP_TO_EDGE,
            Addressing::Clamp => CL_ADDRESS_CLAMP,
            Addressing::Repeat => CL_ADDRESS_REPEAT,
            Addressing::MirroredRepeat => CL_ADDRESS_MIRRORED_REPEAT,
        };
        let between = match filter {
            Filter::Nearest => CL_FILTER_NEAREST,
            Filter::Linear => CL_FILTER_LINEAR,
        };
        // The form of OpenCL 1.2, which every device and Oclgrind have.
        let normalized = cl_bool::from(normalized);
        let made = opencl3::memory::Sampler::create(self.inner(), normalized, mode, between);
        made.map(Sampler).tried(&what())
    }
}

impl Image {
    /// Of all pixels, as the host sees them.
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
    let number = |names: &[(&str, u32)], name: &str| {
        let mut names = names.iter();
        names.find(|(known, _)| *known == name).map(|known| known.1)
    };
    Some(cl_image_format {
        image_channel_order: number(&ORDERS, order)?,
        image_channel_data_type: number(&CHANNELS, channel)?,
    })
}

/// None where it has no name here.
fn name(format: &cl_image_format) -> Option<String> {
    let name = |names: &[(&'static str, u32)], number: u32| {
        let mut names = names.iter();
        names.find(|known| known.1 == number).map(|known| known.0)
    };
    let order = name(&ORDERS, format.image_channel_order)?;
    let channel = name(&CHANNELS, format.image_channel_data_type)?;
    Some(format!("{order}_{channel}"))
}
