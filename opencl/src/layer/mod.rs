//! A layer of the OpenCL loader (`OPENCL_LAYERS`; cl_layer.h) that records how a program launches its kernels. It is a
//! library of its own (build.rs) without dependencies, because it is loaded into other programs. It leaves out what it
//! can't record, and passes every call on to the driver unchanged.
//!
//! Each process writes a file `PID.jsonl` in the folder that KERNCAST_TRACE names. The file has a line for each launch
//! that is larger than all earlier launches of its function (of those as large as the largest the 2nd, 4th, 8th …), and
//! at the end the number of launches. Sources are files beside it; with KERNCAST_TRACE_CONTENTS so are the contents of
//! buffers before the launch.
#![allow(unsafe_code, reason = "OpenCL's functions take raw pointers")]

use std::{
    ffi::{c_char, c_void},
    process, ptr, slice,
};

mod query;
mod record;
mod state;

use query::{BELOW, Error, Handle, KERNEL_COUNT, REFERENCES, below, number, place};
use record::{PROCESS, add_launch, prepare_line, write_counts};
use state::{Argument, Kind, add_argument, add_handle, add_kernel, source_of, with_trace};

#[unsafe(no_mangle)]
extern "C" fn clGetLayerInfo(
    name: u32,
    size: usize,
    value: *mut c_void,
    needed_size: *mut usize,
) -> Error {
    const VERSION: u32 = 0x4240;
    const NAME: u32 = 0x4241;
    let answer: &[u8] = match name {
        VERSION => &100_u32.to_ne_bytes(),
        NAME => b"kerncast\0",
        _ => return -30,
    };
    unsafe {
        if !value.is_null() {
            if size < answer.len() {
                return -30;
            }
            ptr::copy_nonoverlapping(answer.as_ptr(), value.cast(), answer.len());
        }
        if !needed_size.is_null() {
            *needed_size = answer.len();
        }
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn clInitLayer(
    count: u32,
    target: *const usize,
    own_count: *mut u32,
    own: *mut *const usize,
) -> Error {
    // Up to OpenCL 2.1, whose `clCloneKernel` programs may use.
    if target.is_null()
        || own_count.is_null()
        || own.is_null()
        || (count as usize) <= place::CLONE_KERNEL
    {
        return -30;
    }
    let below = unsafe { slice::from_raw_parts(target, count as usize) }.to_vec();
    let mut table = below.clone();
    for (place, function) in functions() {
        if let Some(entry) = table.get_mut(place) {
            *entry = function;
        }
    }
    if BELOW.set(below).is_err() || PROCESS.set(process::id()).is_err() {
        return -30;
    }
    unsafe {
        atexit(write_counts);
        *own_count = count;
        *own = table.leak().as_ptr();
    }
    0
}

unsafe extern "C" {
    fn atexit(function: extern "C" fn()) -> i32;
}

/// Defines functions of the layer's table: each calls the function below, does `before` first where it is given, and
/// passes the result to the closure.
macro_rules! functions {
    ($($place:literal $function:ident($($argument:ident: $type:ty),*) -> $result:ty { $after:expr $(, before $before:expr)? })*) => {
        $(unsafe extern "C" fn $function($($argument: $type),*) -> $result {
            type Below = unsafe extern "C" fn($($type),*) -> $result;
            $($before;)?
            let result = unsafe { below::<Below>($place)($($argument),*) };
            let after: &dyn Fn($result) = &$after;
            after(result);
            result
        })*

        fn functions() -> Vec<(usize, usize)> {
            vec![$(($place, $function as *const () as usize)),*]
        }
    };
}

functions! {
    14 create_buffer(context: Handle, flags: u64, bytes: usize, host: Handle, error: *mut Error) -> Handle {
        |it| add_handle(it, Kind::Memory)
    }
    15 create_image_2d(context: Handle, flags: u64, format: Handle, width: usize, height: usize, pitch: usize,
                       host: Handle, error: *mut Error) -> Handle {
        |it| add_handle(it, Kind::Memory)
    }
    18 release_memory(handle: Handle) -> Error {
        |_| (),
        before if number(place::MEMORY_INFO, handle, REFERENCES) == 1 {
            with_trace(|it| it.handles.remove(&(handle as usize)));
        }
    }
    22 create_sampler(context: Handle, normalized: u32, addressing: u32, filter: u32, error: *mut Error) -> Handle {
        |it| add_handle(it, Kind::Sampler)
    }
    34 create_kernel(program: Handle, name: *const c_char, error: *mut Error) -> Handle {
        |kernel| add_kernel(program, kernel)
    }
    35 create_kernels(program: Handle, capacity: u32, kernels: *mut Handle, all: *mut u32) -> Error {
        |error| if error == 0 && !kernels.is_null() {
            // There is room for all, or that is an error.
            let count = number(place::PROGRAM_INFO, program, KERNEL_COUNT).min(capacity as usize);
            let kernels = unsafe { slice::from_raw_parts(kernels, count) };
            kernels.iter().for_each(|it| add_kernel(program, *it));
        }
    }
    38 set_argument(kernel: Handle, at: u32, bytes: usize, value: *const u8) -> Error {
        |error| if error == 0 {
            add_argument(kernel, at, if value.is_null() {
                Argument::Nothing(bytes)
            } else {
                Argument::Value(unsafe { slice::from_raw_parts(value, bytes) }.to_vec())
            });
        }
    }
    59 launch(queue: Handle, kernel: Handle, dimensions: u32, offset: *const usize, global: *const usize,
              local: *const usize, count: u32, waits: *const Handle, event: *mut Handle) -> Error {
        add_launch,
        before prepare_line(queue, kernel, [global, local, offset].map(|it| sizes(dimensions, it)), (count, waits))
    }
    60 launch_one(queue: Handle, kernel: Handle, count: u32, waits: *const Handle, event: *mut Handle) -> Error {
        add_launch, before prepare_line(queue, kernel, [vec![1], vec![1], Vec::new()], (count, waits))
    }
    82 create_part(whole: Handle, flags: u64, kind: u32, region: Handle, error: *mut Error) -> Handle {
        |it| add_handle(it, Kind::Memory)
    }
    96 create_image(context: Handle, flags: u64, format: Handle, size: Handle, host: Handle,
                    error: *mut Error) -> Handle {
        |it| add_handle(it, Kind::Memory)
    }
    99 link(context: Handle, devices: u32, list: *const Handle, options: *const c_char, count: u32,
            programs: *const Handle, callback: Handle, data: Handle, error: *mut Error) -> Handle {
        |program| if !program.is_null() && !programs.is_null() {
            // They may be gone when kernels are made.
            let parts = unsafe { slice::from_raw_parts(programs, count as usize) };
            let parts = parts.iter().map(|it| source_of(*it)).collect();
            with_trace(|it| _ = it.linked.insert(program as usize, parts));
        }
    }
    133 create_sampler_2(context: Handle, properties: Handle, error: *mut Error) -> Handle {
        |it| add_handle(it, Kind::Sampler)
    }
    134 set_pointer(kernel: Handle, at: u32, value: Handle) -> Error {
        |error| if error == 0 { add_argument(kernel, at, Argument::Pointer) }
    }
    137 clone_kernel(kernel: Handle, error: *mut Error) -> Handle {
        |clone| {
            with_trace(|it| {
                let original = it.kernels.get(&(kernel as usize)).cloned();
                original.map(|original| it.kernels.insert(clone as usize, original))
            });
        }
    }
    146 create_buffer_3(context: Handle, properties: Handle, flags: u64, bytes: usize, host: Handle,
                        error: *mut Error) -> Handle {
        |it| add_handle(it, Kind::Memory)
    }
    147 create_image_3(context: Handle, properties: Handle, flags: u64, format: Handle, size: Handle, host: Handle,
                       error: *mut Error) -> Handle {
        |it| add_handle(it, Kind::Memory)
    }
}

fn sizes(dimensions: u32, numbers: *const usize) -> Vec<usize> {
    if numbers.is_null() || dimensions > 3 {
        return Vec::new();
    }
    unsafe { slice::from_raw_parts(numbers, dimensions as usize) }.to_vec()
}
