//! Indices, split into a part that a work-group shares and a part in which its work-items differ.

use super::{Formulas, MOST_FORMULA_DEPTH};
use crate::{
    accesses::{Atom, AtomId, Condition, Id, Polynomial},
    localize::{Reason, refuse_if},
};

/// The barriers between which a tile is filled and read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// The kernel: filled once.
    Kernel,
    /// Some iterations of a loop at a time.
    Strip(Strip),
}

/// Some iterations of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Strip {
    /// The author's loop.
    pub(crate) original: usize,
    /// A loop of our own, over the strips' first iterations.
    pub(crate) outer: usize,
    /// A loop of our own, over the iterations of a strip from 0.
    pub(crate) inner: usize,
    /// The number by which the loop's variable grows in a strip.
    pub(crate) length: i64,
    /// The number by which it grows in an iteration; divides `length`.
    pub(crate) step: i64,
}

impl Scope {
    /// The strip; none for the kernel.
    pub(crate) fn strip(self) -> Option<Strip> {
        match self {
            Self::Kernel => None,
            Self::Strip(strip) => Some(strip),
        }
    }

    /// The author's loop that is in strips; none for the kernel.
    pub(crate) fn original_loop(self) -> Option<usize> {
        self.strip().map(|it| it.original)
    }
}

/// The parts of a subscript.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Split {
    /// The part that is the same for all work-items of a work-group between two fills.
    pub(crate) uniform: Polynomial,
    /// The part that is a number.
    pub(crate) constant: i64,
    /// The part in which work-items differ.
    pub(crate) varying: Polynomial,
}

impl Split {
    /// The sum of all parts but the uniform one.
    pub(crate) fn within(&self) -> Polynomial {
        let constant = Polynomial::constant(self.constant);
        self.varying.plus(&constant).unwrap_or_default()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Uniform,
    Varying,
}

impl Formulas {
    /// The parts of a subscript made ready by [`within`](Self::within).
    ///
    /// # Errors
    /// The reason why it has no such parts.
    pub(crate) fn split(
        &self,
        formula: &Polynomial,
        scope: Scope,
        nest: &[usize],
    ) -> Result<Split, Reason> {
        let mut split = Split::default();
        for (factors, number) in formula.terms() {
            let kinds: Vec<Kind> = factors
                .iter()
                .map(|atom| self.kind(*atom, scope, nest, MOST_FORMULA_DEPTH))
                .collect::<Result<_, _>>()?;
            let term = Polynomial::from_terms([(factors.to_vec(), number)]).ok_or(Reason::Shape)?;
            let (to, kind) = match kinds.iter().max() {
                None => {
                    split.constant = number;
                    continue;
                }
                Some(Kind::Uniform) => (&mut split.uniform, Kind::Uniform),
                Some(Kind::Varying) => (&mut split.varying, Kind::Varying),
            };
            refuse_if(kinds.iter().any(|it| *it != kind), Reason::Shape)?;
            *to = to.plus(&term).ok_or(Reason::Shape)?;
        }
        Ok(split)
    }

    fn kind(
        &self,
        atom: AtomId,
        scope: Scope,
        nest: &[usize],
        depth: usize,
    ) -> Result<Kind, Reason> {
        let depth = depth.checked_sub(1).ok_or(Reason::Shape)?;
        match self.all.atoms.get(atom) {
            Atom::Id(Id::Global | Id::Local, _) => Ok(Kind::Varying),
            Atom::Id(..) | Atom::Scalar(..) => Ok(Kind::Uniform),
            Atom::Loop(loop_index) if is_inside(*loop_index, scope, nest) => Ok(Kind::Varying),
            Atom::Loop(_) => Ok(Kind::Uniform),
            Atom::Operation(_, operands) => {
                let mut most = Kind::Uniform;
                for atom in operands.iter().flat_map(Polynomial::atoms) {
                    most = most.max(self.kind(atom, scope, nest, depth)?);
                }
                Ok(most)
            }
            Atom::Loaded(..) => Err(Reason::DataDependent),
            Atom::Select(..) => Err(Reason::Shape),
            // What is cut off has no text here.
            Atom::Cut(..) | Atom::Carried(_) | Atom::Computed(_) => Err(Reason::UnknownIndex),
        }
    }

    /// Whether a formula is the same for all work-items of a work-group, in the same iterations of all loops.
    pub(crate) fn is_uniform(&self, formula: &Polynomial) -> bool {
        self.is_uniform_within(formula, MOST_FORMULA_DEPTH)
    }

    fn is_uniform_within(&self, formula: &Polynomial, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else {
            return false;
        };
        formula
            .atoms()
            .iter()
            .all(|atom| match self.all.atoms.get(*atom) {
                Atom::Id(id, _) => !matches!(id, Id::Global | Id::Local),
                Atom::Scalar(..) => true,
                Atom::Loop(loop_index) => self.all.loops[*loop_index]
                    .lower
                    .as_ref()
                    .is_some_and(|lower| self.is_uniform_within(lower, depth)),
                Atom::Operation(_, operands) => {
                    operands.iter().all(|it| self.is_uniform_within(it, depth))
                }
                Atom::Select(condition, yes, no) => {
                    let by = condition.atoms();
                    let mut by = by.iter().map(|atom| Polynomial::atom(*atom));
                    !condition.is_opaque()
                        && by.all(|it| self.is_uniform_within(&it, depth))
                        && [yes, no].iter().all(|it| self.is_uniform_within(it, depth))
                }
                _ => false,
            })
    }

    /// Whether all work-items of a work-group run this loop equally often, come what data may.
    pub(crate) fn is_uniform_loop(&self, loop_index: usize) -> Result<(), Reason> {
        let around = &self.all.loops[loop_index];
        refuse_if(around.ends_early.is_some(), Reason::LoopEndsEarly)?;
        let (lower, upper) = (around.lower.as_ref(), around.upper.as_ref());
        let bounds = [lower, upper, Some(around.step.amount())];
        let is_uniform = |it: &Option<&Polynomial>| it.is_some_and(|it| self.is_uniform(it));
        refuse_if(!bounds.iter().all(is_uniform), Reason::LoopDiffers)
    }

    /// Whether a condition is the same for all work-items of a work-group, as far as is known.
    pub(crate) fn is_uniform_condition(&self, condition: &Condition) -> bool {
        if condition.is_opaque() {
            return false;
        }
        condition
            .atoms()
            .iter()
            .all(|atom| self.is_uniform(&Polynomial::atom(*atom)))
    }

    /// The number by which a formula multiplies a local id.
    pub(crate) fn local_id_factor(&self, formula: &Polynomial, dimension: u8) -> i64 {
        let is_id = |atom: &AtomId| self.all.atoms.get(*atom) == &Atom::Id(Id::Local, dimension);
        let mut terms = formula.terms();
        let term = terms.find(|(factors, _)| factors.iter().any(is_id));
        term.map_or(0, |(_, number)| number)
    }

    /// Whether an atom is made of the variable of a loop for which `is` holds.
    pub(crate) fn depends_on_loop(&self, atom: AtomId, is: &impl Fn(usize) -> bool) -> bool {
        match self.all.atoms.get(atom) {
            Atom::Loop(own) => is(*own),
            Atom::Operation(_, parts) => {
                let atoms = parts.iter().flat_map(Polynomial::atoms);
                atoms.into_iter().any(|it| self.depends_on_loop(it, is))
            }
            _ => false,
        }
    }
}

/// Whether a loop runs between two fills of a tile. `nest`: the loops around the access.
fn is_inside(loop_index: usize, scope: Scope, nest: &[usize]) -> bool {
    let after = |own: usize| {
        let own = nest.iter().position(|it| *it == own);
        let at = nest.iter().position(|it| *it == loop_index);
        at.is_some() && at > own
    };
    match scope {
        Scope::Kernel => true,
        Scope::Strip(strip) => {
            loop_index == strip.inner || (loop_index != strip.outer && after(strip.original))
        }
    }
}
