//! What no counter tells of a kernel is said: functions that models have hardly seen, and values that are slow.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use kerncast_analysis::{hazards, math_functions};
use kerncast_collector::{
    counting::novelty::{FAMILIAR_FUNCTIONS, novelties},
    providers::Analysis,
    workload::Workload,
};
use kerncast_suite::load;
use kerncast_wire::{CounterSet, DeviceKind};

/// Kernels of the suite by the long functions that they call.
#[test]
fn familiar_are_the_functions_of_at_least_two_kernels() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    let analysis = Analysis::find();
    let mut callers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut waiting = Vec::new();
    for kernel in load(&folder).expect("the suite") {
        for variant in &kernel.variants {
            let workload = Workload {
                kernel: &kernel,
                variant,
                parameters: kernel.sizes[0].parameters.clone(),
            };
            let launch = workload.launch().expect("a launch");
            // Images and several launches are not followed.
            let Ok(program) = analysis.cpu_program(&workload, &launch) else {
                continue;
            };
            // So a fit knows nothing of them.
            let hazards = hazards(&program);
            assert!(!hazards.switches, "{} {}", kernel.name, variant.name);
            if hazards.waits {
                waiting.push(kernel.name.clone());
            }
            for name in math_functions(&program).into_keys() {
                callers.entry(name).or_default().insert(kernel.name.clone());
            }
        }
    }
    assert_eq!(waiting, ["hash_insert"]);
    let familiar: Vec<&str> = callers
        .iter()
        .filter(|(_, kernels)| kernels.len() >= 2)
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(familiar, FAMILIAR_FUNCTIONS, "{callers:?}");
}

/// What is said of a kernel of one buffer `in` with this fill.
fn novelties_of(source: &str, fill: &str, calls: f64, kind: DeviceKind) -> Vec<String> {
    let counted = [("math_calls", calls), ("instructions", 10_000.0)];
    let counted = counted.map(|(name, count)| (name.to_owned(), count));
    let counters = CounterSet::from([("oclgrind".to_owned(), BTreeMap::from(counted))]);
    of_own(source, fill, |workload| {
        novelties(&Analysis::find(), workload, &counters, kind)
    })
}

/// What `ask` tells of a kernel of one buffer `in` with this fill.
fn of_own<T>(source: &str, fill: &str, ask: impl Fn(&Workload<'_>) -> T) -> T {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    fs::write(folder.path().join(format!("{name}.cl")), source).unwrap();
    let elements = ["double", "int"].into_iter();
    let mut elements = elements.filter(|it| source.contains(&format!("const {it} ")));
    let element = elements.next().unwrap_or("float");
    let launch = format!(
        r#"title = "own"
family = "own"
[[sizes]]
n = 256
[[arguments]]
name = "in"
buffer = "{element}"
length = "n"
fill = {{ uniform = {fill} }}
[[arguments]]
name = "out"
buffer = "{element}"
length = "n"
access = "write"
[variants.global]
function = "own"
global = ["n"]
local = ["64"]
"#
    );
    fs::write(folder.path().join("launch.toml"), launch).unwrap();
    let kernels = load(folder.path()).expect("a kernel");
    let kernel = &kernels[0];
    let workload = Workload {
        kernel,
        variant: &kernel.variants[0],
        parameters: kernel.sizes[0].parameters.clone(),
    };
    ask(&workload)
}

#[test]
fn a_kernel_of_functions_that_models_have_hardly_seen_is_doubted() {
    let gamma = "kernel void own(global const double *in, global double *out) { int i = get_global_id(0); \
                 out[i] = tgamma(in[i]) + exp(in[i]); }";
    let doubts = novelties_of(gamma, "[0.5, 3.0]", 256.0, DeviceKind::Gpu);
    assert_eq!(doubts.len(), 1, "{doubts:?}");
    assert!(doubts[0].contains("tgamma(double)"), "{doubts:?}");
    // Next to nothing of its work.
    assert!(novelties_of(gamma, "[0.5, 3.0]", 1.0, DeviceKind::Gpu).is_empty());
    let plain = "kernel void own(global const float *in, global float *out) { int i = get_global_id(0); \
                 out[i] = exp(in[i]) + sqrt(in[i]); }";
    assert!(novelties_of(plain, "[0.5, 3.0]", 256.0, DeviceKind::Cpu).is_empty());
}

#[test]
fn a_loop_that_others_let_end_is_doubted() {
    let own = |body: &str| {
        let source = format!("kernel void own(global const int *in, global int *out) {{ {body} }}");
        novelties_of(&source, "[0, 9]", 0.0, DeviceKind::Gpu)
    };
    let lock = own(
        "int value; do value = out[0]; while (atomic_cmpxchg(out, value, value + in[0]) != value);",
    );
    assert!(
        lock.len() == 1 && lock[0].starts_with("it goes round a loop until an atomic operation"),
        "{lock:?}"
    );
    let flag = own("while (atomic_add(out, 0) == 0); out[1] = 1;");
    assert_eq!(flag, lock);
    let each =
        own("for (int i = 0; i < 9; ++i) { while (atomic_cmpxchg(out, 0, 1) != 0); out[i] = 0; }");
    assert_eq!(each, lock);
    let queue = own("for (int i = atomic_inc(out); i < 9; i = atomic_inc(out)) out[i] = in[i];");
    assert_eq!(queue, [""; 0]);
    let once =
        own("for (int i = 0; i < in[0]; ++i) if (atomic_cmpxchg(out + i, 0, 1) == 0) out[99] = i;");
    assert_eq!(once, [""; 0]);
}

#[test]
fn values_that_are_computed_slowly_are_doubted_where_they_are_slow() {
    let sum = "kernel void own(global const float *in, global float *out) { int i = get_global_id(0); \
               out[i] = in[i] * 0.5f; }";
    let doubts = novelties_of(sum, "[1e-40, 2e-40]", 0.0, DeviceKind::Cpu);
    assert!(
        doubts.len() == 1 && doubts[0].starts_with("100 % of `in` are subnormal"),
        "{doubts:?}"
    );
    assert!(novelties_of(sum, "[1e-40, 2e-40]", 0.0, DeviceKind::Gpu).is_empty());
    assert!(novelties_of(sum, "[0.0, 1.0]", 0.0, DeviceKind::Cpu).is_empty());
    let sine = "kernel void own(global const float *in, global float *out) { int i = get_global_id(0); \
                out[i] = sin(in[i]); }";
    let doubts = novelties_of(sine, "[1e8, 2e30]", 256.0, DeviceKind::Gpu);
    assert!(
        doubts
            .iter()
            .any(|it| it.starts_with("`in` holds numbers up to 2e30, and sin takes")),
        "{doubts:?}"
    );
    assert!(novelties_of(sine, "[-3.0, 3.0]", 256.0, DeviceKind::Gpu).is_empty());
}

#[test]
fn ways_that_a_cpu_guesses_and_divisions_by_0_are_doubted_on_cpus() {
    let switch = |over: &str| {
        format!(
            "kernel void own(global const int *in, global int *out) {{ int i = get_global_id(0), s = 0; \
             for (int k = 0; k < 99; ++k) switch ({over} & 7) {{ case 0: s += k; break; case 1: s *= 3; break; \
             case 2: s ^= i; break; case 3: s -= 5; break; case 4: s <<= 1; break; default: s = ~s; }} out[i] = s; }}"
        )
    };
    let doubts = novelties_of(&switch("in[(i + k) % 256]"), "[0, 9]", 0.0, DeviceKind::Cpu);
    assert!(
        doubts.len() == 1 && doubts[0].starts_with("it goes on by a `switch`"),
        "{doubts:?}"
    );
    assert!(novelties_of(&switch("in[i + k]"), "[0, 9]", 0.0, DeviceKind::Gpu).is_empty());
    let division = |by: &str| {
        format!(
            "kernel void own(global const int *in, global int *out) {{ int i = get_global_id(0); out[i] = 1000 / ({by}); }}"
        )
    };
    for (by, fill, is_doubted) in [
        ("in[i] & 3", "[1, 9]", true),
        ("in[i]", "[0, 9]", true),
        ("in[i]", "[1, 9]", false),
        ("in[i] | 1", "[0, 9]", false),
        ("i + 1", "[0, 9]", false),
    ] {
        let doubts = novelties_of(&division(by), fill, 0.0, DeviceKind::Cpu);
        assert_eq!(!doubts.is_empty(), is_doubted, "{by} {fill}: {doubts:?}");
    }
}

#[test]
fn a_kernel_of_which_a_compiler_leaves_nothing_is_found() {
    let is_nothing = |body: &str| {
        let source = format!(
            "kernel void own(global const int *in, global int *out) {{ int i = get_global_id(0), s = 0; {body} }}"
        );
        of_own(&source, "[1, 9]", |workload| {
            let launch = workload.launch().expect("a launch");
            Analysis::find().compiles_to_nothing(workload, &launch)
        })
    };
    // In one of its passes it divides by 0.
    let by_zero = "for (int k = 0; k < 8; ++k) s += in[i] / (k - 3); out[i] = s;";
    assert_eq!(is_nothing(by_zero), Ok(true));
    assert_eq!(is_nothing("int own[4]; own[i & 3] = in[i];"), Ok(true));
    let plain = "for (int k = 0; k < 8; ++k) s += in[i] / (k + 3); out[i] = s;";
    assert_eq!(is_nothing(plain), Ok(false));
}
