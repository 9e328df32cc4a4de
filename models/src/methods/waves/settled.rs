//! What is settled before costs are, kept: three methods begin with the same, and leaving kernels out each settles it for
//! the same rows. To settle it is most of a fit.

use std::sync::LazyLock;

use kerncast_wire::Role;
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

use super::{super::checked::Checked, Chosen};

/// For the folds of some models that are validated side by side: a few kilobytes each.
const MOST: usize = 2048;

/// By SHA-256 of all that it is made from.
static SETTLED: LazyLock<Cache<[u8; 32], Chosen>> = LazyLock::new(|| Cache::new(MOST));

/// What was settled for the same rows before, or else what `settle` comes to.
pub(super) fn settled<E>(
    roles: &[Option<Role>],
    checked: &Checked,
    settle: impl FnOnce() -> Result<Chosen, E>,
) -> Result<Chosen, E> {
    let key = key(roles, checked);
    if let Some(kept) = SETTLED.get(&key) {
        return Ok(kept);
    }
    let found = settle()?;
    SETTLED.insert(key, found.clone());
    Ok(found)
}

fn key(roles: &[Option<Role>], checked: &Checked) -> [u8; 32] {
    let Checked {
        x,
        y,
        kernels,
        devices,
        generated,
        weights,
    } = checked;
    let mut hash = Sha256::new();
    hash.update(format!(
        "{roles:?} {:?} {kernels:?} {devices:?} {generated:?}",
        x.dim()
    ));
    for number in x.iter().chain(y).chain(weights) {
        hash.update(number.to_bits().to_le_bytes());
    }
    hash.finalize().into()
}
