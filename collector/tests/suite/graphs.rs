//! Nearest centres, a step of a breadth-first search, and one of shortest paths.

use crate::{assert_each, whole};

#[test]
fn kmeans_assign_finds_the_nearest_centre() {
    const POINTS: usize = 512;
    const FEATURES: usize = 5;
    let nearest = |[points, centres]: &[Vec<f64>; 2], point: usize| {
        let squared = |centre: &[f64]| -> f64 {
            let features = centre.iter().enumerate();
            features
                .map(|(f, c)| (points[f * POINTS + point] - c).powi(2))
                .sum()
        };
        let distances: Vec<f64> = centres.chunks_exact(FEATURES).map(squared).collect();
        let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
        distances
            .iter()
            .position(|distance| *distance <= least)
            .expect("a centre") as f64
    };
    let sizes = [("points", POINTS), ("clusters", 10), ("features", FEATURES)];
    assert_each(
        "kmeans_assign",
        sizes,
        (["points", "centres"], "nearest"),
        0.0,
        nearest,
    );
}

#[test]
fn bfs_step_reaches_the_frontiers_neighbours() {
    let level = |[starts, neighbours, before]: &[Vec<f64>; 3], vertex: usize| {
        let own = &neighbours[whole(starts[vertex])..whole(starts[vertex + 1])];
        let on_frontier = |neighbour: &f64| whole(before[whole(*neighbour)]) == 2;
        match whole(before[vertex]) {
            reached @ 0..=2 => reached as f64,
            _ if own.iter().any(on_frontier) => 3.0,
            _ => f64::from(i32::MAX),
        }
    };
    let sizes = [("vertices", 512), ("degree", 9)];
    assert_each(
        "bfs_step",
        sizes,
        (["starts", "neighbours", "before"], "after"),
        0.0,
        level,
    );
}

#[test]
fn floyd_warshall_step_takes_the_shorter_way() {
    const N: usize = 48;
    let way = |[before]: &[Vec<f64>; 1], i: usize| {
        let pivot = N / 3;
        before[i].min(before[i / N * N + pivot] + before[pivot * N + i % N])
    };
    assert_each(
        "floyd_warshall_step",
        [("n", N)],
        (["before"], "after"),
        0.0,
        way,
    );
}
