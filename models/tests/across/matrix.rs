use std::collections::BTreeMap;

use kerncast_models::across::{Ceilings, Counted, Demand, Measured, matrix};

use crate::common::{ROLES, assert_close, counters};

/// A device of so many bytes per second and nothing else; only the first `count` workloads.
fn measured(device: &str, copy: f64, count: usize) -> Measured {
    let (kernels, x) = counters();
    let sample = |row: usize| Counted {
        kernel: kernels[row].clone(),
        counters: x.row(row).to_vec(),
        demand: Demand {
            global_bytes: Some(x[(row, 2)]),
            ..Demand::default()
        },
        time: x[(row, 2)] / copy,
    };
    Measured {
        device: device.to_owned(),
        counters: ["instructions", "items", "bytes"]
            .map(str::to_owned)
            .to_vec(),
        roles: kerncast_models::across::Roles {
            volumes: vec![2],
            ..ROLES
        },
        ceilings: (copy > 1e9).then_some(Ceilings {
            copy_bytes_per_s: Some(copy),
            ..Ceilings::default()
        }),
        samples: (0..count)
            .map(|row| (format!("w{row:02}"), sample(row)))
            .collect(),
    }
}

#[test]
fn every_ordered_pair_with_common_workloads_has_its_errors_beside_the_baselines() {
    let mut apart = measured("apart", 1e12, 0);
    apart.samples = BTreeMap::new();
    let devices = [
        measured("fast", 4e12, 32),
        measured("slow", 1e12, 24),
        measured("bare", 1e9, 32),
        apart,
    ];
    let cells = matrix(&devices);
    let names: Vec<(&str, &str, usize)> = cells
        .iter()
        .map(|cell| (cell.source.as_str(), cell.target.as_str(), cell.workloads))
        .collect();
    assert_eq!(
        names,
        [
            ("fast", "slow", 24),
            ("fast", "bare", 32),
            ("slow", "fast", 24),
            ("slow", "bare", 24),
            ("bare", "fast", 32),
            ("bare", "slow", 24),
        ]
    );
    for cell in &cells {
        for report in [&cell.counters, &cell.time, &cell.median_ratio] {
            let errors = report.as_ref().expect("a report").overall.expect("errors");
            assert!(errors.mean_ape < 0.15, "{cell:?}");
        }
        let measured = cell.source != "bare" && cell.target != "bare";
        assert_eq!(cell.ceilings.is_some(), measured);
        if let Some(report) = &cell.ceilings {
            assert_close(1.0 + report.overall.expect("errors").mean_ape, 1.0, 1e-12);
        }
    }
}
