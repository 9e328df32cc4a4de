//! Plans which workloads are measured, and in what order.

use std::collections::BTreeSet;

use kerncast_suite::{Kernel, Parameters};
use kerncast_wire::{DeviceKind, words::did_you_mean};

use super::Workload;
use crate::{UsageError, device::is_for};

/// The most names that are listed where none is similar to the wanted one.
const MOST_NAMED: usize = 8;

/// The workloads that are asked for; an empty list asks for all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Kernels by name.
    pub kernels: Vec<String>,
    /// Variants by name.
    pub variants: Vec<String>,
    /// Sizes to use instead of the launch files'.
    pub sizes: Vec<Parameters>,
    /// The number of sizes to take from each launch file, from its first on.
    pub first_sizes: Option<usize>,
}

/// Every workload that `filter` asks for on a device of `kind`: small sizes of all kernels first, so
/// that a budget that ends leaves some of each. Generated kernels, which have one size, come after the others'
/// smallest.
///
/// # Errors
/// A kernel, variant or size that was asked for does not exist.
pub fn plan<'a>(
    kernels: &'a [Kernel],
    filter: &Filter,
    kind: DeviceKind,
) -> Result<Vec<Workload<'a>>, UsageError> {
    let kernels = select_kernels(kernels, filter)?;
    let mut ranked = Vec::new();
    for kernel in kernels {
        for (rank, parameters) in sizes(kernel, filter, kind)?.into_iter().enumerate() {
            let variants = kernel.variants.iter();
            for variant in variants.filter(|it| selects(&filter.variants, &it.name)) {
                let workload = Workload {
                    kernel,
                    variant,
                    parameters: parameters.clone(),
                };
                ranked.push((rank, workload));
            }
        }
    }
    for (_, workload) in ranked.iter().filter(|_| !filter.sizes.is_empty()) {
        workload.launch().map_err(|problem| {
            let option = size_option(&workload.parameters);
            let (kernel, variant) = (&workload.kernel.name, &workload.variant.name);
            UsageError(format!(
                "--size {option}: kernel {kernel}, variant {variant}: {problem}"
            ))
        })?;
    }
    // Stable: kernels and variants keep their order within a rank.
    ranked.sort_by_key(|(rank, workload)| (*rank, workload.kernel.generated));
    Ok(ranked.into_iter().map(|(_, workload)| workload).collect())
}

/// The kernels that are asked for.
///
/// # Errors
/// Two have the same name, or one or a variant that was asked for is not there.
fn select_kernels<'a>(
    kernels: &'a [Kernel],
    filter: &Filter,
) -> Result<Vec<&'a Kernel>, UsageError> {
    for (index, kernel) in kernels.iter().enumerate() {
        let mut earlier = kernels[..index].iter();
        if let Some(first) = earlier.find(|it| it.name == kernel.name) {
            return Err(UsageError(format!(
                "kernel {} is there twice: in {} and in {}. Rename one of the folders",
                kernel.name,
                first.folder.display(),
                kernel.folder.display()
            )));
        }
    }
    let all: Vec<&str> = kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    if let Some(name) = first_missing(&filter.kernels, &all) {
        return Err(UsageError(format!(
            "--kernel {name}: there is no such kernel{}",
            suggestion(name, &all)
        )));
    }
    let kernels = kernels.iter();
    let kernels = kernels.filter(|it| selects(&filter.kernels, &it.name));
    let kernels: Vec<&Kernel> = kernels.collect();
    let variants = kernels.iter().flat_map(|it| &it.variants);
    let all: BTreeSet<&str> = variants.map(|it| &*it.name).collect();
    let all = Vec::from_iter(all);
    if let Some(name) = first_missing(&filter.variants, &all) {
        return Err(UsageError(format!(
            "--variant {name}: no kernel that was asked for has it{}",
            suggestion(name, &all)
        )));
    }
    Ok(kernels)
}

/// Whether a list of names selects this one; an empty list selects all.
fn selects(names: &[String], name: &String) -> bool {
    names.is_empty() || names.contains(name)
}

fn sizes(
    kernel: &Kernel,
    filter: &Filter,
    kind: DeviceKind,
) -> Result<Vec<Parameters>, UsageError> {
    if filter.sizes.is_empty() {
        let sizes = kernel.sizes.iter().filter(|it| is_for(it, kind));
        let sizes = sizes.take(filter.first_sizes.unwrap_or(usize::MAX));
        return Ok(sizes.map(|it| it.parameters.clone()).collect());
    }
    let expected = &kernel.sizes[0].parameters;
    for sizes in &filter.sizes {
        if !sizes.keys().eq(expected.keys()) {
            let expected: Vec<&str> = expected.keys().map(String::as_str).collect();
            return Err(UsageError(format!(
                "--size {}: kernel {} has the parameters {}; give each of them once",
                size_option(sizes),
                kernel.name,
                expected.join(", ")
            )));
        }
    }
    Ok(filter.sizes.clone())
}

/// Sizes in the form that `--size` takes.
fn size_option(sizes: &Parameters) -> String {
    kerncast_suite::sizes(sizes).replace(' ', ",")
}

fn first_missing<'a>(names: &'a [String], existing: &[&str]) -> Option<&'a str> {
    let mut names = names.iter().map(String::as_str);
    names.find(|name| !existing.contains(name))
}

/// A suggestion of a similar name; if there is none, some of the names that exist.
fn suggestion(name: &str, existing: &[&str]) -> String {
    let likely = did_you_mean(name, existing.iter().copied());
    if !likely.is_empty() {
        return likely;
    }
    let some = &existing[..existing.len().min(MOST_NAMED)];
    let more = match existing.len() - some.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!("; there are {}{more}", some.join(", "))
}
