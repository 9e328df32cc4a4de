//! Sorts, joins, and searches in trees and graphs.

use crate::{assert_close, codecs::field, for_each_variant, numbers, to_f64, whole};

#[test]
fn radix_scatter_sorts_by_one_digit_and_keeps_order_otherwise() {
    for_each_variant("radix_scatter", [("blocks", 5)], |run| {
        let [keys, rows] = ["keys", "rows"].map(|name| run.inputs[name].as_u32());
        let mut expected: Vec<(u32, u32)> = keys.iter().copied().zip(rows.to_vec()).collect();
        expected.sort_by_key(|(key, _)| key >> 4 & 15);
        let [keys, rows] = ["sorted_keys", "sorted_rows"].map(|name| run.outputs[name].as_u32());
        assert!(keys.iter().copied().zip(rows.to_vec()).eq(expected));
    });
}

#[test]
fn sorting_network_sorts_rows() {
    for_each_variant("sorting_network", [("rows", 75)], |run| {
        let mut expected = run.inputs["unsorted"].as_f32().to_vec();
        for row in expected.chunks_exact_mut(32) {
            row.sort_unstable_by(f32::total_cmp);
        }
        assert_close(run.outputs["sorted"].as_f32(), &to_f64(&expected), 0.0);
    });
}

#[test]
fn hash_join_adds_up_what_each_sale_finds_first() {
    const HASHES: usize = 64;
    let sizes = [("sales", 1000), ("hashes", HASHES), ("chain", 3)];
    for_each_variant("hash_join", sizes, |run| {
        let [left, sold] = ["left", "sold"].map(|name| run.inputs[name].as_u32());
        let heads = run.inputs["heads"].as_i32();
        let articles: Vec<&[u8]> = run.inputs["articles"].as_u8().chunks_exact(16).collect();
        let read = |article: usize, at: usize| u32::from_le_bytes(field(articles[article], at));
        let mut totals = run.inputs["totals"].as_u32().to_vec();
        for (sale, quantity) in run.inputs["quantities"].as_u8().iter().enumerate() {
            let key = sold[sale];
            let hash = key.wrapping_mul(2_654_435_761) as usize % HASHES;
            // Of a hash, those farther back come later.
            let first = usize::try_from(heads[hash]).ok();
            let found = first.and_then(|first| (0..=first).rev().find(|it| read(*it, 0) == key));
            let is_left = left[sale / 32] >> (sale % 32) & 1 == 1 && *quantity >= 3;
            if let Some(article) = found.filter(|_| is_left) {
                let total = &mut totals[read(article, 12) as usize % 0x1_0000];
                *total = total.wrapping_add(read(article, 8).wrapping_mul(u32::from(*quantity)));
            }
        }
        assert_eq!(run.outputs["totals"].as_u32(), totals);
    });
}

/// Where the points lie whose squares the bitmap says.
fn points_of_squares(bitmap: &[u32], within: &[f64]) -> Vec<[f64; 2]> {
    let side = (32 * bitmap.len()).isqrt();
    let squares = 0..side * side;
    let taken = squares.filter(|square| bitmap[square / 32] >> (square % 32) & 1 == 1);
    let points = taken.zip(within.chunks_exact(2)).map(|(square, within)| {
        [0, 1].map(|axis| {
            let bits = (0..16).map(|bit| (square >> (2 * bit + axis) & 1) << bit);
            (bits.sum::<usize>() as f64 + within[axis]) / side as f64
        })
    });
    points.collect()
}

#[test]
fn quadtree_nearest_finds_what_a_look_at_all_points_finds() {
    let sizes = [("queries", 100), ("levels", 5)];
    for_each_variant("quadtree_nearest", sizes, |run| {
        let within = numbers(&run.inputs["points"]);
        let points = points_of_squares(run.inputs["bitmap"].as_u32(), &within);
        assert_eq!(points.len(), within.len() / 2);
        let [distances, nearest] = ["distances", "nearest"].map(|name| numbers(&run.outputs[name]));
        let queries = numbers(&run.inputs["queries"]);
        for (i, query) in queries.chunks_exact(2).enumerate() {
            let distance = |[x, y]: &[f64; 2]| (x - query[0]).hypot(y - query[1]);
            let least = points.iter().map(distance).fold(f64::INFINITY, f64::min);
            let own = distance(&points[whole(nearest[i])]);
            assert!((distances[i] - least).abs() < 1e-5, "query {i}");
            assert!((own - least).abs() < 1e-5, "query {i}");
        }
    });
}

#[test]
fn reachable_sets_takes_in_what_has_just_reached_a_neighbour() {
    let sizes = [("vertices", 150), ("few", 6), ("many", 30)];
    for_each_variant("reachable_sets", sizes, |run| {
        let [starts, neighbours, frontier, seen] =
            ["starts", "neighbours", "frontier", "seen"].map(|name| run.inputs[name].as_u32());
        let [next, after] = ["next", "seen"].map(|name| run.outputs[name].as_u32());
        for (vertex, fresh) in run.outputs["fresh"].as_u16().iter().enumerate() {
            let own = &neighbours[starts[vertex] as usize..starts[vertex + 1] as usize];
            let mut count = 0;
            for word in 8 * vertex..8 * vertex + 8 {
                let of = |neighbour: &u32| frontier[8 * *neighbour as usize + word % 8];
                let reached = own.iter().map(of).fold(0, |all, set| all | set) & !seen[word];
                assert_eq!(next[word], reached, "vertex {vertex}");
                assert_eq!(after[word], seen[word] | reached, "vertex {vertex}");
                count += reached.count_ones();
            }
            assert_eq!(u32::from(*fresh), count, "vertex {vertex}");
        }
    });
}
