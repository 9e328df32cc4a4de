//! Which counters forecasts across devices need, by their roles.

use kerncast_wire::Role;

use super::super::FitError;
use crate::{fitted::across::Roles, rows::with_role};

/// Roles that count instructions of all work-items: the first that there is counts.
const INSTRUCTIONS: &[Role] = &[
    Role::ItemInstructions,
    Role::Instructions,
    Role::IrInstructions,
];
/// Roles that count work-items.
const ITEMS: &[Role] = &[Role::WorkItems, Role::Warps];
/// Roles of totals that cost where a throughput limits: all of them.
const VOLUMES: &[Role] = &[
    Role::DramReadSectors,
    Role::DramWriteSectors,
    Role::L2ReadSectors,
    Role::L2WriteSectors,
    Role::GlobalLoadSectors,
    Role::GlobalStoreSectors,
    Role::GlobalAtomicSectors,
    Role::GlobalReductionSectors,
    Role::Fp64Instructions,
    Role::IrGlobalLoadBytes,
    Role::IrGlobalStoreBytes,
    Role::IrLocalLoadBytes,
    Role::IrLocalStoreBytes,
    Role::L2Reads,
    Role::L2Writes,
    Role::IrFootprint,
];

impl Roles {
    /// Finds the roles' columns. `roles`: those of the columns (p).
    ///
    /// # Errors
    /// [`FitError::NoRole`] where none counts instructions, or none work-items.
    pub fn find(roles: &[Option<Role>]) -> Result<Self, FitError> {
        let find =
            |alternatives: &[Role]| alternatives.iter().find_map(|role| with_role(roles, *role));
        let needed = |alternatives, what| {
            find(alternatives).ok_or(FitError::NoRole {
                what,
                roles: alternatives,
            })
        };
        let volumes = VOLUMES.iter().filter_map(|role| with_role(roles, *role));
        Ok(Self {
            instructions: needed(INSTRUCTIONS, "instructions")?,
            items: needed(ITEMS, "work-items")?,
            longest: with_role(roles, Role::IrLongestChain),
            volumes: volumes.collect(),
        })
    }
}

/// The counters (of p) that forecasts across devices need. `roles`: those of the counters (p). All counters where one
/// is missing that every forecast needs.
#[must_use]
pub fn needed_counters(counters: &[String], roles: &[Option<Role>]) -> Vec<String> {
    let Ok(needed) = Roles::find(roles) else {
        return counters.to_vec();
    };
    let mut columns = needed.columns();
    columns.sort_unstable();
    columns.dedup();
    columns.into_iter().map(|it| counters[it].clone()).collect()
}
