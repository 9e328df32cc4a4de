//! What the analysis says of every workload of a suite on one GPU, as JSON Lines: `gpu KERNELS [ONLY] [MULTIPROCESSORS]`.
use std::{collections::HashMap, path::Path, process::Command, time::Instant};

use kerncast_analysis::{counts::Budget, llvm, run, warps};
use kerncast_suite::Launch;
use serde_json::json;

fn text(source: &Path, folder: &Path, options: &str) -> Result<String, String> {
    let target = [
        "-target",
        "nvptx64-nvidia-nvcl",
        "-O3",
        "-g1",
        "-S",
        "-emit-llvm",
        "-o",
        "-",
    ];
    let language = [
        "-x",
        "cl",
        "-cl-std=CL1.2",
        "-Xclang",
        "-fdeclare-opencl-builtins",
        "-Xclang",
        "-finclude-default-header",
        "-w",
    ];
    let done = Command::new("clang-15")
        .args(language)
        .args(target)
        .args(options.split_whitespace())
        .arg("-I")
        .arg(folder)
        .arg(source)
        .output()
        .map_err(|error| error.to_string())?;
    match done.status.success() {
        true => Ok(String::from_utf8_lossy(&done.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&done.stderr)
            .chars()
            .take(300)
            .collect()),
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let kernels = kerncast_suite::load(args.next().expect("kernels").as_ref()).expect("suite");
    let only = args.next().unwrap_or_default();
    let multiprocessors = args.next().map_or(132, |it| it.parse().expect("a number"));
    let instructions =
        std::env::var("BUDGET").map_or(10_000_000, |it| it.parse().expect("a number"));
    let mut modules: HashMap<(std::path::PathBuf, String), Result<llvm::Module, String>> =
        HashMap::new();
    for kernel in kernels.iter().filter(|it| it.name.contains(&only)) {
        for variant in &kernel.variants {
            for size in &kernel.sizes {
                let Ok(launch) = Launch::new(kernel, variant, &size.parameters) else {
                    continue;
                };
                let Some(step) = launch.only_step() else {
                    continue;
                };
                let key = (launch.source.clone(), launch.options.clone());
                let module = modules.entry(key).or_insert_with(|| {
                    let text = text(&launch.source, &kernel.folder, &launch.options)?;
                    llvm::read(&text).map_err(|error| error.to_string())
                });
                let start = Instant::now();
                let bytes: Vec<usize> = launch.buffers.iter().map(|it| it.bytes()).collect();
                let mut inputs = None;
                let mut input = |at: usize| {
                    if inputs.is_none() {
                        inputs = Some(
                            launch
                                .inputs(&kernel.name, &size.parameters)
                                .map_err(|it| it.to_string())?,
                        );
                    }
                    Ok(inputs.as_ref().and_then(|it: &Vec<_>| it[at].clone()))
                };
                let budget = Budget {
                    instructions,
                    ..Budget::default()
                };
                let found = module.as_ref().map_err(Clone::clone).and_then(|module| {
                    run::lower(module, &step.function)
                        .and_then(|program| {
                            warps::warps(
                                &program,
                                step,
                                &bytes,
                                &mut input,
                                warps::Gpu::hopper(multiprocessors),
                                budget,
                            )
                        })
                        .map_err(|error| error.to_string())
                });
                let took = start.elapsed().as_secs_f64();
                let line = match found {
                    Ok(it) => json!({
                        "kernel": kernel.name, "variant": variant.name, "parameters": size.parameters,
                        "counters": it.counters, "extent": format!("{:?}", it.extent), "took": took,
                    }),
                    Err(why) => json!({
                        "kernel": kernel.name, "variant": variant.name, "parameters": size.parameters,
                        "refusal": why, "took": took,
                    }),
                };
                println!("{line}");
            }
        }
    }
}
