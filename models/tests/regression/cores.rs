use kerncast_models::{ByWaves, Dataset, Fitted, Form, Method, Resource};
use ndarray::{Array1, Array2};

use super::common::{assert_close, with_roles};

const NAMES: [&str; 6] = [
    "analysis:cpu_work_items",
    "launch:work_groups",
    "analysis:cpu_scalar_instructions",
    "analysis:cpu_mispredictions",
    "analysis:cpu_strayed_l2_misses",
    "analysis:cpu_busiest_atomics",
];

/// A cycle of 0.3 ns, twelve cores.
const CYCLE: f64 = 3e-10;
const CORES: f64 = 12.0;

/// Ten kernels in six sizes. Branches foretold wrongly take twice as long as documented, all else costs what the
/// documents say; a core does one thing after the other.
fn data() -> Dataset {
    let (mut x, mut y, mut kernels) = (Vec::new(), Vec::new(), Vec::new());
    for kernel in 0..10_u32 {
        for groups in [4.0, 12.0, 30.0, 250.0, 1600.0, 9000.0] {
            let items = 64.0 * groups;
            let instructions = items * f64::from(kernel * 5 % 7 + 1) * 40.0;
            let wrong = items * f64::from(kernel % 3) * 2.0;
            let lines = items * f64::from(kernel % 4) / 4.0;
            let cycles =
                0.3 * instructions + 2.0 * 16.0 * wrong + 8.0 * lines + 300.0 * groups + items;
            let active = groups / (groups / CORES).ceil();
            x.extend([items, groups, instructions, wrong, lines, 0.0]);
            y.push(5e-6 + CYCLE * cycles / active);
            kernels.push(format!("k{kernel}"));
        }
    }
    let x = Array2::from_shape_vec((y.len(), NAMES.len()), x).expect("rows of a value a name");
    let names = NAMES.iter().map(ToString::to_string).collect();
    let data = Dataset::new(names, kernels, x, Array1::from(y)).expect("a dataset");
    with_roles(data)
}

fn fit() -> Fitted {
    ByWaves.fit(&data().rows()).expect("a fit")
}

#[test]
fn what_a_core_does_adds_up() {
    let fit = fit();
    let Form::Waves(waves) = &fit.form else {
        panic!("{:?}", fit.form);
    };
    let seconds = |column: usize| {
        let term = waves.terms.iter().find(|it| it.column == column);
        let term = term.expect("a cost");
        assert!(term.resource == Resource::Core, "{term:?}");
        term.seconds
    };
    assert_close(seconds(3) / seconds(2), 2.0 * 16.0 / 0.3, 0.2);
    let data = data();
    for (row, time) in data.x().rows().into_iter().zip(data.y()) {
        assert_close(fit.predict(row), *time, 0.1);
    }
}
