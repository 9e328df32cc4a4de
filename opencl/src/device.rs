//! Devices, in the order of OpenCL's platforms.

use std::{
    env,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use opencl3::{
    device::{CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU},
    platform::{Platform, get_platforms},
};
use serde::{Deserialize, Serialize};

use super::{Context, ErrorContext, OpenClError};

/// Facts about an OpenCL device of this machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DeviceFacts {
    /// Its place among the machine's devices, from 0.
    pub index: usize,
    /// `CL_PLATFORM_VENDOR`.
    pub vendor: String,
    /// `CL_DEVICE_NAME`.
    pub name: String,
    /// The kind of device.
    pub kind: DeviceKind,
    /// `CL_DEVICE_MAX_COMPUTE_UNITS`; none where the driver does not say.
    pub compute_units: Option<u32>,
    /// `CL_DEVICE_MAX_CLOCK_FREQUENCY`, MHz; none where the driver does not say.
    pub clock_mhz: Option<u32>,
    /// `CL_DEVICE_GLOBAL_MEM_SIZE`, bytes; none where the driver does not say.
    pub global_memory_bytes: Option<u64>,
    /// `CL_DEVICE_LOCAL_MEM_SIZE`, bytes of a work-group; none where the driver does not say.
    pub local_memory_bytes: Option<u64>,
    /// `CL_PLATFORM_NAME`.
    pub platform: String,
    /// `CL_PLATFORM_VERSION`.
    pub platform_version: String,
    /// `CL_DRIVER_VERSION`.
    pub driver_version: String,
    /// `CL_DEVICE_MAX_WORK_GROUP_SIZE`.
    pub max_work_group_size: usize,
    /// `CL_DEVICE_MAX_MEM_ALLOC_SIZE`, bytes.
    pub max_buffer_bytes: u64,
    /// `CL_DEVICE_IMAGE2D_MAX_WIDTH` and `…_HEIGHT`, pixels; none where `CL_DEVICE_IMAGE_SUPPORT` is false.
    pub largest_image: Option<[u64; 2]>,
    /// `CL_DEVICE_GLOBAL_MEM_CACHE_SIZE`, bytes; none where the driver knows of no cache.
    pub cache_bytes: Option<u64>,
    /// `CL_DEVICE_UUID_KHR`: the same in every API of the driver; none where the driver has none.
    pub uuid: Option<[u8; 16]>,
}

/// `CL_DEVICE_TYPE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceKind {
    /// The host's processor.
    Cpu,
    /// A graphics processor.
    Gpu,
    /// Any other device, as an FPGA.
    Accelerator,
}

/// A device that can be used.
#[derive(Clone, Debug)]
pub struct OpenClDevice {
    /// Facts about the device.
    pub facts: DeviceFacts,
    inner: opencl3::device::Device,
    context: Arc<Mutex<Option<Context>>>,
}

impl OpenClDevice {
    /// The device's one context, made at the first call because NVIDIA's driver takes 0.1 s for it.
    ///
    /// # Errors
    /// The driver fails.
    pub fn context(&self) -> Result<Context, OpenClError> {
        let mut context = self.context.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = &*context {
            return Ok(opened.clone());
        }
        Ok(context.insert(Context::new(&self.inner)?).clone())
    }

    /// Whether the device has an extension, as `cl_khr_fp64`.
    pub fn has_extension(&self, name: &str) -> bool {
        let extensions = self.inner.extensions().unwrap_or_default();
        extensions.split_whitespace().any(|it| it == name)
    }
}

static ENUMERATION: Mutex<()> = Mutex::new(());

/// All devices of all platforms.
///
/// # Errors
/// There is no loader, no driver or no device, or a driver fails.
pub fn devices() -> Result<Vec<OpenClDevice>, OpenClError> {
    // PoCL 3.1 finds no device while another thread is at its first clGetDeviceIDs.
    let _alone = ENUMERATION.lock().unwrap_or_else(PoisonError::into_inner);
    let named = env::var("OPENCL_DYLIB_PATH").unwrap_or_default();
    // Whoever names a loader does not want another one, which opencl3 would take.
    if !named.is_empty() && !named.split(';').any(|path| Path::new(path).exists()) {
        return Err(OpenClError::NamedLoader(named));
    }
    let platforms = get_platforms().when("clGetPlatformIDs")?;
    if platforms.is_empty() {
        return Err(OpenClError::NoDriver);
    }
    let mut devices = Vec::new();
    let mut names = Vec::new();
    for platform in platforms {
        let name = platform.name().when("CL_PLATFORM_NAME")?;
        // A driver without a device of its own answers with an error: the others still count.
        for id in platform.get_devices(CL_DEVICE_TYPE_ALL).unwrap_or_default() {
            devices.push(describe(
                devices.len(),
                platform,
                opencl3::device::Device::new(id),
            )?);
        }
        names.push(tidy(&name));
    }
    if devices.is_empty() {
        return Err(OpenClError::NoDevice(names.join(", ")));
    }
    Ok(devices)
}

fn describe(
    index: usize,
    platform: Platform,
    inner: opencl3::device::Device,
) -> Result<OpenClDevice, OpenClError> {
    let kind = match inner.dev_type().when("CL_DEVICE_TYPE")? {
        kind if kind & CL_DEVICE_TYPE_GPU != 0 => DeviceKind::Gpu,
        kind if kind & CL_DEVICE_TYPE_CPU != 0 => DeviceKind::Cpu,
        _ => DeviceKind::Accelerator,
    };
    let facts = DeviceFacts {
        index,
        vendor: tidy(&platform.vendor().when("CL_PLATFORM_VENDOR")?),
        name: tidy(&inner.name().when("CL_DEVICE_NAME")?),
        kind,
        compute_units: inner.max_compute_units().ok(),
        clock_mhz: inner.max_clock_frequency().ok().filter(|&mhz| mhz > 0),
        global_memory_bytes: inner.global_mem_size().ok(),
        local_memory_bytes: inner.local_mem_size().ok(),
        platform: tidy(&platform.name().when("CL_PLATFORM_NAME")?),
        platform_version: tidy(&platform.version().when("CL_PLATFORM_VERSION")?),
        driver_version: tidy(&inner.driver_version().when("CL_DRIVER_VERSION")?),
        max_work_group_size: inner
            .max_work_group_size()
            .when("CL_DEVICE_MAX_WORK_GROUP_SIZE")?,
        max_buffer_bytes: inner
            .max_mem_alloc_size()
            .when("CL_DEVICE_MAX_MEM_ALLOC_SIZE")?,
        largest_image: largest_image(&inner),
        cache_bytes: inner
            .global_mem_cache_size()
            .ok()
            .filter(|&bytes| bytes > 0),
        uuid: inner.uuid_khr().ok(),
    };
    Ok(OpenClDevice {
        facts,
        inner,
        context: Arc::default(),
    })
}

fn largest_image(device: &opencl3::device::Device) -> Option<[u64; 2]> {
    if !device.image_support().ok()? {
        return None;
    }
    let sides = [device.image2d_max_width(), device.image2d_max_height()];
    let [width, height] = sides.map(|side| side.ok().filter(|&pixels| pixels > 0));
    Some([width? as u64, height? as u64])
}

/// A driver's string without padding.
fn tidy(text: &str) -> String {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\0')
        .to_owned()
}
