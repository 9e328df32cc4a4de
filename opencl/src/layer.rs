//! A layer of the OpenCL loader (`OPENCL_LAYERS`; cl_layer.h) that writes down how a program launches its kernels. It is
//! a library of its own (build.rs) without dependencies, since it is loaded into programs of others: what it cannot
//! write down it leaves out, and every call goes on to the driver as it came.
//!
//! In the folder that KERNCAST_TRACE names each process writes `PID.jsonl`: a line for a launch that is larger than its
//! function's launches before (of equals the 2nd, 4th, 8th …), and at the end the number of launches. Sources are files
//! beside it. With KERNCAST_TRACE_CONTENTS, so is what buffers hold before the launch.
#![allow(unsafe_code, reason = "OpenCL's functions take raw pointers")]

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap, hash_map::DefaultHasher},
    env,
    ffi::{c_char, c_void},
    fmt::Write as _,
    fs::{self, OpenOptions},
    hash::{Hash, Hasher},
    io::Write as _,
    mem,
    path::PathBuf,
    process, ptr, slice,
    sync::{LazyLock, Mutex, OnceLock},
};

// What is asked of OpenCL (cl.h: `CL_MEM_TYPE` and so on).
const TYPE: u32 = 0x1100;
const BUFFER: usize = 0x10F0;
const SIZE: u32 = 0x1102;
const REFERENCES: u32 = 0x1105;
const FORMAT: u32 = 0x1110;
const WIDTH: u32 = 0x1114;
const HEIGHT: u32 = 0x1115;
const SAMPLER: [u32; 3] = [0x1152, 0x1153, 0x1154];
const DEVICES: u32 = 0x1163;
const SOURCE: u32 = 0x1164;
const KERNEL_COUNT: u32 = 0x1167;
const OPTIONS: u32 = 0x1182;
const FUNCTION_NAME: u32 = 0x1190;

type Handle = *mut c_void;
type Error = i32;
type Query = unsafe extern "C" fn(Handle, u32, usize, *mut c_void, *mut usize) -> Error;

/// Places in the loader's table (cl_icd.h) of the functions that are called here.
mod place {
    pub(super) const MEMORY_INFO: usize = 20;
    pub(super) const IMAGE_INFO: usize = 21;
    pub(super) const SAMPLER_INFO: usize = 25;
    pub(super) const PROGRAM_INFO: usize = 32;
    pub(super) const BUILD_INFO: usize = 33;
    pub(super) const KERNEL_INFO: usize = 39;
    pub(super) const EVENT_INFO: usize = 42;
    pub(super) const READ_BUFFER: usize = 48;
    pub(super) const CLONE_KERNEL: usize = 137;
}

/// The functions below this layer.
static BELOW: OnceLock<Vec<usize>> = OnceLock::new();

/// The process that the layer was loaded into.
static PROCESS: OnceLock<u32> = OnceLock::new();

/// A function below, as what it is.
unsafe fn below<F: Copy>(place: usize) -> F {
    unsafe { mem::transmute_copy(&BELOW.get().expect("the loader initialises a layer")[place]) }
}

/// What was seen of the program.
#[derive(Default)]
struct Trace {
    /// By these an argument's eight bytes are told from a number.
    handles: BTreeMap<usize, Kind>,
    kernels: HashMap<usize, Kernel>,
    /// Sources and build options of the programs that a program was linked of.
    linked: HashMap<usize, Vec<(String, String)>>,
    /// By source and function.
    launches: BTreeMap<(String, String), Launches>,
}

#[derive(Clone, Copy)]
enum Kind {
    Memory,
    Sampler,
}

#[derive(Clone)]
struct Kernel {
    function: String,
    /// The source's file; empty where the program was made of something else.
    source: String,
    options: String,
    arguments: BTreeMap<u32, Argument>,
}

#[derive(Clone)]
enum Argument {
    Value(Vec<u8>),
    /// Local memory, or a null buffer: bytes.
    Nothing(usize),
    /// Shared virtual memory.
    Pointer,
}

#[derive(Default)]
struct Launches {
    count: u64,
    /// Work-items of the largest.
    largest: usize,
    /// How many are as large.
    as_large: u64,
}

static TRACE: LazyLock<Mutex<Trace>> = LazyLock::new(Mutex::default);
static FOLDER: LazyLock<Option<PathBuf>> =
    LazyLock::new(|| env::var_os("KERNCAST_TRACE").map(PathBuf::from));

/// None where nothing is traced. Nothing of OpenCL is called meanwhile: its callbacks may come here too.
fn with_trace<T>(of: impl FnOnce(&mut Trace) -> T) -> Option<T> {
    FOLDER.as_ref()?;
    TRACE.lock().ok().map(|mut trace| of(&mut trace))
}

#[unsafe(no_mangle)]
extern "C" fn clGetLayerInfo(
    name: u32,
    size: usize,
    value: *mut c_void,
    needs: *mut usize,
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
        if !needs.is_null() {
            *needs = answer.len();
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

/// Functions of the table: what is done with what the one below gave, and before it is called.
macro_rules! functions {
    ($($place:literal $function:ident($($argument:ident: $of:ty),*) -> $result:ty { $after:expr $(, before $before:expr)? })*) => {
        $(unsafe extern "C" fn $function($($argument: $of),*) -> $result {
            type Own = unsafe extern "C" fn($($of),*) -> $result;
            $($before;)?
            let result = unsafe { below::<Own>($place)($($argument),*) };
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
    35 create_kernels(program: Handle, room: u32, kernels: *mut Handle, count: *mut u32) -> Error {
        |error| if error == 0 && !kernels.is_null() {
            // There is room for all, or that is an error.
            let made = number(place::PROGRAM_INFO, program, KERNEL_COUNT).min(room as usize);
            let kernels = unsafe { slice::from_raw_parts(kernels, made) };
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
        before look_at(queue, kernel, [global, local, offset].map(|it| sizes(dimensions, it)), (count, waits))
    }
    60 launch_one(queue: Handle, kernel: Handle, count: u32, waits: *const Handle, event: *mut Handle) -> Error {
        add_launch, before look_at(queue, kernel, [vec![1], vec![1], Vec::new()], (count, waits))
    }
    82 create_part(whole: Handle, flags: u64, kind: u32, region: Handle, error: *mut Error) -> Handle {
        |it| add_handle(it, Kind::Memory)
    }
    96 create_image(context: Handle, flags: u64, format: Handle, size: Handle, host: Handle,
                    error: *mut Error) -> Handle {
        |it| add_handle(it, Kind::Memory)
    }
    99 link(context: Handle, devices: u32, of: *const Handle, options: *const c_char, count: u32,
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

fn add_handle(handle: Handle, kind: Kind) {
    with_trace(|it| {
        it.handles.insert(handle as usize, kind);
    });
}

fn sizes(dimensions: u32, of: *const usize) -> Vec<usize> {
    if of.is_null() || dimensions > 3 {
        return Vec::new();
    }
    unsafe { slice::from_raw_parts(of, dimensions as usize) }.to_vec()
}

fn add_kernel(program: Handle, kernel: Handle) {
    let Some(folder) = &*FOLDER else { return };
    if kernel.is_null() {
        return;
    }
    let function = text(place::KERNEL_INFO, kernel, FUNCTION_NAME);
    let mut own = source_of(program);
    if own.0.is_empty() {
        // Of several parts the one that names the function.
        let linked = with_trace(|it| it.linked.get(&(program as usize)).cloned());
        let mut parts = linked.flatten().unwrap_or_default();
        let named = parts.iter().position(|it| it.0.contains(&function));
        if !parts.is_empty() {
            own = parts.swap_remove(named.unwrap_or(0));
        }
    }
    let (source, options) = own;
    let mut file = String::new();
    if !source.trim().is_empty() {
        let mut hasher = DefaultHasher::new();
        (&source, &options).hash(&mut hasher);
        file = format!("{:016x}.cl", hasher.finish());
        if !folder.join(&file).exists() && fs::write(folder.join(&file), source).is_err() {
            return;
        }
    }
    let kernel_of_program = Kernel {
        function,
        source: file,
        options,
        arguments: BTreeMap::new(),
    };
    with_trace(|it| {
        it.kernels.insert(kernel as usize, kernel_of_program);
    });
}

/// A program's source, and its build options.
fn source_of(program: Handle) -> (String, String) {
    (
        text(place::PROGRAM_INFO, program, SOURCE),
        build_options(program),
    )
}

fn build_options(program: Handle) -> String {
    type Own = unsafe extern "C" fn(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> Error;
    let devices = answer(place::PROGRAM_INFO, program, DEVICES);
    let Some(device) = devices.first_chunk().map(|it| usize::from_ne_bytes(*it)) else {
        return String::new();
    };
    to_text(&bytes_of(|size, value, needs| unsafe {
        below::<Own>(place::BUILD_INFO)(program, device as Handle, OPTIONS, size, value, needs)
    }))
}

fn add_argument(kernel: Handle, at: u32, argument: Argument) {
    with_trace(|it| {
        if let Some(kernel) = it.kernels.get_mut(&(kernel as usize)) {
            kernel.arguments.insert(at, argument);
        }
    });
}

/// What a launch waits for.
type Waits = (u32, *const Handle);

/// A launch that is about to be made.
struct Launch {
    /// Its source and function.
    names: (String, String),
    /// Work-items.
    items: usize,
    /// What is written down if it is the launch to keep.
    line: Option<String>,
}

thread_local! {
    static NEXT: RefCell<Option<Launch>> = const { RefCell::new(None) };
}

/// Looks at what is launched before it runs, since it may change what its buffers hold.
fn look_at(queue: Handle, kernel: Handle, shape: [Vec<usize>; 3], waits: Waits) {
    let [global, local, offset] = shape;
    let items = global.iter().product();
    let looked_at = with_trace(|it| {
        let kernel = it.kernels.get(&(kernel as usize))?;
        let names = (kernel.source.clone(), kernel.function.clone());
        let is_kept = it.launches.get(&names).is_none_or(|it| it.keeps(items));
        Some((names, is_kept.then(|| kernel.clone())))
    });
    let Some((names, kernel)) = looked_at.flatten() else {
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

/// Counts the launch that was looked at. One that failed is none.
fn add_launch(error: Error) {
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

impl Launches {
    /// Whether a launch of so many work-items is to be written down: a larger one than before, or of those that are as
    /// large the first, second, fourth, eighth …
    fn keeps(&self, items: usize) -> bool {
        items > self.largest || (items == self.largest && (self.as_large + 1).is_power_of_two())
    }

    fn add(&mut self, items: usize) {
        self.count += 1;
        if items > self.largest {
            (self.largest, self.as_large) = (items, 0);
        }
        self.as_large += u64::from(items == self.largest);
    }
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

/// What a buffer holds when the launch begins.
fn contents(queue: Handle, buffer: Handle, bytes: usize, (count, waits): Waits) -> Option<Vec<u8>> {
    type Own = unsafe extern "C" fn(
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
    /// Larger ones make folders that nobody wants to keep.
    const MOST: usize = 64 << 20;
    if bytes > MOST || awaits_host(count, waits) {
        return None;
    }
    let mut contents = vec![0_u8; bytes];
    let read = unsafe { below::<Own>(place::READ_BUFFER) };
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

/// Whether a launch waits for an event that the program itself sets, maybe later on this thread.
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

extern "C" fn write_counts() {
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

// What OpenCL says.

fn bytes_of(query: impl Fn(usize, *mut c_void, *mut usize) -> Error) -> Vec<u8> {
    let mut needs = 0;
    if query(0, ptr::null_mut(), &mut needs) != 0 {
        return Vec::new();
    }
    let mut bytes = vec![0_u8; needs];
    let error = query(needs, bytes.as_mut_ptr().cast(), ptr::null_mut());
    if error == 0 { bytes } else { Vec::new() }
}

fn to_text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|it| *it == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

fn answer(place: usize, handle: Handle, name: u32) -> Vec<u8> {
    bytes_of(|size, value, needs| unsafe {
        below::<Query>(place)(handle, name, size, value, needs)
    })
}

fn text(place: usize, handle: Handle, name: u32) -> String {
    to_text(&answer(place, handle, name))
}

/// A number of as many bytes as the answer has, eight at most, the first one lowest.
fn number(place: usize, handle: Handle, name: u32) -> usize {
    let bytes = answer(place, handle, name);
    bytes
        .iter()
        .take(8)
        .rev()
        .fold(0, |number, byte| number << 8 | usize::from(*byte))
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
