//! Which workloads to measure, and in what order.

use kerncast_suite::{BadValue, Kernel, Parameters};
use thiserror::Error;

use crate::workload::Workload;
use kerncast_wire::DeviceKind;

/// What was asked for; empty lists ask for everything.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Kernels by name.
    pub kernels: Vec<String>,
    /// Variants by name.
    pub variants: Vec<String>,
    /// These sizes instead of the launch files'.
    pub sizes: Vec<Parameters>,
    /// Only this many of each launch file's sizes, from its first.
    pub first_sizes: Option<usize>,
}

/// What was asked for and is not there.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PlanError {
    /// A kernel.
    #[error("--kernel {name}: there is no such kernel; there are: {known}")]
    Kernel {
        /// Asked for.
        name: String,
        /// There.
        known: String,
    },
    /// A variant.
    #[error("--variant {name}: no kernel that was asked for has it; there are: {known}")]
    Variant {
        /// Asked for.
        name: String,
        /// There.
        known: String,
    },
    /// Sizes.
    #[error("--size {given}: kernel {kernel} has the parameters {known}; give each of them once")]
    Size {
        /// Given.
        given: String,
        /// The kernel.
        kernel: String,
        /// Its parameters.
        known: String,
    },
    /// A size that a launch can't have.
    #[error("--size {given}: kernel {kernel}, variant {variant}: {problem}")]
    Value {
        /// Given.
        given: String,
        /// The kernel.
        kernel: String,
        /// The variant.
        variant: String,
        /// Why not.
        problem: Box<BadValue>,
    },
    /// Two folders are called the same.
    #[error("kernel {name} is there twice: in {first} and in {second}. Rename one of the folders")]
    Twice {
        /// The kernel.
        name: String,
        /// A folder.
        first: String,
        /// The other one.
        second: String,
    },
}

/// Every workload that `filter` asks for on a device of `kind`: small sizes of all kernels first, so
/// that a budget that ends leaves some of each.
///
/// # Errors
/// What was asked for is not there.
pub fn plan<'a>(
    kernels: &'a [Kernel],
    filter: &Filter,
    kind: DeviceKind,
) -> Result<Vec<Workload<'a>>, PlanError> {
    for (index, kernel) in kernels.iter().enumerate() {
        if let Some(first) = kernels[..index]
            .iter()
            .find(|first| first.name == kernel.name)
        {
            return Err(PlanError::Twice {
                name: kernel.name.clone(),
                first: first.folder.display().to_string(),
                second: kernel.folder.display().to_string(),
            });
        }
    }
    let all: Vec<&str> = kernels.iter().map(|kernel| kernel.name.as_str()).collect();
    missing(&filter.kernels, &all).map_or(Ok(()), |(name, known)| {
        Err(PlanError::Kernel { name, known })
    })?;
    let wanted = |names: &[String], name: &String| names.is_empty() || names.contains(name);
    let kernels: Vec<&Kernel> = kernels
        .iter()
        .filter(|kernel| wanted(&filter.kernels, &kernel.name))
        .collect();
    let mut all: Vec<&str> = kernels
        .iter()
        .flat_map(|kernel| &kernel.variants)
        .map(|v| v.name.as_str())
        .collect();
    all.sort_unstable();
    all.dedup();
    missing(&filter.variants, &all).map_or(Ok(()), |(name, known)| {
        Err(PlanError::Variant { name, known })
    })?;

    let mut ranked = Vec::new();
    for kernel in kernels {
        for (rank, parameters) in sizes(kernel, filter, kind)?.into_iter().enumerate() {
            let variants = kernel
                .variants
                .iter()
                .filter(|v| wanted(&filter.variants, &v.name));
            ranked.extend(variants.map(|variant| {
                (
                    rank,
                    Workload {
                        kernel,
                        variant,
                        parameters: parameters.clone(),
                    },
                )
            }));
        }
    }
    for (_, workload) in ranked.iter().filter(|_| !filter.sizes.is_empty()) {
        workload.launch().map_err(|problem| PlanError::Value {
            given: kerncast_suite::sizes(&workload.parameters).replace(' ', ","),
            kernel: workload.kernel.name.clone(),
            variant: workload.variant.name.clone(),
            problem: problem.into(),
        })?;
    }
    // Stable: kernels and variants keep their order within a rank.
    ranked.sort_by_key(|(rank, _)| *rank);
    Ok(ranked.into_iter().map(|(_, workload)| workload).collect())
}

fn sizes(kernel: &Kernel, filter: &Filter, kind: DeviceKind) -> Result<Vec<Parameters>, PlanError> {
    if filter.sizes.is_empty() {
        let here = kernel
            .sizes
            .iter()
            .filter(|size| size.on.is_empty() || size.on.contains(&kind));
        let sizes = here.map(|size| size.parameters.clone());
        return Ok(sizes
            .take(filter.first_sizes.unwrap_or(usize::MAX))
            .collect());
    }
    let known = &kernel.sizes[0].parameters;
    for given in &filter.sizes {
        if !given.keys().eq(known.keys()) {
            return Err(PlanError::Size {
                given: kerncast_suite::sizes(given).replace(' ', ","),
                kernel: kernel.name.clone(),
                known: known.keys().cloned().collect::<Vec<_>>().join(", "),
            });
        }
    }
    Ok(filter.sizes.clone())
}

fn missing(asked: &[String], there: &[&str]) -> Option<(String, String)> {
    let missing = asked.iter().find(|name| !there.contains(&name.as_str()))?;
    Some((missing.clone(), there.join(", ")))
}
