//! Natural loops of a program (Aho, Lam, Sethi, Ullman, Compilers, 2006, 9.6).

use super::{
    Program, Refusal,
    dominators::{dominators, enough, ways},
};

/// A loop: all ways into it lead to its header.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// Blocks in order, the header among them.
    pub(crate) blocks: Vec<usize>,
    pub(crate) header: usize,
    /// The smallest other loop around it.
    pub(crate) parent: Option<usize>,
}

/// All loops, and the innermost one of each block.
#[derive(Clone, Debug)]
pub(crate) struct Loops {
    pub(crate) all: Vec<Loop>,
    pub(crate) of_block: Vec<Option<usize>>,
}

impl Loops {
    /// The loops of a program. `steps`: the count of steps for [`enough`].
    ///
    /// # Errors
    /// There are too many ways.
    pub(crate) fn find(program: &Program, steps: &mut usize) -> Result<Self, Refusal> {
        let count = program.blocks.len();
        let (_, precedes) = ways(program);
        let (order, before) = dominators(program)?;
        let mut number = vec![usize::MAX; count];
        for (place, block) in order.iter().enumerate() {
            number[*block] = place;
        }
        let mut all: Vec<Loop> = Vec::new();
        let mut last_in = vec![usize::MAX; count];
        for (header, comes) in precedes.iter().enumerate().take(count) {
            let mut latches = Vec::new();
            for block in comes.iter().filter(|it| number[header] <= number[**it]) {
                if dominates(&before, header, *block, steps) {
                    latches.push(*block);
                }
            }
            if !latches.is_empty() && number[header] != usize::MAX {
                let blocks = body(header, latches, &precedes, &mut last_in);
                *steps += blocks.len();
                all.push(Loop {
                    blocks,
                    header,
                    parent: None,
                });
            }
            enough(*steps)?;
        }
        // The smallest first: the first that has a block is its innermost.
        all.sort_by_key(|it| it.blocks.len());
        let mut of_block = vec![None; count];
        let mut outermost: Vec<Option<usize>> = vec![None; count];
        for place in 0..all.len() {
            for at in 0..all[place].blocks.len() {
                let block = all[place].blocks[at];
                of_block[block].get_or_insert(place);
                if let Some(inner) = outermost[block].replace(place) {
                    all[inner].parent.get_or_insert(place);
                }
            }
        }
        Ok(Self { all, of_block })
    }

    /// The loops around a block, the innermost first.
    pub(crate) fn around(&self, block: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.of_block[block], |at| self.all[*at].parent)
    }
}

/// Blocks that lead to a latch without passing the header, in order. `last_in`: for each block the header of the last
/// loop that it was found in.
fn body(
    header: usize,
    latches: Vec<usize>,
    precedes: &[Vec<usize>],
    last_in: &mut [usize],
) -> Vec<usize> {
    let mut inside = vec![header];
    last_in[header] = header;
    let mut next = latches;
    while let Some(block) = next.pop() {
        if std::mem::replace(&mut last_in[block], header) != header {
            inside.push(block);
            next.extend(&precedes[block]);
        }
    }
    inside.sort_unstable();
    inside
}

fn dominates(before: &[usize], one: usize, mut other: usize, steps: &mut usize) -> bool {
    while other != one {
        *steps += 1;
        let above = before[other];
        if above == other || above == usize::MAX {
            return false;
        }
        other = above;
    }
    true
}
