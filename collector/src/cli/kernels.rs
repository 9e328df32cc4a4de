//! Kernels by their folders, or by their names in the suite; and which of their workloads.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::Result;
use kerncast_collector::{
    UsageError,
    collect::{Filter, plan},
    config,
    workload::Workload,
};
use kerncast_suite::{Kernel, Parameters, SuiteError, load, load_each};
use kerncast_wire::{DeviceKind, words::did_you_mean};

use super::terminal;

/// Finds kernels; the suite is loaded where a name is looked up.
#[derive(Default)]
pub(super) struct Finder {
    suite: Option<Vec<Kernel>>,
}

impl Finder {
    /// The kernels of a folder, or the one of the suite that is called so.
    pub(super) fn find(&mut self, asked: &str) -> Result<Vec<Kernel>> {
        let path = Path::new(asked);
        if path.is_dir() {
            let kernels = load(path)?;
            say_chosen(&kernels);
            return Ok(kernels);
        }
        no_source(asked)?;
        let none = |more: &str| {
            UsageError(format!(
                "{asked}: nothing is called so; expected a kernel's folder, or the name of a kernel of the suite{more}"
            ))
        };
        let suite = match &mut self.suite {
            Some(suite) => suite,
            None => {
                let loaded = suite(&[]).map_err(|why| none(&format!(". {why}")))?;
                self.suite.insert(loaded.kernels)
            }
        };
        let found = suite.iter().find(|kernel| kernel.name == *asked);
        match found {
            Some(kernel) => Ok(vec![kernel.clone()]),
            None => {
                let names = suite.iter().map(|kernel| kernel.name.as_str());
                Err(none(&did_you_mean(asked, names)).into())
            }
        }
    }
}

/// A file of OpenCL C does not say how it is launched.
pub(super) fn no_source(asked: &str) -> Result<(), UsageError> {
    let path = Path::new(asked);
    if !path.is_file() || path.extension().is_none_or(|it| it != "cl") {
        return Ok(());
    }
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).display();
    Err(UsageError(format!(
        "{asked}: a source alone does not say how it is launched; name the folder, {folder}, with its launch file \
         launch.toml (docs/kernels.md), or make one: kerncast init {asked}"
    )))
}

/// Of these variants, at these sizes; without any at the largest that the launch file has for such a device.
pub(super) fn workloads<'k>(
    kernels: &'k [Kernel],
    variants: &[String],
    sizes: &[Parameters],
    kind: DeviceKind,
) -> Result<Vec<Workload<'k>>, UsageError> {
    let filter = Filter {
        variants: variants.to_vec(),
        sizes: sizes.to_vec(),
        ..Filter::default()
    };
    let mut all = plan(kernels, &filter, kind)?;
    if sizes.is_empty() {
        all.retain(|it| largest(it.kernel, kind) == Some(&it.parameters));
    }
    if all.is_empty() {
        let none = format!("no launch file has sizes for a {kind}; name one by --size");
        return Err(UsageError(none));
    }
    Ok(all)
}

/// The last of the sizes that the launch file has for a device of this kind: they grow.
pub(super) fn largest(kernel: &Kernel, kind: DeviceKind) -> Option<&Parameters> {
    let here = |on: &[DeviceKind]| on.is_empty() || on.contains(&kind);
    let mut sizes = kernel.sizes.iter().filter(|size| here(&size.on));
    sizes.next_back().map(|size| &size.parameters)
}

/// Kernels, and why others in their folders are none.
#[derive(Default)]
pub(super) struct Suite {
    pub(super) kernels: Vec<Kernel>,
    pub(super) wrong: Vec<SuiteError>,
}

/// The kernels of all [`suite_folders`]. Of those that are wrong it warns, unless all are.
pub(super) fn suite(named: &[PathBuf]) -> Result<Suite> {
    let (mut kernels, mut wrong) = (Vec::new(), Vec::new());
    for folder in suite_folders(named)? {
        for loaded in load_each(&folder)? {
            match loaded {
                Ok(kernel) => kernels.push(kernel),
                Err(why) => wrong.push(why),
            }
        }
    }
    if kernels.is_empty() && !wrong.is_empty() {
        return Err(wrong.remove(0).into());
    }
    for why in &wrong {
        say!("PROBLEM  {why}; the other kernels go on");
    }
    say_chosen(&kernels);
    Ok(Suite { kernels, wrong })
}

/// Which work-group sizes were chosen, where launch files leave them open: a driver may choose otherwise.
fn say_chosen(kernels: &[Kernel]) {
    for kernel in kernels {
        for variant in &kernel.variants {
            for step in variant.steps.iter().filter(|it| it.chooses_local) {
                let sizes = step.local.iter().map(|it| it.expression.to_string());
                let sizes = sizes.collect::<Vec<_>>().join(" × ");
                let (kernel, function) = (&kernel.name, &step.function);
                terminal::say(&format!(
                    "{kernel} {}: {function} in work-groups of {sizes}, which its launch file leaves open",
                    variant.name
                ));
            }
        }
    }
}

/// The folders to load kernels from: those named, else KERNCAST_KERNELS, else what the configuration file says, else
/// `./kernels`, else `share/kerncast/kernels` beside the program's folder.
fn suite_folders(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    if let Some(folder) = env::var_os("KERNCAST_KERNELS") {
        return Ok(vec![folder.into()]);
    }
    if let Some(folder) = &config::get().kernels {
        return Ok(vec![folder.clone()]);
    }
    let program = env::current_exe().and_then(fs::canonicalize).ok();
    let shared = program
        .as_deref()
        .and_then(|program| Some(program.parent()?.parent()?.join("share/kerncast/kernels")));
    let places: Vec<PathBuf> = [Some(Path::new("kernels").to_owned()), shared]
        .into_iter()
        .flatten()
        .collect();
    match places.iter().find(|place| place.is_dir()) {
        Some(place) => Ok(vec![place.clone()]),
        None => {
            let places: Vec<String> = places
                .iter()
                .map(|place| place.display().to_string())
                .collect();
            Err(UsageError(format!(
                "found no kernels ({}). Name a folder of kernels by KERNCAST_KERNELS",
                places.join(", ")
            ))
            .into())
        }
    }
}
