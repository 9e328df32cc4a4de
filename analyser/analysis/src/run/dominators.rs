//! Immediate dominators of blocks, after Cooper, Harvey and Kennedy (A Simple, Fast Dominance Algorithm, 2001), and
//! post-dominators: the same from the exits backwards.

use super::{Program, Refusal};

/// The most steps; real programs take as many as they have blocks, a few times over.
const MOST_STEPS: usize = 1 << 26;

/// Checks the number of steps.
///
/// # Errors
/// More than [`MOST_STEPS`] steps.
pub(super) fn enough(steps: usize) -> Result<(), Refusal> {
    if steps > MOST_STEPS {
        Err(Refusal::new("branches too tangled to find where they meet"))
    } else {
        Ok(())
    }
}

/// Blocks that can be reached, each behind its dominators, and the immediate dominator of each block.
///
/// # Errors
/// There are too many ways.
pub(crate) fn dominators(program: &Program) -> Result<(Vec<usize>, Vec<usize>), Refusal> {
    let (follows, precedes) = ways(program);
    let (mut order, before) = immediate(&follows, &precedes, 0, &mut 0)?;
    order.reverse();
    order.retain(|block| *block < program.blocks.len());
    Ok((order, before))
}

/// The successors and the predecessors of each block; the common exit is behind the last block.
pub(super) fn ways(program: &Program) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let exit = program.blocks.len();
    let mut follows: Vec<Vec<usize>> = Vec::with_capacity(exit + 1);
    let mut precedes: Vec<Vec<usize>> = vec![Vec::new(); exit + 1];
    for (at, block) in program.blocks.iter().enumerate() {
        let mut ways: Vec<usize> = block.end.edges().map(|edge| edge.to.0 as usize).collect();
        if ways.is_empty() {
            ways.push(exit);
        }
        for way in &ways {
            precedes[*way].push(at);
        }
        follows.push(ways);
    }
    follows.push(Vec::new());
    (follows, precedes)
}

/// Blocks that can be reached from `root` in post-order, and the immediate dominator of each. `back`: the ways in the
/// other direction.
pub(super) fn immediate(
    ways: &[Vec<usize>],
    back: &[Vec<usize>],
    root: usize,
    steps: &mut usize,
) -> Result<(Vec<usize>, Vec<usize>), Refusal> {
    let order = post_order(ways, root);
    let mut number = vec![usize::MAX; ways.len()];
    for (place, block) in order.iter().enumerate() {
        number[*block] = place;
    }
    let mut last = vec![usize::MAX; ways.len()];
    last[root] = root;
    let mut changed = true;
    while changed {
        changed = false;
        // From the root on: the last of the order.
        for block in order.iter().rev().skip(1) {
            let mut nearest = usize::MAX;
            for way in &back[*block] {
                if last[*way] == usize::MAX {
                    continue;
                }
                if nearest == usize::MAX {
                    nearest = *way;
                    continue;
                }
                let mut other = *way;
                while nearest != other {
                    *steps += 1;
                    enough(*steps)?;
                    if number[nearest] < number[other] {
                        nearest = last[nearest];
                    } else {
                        other = last[other];
                    }
                }
            }
            if last[*block] != nearest {
                last[*block] = nearest;
                changed = true;
            }
        }
    }
    Ok((order, last))
}

/// Blocks that can be reached, in post-order: the root is last.
fn post_order(ways: &[Vec<usize>], root: usize) -> Vec<usize> {
    let mut order = Vec::new();
    let mut visited = vec![false; ways.len()];
    let mut stack = vec![(root, 0)];
    visited[root] = true;
    while let Some((block, next)) = stack.last_mut() {
        match ways[*block].get(*next) {
            Some(way) => {
                *next += 1;
                if !visited[*way] {
                    visited[*way] = true;
                    stack.push((*way, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order
}
