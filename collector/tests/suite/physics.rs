//! Particles in cells, potentials, waves, a gas, spectral elements, integrals and photons, from their equations.

use std::{array::from_fn, f64::consts::PI};

use crate::{assert_each, fdtd3d::second_derivative, for_each_variant, numbers, whole};

/// The numbers of structures that consist of floats.
pub(crate) fn floats(bytes: &[u8]) -> Vec<f64> {
    let each = bytes.chunks_exact(4);
    each.map(|four| f32::from_ne_bytes(four.try_into().expect("four bytes")).into())
        .collect()
}

#[test]
fn cell_forces_come_from_all_particles_within_the_cutoff() {
    const SIDES: [usize; 3] = [3, 2, 2];
    const PLACES: usize = 64;
    let component = |[particles, counts]: &[Vec<f64>; 2], i: usize| {
        let (cell, item, axis) = (i / 4 / PLACES, i / 4 % PLACES, i % 4);
        if axis == 3 || item >= whole(counts[cell]) {
            return 0.0;
        }
        let at = [cell % 3, cell / 3 % 2, cell / 6];
        let own = &particles[i / 4 * 4..][..4];
        let mut force = 0.0;
        for n in 0..27_usize {
            let by = [n % 3, n / 3 % 3, n / 9]; // 1: in the same cell
            let [x, y, z] = from_fn(|k| (at[k] + by[k] + SIDES[k] - 1) % SIDES[k]);
            let other = (z * SIDES[1] + y) * SIDES[0] + x;
            for there in 0..whole(counts[other]) {
                let them = &particles[4 * (PLACES * other + there)..][..4];
                let difference: [f64; 3] = from_fn(|k| own[k] - them[k] + 1.0 - by[k] as f64);
                let squared: f64 = difference.iter().map(|by| by * by).sum();
                if squared >= 1.0 || (n == 13 && there == item) {
                    continue;
                }
                let distance = squared.max(0.03).sqrt();
                let sixth = (0.2 / distance).powi(6);
                let pushed = 0.24 * (2.0 * sixth * sixth - sixth) / distance.powi(2);
                let charged = (own[3] - 0.5) * (them[3] - 0.5) * (distance.powi(-3) - 1.0);
                force += difference[axis] * (pushed + charged);
            }
        }
        force
    };
    assert_each(
        "cell_forces",
        [("nx", SIDES[0]), ("ny", SIDES[1]), ("nz", SIDES[2])],
        (["particles", "counts"], "forces"),
        1e-3,
        component,
    );
}

#[test]
fn grid_potential_adds_up_all_atoms() {
    const NX: usize = 70;
    const NY: usize = 9;
    let potential = |[atoms]: &[Vec<f64>; 1], i: usize| {
        let at = [i % NX, i / NX % NY, i / NX / NY].map(|place| 0.01 * place as f64);
        let place = [at[0] - 1.0, at[1] - 0.9, at[2] - 0.8];
        let of_atom = |atom: &[f64]| {
            let difference = place.iter().zip(atom).map(|(a, b)| (a - b).powi(2));
            atom[3] / (difference.sum::<f64>() + 0.01).sqrt()
        };
        atoms.chunks_exact(4).map(of_atom).sum()
    };
    assert_each(
        "grid_potential",
        [("nx", NX), ("ny", NY), ("nz", 2), ("atoms", 150)],
        (["atoms"], "potential"),
        1e-3,
        potential,
    );
}

#[test]
fn acoustic_wave_moves_on_and_fades_at_the_sides() {
    const SIDES: [usize; 3] = [40, 11, 37];
    const RADIUS: usize = 4;
    let after = |[now, before, speeds]: &[Vec<f64>; 3], i: usize| {
        let place = [
            i % SIDES[0],
            i / SIDES[0] % SIDES[1],
            i / SIDES[0] / SIDES[1],
        ];
        let at = |axis: usize, by: usize| {
            let mut padded = place.map(|place| place + RADIUS);
            padded[axis] = place[axis] + by;
            let [x, y, z] = padded;
            now[(z * (SIDES[1] + 2 * RADIUS) + y) * (SIDES[0] + 2 * RADIUS) + x]
        };
        let laplacian: f64 = (0..3)
            .map(|axis| second_derivative(|by| at(axis, by)))
            .sum();
        let fading = |axis: usize| {
            let edge = place[axis].min(SIDES[axis] - 1 - place[axis]);
            1.0 - 0.003 * (10_usize.saturating_sub(edge) as f64).powi(2)
        };
        let after = 2.0 * at(0, RADIUS) - before[i] + speeds[i] * laplacian;
        after * fading(0) * fading(1) * fading(2)
    };
    assert_each(
        "acoustic_wave",
        [("nx", SIDES[0]), ("ny", SIDES[1]), ("nz", SIDES[2])],
        (["now", "field", "speeds"], "field"),
        1e-5,
        after,
    );
}

/// Density, momentum along the axis and across it, energy.
type Gas = [f64; 4];

/// What flows along an axis from the second of four cells to the third.
fn flow([a, b, c, d]: [Gas; 4]) -> Gas {
    let slope = |a: f64, b: f64| match a * b {
        product if product > 0.0 => 2.0 * product / (a + b),
        _ => 0.0,
    };
    let left: Gas = from_fn(|k| b[k] + slope(b[k] - a[k], c[k] - b[k]) / 2.0);
    let right: Gas = from_fn(|k| c[k] - slope(c[k] - b[k], d[k] - c[k]) / 2.0);
    // Speed, pressure, and the speed of sound.
    let [from, to] = [left, right].map(|[density, along, across, energy]| {
        let pressure = 0.4 * (energy - (along * along + across * across) / density / 2.0);
        [along / density, pressure, (1.4 * pressure / density).sqrt()]
    });
    let flux = |gas: Gas, [speed, pressure, _]: [f64; 3]| {
        let pushed = [0.0, pressure, 0.0, pressure * speed];
        from_fn::<f64, 4, _>(|k| speed * gas[k] + pushed[k])
    };
    let slowest = (from[0] - from[2]).min(to[0] - to[2]).min(0.0);
    let fastest = (from[0] + from[2]).max(to[0] + to[2]).max(0.0);
    let (from, to) = (flux(left, from), flux(right, to));
    from_fn(|k| {
        let spread = slowest * fastest * (right[k] - left[k]);
        (fastest * from[k] - slowest * to[k] + spread) / (fastest - slowest)
    })
}

#[test]
fn euler_step_balances_what_flows_through_the_sides() {
    const WIDTH: usize = 40;
    const HEIGHT: usize = 24;
    let after = |[before]: &[Vec<f64>; 1], i: usize| {
        let (x, y, which) = (i / 4 % WIDTH, i / 4 / WIDTH, i % 4);
        let in_x = |by: isize| -> Gas {
            let x = x.saturating_add_signed(by).min(WIDTH - 1);
            from_fn(|k| before[4 * (y * WIDTH + x) + k])
        };
        let in_y = |by: isize| -> Gas {
            let y = y.saturating_add_signed(by).min(HEIGHT - 1);
            [0, 2, 1, 3].map(|k| before[4 * (y * WIDTH + x) + k])
        };
        let balance = |cell: &dyn Fn(isize) -> Gas, which: usize| {
            let into = flow([-2, -1, 0, 1].map(cell));
            into[which] - flow([-1, 0, 1, 2].map(cell))[which]
        };
        let across = [0, 2, 1, 3][which];
        before[i] + 0.1 * balance(&in_x, which) + 0.08 * balance(&in_y, across)
    };
    let sizes = [("width", WIDTH), ("height", HEIGHT)];
    assert_each("euler_step", sizes, (["before"], "after"), 1e-5, after);
}

/// Eight nodes of Gauss, Lobatto and Legendre: the ends, and where the Legendre polynomial P₇ has extremes.
fn lobatto_nodes() -> [f64; 8] {
    from_fn(|i| {
        let start = -(PI * i as f64 / 7.0).cos();
        if i % 7 == 0 {
            return start;
        }
        (0..50).fold(start, |x, _| {
            let (before, value) = (1..7).map(f64::from).fold((1.0, x), |(before, at), k| {
                (at, ((2.0 * k + 1.0) * x * at - k * before) / (k + 1.0))
            });
            let slope = 7.0 * (before - x * value) / (1.0 - x * x);
            // By Legendre's equation for the slope's slope.
            x - slope * (1.0 - x * x) / (2.0 * x * slope - 56.0 * value)
        })
    })
}

/// The slope at node `at` of the polynomial that is 1 at node `of` and 0 at the others.
fn lagrange_slope(nodes: &[f64; 8], at: usize, of: usize) -> f64 {
    let others = || (0..8).filter(|k| *k != of);
    let below: f64 = others().map(|k| nodes[of] - nodes[k]).product();
    let without = |left_out: usize| -> f64 {
        let kept = others().filter(|k| *k != left_out);
        kept.map(|k| nodes[at] - nodes[k]).product()
    };
    others().map(without).sum::<f64>() / below
}

#[test]
fn spectral_laplacian_differentiates_twice() {
    const METRIC: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];
    let nodes = lobatto_nodes();
    let slopes: [[f64; 8]; 8] = from_fn(|i| from_fn(|n| lagrange_slope(&nodes, i, n)));
    let moved = |mut point: [usize; 3], axis: usize, to: usize| {
        point[axis] = to;
        point
    };
    let index = |[x, y, z]: [usize; 3]| (z * 8 + y) * 8 + x;
    let laplacian = |[field, metric]: &[Vec<f64>; 2], at: usize| {
        let field = &field[at / 512 * 512..];
        let metric = &metric[at / 512 * 3072..];
        let slope = |point: [usize; 3], axis: usize| -> f64 {
            let terms =
                (0..8).map(|n| slopes[point[axis]][n] * field[index(moved(point, axis, n))]);
            terms.sum()
        };
        let flow = |point: [usize; 3], axis: usize| -> f64 {
            let terms =
                (0..3).map(|b| metric[512 * METRIC[axis][b] + index(point)] * slope(point, b));
            terms.sum()
        };
        let point = [at % 8, at / 8 % 8, at / 64 % 8];
        let along = |axis: usize| -> f64 {
            let terms = (0..8).map(|n| slopes[n][point[axis]] * flow(moved(point, axis, n), axis));
            terms.sum()
        };
        (0..3).map(along).sum()
    };
    assert_each(
        "spectral_laplacian",
        [("elements", 2)],
        (["field", "metric"], "laplacian"),
        1e-9,
        laplacian,
    );
}

/// ∫ exp(−t s²) ds over 0 to 1 by Simpson's rule.
fn boys(t: f64) -> f64 {
    const PARTS: u32 = 400;
    let terms = (0..=PARTS).map(|i| {
        let weight = match i {
            0 | PARTS => 1.0,
            _ if i % 2 == 1 => 4.0,
            _ => 2.0,
        };
        weight * (-t * (f64::from(i) / f64::from(PARTS)).powi(2)).exp()
    });
    terms.sum::<f64>() / f64::from(3 * PARTS)
}

#[test]
fn nuclear_attraction_integrates_over_products_of_gaussians() {
    const ORBITALS: usize = 14;
    const EXPONENTS: [f64; 3] = [3.425_250_91, 0.623_913_73, 0.168_855_4];
    const WEIGHTS: [f64; 3] = [0.154_328_97, 0.535_328_14, 0.444_634_54];
    let integral = |[orbitals, nuclei]: &[Vec<f64>; 2], i: usize| {
        let [a, b] = [i / ORBITALS, i % ORBITALS].map(|orbital| &orbitals[4 * orbital..][..4]);
        let squared = |a: &[f64], b: &[f64]| -> f64 { (0..3).map(|k| (a[k] - b[k]).powi(2)).sum() };
        let pair = |first: usize, second: usize| {
            let (p, q) = (
                EXPONENTS[first] * a[3].powi(2),
                EXPONENTS[second] * b[3].powi(2),
            );
            let middle: [f64; 3] = from_fn(|k| (p * a[k] + q * b[k]) / (p + q));
            let attraction =
                |nucleus: &[f64]| nucleus[3] * boys((p + q) * squared(&middle, nucleus));
            let all: f64 = nuclei.chunks_exact(4).map(attraction).sum();
            let norm =
                (4.0 * p * q / PI.powi(2)).powf(0.75) * (-p * q / (p + q) * squared(a, b)).exp();
            -WEIGHTS[first] * WEIGHTS[second] * norm * 2.0 * PI / (p + q) * all
        };
        (0..9).map(|both| pair(both / 3, both % 3)).sum()
    };
    assert_each(
        "nuclear_attraction",
        [("orbitals", ORBITALS), ("nuclei", 3)],
        (["orbitals", "nuclei"], "integrals"),
        1e-8,
        integral,
    );
}

/// What became of a packet of photons: its generator's state, what it left at which depth, and on which side it
/// escaped; in whole shares.
struct Path {
    state: u64,
    left: Vec<(f64, f64)>,
    escaped: Option<(bool, f64)>,
}

fn path(mut state: u64, increment: u64, layers: &[f64], steps: usize) -> Path {
    let mut next = || {
        let old = state;
        state = old
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(increment);
        let mixed = ((old ^ old >> 18) >> 27 & 0xFFFF_FFFF) as u32;
        let bits = mixed.rotate_right((old >> 59) as u32);
        (f64::from(bits >> 9) + 0.5) / 8_388_608.0
    };
    let shares = |weight: f64| (1024.0 * weight).floor();
    let (mut depth, mut cosine, mut weight, mut own) = (0.0, 1.0_f64, 1.0, 0);
    let (mut left, mut escaped) = (Vec::new(), None);
    for _ in 0..steps {
        let layer = &layers[4 * own..];
        depth -= cosine * next().ln() / (layer[0] + layer[1]);
        if !(0.0..1.0).contains(&depth) {
            escaped = Some((depth >= 1.0, shares(weight)));
            break;
        }
        own = (0..4).filter(|k| depth >= layers[4 * k + 3]).count();
        let layer = &layers[4 * own..];
        let part = weight * layer[0] / (layer[0] + layer[1]);
        left.push((depth, shares(part)));
        weight -= part;
        if weight < 0.05 {
            if next() >= 0.125 {
                break;
            }
            weight *= 8.0;
        }
        let (forward, number) = (layer[2], next());
        let turned = if forward > 0.0 {
            let ratio = (1.0 - forward * forward) / (1.0 - forward + 2.0 * forward * number);
            (1.0 + forward * forward - ratio * ratio) / (2.0 * forward)
        } else {
            2.0 * number - 1.0
        };
        // The angles to the axis before and after, and the turn between them, are a spherical triangle's.
        let around = (2.0 * PI * next()).cos();
        let sines = ((1.0 - cosine * cosine) * (1.0 - turned * turned))
            .max(0.0)
            .sqrt();
        cosine = cosine * turned - sines * around;
    }
    Path {
        state,
        left,
        escaped,
    }
}

/// Rounding makes a few packets go other ways.
#[test]
fn photon_transport_leaves_light_where_single_packets_do() {
    const PHOTONS: usize = 1000;
    const STEPS: usize = 100;
    for_each_variant(
        "photon_transport",
        [("photons", PHOTONS), ("steps", STEPS)],
        |run| {
            let layers = floats(run.inputs["layers"].as_u8());
            let words: Vec<u64> = run.inputs["generators"]
                .as_u8()
                .chunks_exact(8)
                .map(|eight| u64::from_ne_bytes(eight.try_into().expect("eight bytes")))
                .collect();
            let generators = words.chunks_exact(2);
            let paths: Vec<Path> = generators
                .map(|own| path(own[0], own[1], &layers, STEPS))
                .collect();

            let states = run.outputs["generators.state"].as_u64();
            let same = states
                .iter()
                .zip(&paths)
                .filter(|(state, path)| **state == path.state);
            assert!(same.count() > PHOTONS * 9 / 10);
            let grown = |name: &str| -> Vec<f64> {
                let pair = numbers(&run.outputs[name])
                    .into_iter()
                    .zip(numbers(&run.inputs[name]));
                pair.map(|(after, before)| after - before).collect()
            };
            for (eighth, absorbed) in grown("absorbed").chunks_exact(256).enumerate() {
                let all = paths.iter().flat_map(|path| &path.left);
                let here = all.filter(|(depth, _)| whole(8.0 * depth) == eighth);
                let (expected, actual) = (
                    here.map(|(_, part)| part).sum::<f64>(),
                    absorbed.iter().sum::<f64>(),
                );
                assert!(
                    (actual - expected).abs() < 0.03 * expected + 1024.0,
                    "{actual}, expected {expected}"
                );
            }
            for (is_below, escaped) in [false, true].into_iter().zip(grown("escaped")) {
                let all = paths.iter().filter_map(|path| path.escaped);
                let expected: f64 = all.filter(|it| it.0 == is_below).map(|it| it.1).sum();
                assert!(
                    (escaped - expected).abs() < 0.03 * expected + 1024.0,
                    "{escaped}, expected {expected}"
                );
            }
        },
    );
}
