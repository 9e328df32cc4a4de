//! What crosses HTTP, as others use it.

use kerncast_wire::{
    AtMost, TimeSummary, Warning, Warnings, short_name,
    words::{did_you_mean, misspelt, with_the_likely_one},
};
use serde_json::json;

#[test]
fn short_names_are_what_people_say() {
    for (name, short) in [
        ("NVIDIA H200", "H200"),
        ("NVIDIA GeForce RTX 4090", "GeForce RTX 4090"),
        ("pthread-skylake-avx512-AMD EPYC", "EPYC"),
        ("AMD EPYC 9B14 96-Core Processor", "EPYC 9B14"),
        ("cpu-skylake-avx512-Intel(R) Xeon(R) Processor", "Xeon"),
        (
            "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz",
            "Xeon Platinum 8481C",
        ),
        ("gfx90a:sramecc+:xnack-", "gfx90a:sramecc+:xnack-"),
        ("Tesla V100-SXM2-16GB", "Tesla V100-SXM2-16GB"),
        ("NVIDIA", "NVIDIA"),
    ] {
        assert_eq!(short_name(name), short);
    }
}

#[test]
fn the_nearest_name_is_offered_and_none_where_all_are_far() {
    let all = ["matmul_float", "matmul_float4", "median_filter"];
    assert_eq!(
        did_you_mean("matmul_flaot", all),
        ". Did you mean `matmul_float`?"
    );
    for far in ["xyzzy", "nodir"] {
        assert_eq!(did_you_mean(far, all.into_iter().chain(["n_body"])), "");
    }
}

#[test]
fn a_misspelt_name_has_a_letter_too_many_or_few_or_two_swapped() {
    let all = ["lts__t_sectors_op_read.sum", "lts__t_sectors_op_write.sum"];
    for asked in [
        "lts__t_sector_op_read.sum",
        "lts__t_sectors_op_raed.sum",
        "LTS__t_sectors_op_read.sum",
    ] {
        assert_eq!(misspelt(asked, all), Some(all[0]), "{asked}");
    }
    for other in [
        all[0],
        "lts__t_sectors_op_red.max",
        "lts__t_sectors_op_rexd.sum",
        "lts__t_sectors_op_atom.sum",
    ] {
        assert_eq!(misspelt(other, all), None, "{other}");
    }
}

#[test]
fn only_an_unknown_name_gets_the_likely_one() {
    let unknown = "unknown field `lenght`, expected one of `width`, `length`";
    assert_eq!(
        with_the_likely_one(unknown),
        format!("{unknown}. Did you mean `length`?")
    );
    for other in [
        "unknown field `xyzzy`, expected `name`",
        "invalid type: integer `3`, expected a string",
    ] {
        assert_eq!(with_the_likely_one(other), other);
    }
}

/// 2, 4, 4, 10: mean 5, squared deviations 9 + 1 + 1 + 25 = 36, variance 36 ÷ 3 = 12.
#[test]
fn an_even_number_of_repetitions_has_its_median_in_the_middle() {
    let TimeSummary {
        min_s,
        median_s,
        n,
        cv,
    } = TimeSummary::of(&[10.0, 2.0, 4.0, 4.0]);
    assert_eq!((min_s, median_s, n), (2.0, 4.0, 4));
    assert!((cv.expect("several") - 12.0_f64.sqrt() / 5.0).abs() < 1e-15);
}

#[test]
fn one_repetition_has_no_variation() {
    let expected = TimeSummary {
        min_s: 0.5,
        median_s: 0.5,
        n: 1,
        cv: None,
    };
    assert_eq!(TimeSummary::of(&[0.5]), expected);
}

#[test]
fn reading_stops_at_the_first_item_too_many() {
    let exact: AtMost<2, u8> = serde_json::from_str("[1, 2]").expect("two");
    assert_eq!(exact, AtMost(vec![1, 2]));
    // What follows is no JSON: nobody has looked at it.
    let error = serde_json::from_str::<AtMost<2, u8>>("[1, 2, 3, …").expect_err("three");
    assert!(
        error
            .to_string()
            .contains("expected an array of at most 2 items"),
        "{error}"
    );
}

#[test]
fn a_kind_and_its_text_stand_side_by_side_and_come_back() {
    let warnings = Warnings(vec![
        Warning::NotValidated,
        Warning::TooFewLeftOut {
            folds: 3,
            needed: 9.0,
            level: 0.9,
        },
    ]);
    let json = serde_json::to_value(&warnings).expect("JSON");
    assert_eq!(
        json,
        json!({
            "warnings": [
                "the model could not be validated on kernels it had not seen",
                "too few kernels, or regions of kernels, (3) were left out for an interval at level \
                 0.9: 9 are needed",
            ],
            "warned": [
                { "kind": "not_validated" },
                { "kind": "too_few_left_out", "folds": 3, "needed": 9.0, "level": 0.9 },
            ],
        })
    );
    assert_eq!(
        serde_json::from_value::<Warnings>(json).expect("reads"),
        warnings
    );
}
