//! What is fitted where nobody says: the one place that lists the paper's counters.

use std::collections::HashSet;

use kerncast_models::METHODS;
use kerncast_profilers::catalogue::{grows_with_work, role, roles};
use kerncast_wire::{
    ModelSpecification,
    Role::{self, *},
};

use crate::db::training::{Training, TrainingSample};

/// The paper's method.
const PAPERS: &str = "ols";

/// The paper's counters: global and local loads and stores, branches, instructions; of each the first that is
/// counted. Not its active cycles: they hold the time that is asked for.
const COUNTED: [&[Role]; 6] = [
    &[GlobalLoadRequests, GlobalLoads, IrGlobalLoads],
    &[GlobalStoreRequests, GlobalStores, IrGlobalStores],
    &[LocalLoads, IrLocalLoads],
    &[LocalStores, IrLocalStores],
    &[Branches, IrBranches],
    &[Instructions, IrInstructions],
];

/// The paper's counter that the launch itself tells, whoever counts the rest.
const WORK_GROUPS: &str = "launch:work_groups";
/// How many workers a launch has, beside every provider's counters.
const WORK_ITEMS: &str = "launch:work_items";

/// The variants that the paper fits on their own, beside all together.
const VARIANTS: [&str; 2] = ["global", "local"];

/// The microbenchmark of local memory (docs/microbenchmark.md): what it counts and how long that took.
const LOCAL_MEMORY: &str = "local_memory";
const PRODUCT: &str = "local_memory:product";
const CYCLES: &str = "local_memory:cycles";

/// What is fitted after an upload, counters still to be filled in: every method that knows what to do with
/// the counters on all variants, those that
/// take longest first, and the paper's on its two; of the microbenchmark Okamoto's one line, in clock cycles
/// where a clock was read.
pub(super) fn specifications(
    training: &Training,
    device: i32,
    provider: &str,
) -> Vec<ModelSpecification> {
    let specification = |method: &str, variant: Option<&str>, response: &str| ModelSpecification {
        device: device.into(),
        source: None,
        provider: provider.to_owned(),
        method: method.to_owned(),
        counters: Vec::new(),
        variant: variant.map(str::to_owned),
        response: response.to_owned(),
    };
    if provider == LOCAL_MEMORY {
        let response = if seen(training, CYCLES) {
            CYCLES
        } else {
            "time"
        };
        return vec![specification(PAPERS, None, response)];
    }
    let present = |variant: &&str| {
        let mut samples = training.samples.iter();
        samples.any(|sample| sample.variant == *variant)
    };
    let own = format!("{provider}:");
    let names = training.counters.keys();
    let counted: Vec<String> = names.filter(|it| it.starts_with(&own)).cloned().collect();
    let roles = roles(&counted);
    let methods = METHODS.iter().rev().filter(|it| it.suits(&roles));
    let all = methods.map(|method| specification(method.name(), None, "time"));
    let variants = VARIANTS.into_iter().filter(present);
    let papers = variants.map(|variant| specification(PAPERS, Some(variant), "time"));
    all.chain(papers).collect()
}

/// For the paper's method its counters, as far as any sample has them; for others, and where a provider has
/// none of them, those that grow with the work.
pub(super) fn counters(training: &Training, specification: &ModelSpecification) -> Vec<String> {
    let provider = specification.provider.as_str();
    if provider == LOCAL_MEMORY {
        return vec![PRODUCT.to_owned()];
    }
    let papers = match specification.method.as_str() {
        PAPERS => papers(training, specification),
        _ => Vec::new(),
    };
    if papers.is_empty() {
        volumes(training, specification)
    } else {
        papers
    }
}

fn papers(training: &Training, specification: &ModelSpecification) -> Vec<String> {
    let provider = specification.provider.as_str();
    let own = format!("{provider}:");
    let usable = |name: &&String| **name != specification.response && seen(training, name);
    let names = training.counters.keys().filter(|it| it.starts_with(&own));
    let counted: Vec<&String> = names.filter(usable).collect();
    let find = |wanted: &Role| counted.iter().find(|it| role(it) == Some(*wanted));
    let found = COUNTED
        .iter()
        .filter_map(|roles| roles.iter().find_map(find));
    let mut counters: Vec<String> = found.map(ToString::to_string).collect();
    if !counters.is_empty() || provider == "launch" {
        counters.extend(Some(WORK_GROUPS.to_owned()).filter(|it| usable(&it)));
    }
    counters
}

/// The provider's counters, and the launch's geometry, that nearly every workload has a sample with. What
/// lacks one is left out of the fit: a few samples with few counters take none from all others.
fn volumes(training: &Training, specification: &ModelSpecification) -> Vec<String> {
    let own = format!("{}:", specification.provider);
    let named = training.counters.keys().filter(|name| {
        name.strip_prefix(&own)
            .is_some_and(|counter| grows_with_work(&specification.provider, counter))
    });
    let geometry = [WORK_ITEMS, WORK_GROUPS].map(str::to_owned);
    let geometry = geometry.iter().filter(|name| !name.starts_with(&own));
    let usable =
        |name: &&String| **name != specification.response && nearly_everywhere(training, name);
    named.chain(geometry).filter(usable).cloned().collect()
}

/// Whether nine in ten workloads or more have a sample with the counter.
fn nearly_everywhere(training: &Training, counter: &str) -> bool {
    let Some(id) = training.counters.get(counter) else {
        return false;
    };
    let workloads = |counted: &dyn Fn(&TrainingSample) -> bool| {
        let samples = training.samples.iter().filter(|sample| counted(sample));
        samples.map(|it| it.workload).collect::<HashSet<_>>().len()
    };
    10 * workloads(&|sample| sample.values.contains_key(id)) >= 9 * workloads(&|_| true)
}

/// Whether any sample has the counter.
fn seen(training: &Training, counter: &str) -> bool {
    let id = training.counters.get(counter);
    let mut samples = training.samples.iter();
    id.is_some_and(|id| samples.any(|sample| sample.values.contains_key(id)))
}
