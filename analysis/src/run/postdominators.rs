//! Where lanes that part at a branch meet again: immediate post-dominators, after Cooper, Harvey and Kennedy (A
//! Simple, Fast Dominance Algorithm, 2001), from the exits backwards.

use super::{BlockId, Program, Refusal};

/// Steps; real programs take as many as they have blocks, a few times over.
const MOST_STEPS: usize = 1 << 26;

/// Says so in each block.
pub(super) fn find(program: &mut Program) -> Result<(), Refusal> {
    let count = program.blocks.len();
    // The exit of all is behind the last block.
    let exit = count;
    let mut follows: Vec<Vec<usize>> = Vec::with_capacity(count);
    let mut precedes: Vec<Vec<usize>> = vec![Vec::new(); count + 1];
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
    let order = backwards(&precedes, exit);
    let mut number = vec![usize::MAX; count + 1];
    for (place, block) in order.iter().enumerate() {
        number[*block] = place;
    }
    let mut meets = vec![usize::MAX; count + 1];
    meets[exit] = exit;
    let (mut changed, mut steps) = (true, 0);
    while changed {
        changed = false;
        // From the exit on: the last of the order.
        for block in order.iter().rev().skip(1) {
            let mut found = usize::MAX;
            for way in &follows[*block] {
                if meets[*way] == usize::MAX {
                    continue;
                }
                if found == usize::MAX {
                    found = *way;
                    continue;
                }
                let mut other = *way;
                while found != other {
                    steps += 1;
                    if steps > MOST_STEPS {
                        return Err(Refusal::new("branches too tangled to find where they meet"));
                    }
                    if number[found] < number[other] {
                        found = meets[found];
                    } else {
                        other = meets[other];
                    }
                }
            }
            if meets[*block] != found {
                meets[*block] = found;
                changed = true;
            }
        }
    }
    for (at, block) in program.blocks.iter_mut().enumerate() {
        let place = meets[at];
        block.meets = (place < exit)
            .then(|| u32::try_from(place).ok().map(BlockId))
            .flatten();
    }
    Ok(())
}

/// Blocks from which the exit can be reached, in post-order of the reversed ways: the exit is last.
fn backwards(precedes: &[Vec<usize>], exit: usize) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; precedes.len()];
    let mut stack = vec![(exit, 0)];
    seen[exit] = true;
    while let Some((block, next)) = stack.last_mut() {
        match precedes[*block].get(*next) {
            Some(before) => {
                *next += 1;
                if !seen[*before] {
                    seen[*before] = true;
                    stack.push((*before, 0));
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
