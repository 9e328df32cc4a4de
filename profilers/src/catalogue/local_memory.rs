//! Whether a launch used local memory.

use kerncast_wire::{CounterSet, Role};

use super::role;

/// What says surely whether local memory is used.
const ACCESSES: [Role; 4] = [
    Role::LocalLoads,
    Role::LocalStores,
    Role::IrLocalLoads,
    Role::IrLocalStores,
];

/// What tells that a launch with these counters used local memory, as `PROVIDER:NAME` and its value: accesses where
/// anybody counted them, else what the launch asked for.
#[must_use]
pub fn uses_local_memory(set: &CounterSet) -> Option<(String, f64)> {
    let accesses = set.iter().flat_map(|(provider, counters)| {
        let names = counters
            .iter()
            .map(move |(name, count)| (format!("{provider}:{name}"), *count));
        names.filter(|(name, _)| role(name).is_some_and(|it| ACCESSES.contains(&it)))
    });
    let mut accesses = accesses.peekable();
    if accesses.peek().is_some() {
        return accesses.find(|(_, count)| *count > 0.0);
    }
    // Drivers say 1 byte of a kernel without any (NVIDIA's), or 0 of arrays in the source (PoCL's).
    let bytes = *set.get("launch")?.get("local_bytes")?;
    (bytes > 1.0).then(|| ("launch:local_bytes".to_owned(), bytes))
}
