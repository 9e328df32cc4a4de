//! Canonical names of counters, and the roles by which models know them.

use std::collections::BTreeMap;

use kerncast_wire::{Role, provider::NCU};
use thiserror::Error;

use super::{all, find, ncu, of_provider};

/// A counter that is there under two of its names, with different values.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("`{alias}` is {alias_value} and `{name}` is {value}: two names of one counter")]
pub struct TwoNames {
    /// The alias.
    pub alias: &'static str,
    /// The value under the alias.
    pub alias_value: f64,
    /// The canonical name.
    pub name: &'static str,
    /// The value under the canonical name.
    pub value: f64,
}

/// How far counts of two passes of a program may differ, as a share of the larger count. L1's passes for local memory
/// differ by up to 0.29 on the H200: one of the two counts waits for other traffic too.
const MOST_DIFFERENCE_OF_PASSES: f64 = 0.3;

/// Renames a provider's counters to their canonical names, and adds counters that follow from them. Everything that
/// reads counters calls this, so that a counter has one name everywhere else.
///
/// # Errors
/// A counter is there under names of two chips with different values, or under two metrics that count alike with very
/// different values: [`TwoNames`].
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
                MOST_DIFFERENCE_OF_PASSES * value.abs().max(alias_value.abs())
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
    if provider == NCU {
        ncu::add_launched(counted);
    }
    Ok(())
}

/// The role of `PROVIDER:NAME`. Where the provider is unknown or missing, the name alone decides, so that users' own
/// counters are modelled like others of the same name.
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
