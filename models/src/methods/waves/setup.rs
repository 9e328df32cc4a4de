//! A cache of setups: three methods start with the same setup, and each needs it for the same rows when kernels are
//! left out. Finding a setup is most of a fit.

use std::sync::LazyLock;

use kerncast_wire::Role;
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};

use super::{super::checked::Checked, Setup};

/// The most setups in the cache, for the folds of some models that are validated side by side: a few kilobytes each.
const MOST_SETUPS: usize = 2048;

/// Setups by the SHA-256 of everything that they are made from.
static SETUPS: LazyLock<Cache<[u8; 32], Setup>> = LazyLock::new(|| Cache::new(MOST_SETUPS));

/// The cached setup for the same rows, else the result of `find`, which is then cached.
pub(super) fn cached_setup(
    roles: &[Option<Role>],
    checked: &Checked,
    find: impl FnOnce() -> Setup,
) -> Setup {
    let key = key(roles, checked);
    if let Some(setup) = SETUPS.get(&key) {
        return setup;
    }
    let setup = find();
    SETUPS.insert(key, setup.clone());
    setup
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
        super::{SETTINGS, Terms, by_ratio::Solution},
        *,
    };

    #[test]
    fn the_setup_of_the_same_rows_is_found_once() {
        let roles = [Some(Role::Warps), Some(Role::Instructions)];
        let searches = Cell::new(0);
        let ask = |last: f64| {
            let checked = Checked {
                x: Array2::from_elem((3, 2), 8.0),
                y: Array1::from(vec![1.0, 2.0, last]),
                kernels: vec![0, 1, 2],
                generated: vec![false; 3],
                weights: Array1::ones(3),
            };
            let setup = cached_setup(&roles, &checked, || {
                searches.set(searches.get() + 1);
                Setup {
                    terms: Terms::new(&roles).unwrap(),
                    setting: SETTINGS[0],
                    start: Solution::start(1, last, 1.0),
                }
            });
            setup.start.cycle()
        };
        let errors = [3.0, 3.0, 4.0, 3.0].map(|last| (ask(last) - last).abs());
        assert!(errors.iter().all(|off| *off < 1e-9), "{errors:?}");
        assert_eq!(searches.get(), 2);
    }
}
