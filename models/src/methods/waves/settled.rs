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
pub(super) fn settled(
    roles: &[Option<Role>],
    checked: &Checked,
    settle: impl FnOnce() -> Chosen,
) -> Chosen {
    let key = key(roles, checked);
    if let Some(kept) = SETTLED.get(&key) {
        return kept;
    }
    let found = settle();
    SETTLED.insert(key, found.clone());
    found
}

fn key(roles: &[Option<Role>], checked: &Checked) -> [u8; 32] {
    let Checked {
        x,
        y,
        kernels,
        generated,
        weights,
    } = checked;
    let mut hash = Sha256::new();
    hash.update(format!("{roles:?} {:?} {kernels:?} {generated:?}", x.dim()));
    for number in x.iter().chain(y).chain(weights) {
        hash.update(number.to_bits().to_le_bytes());
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use ndarray::{Array1, Array2};

    use super::{
        super::{SETTINGS, Terms, by_ratio::Found},
        *,
    };

    #[test]
    fn the_same_rows_are_settled_once_and_others_anew() {
        let roles = [Some(Role::Warps), Some(Role::Instructions)];
        let settled_for = Cell::new(0);
        let ask = |last: f64| {
            let checked = Checked {
                x: Array2::from_elem((3, 2), 8.0),
                y: Array1::from(vec![1.0, 2.0, last]),
                kernels: vec![0, 1, 2],
                generated: vec![false; 3],
                weights: Array1::ones(3),
            };
            let chosen = settled(&roles, &checked, || {
                settled_for.set(settled_for.get() + 1);
                Chosen {
                    terms: Terms::known(&roles).unwrap(),
                    setting: SETTINGS[0],
                    start: Found::start(1, last, 1.0),
                }
            });
            chosen.start.cycle()
        };
        let found = [3.0, 3.0, 4.0, 3.0].map(|last| (ask(last) - last).abs());
        assert!(found.iter().all(|off| *off < 1e-9), "{found:?}");
        assert_eq!(settled_for.get(), 2);
    }
}
