//! Natural loops of a program (Aho, Lam, Sethi, Ullman, Compilers, 2006, 9.6).

use crate::run::Program;

/// A loop: all ways into it lead to its header.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// In order, the header among them.
    pub(super) blocks: Vec<usize>,
    pub(super) header: usize,
    /// The smallest other loop around it.
    pub(super) parent: Option<usize>,
}

/// All loops, and the innermost one of each block.
#[derive(Clone, Debug)]
pub(super) struct Loops {
    pub(super) all: Vec<Loop>,
    pub(super) of_block: Vec<Option<usize>>,
}

impl Loops {
    pub(super) fn of(program: &Program) -> Self {
        let count = program.blocks.len();
        let mut precedes: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (at, block) in program.blocks.iter().enumerate() {
            for edge in block.end.edges() {
                precedes[edge.to.place()].push(at);
            }
        }
        let dominators = dominators(program, &precedes);
        let mut headers: Vec<(usize, Vec<usize>)> = Vec::new();
        for (header, before) in precedes.iter().enumerate() {
            let dominated = |at: &&usize| dominates(&dominators, header, **at);
            let latches: Vec<usize> = before.iter().filter(dominated).copied().collect();
            if !latches.is_empty() {
                headers.push((header, latches));
            }
        }
        let mut all: Vec<Loop> = headers
            .into_iter()
            .map(|(header, latches)| Loop {
                blocks: body(header, latches, &precedes),
                header,
                parent: None,
            })
            .collect();
        // The smallest first: the first that has a block is its innermost.
        all.sort_by_key(|it| it.blocks.len());
        let mut of_block = vec![None; count];
        for (place, one) in all.iter().enumerate() {
            for block in &one.blocks {
                of_block[*block].get_or_insert(place);
            }
        }
        for at in 0..all.len() {
            let header = all[at].header;
            let around = |other: &usize| all[*other].blocks.binary_search(&header).is_ok();
            all[at].parent = (at + 1..all.len()).find(around);
        }
        Self { all, of_block }
    }

    /// The loops around a block, the innermost first.
    pub(super) fn around(&self, block: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.of_block[block], |at| self.all[*at].parent)
    }
}

/// Blocks that lead to a latch without passing the header, in order.
fn body(header: usize, latches: Vec<usize>, precedes: &[Vec<usize>]) -> Vec<usize> {
    let mut inside = vec![header];
    let mut next = latches;
    while let Some(block) = next.pop() {
        if let Err(place) = inside.binary_search(&block) {
            inside.insert(place, block);
            next.extend(&precedes[block]);
        }
    }
    inside
}

fn dominates(dominators: &[usize], one: usize, mut other: usize) -> bool {
    while other != one {
        let above = dominators[other];
        if above == other || above == usize::MAX {
            return false;
        }
        other = above;
    }
    true
}

/// Of each block the nearest that all ways to it pass, after Cooper, Harvey and Kennedy (A Simple, Fast Dominance
/// Algorithm, 2001); none of what is never reached.
fn dominators(program: &Program, precedes: &[Vec<usize>]) -> Vec<usize> {
    let order = reached(program);
    let mut number = vec![usize::MAX; precedes.len()];
    for (place, block) in order.iter().enumerate() {
        number[*block] = place;
    }
    let mut found = vec![usize::MAX; precedes.len()];
    found[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for block in order.iter().skip(1) {
            let mut nearest = usize::MAX;
            for &before in precedes[*block]
                .iter()
                .filter(|it| found[**it] != usize::MAX)
            {
                if nearest == usize::MAX {
                    nearest = before;
                    continue;
                }
                let mut other = before;
                while nearest != other {
                    if number[nearest] > number[other] {
                        nearest = found[nearest];
                    } else {
                        other = found[other];
                    }
                }
            }
            if found[*block] != nearest {
                found[*block] = nearest;
                changed = true;
            }
        }
    }
    found
}

/// Blocks that are reached, each before what it dominates: reversed post-order.
fn reached(program: &Program) -> Vec<usize> {
    let follows = |at: usize, next: usize| {
        let mut edges = program.blocks[at].end.edges();
        edges.nth(next).map(|edge| edge.to.place())
    };
    let mut seen = vec![false; program.blocks.len()];
    let mut order = Vec::new();
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some((block, next)) = stack.last_mut() {
        match follows(*block, *next) {
            Some(to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
