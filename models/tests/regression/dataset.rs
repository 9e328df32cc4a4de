//! What may be a dataset, and what the refusals say.

use kerncast_models::{Dataset, DatasetError, HoldOutKey};
use kerncast_wire::Role;
use ndarray::{Array1, Array2, array};

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn with(x: Array2<f64>, y: [f64; 2]) -> Result<Dataset, DatasetError> {
    Dataset::new(
        names(&["load", "store"]),
        names(&["dct", "aes"]),
        x,
        array![y[0], y[1]],
    )
}

#[test]
fn sound_numbers_pass() {
    let data = with(array![[1.0, 2.0], [-3.0, 0.0]], [1e-6, 2.0]).expect("a dataset");
    assert_eq!(data.counters(), ["load", "store"]);
    assert_eq!(data.kernels(), ["dct", "aes"]);
    assert_eq!(data.x().dim(), (2, 2));
    assert_eq!(data.y().len(), 2);
}

#[test]
fn a_counter_that_is_not_finite_is_named() {
    let refusal = with(array![[1.0, 2.0], [3.0, f64::NAN]], [1.0, 2.0]).expect_err("a refusal");
    assert_eq!(
        refusal.to_string(),
        "row 1 (aes): store is NaN; expected a finite number"
    );
}

#[test]
fn a_response_must_be_a_time() {
    for bad in [0.0, -1e-3, f64::NAN, f64::INFINITY] {
        let refusal = with(array![[1.0, 2.0], [3.0, 4.0]], [bad, 2.0]).expect_err("a refusal");
        assert_eq!(
            refusal.to_string(),
            format!("row 0 (dct): the response is {bad}; expected a finite number above 0")
        );
    }
}

#[test]
fn lengths_must_agree() {
    let refusal = with(array![[1.0, 2.0]], [1.0, 2.0]).expect_err("a refusal");
    assert_eq!(
        refusal.to_string(),
        "kernels has 2 entries; the counter values ask for 1"
    );
    let refusal = with(array![[1.0], [2.0]], [1.0, 2.0]).expect_err("a refusal");
    assert_eq!(
        refusal.to_string(),
        "counters has 2 entries; the counter values ask for 1"
    );
    let x = array![[1.0], [2.0]];
    let refusal = Dataset::new(names(&["load"]), names(&["dct", "aes"]), x, array![1.0]);
    assert_eq!(
        refusal.expect_err("a refusal").to_string(),
        "y has 1 entries; the counter values ask for 2"
    );
}

fn four() -> Dataset {
    let kernels = names(&["dct", "aes", "dct", "fft"]);
    let x = array![[1.0], [2.0], [3.0], [4.0]];
    let y = array![1.0, 2.0, 3.0, 4.0];
    Dataset::new(names(&["load"]), kernels, x, y).expect("a dataset")
}

#[test]
fn folds_are_numbered_by_their_first_rows() {
    let families =
        ["transforms", "codes", "transforms", "transforms"].map(|it| Some(it.to_owned()));
    let data = four().with_families(&families).expect("families");
    assert_eq!(data.folds(HoldOutKey::Row), [0, 1, 2, 3]);
    assert_eq!(data.folds(HoldOutKey::Kernel), [0, 1, 0, 2]);
    assert_eq!(data.folds(HoldOutKey::Family), [0, 1, 0, 0]);
}

#[test]
fn a_kernel_without_a_family_is_its_own() {
    assert_eq!(four().folds(HoldOutKey::Family), [0, 1, 0, 2]);
    // And a family may bear its first kernel's name.
    let families = [None, None, None, Some("aes".to_owned())];
    let data = four().with_families(&families).expect("families");
    assert_eq!(data.folds(HoldOutKey::Family), [0, 1, 0, 1]);
}

#[test]
fn a_kernel_has_one_family() {
    let families = [Some("transforms".to_owned()), None, None, None];
    let refusal = four().with_families(&families).expect_err("a refusal");
    assert_eq!(
        refusal.to_string(),
        "row 2 (dct): the family is dct; expected transforms, as in earlier rows"
    );
    let refusal = four().with_families(&families[1..]).expect_err("a refusal");
    assert_eq!(
        refusal.to_string(),
        "families has 3 entries; the counter values ask for 4"
    );
}

/// Three kernels of each of 20 kinds: what one of a kind counts a work-item is near what the others do.
fn kinds() -> Dataset {
    let (mut kernels, mut x) = (Vec::new(), Vec::new());
    for kernel in 0..60 {
        let kind = kernel / 3;
        for size in [1e3, 1e5] {
            kernels.push(format!("kernel_{kernel}"));
            let near = 1.0 + 0.01 * f64::from(kernel % 3);
            let each = |bit: i32| if kind >> bit & 1 == 1 { 100.0 } else { 1.0 };
            x.extend([size, size * near * each(0), size * near * each(1)]);
            x.extend([
                size * near * each(2),
                size * near * each(3),
                size * near * each(4),
            ]);
        }
    }
    let rows = kernels.len();
    let columns = names(&["work_items", "a", "b", "c", "d", "e"]);
    let x = Array2::from_shape_vec((rows, 6), x).expect("six a row");
    let mut roles = vec![None; 6];
    roles[0] = Some(Role::WorkItems);
    Dataset::new(columns, kernels, x, Array1::from_elem(rows, 1e-3))
        .and_then(|it| it.with_roles(roles))
        .expect("a dataset")
}

#[test]
fn a_region_is_of_kernels_that_do_alike_at_all_their_sizes() {
    let all = kinds();
    let expected: Vec<usize> = (0..120).map(|row| row / 6).collect();
    assert_eq!(all.folds(HoldOutKey::Region), expected);
    // Rows of generated kernels have none.
    let with_generated = all.with_generated(2).expect("two of 120");
    assert_eq!(with_generated.folds(HoldOutKey::Region), expected[..118]);
}

#[test]
fn of_few_kernels_each_is_a_region() {
    let few = kinds().part(&(0..78).collect::<Vec<_>>());
    assert_eq!(few.kernels().last().map(String::as_str), Some("kernel_38"));
    assert_eq!(few.folds(HoldOutKey::Region), few.folds(HoldOutKey::Kernel));
}
