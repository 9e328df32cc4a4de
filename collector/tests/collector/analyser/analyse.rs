//! What is said of the suite's accesses, against where the compiled kernels go, and footprints by algebra against those
//! by enumeration.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
    process::Command,
};

use kerncast_analysis::{
    accesses::{Accesses, Class, Does, launch::Geometry},
    llvm::{self, Space},
    run::{
        AccessId, AccessKind, BUFFER_SHIFT, Goal, Machine, Memory, ObjectKind, Observer, Program,
        Slice, Warp, lower,
    },
};
use kerncast_collector::clang::{Clang, LlvmTarget};
use kerncast_suite::{Data, Kernel, Launch, LaunchArgument, Step, load};

/// A kernel's variant at its smallest size.
struct Analysed {
    name: String,
    kernel: Kernel,
    launch: Launch,
    accesses: Accesses,
    geometry: Geometry,
}

fn suite() -> Vec<Analysed> {
    let clang = Clang::find().expect("clang-15 is installed");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    let mut all = Vec::new();
    for kernel in load(&folder).expect("the suite") {
        for variant in &kernel.variants {
            let launch =
                Launch::new(&kernel, variant, &kernel.sizes[0].parameters).expect("a launch");
            let unit = clang.read(&launch, &kernel.folder).expect("a tree");
            let mut functions = BTreeSet::new();
            for step in launch
                .steps
                .iter()
                .filter(|step| functions.insert(step.function.clone()))
            {
                all.push(Analysed {
                    name: format!("{} {} {}", kernel.name, variant.name, step.function),
                    accesses: Accesses::of(&unit, &step.function).expect("a kernel"),
                    kernel: kernel.clone(),
                    launch: launch.clone(),
                    geometry: Geometry::of(step),
                });
            }
        }
    }
    all
}

/// The first, a middle and the last.
fn three(sizes: [i64; 3]) -> [[i64; 3]; 3] {
    [
        sizes.map(|_| 0),
        sizes.map(|size| size / 2),
        sizes.map(|size| size - 1),
    ]
}

/// Bytes that a work-item touches, by line, what it does, and array.
type Touched = BTreeMap<(String, String), BTreeSet<i64>>;

/// What of a work-group's work-items is watched while the compiled kernel runs.
struct Watch<'p> {
    program: &'p Program,
    items: BTreeMap<u32, Touched>,
}

impl Watch<'_> {
    /// The array of an address, and where in it that is.
    fn place(&self, space: Space, address: u64) -> Option<(String, i64)> {
        let (name, offset) = match space {
            Space::Global | Space::Constant => {
                // Tables of the program lie behind all buffers.
                let buffer = address >> BUFFER_SHIFT;
                let offset = address & ((1 << BUFFER_SHIFT) - 1);
                (buffer < 1 << 20).then(|| (format!("buffer {buffer}"), offset))?
            }
            Space::Local => self.program.objects.iter().find_map(|it| match &it.kind {
                ObjectKind::Local {
                    name,
                    offset,
                    bytes,
                } if (*offset..offset + bytes).contains(&address) => {
                    let name = name.rsplit('.').next().unwrap_or(name);
                    Some((name.to_owned(), address - offset))
                }
                _ => None,
            })?,
            Space::Private => return None,
        };
        Some((name, i64::try_from(offset).expect("40 bits")))
    }
}

impl Observer for Watch<'_> {
    fn access(&mut self, item: Warp, access: AccessId, _: &[u16], addresses: &[u64]) {
        let access = &self.program.accesses[access.0 as usize];
        let at = access
            .location
            .map(|it| &self.program.locations[it as usize]);
        let Some(at) = at.filter(|at| at.line > 0 && self.items.contains_key(&item.index)) else {
            return;
        };
        let does = match access.kind {
            AccessKind::Load => Does::Load,
            AccessKind::Store => Does::Store,
            _ => Does::Atomic,
        };
        let line = format!("{}:{} {does:?}", at.file, at.line);
        for address in addresses {
            if let Some((array, offset)) = self.place(access.space, *address) {
                let touched = self.items.get_mut(&item.index).expect("it is watched");
                let bytes = offset..offset + i64::try_from(access.bytes).expect("few");
                touched
                    .entry((line.clone(), array))
                    .or_default()
                    .extend(bytes);
            }
        }
    }
}

/// What is said that a work-item touches, whether it surely does, and lines of which nobody knows.
fn analysed_touches(
    it: &Analysed,
    step: &Step,
    group: [i64; 3],
    local: [i64; 3],
) -> (Touched, BTreeSet<String>, BTreeSet<String>) {
    let (mut touched, mut unsure, mut unknown) = (Touched::new(), BTreeSet::new(), BTreeSet::new());
    for (place, access) in it.accesses.accesses.iter().enumerate() {
        let begin = &access.span.begin;
        let line = format!("{}:{} {:?}", begin.file, begin.line, access.does);
        let array = access.array.filter(|_| access.also.is_empty());
        let offsets = it
            .accesses
            .offsets_at_most(place, &it.geometry, group, local);
        let (Some(array), Some((offsets, is_sure))) = (array, offsets) else {
            unknown.insert(line);
            continue;
        };
        let array = &it.accesses.arrays[array];
        let name = match array.parameter.map(|it| &step.arguments[it]) {
            Some(LaunchArgument::Buffer(buffer)) => format!("buffer {}", buffer + 1),
            _ => array.name.clone(),
        };
        if !is_sure {
            unsure.insert(line.clone());
        }
        let own = touched.entry((line, name)).or_default();
        let bytes = |number: u64| i64::try_from(number).expect("few");
        for offset in offsets {
            // Of a vector that is loaded a compiler takes the components later.
            own.extend(match access.does {
                Does::Load => {
                    let begin = offset - bytes(access.within);
                    begin..begin + bytes(array.element_bytes.max(access.within + access.bytes))
                }
                _ => offset..offset + bytes(access.bytes),
            });
        }
    }
    (touched, unsure, unknown)
}

/// The compiled kernel leaves loads out that it needs not, and goes nowhere else.
#[test]
fn every_access_is_where_the_compiled_kernel_goes() {
    let clang = Clang::find().expect("clang-15 is installed");
    let (mut same, mut unsure, mut wrong) = (0, 0, Vec::new());
    for it in suite() {
        let step = it.launch.steps.iter();
        let mut step = step.filter(|step| *step.function == *it.accesses.function);
        let step = step.next().expect("it is launched");
        let text = clang.llvm(&it.launch, &it.kernel.folder, LlvmTarget::Oclgrind);
        let module = llvm::read(&text.expect("LLVM's text")).expect("LLVM's text");
        let program = lower(&module, &step.function).ok();
        let slice = program
            .as_ref()
            .and_then(|program| Slice::new(program, Goal::Addresses, &[]).ok());
        let (Some(program), Some(slice)) = (program, slice) else {
            unsure += 1;
            continue;
        };
        let sizes = &it.kernel.sizes[0].parameters;
        let input = it.launch.inputs_on_demand(&it.kernel.name, sizes);
        let bytes = it.launch.bytes().into_iter().enumerate();
        let buffers = bytes.map(|(place, bytes)| {
            let filled = input(place).map(|it| it.whole().expect("it is filled"));
            Some(
                filled
                    .flatten()
                    .unwrap_or_else(|| Data::Uchar(vec![0xff; bytes])),
            )
        });
        let memory = Memory::new(buffers.collect());
        let mut machine = Machine::new(&program, &slice, step, memory, 1).expect("its arguments");
        let items = machine.all_items();
        let [x, y, _] = it.geometry.local;
        for (which, group) in three(it.geometry.groups()).into_iter().enumerate() {
            // Of the middle group the middle one, and of the last the last.
            let places = three(it.geometry.local);
            let places = match which {
                0 => &places[..],
                _ => &places[which..=which],
            };
            let index = |[a, b, c]: [i64; 3]| u32::try_from((c * y + b) * x + a).expect("few");
            let watched = places.iter().map(|place| (index(*place), Touched::new()));
            let mut watch = Watch {
                program: &program,
                items: watched.collect(),
            };
            let at = group.map(|it| u32::try_from(it).expect("few"));
            if machine.run_group(at, &items, &mut watch).is_err() {
                unsure += 1;
                continue;
            }
            for place in places {
                let (analysed, at_most, unknown) = analysed_touches(&it, step, group, *place);
                let ran = &watch.items[&index(*place)];
                let none = BTreeSet::new();
                // A load that is made of several lines' is of one of them for the compiler.
                let of_array = |key: &(String, String)| -> BTreeSet<i64> {
                    let does = key.0.rsplit(' ').next();
                    let all = analysed.iter();
                    let alike =
                        all.filter(|(own, _)| own.1 == key.1 && own.0.rsplit(' ').next() == does);
                    alike.flat_map(|(_, bytes)| bytes.iter().copied()).collect()
                };
                for key in ran.keys().chain(analysed.keys()).collect::<BTreeSet<_>>() {
                    let (ran, analysed) = (ran.get(key).unwrap_or(&none), analysed.get(key));
                    let is_all = key.1.starts_with("buffer") && key.0.ends_with("Store");
                    match analysed {
                        _ if unknown.contains(&key.0) => unsure += 1,
                        Some(analysed)
                            if is_all && !at_most.contains(&key.0) && analysed == ran =>
                        {
                            same += 1
                        }
                        _ if !is_all && ran.is_subset(&of_array(key)) => same += 1,
                        Some(analysed) if at_most.contains(&key.0) && ran.is_subset(analysed) => {
                            unsure += 1
                        }
                        _ => wrong.push(format!(
                            "{} {key:?} {group:?} {place:?}: ran {ran:?}, said {analysed:?}",
                            it.name
                        )),
                    }
                }
            }
        }
    }
    eprintln!("{same} the same, {unsure} unsure, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same >= 1_000, "{same} {unsure}");
}

#[test]
fn footprints_by_algebra_are_those_by_enumeration() {
    let (mut groups, mut affine, mut wrong) = (0, 0, Vec::new());
    for it in suite() {
        for (place, access) in it.accesses.accesses.iter().enumerate() {
            affine += usize::from(access.class == Class::Affine);
            let [Some(algebra), Some(enumerated)] = it.accesses.footprints(place, &it.geometry)
            else {
                continue;
            };
            groups += 1;
            if algebra != enumerated {
                let at = &access.span.begin;
                wrong.push(format!(
                    "{} {at}: algebra {algebra:?}, enumeration {enumerated:?}",
                    it.name
                ));
            }
        }
    }
    eprintln!("{affine} affine, {groups} compared, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(groups >= 1_100, "{groups}");
}

pub(crate) fn kerncast(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kerncast"));
    command
        .arg("analyse")
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    command
}

/// Standard output and standard error, and whether all went well.
pub(crate) fn output_of(mut command: Command) -> (String, String, bool) {
    let output = command.output().expect("kerncast runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        text(&output.stdout),
        text(&output.stderr),
        output.status.success(),
    )
}

#[test]
fn three_kernels_are_shown_as_they_were() {
    for (kernel, size) in [
        ("matmul_float", "n=1024"),
        ("stencil_5_point", "height=1024,width=1024"),
        ("transpose", "columns=1024,rows=1024"),
    ] {
        let (output, problem, went_well) = output_of(kerncast(&[kernel, "--size", size]));
        assert!(went_well, "{problem}");
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("tests/captured/analyse/{kernel}.txt"));
        if env::var_os("WRITE_CAPTURED").is_some() {
            fs::write(&file, &output).expect("writes");
        }
        assert_eq!(
            output,
            fs::read_to_string(&file).expect("a captured answer"),
            "{kernel}"
        );
        assert!(
            output.lines().all(|line| line.chars().count() <= 100),
            "{output}"
        );
    }
}

#[test]
fn without_clang_it_says_how_to_get_one() {
    let empty = tempfile::tempdir().expect("a folder");
    let mut command = kerncast(&["matmul_float"]);
    command
        .env("PATH", empty.path())
        .env_remove("KERNCAST_CLANG");
    let (_, problem, went_well) = output_of(command);
    assert!(
        !went_well && problem.contains("install Debian's package clang-15"),
        "{problem}"
    );
    let mut command = kerncast(&["matmul_float"]);
    command.env("KERNCAST_CLANG", "/nowhere/clang");
    let (_, problem, _) = output_of(command);
    assert!(
        problem.contains("KERNCAST_CLANG: there is no file /nowhere/clang"),
        "{problem}"
    );
}

/// A folder with one kernel that reads and writes `a`, of this source and with these build options.
fn folder(source: &str, options: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let launch = format!(
        "title = \"A\"\n[[sizes]]\nn = 64\n[[arguments]]\nname = \"a\"\nbuffer = \"float\"\nlength = \"n\"\n\
         access = \"read_write\"\nfill = {{ uniform = [0, 1] }}\n[variants.global]\nfunction = \"k\"\n\
         file = \"k.cl\"\noptions = \"{options}\"\nglobal = [\"n\"]\nlocal = [\"32\"]\n"
    );
    fs::write(folder.path().join("launch.toml"), launch).expect("writes");
    fs::write(folder.path().join("k.cl"), source).expect("writes");
    folder
}

fn analyse_output(source: &str, options: &str) -> (String, bool) {
    let folder = folder(source, options);
    let (output, problem, went_well) =
        output_of(kerncast(&[folder.path().to_str().expect("UTF-8")]));
    (
        format!("{output}{problem}").replace(folder.path().to_str().expect("UTF-8"), "DIR"),
        went_well,
    )
}

#[test]
fn what_clang_refuses_is_said_at_the_file_that_a_person_edits() {
    let (output, went_well) =
        analyse_output("__kernel void k(__global float *a) { a[0] = b; }\n", "");
    assert!(
        !went_well && output.contains("DIR/k.cl:1:45: error: use of undeclared identifier 'b'"),
        "{output}"
    );
    let (output, went_well) = analyse_output(
        "__kernel void k(__global float *a) { a[0] = 1; }\n",
        "-load x.so",
    );
    assert!(
        !went_well && output.contains("the build option `-load` is not understood"),
        "{output}"
    );
    let (output, went_well) =
        analyse_output("__kernel void other(__global float *a) { a[0] = 1; }\n", "");
    assert!(
        !went_well && output.contains("has no kernel `k`"),
        "{output}"
    );
}

#[test]
fn recursion_endless_loops_and_macros_are_followed_all_the_same() {
    let source = "
int f(int i) { return i > 0 ? f(i - 1) : 0; }
#define AT(i) a[(i) * 2]
__kernel void k(__global float *a) {
    const int x = get_global_id(0);
    for (;;) a[x] += 1;
    while (x < 3) AT(x) = f(x);
    a[f(3)] = 0;
}
";
    let (output, went_well) = analyse_output(source, "");
    assert!(
        !went_well && output.contains("!! `f` calls itself"),
        "{output}"
    );
    assert!(output.contains("a[2*gid0] ="), "{output}");
}
