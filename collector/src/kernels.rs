//! Kernels by folder or by name in the suite, and their workloads by variant and size.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use anyhow::Result;
use kerncast_suite::{Kernel, Parameters, SuiteError, load, load_each};
use kerncast_wire::{DeviceKind, words::did_you_mean};

use crate::{
    UsageError, config,
    device::is_for,
    progress, units,
    workload::{Filter, Workload, plan},
};

/// Finds kernels; the suite is loaded when the first name is looked up.
#[derive(Default)]
pub struct Finder {
    suite: Option<Vec<Kernel>>,
}

impl Finder {
    /// The kernels of a folder, or the suite's kernel of this name.
    ///
    /// # Errors
    /// There is no such folder or kernel, or a launch file is wrong.
    pub fn find(&mut self, wish: &str) -> Result<Vec<Kernel>> {
        let path = Path::new(wish);
        if path.is_dir() {
            let kernels = load(path)?;
            say_chosen_work_groups(&kernels);
            return Ok(kernels);
        }
        refuse_source(wish)?;
        let unknown = |more: &str| {
            UsageError(format!(
                "{wish}: nothing is called so; expected a kernel's folder, or the name of a kernel of the suite{more}"
            ))
        };
        let suite = match &mut self.suite {
            Some(suite) => suite,
            None => {
                let loaded = load_kernels(&[]).map_err(|why| unknown(&format!(". {why}")))?;
                self.suite.insert(loaded.kernels)
            }
        };
        match suite.iter().find(|kernel| kernel.name == *wish) {
            Some(kernel) => Ok(vec![kernel.clone()]),
            None => {
                let names = suite.iter().map(|kernel| kernel.name.as_str());
                Err(unknown(&did_you_mean(wish, names)).into())
            }
        }
    }
}

/// The kernels of all these folders and names.
pub fn find_all(wishes: &[String]) -> Result<Vec<Kernel>> {
    let mut finder = Finder::default();
    let kernels = wishes.iter().map(|it| finder.find(it));
    Ok(kernels.collect::<Result<Vec<_>>>()?.concat())
}

/// Refuses a file of OpenCL C, because it does not say how it is launched.
pub fn refuse_source(wish: &str) -> Result<(), UsageError> {
    let path = Path::new(wish);
    if !path.is_file() || path.extension().is_none_or(|it| it != "cl") {
        return Ok(());
    }
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).display();
    Err(UsageError(format!(
        "{wish}: a source alone does not say how it is launched; name the folder, {folder}, with its launch file \
         launch.toml (docs/kernels.md), or make one: kerncast init {wish}"
    )))
}

/// The kernels' workloads of the named variants and sizes. Without variants all of them; without sizes the largest in
/// the launch file for this kind of device.
///
/// # Errors
/// A variant or size is not there, or no launch file has sizes for such a device.
pub fn workloads<'k>(
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
        let problem = format!("no launch file has sizes for a {kind}; name one by --size");
        return Err(UsageError(problem));
    }
    Ok(all)
}

/// The largest size in the launch file for this kind of device: the last one, because sizes grow.
pub fn largest(kernel: &Kernel, kind: DeviceKind) -> Option<&Parameters> {
    let mut sizes = kernel.sizes.iter().filter(|it| is_for(it, kind));
    sizes.next_back().map(|size| &size.parameters)
}

/// The kernels of several folders.
#[derive(Default)]
pub struct LoadedKernels {
    /// Kernels that were loaded.
    pub kernels: Vec<Kernel>,
    /// Errors of kernels that can't be loaded.
    pub problems: Vec<SuiteError>,
}

/// Loads the kernels of the named folders, else of the suite. Warns of those that can't be loaded.
///
/// # Errors
/// There is no folder of kernels, or no kernel can be loaded.
pub fn load_kernels(named: &[PathBuf]) -> Result<LoadedKernels> {
    let (mut kernels, mut problems) = (Vec::new(), Vec::new());
    for folder in suite_folders(named)? {
        for loaded in load_each(&folder)? {
            match loaded {
                Ok(kernel) => kernels.push(kernel),
                Err(why) => problems.push(why),
            }
        }
    }
    if kernels.is_empty() && !problems.is_empty() {
        return Err(problems.remove(0).into());
    }
    for why in &problems {
        say!("PROBLEM  {why}; the other kernels go on");
    }
    say_chosen_work_groups(&kernels);
    Ok(LoadedKernels { kernels, problems })
}

/// Says which work-group sizes are used where launch files leave them open, because a driver may choose others.
fn say_chosen_work_groups(kernels: &[Kernel]) {
    for kernel in kernels {
        for variant in &kernel.variants {
            for step in variant.steps.iter().filter(|it| it.chooses_local) {
                let sizes = step.local.iter().map(|it| &it.expression);
                let sizes = units::joined(sizes, " × ");
                let (kernel, function) = (&kernel.name, &step.function);
                progress::say(&format!(
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
    let shared = |it: PathBuf| Some(it.parent()?.parent()?.join("share/kerncast/kernels"));
    let places = [Some("kernels".into()), program.and_then(shared)];
    let places: Vec<PathBuf> = places.into_iter().flatten().collect();
    if let Some(place) = places.iter().find(|it| it.is_dir()) {
        return Ok(vec![place.clone()]);
    }
    let places = units::joined(places.iter().map(|it| it.display()), ", ");
    let problem =
        format!("found no kernels ({places}). Name a folder of kernels by KERNCAST_KERNELS");
    Err(UsageError(problem).into())
}
