//! Lattices and grids that are changed in place, and particles that meet them or each other.

use crate::{assert_each, counting::murmur3_finaliser, for_each_variant, whole};

#[test]
fn ising_checkerboard_turns_black_spins_by_chance() {
    const WIDTH: usize = 64;
    const HEIGHT: usize = 32;
    let sizes = [("width", WIDTH), ("height", HEIGHT)];
    for_each_variant("ising_checkerboard", sizes, |run| {
        let before = run.inputs["spins"].as_i8();
        let mut turned = 0;
        for (i, after) in run.outputs["spins"].as_i8().iter().enumerate() {
            let (x, y) = (i % WIDTH, i / WIDTH);
            let around = [
                (x + WIDTH - 1, y),
                (x + 1, y),
                (x, y + HEIGHT - 1),
                (x, y + 1),
            ];
            let spin = |(x, y)| before[y % HEIGHT * WIDTH + x % WIDTH];
            let alike = around.iter().filter(|at| spin(**at) == before[i]).count();
            // Turning over breaks as many bonds more than it makes.
            let broken = 2.0 * alike as f64 - 4.0;
            let place = u32::try_from(i).expect("a small lattice");
            let random = murmur3_finaliser(place.wrapping_mul(747_796_405).wrapping_add(7));
            let chance = (-2.0 * 0.424 * broken).exp();
            let turns = (x + y) % 2 == 0 && f64::from(random) / f64::from(u32::MAX) < chance;
            assert_eq!(*after, if turns { 1 - before[i] } else { before[i] }, "{i}");
            turned += usize::from(turns);
        }
        assert!((WIDTH * HEIGHT / 4..WIDTH * HEIGHT / 2).contains(&turned));
    });
}

#[test]
fn red_black_relaxation_changes_red_cells_only() {
    const WIDTH: usize = 64;
    const HEIGHT: usize = 24;
    const PITCH: usize = WIDTH + 2;
    let relaxed = |[field, sources]: &[Vec<f64>; 2], i: usize| {
        let (x, y) = (i % PITCH, i / PITCH);
        let inside = (1..=WIDTH).contains(&x) && (1..=HEIGHT).contains(&y);
        if !inside || (x + y) % 2 == 1 {
            return field[i];
        }
        let around = field[i - 1] + field[i + 1] + field[i - PITCH] + field[i + PITCH];
        let wanted = (around + sources[(y - 1) * WIDTH + x - 1]) / 4.0;
        1.8 * wanted - 0.8 * field[i]
    };
    assert_each(
        "red_black_relaxation",
        [("width", WIDTH), ("height", HEIGHT)],
        (["field", "sources"], "field"),
        1e-6,
        relaxed,
    );
}

#[test]
fn deposit_charge_keeps_charge_and_middle() {
    const SIDE: usize = 20;
    let sizes = [("particles", 384), ("side", SIDE)];
    for_each_variant("deposit_charge", sizes, |run| {
        let mut expected: Vec<i64> = run.inputs["grid"]
            .as_i32()
            .iter()
            .map(|c| i64::from(*c))
            .collect();
        let places = run.inputs["places"].as_u16().chunks_exact(2);
        for (place, charge) in places.zip(run.inputs["charges"].as_i32()) {
            // Cell and 256ths of a cell.
            let [x, y] = [place[0], place[1]].map(|place| {
                let fine = usize::from(place) * SIDE * 256 / 65_536;
                (fine / 256, fine % 256)
            });
            for (column, across) in [(x.0, 256 - x.1), ((x.0 + 1) % SIDE, x.1)] {
                for (row, down) in [(y.0, 256 - y.1), ((y.0 + 1) % SIDE, y.1)] {
                    let share = i64::try_from(across * down).expect("at most 65,536");
                    expected[row * SIDE + column] += i64::from(*charge) * share;
                }
            }
        }
        let grid: Vec<i64> = run.outputs["grid"]
            .as_i32()
            .iter()
            .map(|c| i64::from(*c))
            .collect();
        assert_eq!(grid, expected);
    });
}

#[test]
fn pair_histogram_counts_squared_distances() {
    const OTHERS: usize = 50;
    let count = |[places, counts]: &[Vec<f64>; 2], bin: usize| {
        let squared = |a: &[f64], b: &[f64]| -> f64 { (0..3).map(|k| (a[k] - b[k]).powi(2)).sum() };
        let pairs = places.chunks_exact(4).flat_map(|a| {
            places
                .chunks_exact(4)
                .take(OTHERS)
                .map(move |b| squared(a, b))
        });
        let within = pairs.filter(|squared| whole(*squared) / 16_384 == bin);
        counts[bin] + within.count() as f64
    };
    assert_each(
        "pair_histogram",
        [("particles", 128), ("others", OTHERS)],
        (["places", "counts"], "counts"),
        0.0,
        count,
    );
}
