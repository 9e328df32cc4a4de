//! A launch's geometry in the counters of any provider.

use std::collections::BTreeMap;

use kerncast_wire::{CounterSet, Role};

use super::role;

/// Counters of `launch`, and the roles of other counters with the same meaning, the better ones first.
const ROLES: [(&str, &[Role]); 2] = [
    ("work_items", &[Role::WorkItems]),
    ("work_groups", &[Role::WorkGroups, Role::LaunchedWorkGroups]),
];

/// The geometry that the counters of a launch tell, under the names of the provider `launch`.
#[must_use]
pub fn geometry(set: &CounterSet) -> BTreeMap<&'static str, f64> {
    let mut numbers: Vec<(Role, f64)> = Vec::new();
    for (provider, counters) in set {
        let of_provider = counters
            .iter()
            .filter_map(|(name, &number)| Some((role(&format!("{provider}:{name}"))?, number)));
        numbers.extend(of_provider);
    }
    let find = |wanted: &Role| numbers.iter().find(|(role, _)| role == wanted);
    let geometry = ROLES.iter().filter_map(|(name, roles)| {
        let (_, number) = roles.iter().find_map(find)?;
        Some((*name, *number))
    });
    geometry.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(counters: &[(&str, &str, f64)]) -> CounterSet {
        let mut set = CounterSet::default();
        for &(provider, name, number) in counters {
            let of_provider = set.entry(provider.to_owned()).or_default();
            of_provider.insert(name.to_owned(), number);
        }
        set
    }

    #[test]
    fn ncu_tells_the_geometry_too() {
        let whole = set(&[
            ("ncu", "launch__grid_size", 40.0),
            ("ncu", "launch__thread_count", 5120.0),
            ("ncu", "sm__ctas_launched.sum", 40.0),
        ]);
        let expected = BTreeMap::from([("work_items", 5120.0), ("work_groups", 40.0)]);
        assert_eq!(geometry(&whole), expected);
        let counted = set(&[("ncu", "sm__ctas_launched.sum", 40.0)]);
        assert_eq!(geometry(&counted), BTreeMap::from([("work_groups", 40.0)]));
    }

    #[test]
    fn what_nobody_says_stays_absent() {
        let silent = set(&[
            ("oclgrind", "load_global", 7.0),
            ("ncu", "smsp__inst_executed.sum", 9.0),
        ]);
        assert_eq!(geometry(&silent), BTreeMap::new());
    }
}
