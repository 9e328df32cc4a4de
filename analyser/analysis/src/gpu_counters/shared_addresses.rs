//! Shared addresses: instructions access memory at a register and a constant, so that one register serves all addresses
//! that lie a constant apart.

use std::collections::HashMap;

use super::{fusion::Uses, pipes::Cost};
use crate::{
    llvm::Binary::{AShr, Add, Mul, Or, Shl, Sub},
    run::{Instruction, Operation, Program, Slot, bits::signed, dominators::dominators},
};

/// The most slots of a sum: a number with more is a slot by itself.
const MOST_TERMS: usize = 8;
/// Number of bits of the constant in an instruction (without the sign).
const CONSTANT_BITS: u32 = 23;

/// A whole number or an address that a block computes: a sum of slots, each times a factor, and a constant.
#[derive(Clone, Default)]
struct Sum {
    /// Slots with their factors, in the order of slots, no factor 0.
    terms: Vec<(Slot, i64)>,
    constant: i64,
}

impl Sum {
    /// The sum and `times` times another.
    fn and(mut self, other: &Self, times: i64) -> Self {
        self.constant = self
            .constant
            .wrapping_add(other.constant.wrapping_mul(times));
        for (slot, count) in &other.terms {
            let more = count.wrapping_mul(times);
            match self.terms.binary_search_by_key(&slot.0, |term| term.0.0) {
                Ok(at) => self.terms[at].1 = self.terms[at].1.wrapping_add(more),
                Err(at) => self.terms.insert(at, (*slot, more)),
            }
        }
        self.terms.retain(|(_, count)| *count != 0);
        self
    }

    fn plus(mut self, constant: i64) -> Self {
        self.constant = self.constant.wrapping_add(constant);
        self
    }

    /// The sum divided by a number; none where a remainder is left.
    fn divided(mut self, by: i64) -> Option<Self> {
        let counts = self.terms.iter_mut().map(|(_, count)| count);
        for count in counts.chain([&mut self.constant]) {
            if *count % by != 0 {
                return None;
            }
            *count /= by;
        }
        Some(self)
    }
}

/// A program's whole numbers and addresses.
struct Numbers<'a> {
    constants: &'a [Option<u64>],
    sums: HashMap<Slot, Sum>,
}

impl Numbers<'_> {
    fn sum(&self, slot: Slot) -> Sum {
        if let Some(bits) = self.constants[slot.0 as usize] {
            let constant = bits.cast_signed();
            return Sum {
                constant,
                ..Sum::default()
            };
        }
        let sum = self.sums.get(&slot).cloned();
        sum.unwrap_or_else(|| Sum {
            terms: vec![(slot, 1)],
            constant: 0,
        })
    }

    /// The sum that an instruction makes, if it makes one. Compilers prove that nothing overflows, or it would be no
    /// address; a sum whose bits do not meet becomes an `or`.
    fn sum_of(&self, instruction: &Instruction) -> Option<Sum> {
        let operands = &instruction.operands;
        let first = || self.sum(operands[0]);
        let sum = match &instruction.operation {
            Operation::SignExtend(32.., _) | Operation::Mask(32..) | Operation::Copy => first(),
            Operation::Offset(bytes) => first().plus(*bytes),
            Operation::Index(_, bytes) => first().and(&self.sum(operands[1]), *bytes),
            Operation::Integer(operation, bits @ 32..) => {
                let constant = self.constants[operands[1].0 as usize];
                let constant = constant.map(|it| signed(it, *bits));
                match (operation, constant) {
                    (Add | Or, Some(constant)) => first().plus(constant),
                    (Sub, Some(constant)) => first().plus(constant.wrapping_neg()),
                    (Mul, Some(times)) => Sum::default().and(&first(), times),
                    (Shl, Some(by @ 0..63)) => Sum::default().and(&first(), 1 << by),
                    // A sign is extended by both of them.
                    (AShr, Some(by @ 0..63)) => first().divided(1 << by)?,
                    (Add, None) => first().and(&self.sum(operands[1]), 1),
                    (Sub, None) => first().and(&self.sum(operands[1]), -1),
                    _ => return None,
                }
            }
            _ => return None,
        };
        (sum.terms.len() <= MOST_TERMS).then_some(sum)
    }
}

/// A sum of slots with factors, and the part of a constant that an instruction can't hold.
type Place = (Vec<(Slot, i64)>, i64);

/// Removes the costs of addresses that lie a constant apart from another that is there already, and of what is computed
/// for them alone.
pub(super) fn share_addresses(
    program: &Program,
    uses: &Uses,
    constants: &[Option<u64>],
    each: &mut [Vec<Cost>],
) {
    let Ok((order, before)) = dominators(program) else {
        return;
    };
    let mut numbers = Numbers {
        constants,
        sums: HashMap::new(),
    };
    let mut addresses: HashMap<Place, Vec<(usize, Slot)>> = HashMap::new();
    let mut uses_left: HashMap<Slot, u32> = HashMap::new();
    let mut makers: HashMap<Slot, (usize, usize)> = HashMap::new();
    let mut needless = Vec::new();
    for block in order {
        for (at, instruction) in program.blocks[block].instructions.iter().enumerate() {
            let (Some(sum), [result]) = (numbers.sum_of(instruction), &instruction.results[..])
            else {
                continue;
            };
            if matches!(instruction.operation, Operation::Index(..)) {
                let place = (sum.terms.clone(), sum.constant >> CONSTANT_BITS);
                let all = addresses.entry(place).or_default();
                match all.iter().find(|it| is_before(&before, it.0, block)) {
                    Some((_, holder)) => {
                        each[block][at] = Cost::NOTHING;
                        needless.extend(&instruction.operands);
                        *uses_left
                            .entry(*holder)
                            .or_insert(uses.0[holder.0 as usize]) += 1;
                    }
                    None => all.push((block, *result)),
                }
            }
            numbers.sums.insert(*result, sum);
            makers.insert(*result, (block, at));
        }
    }
    while let Some(slot) = needless.pop() {
        if let Some(&(block, at)) = makers.get(&slot) {
            let uses_left = uses_left.entry(slot).or_insert(uses.0[slot.0 as usize]);
            *uses_left = uses_left.saturating_sub(1);
            if *uses_left == 0 {
                each[block][at] = Cost::NOTHING;
                needless.extend(&program.blocks[block].instructions[at].operands);
            }
        }
    }
}

/// Whether a block is on every way to another.
fn is_before(before: &[usize], one: usize, mut other: usize) -> bool {
    while one != other {
        match before.get(other) {
            Some(&next) if next != other => other = next,
            _ => return false,
        }
    }
    true
}
