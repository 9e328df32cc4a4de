//! Counts `analysis` of shipped samples anew, after a change of what the analysis counts: each file of data/ that is
//! named is written again with those counters, all else as it was. What is refused is listed with its reason. A folder
//! that is named has kernels in the place of the suite's: those that `kerncast localize --write` has rewritten.
//!
//! ```sh
//! cargo run --release --workspace --example recount -- data/*.jsonl.zst
//! cargo run --release --workspace --example recount -- REWRITTEN data/localized/nvidia-h200.jsonl.zst
//! ```

use std::{
    collections::BTreeMap,
    env,
    error::Error,
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use kerncast_collector::{providers::Analysis, workload::Workload};
use kerncast_suite::{Kernel, generate, load};
use kerncast_wire::NewSample;

/// The generated kernels of data/.
const SEED: u32 = 1;
const GENERATED: u32 = 500;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    for kernel in generate(SEED, GENERATED) {
        let at = folder.path().join(&kernel.name);
        fs::create_dir(&at)?;
        for (name, text) in kernel.files {
            fs::write(at.join(name), text)?;
        }
    }
    let mut kernels = load(Path::new("kernels"))?;
    kernels.extend(load(folder.path())?);
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = env::args_os()
        .skip(1)
        .map(PathBuf::from)
        .partition(|it| it.is_dir());
    for folder in &folders {
        kernels.extend(load(folder)?);
    }
    let kernels: BTreeMap<&str, &Kernel> =
        kernels.iter().map(|it| (it.name.as_str(), it)).collect();
    for file in &files {
        recount(file, &kernels)?;
    }
    Ok(())
}

fn recount(file: &Path, kernels: &BTreeMap<&str, &Kernel>) -> Result<(), Box<dyn Error>> {
    let lines = BufReader::new(zstd::Decoder::new(fs::File::open(file)?)?).lines();
    let lines: Vec<String> = lines.collect::<Result<_, _>>()?;
    let analysis = Analysis::find();
    let (next, refusals) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let recounted: Vec<Mutex<String>> = lines.into_iter().map(Mutex::new).collect();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(line) = recounted.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut line = line.lock().expect("no panic");
                    if let Some((sample, refused)) = anew(&line, kernels, &analysis) {
                        refusals.fetch_add(usize::from(refused), Ordering::Relaxed);
                        *line = sample;
                    }
                }
            });
        }
    });
    let mut encoder = zstd::Encoder::new(Vec::new(), 19)?;
    let count = recounted.len();
    for line in recounted {
        writeln!(encoder, "{}", line.into_inner()?)?;
    }
    fs::write(file, encoder.finish()?)?;
    eprintln!(
        "{}: {count} lines, {} refused",
        file.display(),
        refusals.into_inner()
    );
    Ok(())
}

/// The sample with its counters anew, and whether they are refused; none where it has none, or its kernel is not here.
fn anew(
    line: &str,
    kernels: &BTreeMap<&str, &Kernel>,
    analysis: &Analysis,
) -> Option<(String, bool)> {
    let mut sample: NewSample = serde_json::from_str(line).ok()?;
    let kernel = kernels.get(sample.workload.kernel.as_str())?;
    let workload = Workload {
        kernel,
        variant: kernel.variant(&sample.workload.variant)?,
        parameters: sample.workload.parameters.clone(),
    };
    let same_source = sample.provenance.source_hash.as_ref() == Some(&kernel.source_hash);
    let launch = workload.launch().ok()?;
    let one_launch = launch.only_step().is_some();
    if !same_source || !one_launch {
        return None;
    }
    let reading = analysis.read_for(&sample.device, &workload, &launch);
    let refused = reading.refusal.is_some();
    if let Some(why) = &reading.refusal {
        let named = &sample.workload;
        eprintln!(
            "{} {} {:?}: {why}",
            named.kernel, named.variant, named.parameters
        );
    }
    let tools = &mut sample.provenance.tools;
    tools.insert("analysis".to_owned(), analysis.version().ok()?.to_owned());
    sample.readings.insert("analysis".to_owned(), reading);
    Some((serde_json::to_string(&sample).ok()?, refused))
}
