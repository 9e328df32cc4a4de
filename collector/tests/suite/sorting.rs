//! A step of a sort, and whole sorts of blocks.

use crate::{assert_each, for_each_variant};

#[test]
fn bitonic_step_orders_partners() {
    let stepped = |[keys]: &[Vec<f64>; 1], i: usize| {
        let (own, partner) = (keys[i], keys[i ^ 8]);
        let ascending = (i / 64).is_multiple_of(2);
        let lower = i & 8 == 0;
        if ascending == lower {
            own.min(partner)
        } else {
            own.max(partner)
        }
    };
    let sizes = [("n", 1024), ("run", 64), ("distance", 8)];
    assert_each("bitonic_step", sizes, (["keys"], "stepped"), 0.0, stepped);
}

#[test]
fn bitonic_sort_blocks_sorts_blocks() {
    for_each_variant("bitonic_sort_blocks", [("blocks", 3)], |run| {
        let mut keys = run.inputs["keys"].as_u32().to_vec();
        keys.chunks_exact_mut(512).for_each(<[u32]>::sort_unstable);
        assert_eq!(run.outputs["sorted"].as_u32(), keys);
    });
}
