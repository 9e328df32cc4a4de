//! The counters that a fit takes by default.

use kerncast_profilers::catalogue::{grows_with_work, role};
use kerncast_wire::{
    Role::{self, *},
    provider::{LAUNCH, LOCAL_MEMORY},
};

use crate::{Question, Response, Samples};

const PRODUCT: &str = "local_memory:product";
/// The counter of clock cycles that the microbenchmark measures where it can read a clock.
pub(crate) const CYCLES: &str = "local_memory:cycles";

/// Roles of the paper's counters: global and local loads and stores, branches, instructions; of each the first that is
/// counted. The paper's active cycles are not among them: they hold the time that is asked for.
const PAPERS_ROLES: [&[Role]; 6] = [
    &[GlobalLoadRequests, GlobalLoads, IrGlobalLoads],
    &[GlobalStoreRequests, GlobalStores, IrGlobalStores],
    &[LocalLoads, IrLocalLoads],
    &[LocalStores, IrLocalStores],
    &[Branches, IrBranches],
    &[Instructions, IrInstructions],
];

/// The paper's counter that comes from the launch itself, whoever counts the rest.
const WORK_GROUPS: &str = "launch:work_groups";
/// The number of launches of the workload, one after the other. Absent where the provider knew nothing of several
/// launches.
pub(crate) const LAUNCHES: &str = "launch:launches";
/// The number of workers of a launch, beside every provider's counters.
const WORK_ITEMS: &str = "launch:work_items";

/// The paper's counters, as far as any sample has them; where none has one, those that grow with the work.
pub(crate) fn papers_counters(samples: &Samples, question: &Question) -> Vec<String> {
    let provider = question.provider.as_str();
    if provider == LOCAL_MEMORY {
        return vec![PRODUCT.to_owned()];
    }
    let usable = |name: &&String| !is_response(question, name) && samples.have(name);
    let names = samples.counters_of(provider).map(|it| it.0);
    let counted: Vec<&String> = names.filter(usable).collect();
    let find = |wanted: &Role| counted.iter().find(|it| role(it) == Some(*wanted));
    let roles = PAPERS_ROLES.iter();
    let by_role = roles.filter_map(|roles| roles.iter().find_map(find));
    let mut counters: Vec<String> = by_role.map(ToString::to_string).collect();
    if !counters.is_empty() || provider == LAUNCH {
        counters.extend(Some(WORK_GROUPS.to_owned()).filter(|it| usable(&it)));
    }
    if counters.is_empty() {
        return volumes(samples, question);
    }
    counters
}

/// The provider's counters that grow with the work, and the launch's geometry, as far as nearly every workload has a
/// sample with them. A sample that lacks one is left out of the fit: a few samples with few counters take none from all
/// others.
pub(crate) fn volumes(samples: &Samples, question: &Question) -> Vec<String> {
    if question.provider == LOCAL_MEMORY {
        return vec![PRODUCT.to_owned()];
    }
    let own = format!("{}:", question.provider);
    let named = samples.counters.keys().filter(|name| {
        name.strip_prefix(&own)
            .is_some_and(|counter| grows_with_work(&question.provider, counter))
    });
    let geometry = [WORK_ITEMS, WORK_GROUPS].map(str::to_owned);
    let geometry = geometry.iter().filter(|name| !name.starts_with(&own));
    let usable = |name: &&String| !is_response(question, name) && samples.nearly_everywhere(name);
    named.chain(geometry).filter(usable).cloned().collect()
}

/// The counters of [`volumes`], and the provider's counters with these roles although they do not grow.
pub(crate) fn volumes_and_roles(
    samples: &Samples,
    question: &Question,
    roles: &[Role],
) -> Vec<String> {
    let mut counters = volumes(samples, question);
    let names = samples.counters_of(&question.provider).map(|it| it.0);
    let has_role = |name: &&String| {
        role(name).is_some_and(|it| roles.contains(&it)) && samples.nearly_everywhere(name)
    };
    counters.extend(names.filter(has_role).cloned());
    counters
}

/// Whether counters are of several launches, by their value of [`LAUNCHES`]. Each of these launches waits by itself,
/// which no sum of counts shows.
pub(crate) fn is_several(launches: Option<f64>) -> bool {
    launches.is_some_and(|launches| launches > 1.0)
}

fn is_response(question: &Question, name: &str) -> bool {
    matches!(&question.response, Response::Counter(response) if response == name)
}
