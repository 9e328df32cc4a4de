//! Ranks, shorter ways, common neighbours, and roots of trees.

use std::{collections::BTreeSet, iter};

use crate::{assert_each, for_each_variant, whole};

#[test]
fn pagerank_step_shares_out_ranks() {
    let rank = |[starts, neighbours, before, links]: &[Vec<f64>; 4], vertex: usize| {
        let own = &neighbours[whole(starts[vertex])..whole(starts[vertex + 1])];
        let shares = own.iter().map(|n| before[whole(*n)] / links[whole(*n)]);
        0.15 + 0.85 * shares.sum::<f64>()
    };
    assert_each(
        "pagerank_step",
        [("vertices", 256), ("degree", 5), ("hub", 40)],
        (["starts", "neighbours", "before", "links"], "after"),
        1e-5,
        rank,
    );
}

#[test]
fn relax_edges_tells_neighbours_of_shorter_ways() {
    const DEGREE: usize = 7;
    let sizes = [("vertices", 256), ("degree", DEGREE)];
    for_each_variant("relax_edges", sizes, |run| {
        let [ends, weights, before] =
            ["ends", "weights", "before"].map(|name| run.inputs[name].as_i32());
        let mut expected = run.inputs["after"].as_i32().to_vec();
        for (edge, (end, weight)) in ends.iter().zip(weights).enumerate() {
            let from = before[edge / DEGREE];
            let known = &mut expected[usize::try_from(*end).expect("a vertex")];
            if from <= 500 {
                *known = (*known).min(from + weight);
            }
        }
        assert_eq!(run.outputs["after"].as_i32(), expected);
    });
}

#[test]
fn common_neighbours_are_in_both_lists() {
    const DEGREE: usize = 40;
    for_each_variant(
        "common_neighbours",
        [("pairs", 64), ("vertices", 100), ("degree", DEGREE)],
        |run| {
            let neighbours = run.inputs["neighbours"].as_i32();
            let of = |vertex: &i32| -> BTreeSet<i32> {
                let start = DEGREE * usize::try_from(*vertex).expect("a vertex");
                neighbours[start..][..DEGREE].iter().copied().collect()
            };
            let expected: Vec<i32> = run.inputs["pairs"]
                .as_i32()
                .chunks_exact(2)
                .map(|pair| of(&pair[0]).intersection(&of(&pair[1])).count())
                .map(|common| i32::try_from(common).expect("at most 40"))
                .collect();
            assert!(expected.iter().any(|common| *common > 0));
            assert_eq!(run.outputs["common"].as_i32(), expected);
        },
    );
}

#[test]
fn tree_roots_are_where_parents_end() {
    let root = |[parents]: &[Vec<f64>; 1], vertex: usize| {
        let mut way = iter::successors(Some(vertex), |at| Some(whole(parents[*at])));
        let root = way.find(|at| whole(parents[*at]) == *at);
        root.expect("every way ends") as f64
    };
    let buffers = (["parents"], "roots");
    assert_each("tree_roots", [("vertices", 2048)], buffers, 0.0, root);
}
