//! Queries of objects, by the functions below this layer.

use std::{ffi::c_void, mem, ptr, sync::OnceLock};

// Names of what is asked (cl.h: `CL_MEM_TYPE` and so on).
pub(super) const TYPE: u32 = 0x1100;
pub(super) const BUFFER: usize = 0x10F0;
pub(super) const SIZE: u32 = 0x1102;
pub(super) const REFERENCES: u32 = 0x1105;
pub(super) const FORMAT: u32 = 0x1110;
pub(super) const WIDTH: u32 = 0x1114;
pub(super) const HEIGHT: u32 = 0x1115;
pub(super) const SAMPLER: [u32; 3] = [0x1152, 0x1153, 0x1154];
pub(super) const DEVICES: u32 = 0x1163;
pub(super) const SOURCE: u32 = 0x1164;
pub(super) const KERNEL_COUNT: u32 = 0x1167;
pub(super) const OPTIONS: u32 = 0x1182;
pub(super) const FUNCTION_NAME: u32 = 0x1190;

pub(super) type Handle = *mut c_void;
pub(super) type Error = i32;
type Query = unsafe extern "C" fn(Handle, u32, usize, *mut c_void, *mut usize) -> Error;

/// Indices in the loader's table (cl_icd.h) of the functions that are called here.
pub(super) mod place {
    pub(in super::super) const MEMORY_INFO: usize = 20;
    pub(in super::super) const IMAGE_INFO: usize = 21;
    pub(in super::super) const SAMPLER_INFO: usize = 25;
    pub(in super::super) const PROGRAM_INFO: usize = 32;
    pub(in super::super) const BUILD_INFO: usize = 33;
    pub(in super::super) const KERNEL_INFO: usize = 39;
    pub(in super::super) const EVENT_INFO: usize = 42;
    pub(in super::super) const READ_BUFFER: usize = 48;
    pub(in super::super) const CLONE_KERNEL: usize = 137;
}

/// The function table below this layer.
pub(super) static BELOW: OnceLock<Vec<usize>> = OnceLock::new();

/// The function at an index of the table below, as a pointer of type `F`.
pub(super) unsafe fn below<F: Copy>(place: usize) -> F {
    unsafe { mem::transmute_copy(&BELOW.get().expect("the loader initialises a layer")[place]) }
}

pub(super) fn bytes_of(query: impl Fn(usize, *mut c_void, *mut usize) -> Error) -> Vec<u8> {
    let mut size = 0;
    if query(0, ptr::null_mut(), &mut size) != 0 {
        return Vec::new();
    }
    let mut bytes = vec![0_u8; size];
    let error = query(size, bytes.as_mut_ptr().cast(), ptr::null_mut());
    if error == 0 { bytes } else { Vec::new() }
}

pub(super) fn to_text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|it| *it == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

pub(super) fn answer(place: usize, handle: Handle, name: u32) -> Vec<u8> {
    bytes_of(|size, value, needed_size| unsafe {
        below::<Query>(place)(handle, name, size, value, needed_size)
    })
}

pub(super) fn text(place: usize, handle: Handle, name: u32) -> String {
    to_text(&answer(place, handle, name))
}

/// The number in an answer of at most eight bytes, little-endian.
pub(super) fn number(place: usize, handle: Handle, name: u32) -> usize {
    let bytes = answer(place, handle, name);
    bytes
        .iter()
        .take(8)
        .rev()
        .fold(0, |number, byte| number << 8 | usize::from(*byte))
}
