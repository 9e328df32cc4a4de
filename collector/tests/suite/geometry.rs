//! Rays, surfaces and bodies in space, and what follows signals and objects.

use std::{array::from_fn, collections::BTreeSet};

use crate::{assert_each, for_each_variant, numbers, physics::floats};

type Vector = [f64; 3];

fn less(a: Vector, b: Vector) -> Vector {
    from_fn(|k| a[k] - b[k])
}

/// a · (b × c)
fn triple(a: Vector, b: Vector, c: Vector) -> f64 {
    let along =
        |k: usize| a[k] * (b[(k + 1) % 3] * c[(k + 2) % 3] - b[(k + 2) % 3] * c[(k + 1) % 3]);
    (0..3).map(along).sum()
}

/// Every triangle is tried, by Cramer's rule. Rays that meet an edge may be told to pass it.
#[test]
fn bvh_rays_meet_the_nearest_triangle() {
    const SIZES: [(&str, usize); 3] = [("width", 40), ("height", 30), ("levels", 5)];
    for_each_variant("bvh_rays", SIZES, |run| {
        let corners: Vec<Vector> = numbers(&run.inputs["corners"])
            .chunks_exact(3)
            .map(|corner| from_fn(|k| corner[k]))
            .collect();
        let depths = numbers(&run.outputs["depths"]);
        let hits = numbers(&run.outputs["triangles"]);
        assert!(hits.iter().filter(|hit| **hit >= 0.0).count() > 300);
        let agreeing = hits
            .iter()
            .zip(depths)
            .enumerate()
            .filter(|(pixel, (hit, depth))| {
                let across = ((pixel % 40) as f64 + 0.5) / 40.0 - 0.5;
                let down = ((pixel / 40) as f64 + 0.5) / 30.0 - 0.5;
                let way = [0.05 + 1.1 * across, 0.9 - 0.4 * down, -0.5 - 0.7 * down];
                let length = way.iter().map(|part| part * part).sum::<f64>().sqrt();
                let back = way.map(|part| -part / length);
                let meets =
                    corners
                        .chunks_exact(3)
                        .enumerate()
                        .filter_map(|(triangle, corners)| {
                            let (first, second) =
                                (less(corners[1], corners[0]), less(corners[2], corners[0]));
                            let from = less([0.45, -0.5, 0.6], corners[0]);
                            let all = triple(first, second, back);
                            let [u, v] = [
                                triple(from, second, back) / all,
                                triple(first, from, back) / all,
                            ];
                            let depth = triple(first, second, from) / all;
                            let is_met = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && depth > 0.0;
                            is_met.then_some((depth, triangle as f64))
                        });
                let expected = meets
                    .min_by(|a, b| a.0.total_cmp(&b.0))
                    .unwrap_or((-1.0, -1.0));
                (depth - expected.0).abs() < 1e-4 && (*hit - expected.1).abs() < 0.5
            });
        assert!(agreeing.count() >= 1190);
    });
}

/// The surface cuts the edges of a cube whose ends are on both its sides, and goes around the cube in loops over faces;
/// a loop over n edges is filled by n − 2 triangles.
fn triangles_of(case: usize) -> usize {
    let is_inside = |corner: usize| case >> corner & 1 == 1;
    let edges = (0..24).map(|i| [i / 3, (i / 3) | (1 << (i % 3))]);
    let cut: Vec<[usize; 2]> = edges
        .filter(|[a, b]| is_inside(*a) != is_inside(*b))
        .collect();
    let inner = |edge: usize| cut[edge].iter().find(|corner| is_inside(**corner));
    let mut loops: Vec<usize> = (0..cut.len()).collect();
    for face in (0..6).cycle().take(6 * cut.len()) {
        let on_face = |corner: &usize| corner >> (face / 2) & 1 == face % 2;
        let here: Vec<usize> = (0..cut.len())
            .filter(|edge| cut[*edge].iter().all(on_face))
            .collect();
        for (a, b) in here.iter().flat_map(|a| here.iter().map(move |b| (*a, *b))) {
            if here.len() == 2 || inner(a) == inner(b) {
                let least = loops[a].min(loops[b]);
                (loops[a], loops[b]) = (least, least);
            }
        }
    }
    cut.len() - 2 * loops.into_iter().collect::<BTreeSet<_>>().len()
}

#[test]
fn isosurface_counts_are_those_of_loops_around_cubes() {
    const NX: usize = 140;
    const NY: usize = 6;
    const NZ: usize = 4;
    for_each_variant(
        "isosurface_counts",
        [("nx", NX), ("ny", NY), ("nz", NZ)],
        |run| {
            let volume = run.inputs["volume"].as_i16();
            let is_inside =
                |x: usize, y: usize, z: usize| volume[(z * (NY + 1) + y) * (NX + 1) + x] >= 500;
            let mut totals = numbers(&run.inputs["totals"]);
            let (mut cases, mut counts) = (Vec::new(), Vec::new());
            for cell in 0..NX * NY * NZ {
                let (x, y, z) = (cell % NX, cell / NX % NY, cell / NX / NY);
                let corner = |c: usize| is_inside(x + c % 2, y + c / 2 % 2, z + c / 4);
                let case: usize = (0..8).map(|c| usize::from(corner(c)) << c).sum();
                cases.push(case as f64);
                counts.push(triangles_of(case) as f64);
                totals[2 * z] += triangles_of(case) as f64;
                totals[2 * z + 1] += [1, 2, 4]
                    .iter()
                    .filter(|c| corner(**c) != corner(0))
                    .count() as f64;
            }
            assert!(
                cases
                    .iter()
                    .map(|case| case.to_bits())
                    .collect::<BTreeSet<_>>()
                    .len()
                    > 100
            );
            for (name, expected) in [("cases", cases), ("counts", counts), ("totals", totals)] {
                assert_eq!(numbers(&run.outputs[name]), expected, "{name}");
            }
        },
    );
}

/// Hamilton's product of quaternions x, y, z, w.
fn product([a, b, c, d]: [f64; 4], [e, f, g, h]: [f64; 4]) -> [f64; 4] {
    [
        d * e + a * h + b * g - c * f,
        d * f - a * g + b * h + c * e,
        d * g + a * f - b * e + c * h,
        d * h - a * e - b * f - c * g,
    ]
}

#[test]
fn skinning_moves_by_products_of_quaternions() {
    for_each_variant("skinning", [("vertices", 200), ("bones", 20)], |run| {
        let motions = floats(run.inputs["motions"].as_u8());
        let (places, normals) = (
            numbers(&run.outputs["skins.place"]),
            numbers(&run.outputs["skins.normal"]),
        );
        for (i, vertex) in run.inputs["vertices"].as_u8().chunks_exact(32).enumerate() {
            let own = floats(&vertex[..24]);
            let of = |bone: u8, part: usize| -> [f64; 4] {
                from_fn(|k| motions[8 * usize::from(bone) + 4 * part + k])
            };
            let first = of(vertex[24], 0);
            let [turn, shift] = [0, 1].map(|part| {
                let mut sum = [0.0; 4];
                for (bone, weight) in vertex[24..28].iter().zip(&vertex[28..]) {
                    let along: f64 = first.iter().zip(of(*bone, 0)).map(|(a, b)| a * b).sum();
                    let moved =
                        of(*bone, part).map(|number| number * f64::from(*weight).copysign(along));
                    sum = from_fn(|k| sum[k] + moved[k]);
                }
                sum
            });
            let squared: f64 = turn.iter().map(|part| part * part).sum();
            let [x, y, z, w] = turn;
            let back = [-x, -y, -z, w].map(|part| part / squared);
            let turned = |v: &[f64]| product(product(turn, [v[0], v[1], v[2], 0.0]), back);
            let (place, normal, shift) =
                (turned(&own[..3]), turned(&own[3..]), product(shift, back));
            for k in 0..3 {
                assert!(
                    (places[3 * i + k] - place[k] - 2.0 * shift[k]).abs() < 1e-5,
                    "vertex {i}"
                );
                assert!((normals[3 * i + k] - normal[k]).abs() < 1e-5, "vertex {i}");
            }
        }
    });
}

#[test]
fn filter_bank_rounds_and_saturates_its_sums() {
    const SAMPLES: usize = 100;
    let filtered = |[signal, taps]: &[Vec<f64>; 2], i: usize| {
        let taps = &taps[i / SAMPLES * 32..][..32];
        let terms = signal[i % SAMPLES * 4..]
            .iter()
            .zip(taps)
            .map(|(sample, tap)| sample * tap);
        (terms.sum::<f64>() / 2048.0 + 0.5)
            .floor()
            .clamp(-32768.0, 32767.0)
    };
    assert_each(
        "filter_bank",
        [("samples", SAMPLES)],
        (["signal", "taps"], "bands"),
        0.0,
        filtered,
    );
}

/// What is seen along each axis corrects a track by itself: their noise has nothing in common.
#[test]
fn kalman_tracks_follow_what_is_seen_axis_by_axis() {
    const TRACKS: usize = 60;
    for_each_variant(
        "kalman_tracks",
        [("tracks", TRACKS), ("steps", 20)],
        |run| {
            let tracks = floats(run.inputs["tracks"].as_u8());
            let seen = numbers(&run.inputs["seen"]);
            let states = numbers(&run.outputs["tracks.state"]);
            let covariances = numbers(&run.outputs["tracks.covariance"]);
            for (track, start) in tracks.chunks_exact(42).enumerate() {
                let mut x: [f64; 6] = from_fn(|k| start[k]);
                let mut p: [[f64; 6]; 6] = from_fn(|i| from_fn(|j| start[6 + 6 * i + j]));
                for seen in seen.chunks_exact(4).skip(track).step_by(TRACKS) {
                    // Of a place, its speed's share, too.
                    let moved = |numbers: [f64; 6]| -> [f64; 6] {
                        from_fn(|k| {
                            numbers[k] + numbers.get(k + 3).map_or(0.0, |speed| 0.1 * speed)
                        })
                    };
                    let turned =
                        |p: [[f64; 6]; 6]| -> [[f64; 6]; 6] { from_fn(|i| from_fn(|j| p[j][i])) };
                    x = moved(x);
                    p = turned(turned(p.map(moved)).map(moved));
                    for (k, row) in p.iter_mut().enumerate() {
                        row[k] += 0.05;
                    }
                    let axes = if seen[3] < 0.15 { 0..0 } else { 0..3 };
                    for axis in axes {
                        let (own, apart) = (p[axis], seen[axis] - x[axis]);
                        let gain = own.map(|number| number / (own[axis] + 0.5));
                        x = from_fn(|k| x[k] + gain[k] * apart);
                        p = from_fn(|i| from_fn(|j| p[i][j] - gain[i] * own[j]));
                    }
                }
                for k in 0..6 {
                    assert!((states[6 * track + k] - x[k]).abs() < 1e-4, "track {track}");
                }
                for k in 0..36 {
                    assert!(
                        (covariances[36 * track + k] - p[k / 6][k % 6]).abs() < 1e-4,
                        "track {track}"
                    );
                }
            }
        },
    );
}
