use std::collections::BTreeMap;

use kerncast_models::across::{AcrossError, Roles, Workloads, from_counters, from_source};
use ndarray::{Array1, Array2};

use crate::common::ROLES;

fn few(kernels: usize, roles: Roles) -> Result<Workloads, AcrossError> {
    let names = ["instructions", "items"].map(str::to_owned).to_vec();
    let x = Array2::from_shape_fn((kernels, 2), |(row, column)| (1 + row + column) as f64);
    let times = Array1::from_elem(kernels, 1e-3);
    let times = BTreeMap::from([("a".to_owned(), times.clone()), ("b".to_owned(), times)]);
    let kernels = (0..kernels).map(|kernel| format!("k{kernel}")).collect();
    Workloads::new(names, kernels, x, times, roles)
}

#[test]
fn too_few_kernels_are_refused() {
    let refused = AcrossError::TooFewKernels {
        found: 2,
        needed: 3,
    };
    let workloads = few(2, ROLES).expect("sound workloads");
    assert_eq!(from_counters(&workloads, 0).err(), Some(refused.clone()));
    assert_eq!(from_source(&workloads, [0, 1]).err(), Some(refused));
    let enough = few(3, ROLES).expect("sound workloads");
    assert!(from_counters(&enough, 0).is_ok() && from_source(&enough, [0, 1]).is_ok());
}

#[test]
fn a_role_without_its_column_is_refused() {
    let roles = Roles {
        longest: Some(2),
        ..ROLES
    };
    let refused = AcrossError::NoSuchColumn {
        column: 2,
        counters: 2,
    };
    assert_eq!(few(3, roles).err(), Some(refused));
}
