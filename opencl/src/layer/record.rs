//! Records launches: a line for each, with its arguments and perhaps the contents of its buffers.

use std::{
    cell::RefCell,
    env,
    ffi::c_void,
    fmt::Write as _,
    fs::{self, OpenOptions},
    io::Write as _,
    process, ptr, slice,
    sync::OnceLock,
};

use super::{
    query::{
        BUFFER, Error, FORMAT, HEIGHT, Handle, SAMPLER, SIZE, TYPE, WIDTH, below, number, place,
    },
    state::{Argument, FOLDER, Kernel, Kind, with_trace},
};

/// The id of the process that the layer was loaded into.
pub(super) static PROCESS: OnceLock<u32> = OnceLock::new();

/// The events that a launch waits for: their number and a pointer to them.
pub(super) type Waits = (u32, *const Handle);

/// A launch that is about to be made.
struct Launch {
    /// The source's file and the function.
    names: (String, String),
    /// Number of work-items.
    items: usize,
    /// The line to write if the launch succeeds; none where it is not to be recorded.
    line: Option<String>,
}

thread_local! {
    static NEXT: RefCell<Option<Launch>> = const { RefCell::new(None) };
}

/// Prepares the line of a launch before it runs, because it may change the contents of its buffers.
pub(super) fn prepare_line(queue: Handle, kernel: Handle, shape: [Vec<usize>; 3], waits: Waits) {
    let [global, local, offset] = shape;
    let items = global.iter().product();
    let traced = with_trace(|it| {
        let kernel = it.kernels.get(&(kernel as usize))?;
        let names = (kernel.source.clone(), kernel.function.clone());
        let is_recorded = it.launches.get(&names).is_none_or(|it| it.records(items));
        Some((names, is_recorded.then(|| kernel.clone())))
    });
    let Some((names, kernel)) = traced.flatten() else {
        return;
    };
    let line = kernel.map(|kernel| {
        let arguments = arguments(queue, &kernel, waits);
        format!(
            "{{{}, \"options\": {}, \"global\": {global:?}, \"local\": {local:?}, \"offset\": {offset:?}, \
             \"arguments\": [{}]}}",
            json_names(&names.0, &names.1),
            json_text(&kernel.options),
            arguments.join(", ")
        )
    });
    NEXT.set(Some(Launch { names, items, line }));
}

/// Counts the prepared launch, unless it failed.
pub(super) fn add_launch(error: Error) {
    let Some(launch) = NEXT.take().filter(|_| error == 0) else {
        return;
    };
    with_trace(|it| {
        it.launches
            .entry(launch.names)
            .or_default()
            .add(launch.items)
    });
    launch.line.iter().for_each(|it| append(it));
}

/// Each argument as a JSON object.
fn arguments(queue: Handle, kernel: &Kernel, waits: Waits) -> Vec<String> {
    let last = kernel.arguments.keys().next_back().map_or(0, |it| it + 1);
    let all = (0..last).map(|at| match kernel.arguments.get(&at) {
        None => "{}".to_owned(),
        Some(Argument::Pointer) => "{\"pointer\": true}".to_owned(),
        Some(Argument::Nothing(bytes)) => format!("{{\"nothing\": {bytes}}}"),
        Some(Argument::Value(value)) => {
            let handle = value.as_slice().try_into().map_or(0, usize::from_ne_bytes);
            let file = || {
                format!(
                    "{}.{}.{}.{at}",
                    process::id(),
                    kernel.source,
                    kernel.function
                )
            };
            match with_trace(|it| it.handles.get(&handle).copied()).flatten() {
                Some(Kind::Memory) => memory(queue, handle as Handle, file, waits),
                Some(Kind::Sampler) => {
                    let answers =
                        SAMPLER.map(|it| number(place::SAMPLER_INFO, handle as Handle, it));
                    format!("{{\"sampler\": {answers:?}}}")
                }
                None => format!("{{\"value\": {value:?}}}"),
            }
        }
    });
    all.collect()
}

/// A buffer's bytes, or an image's format and size.
fn memory(queue: Handle, handle: Handle, file: impl Fn() -> String, waits: Waits) -> String {
    let image = |name| number(place::IMAGE_INFO, handle, name);
    if number(place::MEMORY_INFO, handle, TYPE) != BUFFER {
        // Order and type, four bytes each.
        let format = image(FORMAT);
        return format!(
            "{{\"image\": [{}, {}], \"order\": {}, \"channel\": {}}}",
            image(WIDTH),
            image(HEIGHT),
            format & 0xFFFF_FFFF,
            format >> 32
        );
    }
    let bytes = number(place::MEMORY_INFO, handle, SIZE);
    let mut text = format!("{{\"buffer\": {bytes}");
    if let Some(folder) = &*FOLDER
        && env::var_os("KERNCAST_TRACE_CONTENTS").is_some()
        && let Some(contents) = contents(queue, handle, bytes, waits)
        && fs::write(folder.join(file()), contents).is_ok()
    {
        let _ = write!(text, ", \"contents\": {}", json_text(&file()));
    }
    text + "}"
}

/// The contents of a buffer when the launch begins; none where they can't be read.
fn contents(queue: Handle, buffer: Handle, bytes: usize, (count, waits): Waits) -> Option<Vec<u8>> {
    type ReadBuffer = unsafe extern "C" fn(
        Handle,
        Handle,
        u32,
        usize,
        usize,
        *mut c_void,
        u32,
        *const Handle,
        *mut Handle,
    ) -> Error;
    /// The most bytes of a buffer that are recorded; nobody wants folders with larger ones.
    const MOST: usize = 64 << 20;
    if bytes > MOST || awaits_host(count, waits) {
        return None;
    }
    let mut contents = vec![0_u8; bytes];
    let read = unsafe { below::<ReadBuffer>(place::READ_BUFFER) };
    let into = contents.as_mut_ptr().cast();
    let error = unsafe {
        read(
            queue,
            buffer,
            1,
            0,
            bytes,
            into,
            count,
            waits,
            ptr::null_mut(),
        )
    };
    (error == 0).then_some(contents)
}

/// Whether a launch waits for an event that the program sets itself, perhaps later on this thread.
fn awaits_host(count: u32, waits: *const Handle) -> bool {
    const COMMAND: u32 = 0x11D1;
    const USER: usize = 0x1204;
    if waits.is_null() {
        return false;
    }
    let waits = unsafe { slice::from_raw_parts(waits, count as usize) };
    waits
        .iter()
        .any(|it| number(place::EVENT_INFO, *it, COMMAND) == USER)
}

pub(super) extern "C" fn write_counts() {
    // A fork has its parent's counts, and maybe its locks.
    if PROCESS.get() != Some(&process::id()) {
        return;
    }
    with_trace(|trace| {
        for ((source, function), launches) in &trace.launches {
            append(&format!(
                "{{{}, \"launches\": {}}}",
                json_names(source, function),
                launches.count
            ));
        }
    });
}

fn json_names(source: &str, function: &str) -> String {
    format!(
        "\"source\": {}, \"function\": {}",
        json_text(source),
        json_text(function)
    )
}

fn append(line: &str) {
    let Some(folder) = &*FOLDER else { return };
    let path = folder.join(format!("{}.jsonl", process::id()));
    if let Ok(mut file) = OpenOptions::new().append(true).create(true).open(path) {
        // A trace that can't be written is a shorter one; the program goes on.
        let _ = file.write_all(format!("{line}\n").as_bytes());
    }
}

fn json_text(text: &str) -> String {
    let mut quoted = String::from("\"");
    for sign in text.chars() {
        match sign {
            '"' | '\\' => quoted.extend(['\\', sign]),
            _ if sign.is_control() => quoted.push(' '),
            _ => quoted.push(sign),
        }
    }
    quoted + "\""
}
