//! By which name a counter is known here, and by which role to models.

use std::collections::BTreeMap;

use kerncast_wire::Role;
use thiserror::Error;

use super::{all, find, ncu, of_provider};

/// A counter that is there under two of its names, and not the same.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("`{alias}` is {alias_value} and `{name}` is {value}: two names of one counter")]
pub struct TwoNames {
    /// The other name.
    pub alias: &'static str,
    /// What it says.
    pub alias_value: f64,
    /// The name that is known here.
    pub name: &'static str,
    /// What that says.
    pub value: f64,
}

/// How far two passes of one program may count apart, as a share of the larger count. L1's passes for local memory are
/// up to 0.29 apart on the H200: one of the two counts waits for other traffic too.
const PASSES_APART: f64 = 0.3;

/// Gives what a provider counted the names that the table has, and adds what follows from it. To be called at every
/// door, so that behind it a counter has one name.
///
/// # Errors
/// [`TwoNames`] where a counter is there by two chips' names and not the same, or by two metrics that count alike and far
/// apart.
pub fn resolve(provider: &str, counted: &mut BTreeMap<String, f64>) -> Result<(), TwoNames> {
    for counter in of_provider(provider) {
        for alias in counter.aliases() {
            let Some(alias_value) = counted.get(alias).copied() else {
                continue;
            };
            let value = *counted.entry(counter.name.clone()).or_insert(alias_value);
            // A chip has one of `also`'s names. What `like` names comes from another pass, and may differ a little
            // from run to run.
            let tolerance = if counter.also.iter().any(|it| it == alias) {
                0.0
            } else {
                PASSES_APART * value.abs().max(alias_value.abs())
            };
            let agrees = (value - alias_value).abs() <= tolerance;
            if !agrees {
                return Err(TwoNames {
                    alias,
                    alias_value,
                    name: &counter.name,
                    value,
                });
            }
            counted.remove(alias);
        }
    }
    if provider == "ncu" {
        ncu::add_launched(counted);
    }
    Ok(())
}

/// The role of `PROVIDER:NAME`. Where Kerncast does not know the provider, or none is named, the name alone
/// tells: a user's own counters are modelled as others of the same name are.
#[must_use]
pub fn role(counter: &str) -> Option<Role> {
    let (provider, name) = counter.split_once(':').unwrap_or(("", counter));
    if of_provider(provider).next().is_some() {
        return find(provider, name)?.role;
    }
    all()
        .filter(|(_, counter)| counter.names().any(|it| it == name))
        .find_map(|(_, counter)| counter.role)
}

/// The [`role`] of each counter.
#[must_use]
pub fn roles(counters: &[String]) -> Vec<Option<Role>> {
    counters.iter().map(|counter| role(counter)).collect()
}
