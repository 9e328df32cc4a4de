//! The layer's state: handles of a program, its kernels with their arguments, and their numbers of launches.

use std::{
    collections::{BTreeMap, HashMap, hash_map::DefaultHasher},
    env,
    ffi::c_void,
    fs,
    hash::{Hash, Hasher},
    path::PathBuf,
    sync::{LazyLock, Mutex},
};

use super::query::{
    DEVICES, Error, FUNCTION_NAME, Handle, OPTIONS, SOURCE, answer, below, bytes_of, place, text,
    to_text,
};

/// The program's objects and launches so far.
#[derive(Default)]
pub(super) struct Trace {
    /// Handles of memory and samplers, which distinguish an argument's eight bytes from a number.
    pub(super) handles: BTreeMap<usize, Kind>,
    pub(super) kernels: HashMap<usize, Kernel>,
    /// Sources and build options of the programs that a program was linked from.
    pub(super) linked: HashMap<usize, Vec<(String, String)>>,
    /// Launches by source and function.
    pub(super) launches: BTreeMap<(String, String), Launches>,
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    Memory,
    Sampler,
}

#[derive(Clone)]
pub(super) struct Kernel {
    pub(super) function: String,
    /// The source's file; empty where the program was not built from source.
    pub(super) source: String,
    pub(super) options: String,
    pub(super) arguments: BTreeMap<u32, Argument>,
}

#[derive(Clone)]
pub(super) enum Argument {
    Value(Vec<u8>),
    /// Local memory, or a null buffer; its bytes.
    Nothing(usize),
    /// Shared virtual memory.
    Pointer,
}

#[derive(Default)]
pub(super) struct Launches {
    pub(super) count: u64,
    /// Work-items of the largest launch.
    largest: usize,
    /// Number of launches that are as large.
    as_large: u64,
}

static TRACE: LazyLock<Mutex<Trace>> = LazyLock::new(Mutex::default);
pub(super) static FOLDER: LazyLock<Option<PathBuf>> =
    LazyLock::new(|| env::var_os("KERNCAST_TRACE").map(PathBuf::from));

/// Calls `use_trace` with the trace; none where nothing is traced. It must call nothing of OpenCL, whose callbacks may
/// come here too.
pub(super) fn with_trace<T>(use_trace: impl FnOnce(&mut Trace) -> T) -> Option<T> {
    FOLDER.as_ref()?;
    TRACE.lock().ok().map(|mut trace| use_trace(&mut trace))
}

pub(super) fn add_handle(handle: Handle, kind: Kind) {
    with_trace(|it| {
        it.handles.insert(handle as usize, kind);
    });
}

pub(super) fn add_kernel(program: Handle, kernel: Handle) {
    let Some(folder) = &*FOLDER else { return };
    if kernel.is_null() {
        return;
    }
    let function = text(place::KERNEL_INFO, kernel, FUNCTION_NAME);
    let mut built = source_of(program);
    if built.0.is_empty() {
        // If several parts were linked, take the one that names the function.
        let linked = with_trace(|it| it.linked.get(&(program as usize)).cloned());
        let mut parts = linked.flatten().unwrap_or_default();
        let named = parts.iter().position(|it| it.0.contains(&function));
        if !parts.is_empty() {
            built = parts.swap_remove(named.unwrap_or(0));
        }
    }
    let (source, options) = built;
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

/// The source and build options of a program.
pub(super) fn source_of(program: Handle) -> (String, String) {
    (
        text(place::PROGRAM_INFO, program, SOURCE),
        build_options(program),
    )
}

fn build_options(program: Handle) -> String {
    type BuildInfo =
        unsafe extern "C" fn(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> Error;
    let devices = answer(place::PROGRAM_INFO, program, DEVICES);
    let Some(device) = devices.first_chunk().map(|it| usize::from_ne_bytes(*it)) else {
        return String::new();
    };
    to_text(&bytes_of(|size, value, needs| unsafe {
        below::<BuildInfo>(place::BUILD_INFO)(
            program,
            device as Handle,
            OPTIONS,
            size,
            value,
            needs,
        )
    }))
}

pub(super) fn add_argument(kernel: Handle, at: u32, argument: Argument) {
    with_trace(|it| {
        if let Some(kernel) = it.kernels.get_mut(&(kernel as usize)) {
            kernel.arguments.insert(at, argument);
        }
    });
}

impl Launches {
    /// Whether a launch with this many work-items is recorded: a larger one than before, or of those that are as large
    /// the first, second, fourth, eighth …
    pub(super) fn records(&self, items: usize) -> bool {
        items > self.largest || (items == self.largest && (self.as_large + 1).is_power_of_two())
    }

    pub(super) fn add(&mut self, items: usize) {
        self.count += 1;
        if items > self.largest {
            (self.largest, self.as_large) = (items, 0);
        }
        self.as_large += u64::from(items == self.largest);
    }
}
