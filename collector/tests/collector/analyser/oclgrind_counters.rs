//! The analysis' counts of the suite, against those that Oclgrind counted by simulating it (data/). With `--nocapture`
//! it prints the table.

use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    path::Path,
    process::{Command, Stdio},
    time::Instant,
};

use super::shipped::{Counters, Key, counted, key, of_each_variant};
use kerncast_analysis::{
    llvm, oclgrind_counters, run,
    sampling::{Budget, CountedLaunch, Extent},
};
use kerncast_collector::{
    child::{ChildJob, ChildRequest},
    generated,
    providers::oclgrind,
    workload::WorkloadKey,
};
use kerncast_suite::{Kernel, Launch, Parameters, Variant, load};
use serde_json::Value;

/// LLVM's text of a workload, from a child as `kerncast` starts it.
fn text(kernel: &Kernel, variant: &Variant, parameters: &Parameters, scratch: &Path) -> String {
    let report = scratch.join(format!("{}.{}", kernel.name, variant.name));
    let request = ChildRequest {
        parent: std::process::id(),
        report: report.clone(),
        job: ChildJob::OclgrindLlvm {
            workload: WorkloadKey {
                folder: kernel.folder.clone(),
                variant: variant.name.clone(),
                parameters: parameters.clone(),
            },
        },
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_kerncast"))
        .arg("child")
        .env("OPENCL_DYLIB_PATH", oclgrind::library().expect("Oclgrind"))
        .env("OCLGRIND_DUMP_SPIR", "1")
        .stdin(Stdio::piped())
        .spawn()
        .expect("starts");
    let request = serde_json::to_vec(&request).expect("JSON");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(&request).expect("is read");
    drop(stdin);
    assert!(child.wait().expect("ends").success());
    let report: Value = serde_json::from_slice(&fs::read(report).expect("a report")).expect("JSON");
    let text = report["Found"].as_str();
    text.unwrap_or_else(|| panic!("{report}")).to_owned()
}

/// Of a variant: its sizes that were counted fully, and mistakes.
fn compare(
    kernel: &Kernel,
    variant: &Variant,
    simulated: &BTreeMap<Key, Counters>,
    scratch: &Path,
) -> (usize, Vec<String>) {
    let mut module = None;
    let (mut sizes, mut mistakes) = (0, Vec::new());
    for size in &kernel.sizes {
        let key = key(kernel, variant, &size.parameters);
        let Some(expected) = simulated.get(&key) else {
            continue;
        };
        sizes += 1;
        let module = module.get_or_insert_with(|| {
            let text = text(kernel, variant, &size.parameters, scratch);
            llvm::read(&text).expect("LLVM's text")
        });
        let launch = Launch::new(kernel, variant, &size.parameters).expect("a launch");
        let step = launch.only_step().expect("one launch");
        let (bytes, inputs) = (
            launch.bytes(),
            launch.inputs_on_demand(&kernel.name, &size.parameters),
        );
        let counted = run::lower(module, &step.function).and_then(|program| {
            oclgrind_counters::count(&CountedLaunch {
                program: &program,
                step,
                bytes: &bytes,
                input: &inputs,
                budget: Budget::default(),
            })
        });
        match counted {
            Err(refusal) => mistakes.push(format!("{key:?}: {refusal}")),
            Ok(counted) if counted.counters != *expected || counted.extent != Extent::Exact => {
                mistakes.push(format!(
                    "{key:?}: {:?} of {:?}",
                    counted.counters, counted.extent
                ));
            }
            Ok(_) => {}
        }
    }
    (sizes, mistakes)
}

/// Of all kernels: the sizes that `file` has fully counted, and mistakes.
fn compare_all(kernels: &[Kernel], file: &str) -> (usize, Vec<String>) {
    assert!(oclgrind::library().is_ok());
    let (simulated, scratch) = (
        counted(file, "oclgrind"),
        tempfile::tempdir().expect("a folder"),
    );
    let compared = of_each_variant(kernels, |kernel, variant| {
        let start = Instant::now();
        let (sizes, mistakes) = compare(kernel, variant, &simulated, scratch.path());
        eprintln!(
            "{:24}{:10}{:3} of {sizes} sizes equal {:7.2} s",
            kernel.name,
            variant.name,
            sizes - mistakes.len(),
            start.elapsed().as_secs_f64()
        );
        (sizes, mistakes)
    });
    let sizes = compared.iter().map(|(sizes, _)| sizes).sum();
    let mistakes = compared.into_iter().flat_map(|(_, mistakes)| mistakes);
    (sizes, mistakes.collect())
}

#[test]
fn every_counter_of_every_kernel_equals_oclgrind_s() {
    let kernels = load(Path::new("../kernels")).expect("the suite");
    let (sizes, mistakes) = compare_all(&kernels, "amd-epyc-pocl.jsonl.zst");
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    // All that the data know of kernels as they are.
    assert!(sizes >= 500, "{sizes} sizes");
}

#[test]
fn so_do_those_of_kernels_that_nobody_wrote() {
    let folder = tempfile::tempdir().expect("a folder");
    let kernels = generated::kernels(folder.path(), 40).expect("kernels");
    let (sizes, mistakes) = compare_all(&kernels, "amd-epyc-pocl-generated.jsonl.zst");
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    assert_eq!(sizes, 40);
}
