//! What is said of the suite's accesses, against a run of the same tree, and footprints by algebra against those by
//! enumeration.

use std::{collections::BTreeSet, env, fs, path::Path, process::Command};

use kerncast_analysis::{
    accesses::{
        Access, Accesses, Class,
        launch::{Geometry, Level},
    },
    ast::Unit,
    trace::{Event, trace},
};
use kerncast_collector::clang::Clang;
use kerncast_suite::{Launch, load};

/// A kernel's variant at its smallest size.
struct Analysed {
    name: String,
    unit: Unit,
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
            let mut seen = BTreeSet::new();
            for step in launch
                .steps
                .iter()
                .filter(|step| seen.insert(step.function.clone()))
            {
                all.push(Analysed {
                    name: format!("{} {} {}", kernel.name, variant.name, step.function),
                    accesses: Accesses::of(&unit, &step.function).expect("a kernel"),
                    unit: unit.clone(),
                    geometry: Geometry::of(step),
                });
            }
        }
    }
    all
}

/// The first, a middle and the last work-item of such groups.
fn items(geometry: &Geometry) -> Vec<([i64; 3], [i64; 3])> {
    let three = |sizes: [i64; 3]| {
        [
            sizes.map(|_| 0),
            sizes.map(|size| size / 2),
            sizes.map(|size| size - 1),
        ]
    };
    let groups = three(geometry.groups());
    groups
        .iter()
        .flat_map(|group| three(geometry.local).map(|local| (*group, local)))
        .collect()
}

/// Of the same text: a macro may read its argument twice, which are two accesses at one place.
fn is_same(event: &Event, access: &Access) -> bool {
    (&event.span, &event.calls, event.does) == (&access.span, &access.calls, access.does)
}

/// What a run did at an access's place, and what is said of all accesses there; none where either is not sure.
fn both(
    it: &Analysed,
    events: &[Event],
    access: &Access,
    item: ([i64; 3], [i64; 3]),
) -> Option<(Vec<i64>, Vec<i64>)> {
    let own = events.iter().filter(|event| is_same(event, access));
    let mut ran: Vec<i64> = own
        .map(|event| event.offset.filter(|_| event.is_sure))
        .collect::<Option<_>>()?;
    let mut said = Vec::new();
    for (index, other) in it.accesses.accesses.iter().enumerate() {
        if (&other.span, &other.calls, other.does) == (&access.span, &access.calls, access.does) {
            said.extend(it.accesses.offsets(index, &it.geometry, item.0, item.1)?);
        }
    }
    ran.sort_unstable();
    said.sort_unstable();
    Some((ran, said))
}

#[test]
fn every_access_is_what_a_run_of_the_tree_does() {
    let (mut same, mut unsure, mut wrong) = (0, 0, Vec::new());
    for it in suite() {
        for item in items(&it.geometry) {
            let Some(events) = trace(
                &it.unit,
                &it.accesses.function,
                &it.geometry,
                item.0,
                item.1,
            ) else {
                unsure += it.accesses.accesses.len();
                continue;
            };
            for event in &events {
                let is_known = it
                    .accesses
                    .accesses
                    .iter()
                    .any(|access| is_same(event, access));
                assert!(is_known, "{}: {event:?} is no access", it.name);
            }
            for access in &it.accesses.accesses {
                match both(&it, &events, access, item) {
                    None => unsure += 1,
                    Some((ran, said)) if ran == said => same += 1,
                    Some((ran, said)) => {
                        let (place, index) = (&access.span.begin, it.accesses.text(&access.index));
                        wrong.push(format!(
                            "{} {place} {index} {item:?}: ran {ran:?}, said {said:?}",
                            it.name
                        ));
                    }
                }
            }
        }
    }
    eprintln!("{same} the same, {unsure} unsure, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Nine work-items of every access; unsure is what depends on data.
    assert!(same >= 12_000 && unsure <= 2_500, "{same} {unsure}");
}

#[test]
fn footprints_by_algebra_are_those_by_enumeration() {
    let (mut groups, mut launches, mut affine, mut wrong) = (0, 0, 0, Vec::new());
    for it in suite() {
        for access in 0..it.accesses.accesses.len() {
            affine += usize::from(it.accesses.accesses[access].class == Class::Affine);
            let compared = it.accesses.compared(access, &it.geometry);
            let mut compare = |what: &str,
                               (algebra, enumerated): (Option<Level>, Option<Level>),
                               count: &mut usize| {
                let (Some(mut algebra), Some(mut enumerated)) = (algebra, enumerated) else {
                    return;
                };
                *count += 1;
                // Ranges by dimension are algebra's alone, where there are several.
                if enumerated.ranges.is_empty() {
                    algebra.ranges.clear();
                }
                if algebra.elements == 0 {
                    (algebra.ranges, enumerated.ranges) = Default::default();
                }
                if algebra != enumerated {
                    let place = &it.accesses.accesses[access].span.begin;
                    wrong.push(format!(
                        "{} {place} {what}: algebra {algebra:?}, enumeration {enumerated:?}",
                        it.name
                    ));
                }
            };
            compare("group", compared.group, &mut groups);
            compare("launch", compared.launch, &mut launches);
        }
    }
    eprintln!(
        "{affine} affine, {groups} groups and {launches} launches compared, {} wrong",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(groups >= 1_100 && launches >= 1_090, "{groups} {launches}");
}

fn kerncast(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kerncast"));
    command
        .arg("analyse")
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
    command
}

/// Standard output and standard error, and whether all went well.
fn said(mut command: Command) -> (String, String, bool) {
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
        let (shown, problem, went_well) = said(kerncast(&[kernel, "--size", size]));
        assert!(went_well, "{problem}");
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("tests/captured/analyse/{kernel}.txt"));
        if env::var_os("WRITE_CAPTURED").is_some() {
            fs::write(&file, &shown).expect("writes");
        }
        assert_eq!(
            shown,
            fs::read_to_string(&file).expect("a captured answer"),
            "{kernel}"
        );
        assert!(
            shown.lines().all(|line| line.chars().count() <= 100),
            "{shown}"
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
    let (_, problem, went_well) = said(command);
    assert!(
        !went_well && problem.contains("install Debian's package clang-15"),
        "{problem}"
    );
    let mut command = kerncast(&["matmul_float"]);
    command.env("KERNCAST_CLANG", "/nowhere/clang");
    let (_, problem, _) = said(command);
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

fn said_of(source: &str, options: &str) -> (String, bool) {
    let folder = folder(source, options);
    let (shown, problem, went_well) = said(kerncast(&[folder.path().to_str().expect("UTF-8")]));
    (
        format!("{shown}{problem}").replace(folder.path().to_str().expect("UTF-8"), "DIR"),
        went_well,
    )
}

#[test]
fn what_clang_refuses_is_said_at_the_file_that_a_person_edits() {
    let (shown, went_well) = said_of("__kernel void k(__global float *a) { a[0] = b; }\n", "");
    assert!(
        !went_well && shown.contains("DIR/k.cl:1:45: error: use of undeclared identifier 'b'"),
        "{shown}"
    );
    let (shown, went_well) = said_of(
        "__kernel void k(__global float *a) { a[0] = 1; }\n",
        "-load x.so",
    );
    assert!(
        !went_well && shown.contains("the build option `-load` is not understood"),
        "{shown}"
    );
    let (shown, went_well) = said_of("__kernel void other(__global float *a) { a[0] = 1; }\n", "");
    assert!(!went_well && shown.contains("has no kernel `k`"), "{shown}");
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
    let (shown, went_well) = said_of(source, "");
    assert!(!went_well, "OpenCL C has no recursion: {shown}");
    assert!(
        shown.contains("a[2*gid0] =") && shown.contains("!! `f` calls itself"),
        "{shown}"
    );
}

/// Public kernels, as Debian's package darktable brings them: `DARKTABLE_KERNELS=FOLDER` names where they lie.
#[test]
#[ignore = "needs a folder of other people's OpenCL"]
fn kernels_of_a_public_program_are_read() {
    let folder = env::var("DARKTABLE_KERNELS").expect("DARKTABLE_KERNELS names a folder");
    let clang = Clang::find().expect("clang-15 is installed");
    let (mut files, mut refused, mut kernels, mut followed) = (0, Vec::new(), 0, 0);
    let mut classes = std::collections::BTreeMap::new();
    for entry in fs::read_dir(&folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|it| it != "cl") {
            continue;
        }
        files += 1;
        let text = fs::read_to_string(&path).unwrap_or_default();
        let there = text
            .lines()
            .filter(|line| line.contains("kernel void"))
            .count();
        kernels += there;
        match clang.read_file(&path, "", Path::new(&folder)) {
            Err(why) => refused.push(format!("{} ({there}): {why}", path.display())),
            Ok(unit) => {
                for function in unit.functions.iter().filter(|it| it.is_kernel) {
                    let accesses = Accesses::of(&unit, &function.name).expect("a kernel");
                    followed += 1;
                    for access in &accesses.accesses {
                        *classes.entry(access.class).or_insert(0) += 1;
                    }
                }
            }
        }
    }
    eprintln!(
        "{followed} of {kernels} kernels in {files} files; {classes:?}; refused: {refused:#?}"
    );
    assert!(followed * 100 >= kernels * 99, "{followed} of {kernels}");
}
