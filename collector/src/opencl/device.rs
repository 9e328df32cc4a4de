//! Devices, in the order of OpenCL's platforms.

use std::{
    env,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use kerncast_wire::{Device, DeviceKind};
use opencl3::{
    context::Context as ClContext,
    device::{CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU},
    platform::{Platform, get_platforms},
};
use serde::{Deserialize, Serialize};

use super::{Context, OpenClError};

/// What is known of an OpenCL device of this machine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DeviceFacts {
    /// Its place among the machine's devices, from 0.
    pub index: usize,
    /// What samples say of it.
    pub device: Device,
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
    /// `CL_DEVICE_GLOBAL_MEM_CACHE_SIZE`; none where the driver knows of no cache.
    pub cache_bytes: Option<u64>,
    /// `CL_DEVICE_UUID_KHR`: the same in every API of the driver; none where the driver has none.
    pub uuid: Option<[u8; 16]>,
}

/// A device that can be used.
#[derive(Clone, Debug)]
pub struct OpenClDevice {
    /// What is known of it.
    pub facts: DeviceFacts,
    pub(super) inner: opencl3::device::Device,
    context: Arc<Mutex<Option<Arc<ClContext>>>>,
}

impl OpenClDevice {
    /// The one context of its queues, made when it is first wanted: NVIDIA's driver takes 0.1 s for it.
    pub(super) fn context(&self) -> Result<Arc<ClContext>, OpenClError> {
        let mut kept = self.context.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(context) = &*kept {
            return Ok(context.clone());
        }
        let made = ClContext::from_device(&self.inner).context("clCreateContext")?;
        Ok(kept.insert(Arc::new(made)).clone())
    }

    /// Whether it has an extension, as `cl_khr_fp64`.
    pub fn has_extension(&self, name: &str) -> bool {
        let extensions = self.inner.extensions().unwrap_or_default();
        extensions.split_whitespace().any(|known| known == name)
    }
}

static ENUMERATION: Mutex<()> = Mutex::new(());

/// Every device of every platform.
///
/// # Errors
/// No loader, no driver, no device, or a driver that fails.
pub fn devices() -> Result<Vec<OpenClDevice>, OpenClError> {
    // PoCL 3.1 finds no device while another thread is at its first clGetDeviceIDs.
    let _alone = ENUMERATION.lock().unwrap_or_else(PoisonError::into_inner);
    let named = env::var("OPENCL_DYLIB_PATH").unwrap_or_default();
    // Whoever names a loader does not want another one, which opencl3 would take.
    if !named.is_empty() && !named.split(';').any(|path| Path::new(path).exists()) {
        return Err(OpenClError::NamedLoader(named));
    }
    let platforms = get_platforms().context("clGetPlatformIDs")?;
    if platforms.is_empty() {
        return Err(OpenClError::NoDriver);
    }
    let mut found = Vec::new();
    let mut names = Vec::new();
    for platform in platforms {
        let name = platform.name().context("CL_PLATFORM_NAME")?;
        // A driver without a device of its own answers with an error: the others still count.
        for id in platform.get_devices(CL_DEVICE_TYPE_ALL).unwrap_or_default() {
            found.push(describe(
                found.len(),
                platform,
                opencl3::device::Device::new(id),
            )?);
        }
        names.push(tidy(&name));
    }
    if found.is_empty() {
        return Err(OpenClError::NoDevice(names.join(", ")));
    }
    Ok(found)
}

fn describe(
    index: usize,
    platform: Platform,
    inner: opencl3::device::Device,
) -> Result<OpenClDevice, OpenClError> {
    let kind = match inner.dev_type().context("CL_DEVICE_TYPE")? {
        kind if kind & CL_DEVICE_TYPE_GPU != 0 => DeviceKind::Gpu,
        kind if kind & CL_DEVICE_TYPE_CPU != 0 => DeviceKind::Cpu,
        _ => DeviceKind::Accelerator,
    };
    let facts = DeviceFacts {
        index,
        device: Device {
            vendor: tidy(&platform.vendor().context("CL_PLATFORM_VENDOR")?),
            name: tidy(&inner.name().context("CL_DEVICE_NAME")?),
            kind,
            compute_units: inner.max_compute_units().ok(),
            global_memory_bytes: inner.global_mem_size().ok(),
            local_memory_bytes: inner.local_mem_size().ok(),
        },
        platform: tidy(&platform.name().context("CL_PLATFORM_NAME")?),
        platform_version: tidy(&platform.version().context("CL_PLATFORM_VERSION")?),
        driver_version: tidy(&inner.driver_version().context("CL_DRIVER_VERSION")?),
        max_work_group_size: inner
            .max_work_group_size()
            .context("CL_DEVICE_MAX_WORK_GROUP_SIZE")?,
        max_buffer_bytes: inner
            .max_mem_alloc_size()
            .context("CL_DEVICE_MAX_MEM_ALLOC_SIZE")?,
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

/// Some drivers pad their strings.
fn tidy(text: &str) -> String {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\0')
        .to_owned()
}
