//! Indices, split into a part that a work-group shares and a part in which its work-items differ.

use super::{LaunchValues, launch_values::LaunchValue, refusal::Reason, refuse_if};
use crate::accesses::{Accesses, Atom, AtomId, Condition, Id, Loop, Operation, Polynomial};

/// The deepest nesting of formulas in formulas.
pub(super) const DEEPEST: usize = 12;

/// A kernel's accesses with global ids as group and local ids, and work-group sizes as numbers.
pub(super) struct Formulas {
    pub(super) all: Accesses,
    /// Number of work-items of a work-group, by dimension; 0 where it differs from size to size.
    pub(super) local: [i64; 3],
    /// Whether the author's conditions may hold only because a number wraps around (`wraparound.rs`).
    pub(super) wraps: bool,
    /// Values that all launches have in common (`launch_values.rs`).
    pub(super) values: LaunchValues,
}

/// The barriers between which a tile is filled and read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Scope {
    /// The kernel: filled once.
    Kernel,
    /// Some passes of a loop at a time.
    Strip {
        /// The loop.
        of: usize,
        /// A loop of our own, over the strips' first passes.
        outer: usize,
        /// A loop of our own, over the passes of a strip from 0.
        inner: usize,
        /// The number by which the loop's variable grows in a strip.
        passes: i64,
        /// The number by which it grows in a pass; divides `passes`.
        step: i64,
    },
}

impl Scope {
    /// The loop that is in strips; none for the kernel.
    pub(super) fn strip_of(self) -> Option<usize> {
        match self {
            Self::Kernel => None,
            Self::Strip { of, .. } => Some(of),
        }
    }
}

/// The parts of a subscript.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Split {
    /// The part that is the same for all work-items of a work-group between two fills.
    pub(super) uniform: Polynomial,
    /// The part that is a number.
    pub(super) constant: i64,
    /// The part in which work-items differ.
    pub(super) varying: Polynomial,
}

impl Split {
    /// The sum of all parts but the uniform one.
    pub(super) fn within(&self) -> Polynomial {
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
    pub(super) fn new(all: &Accesses, local: [i64; 3], values: &LaunchValues) -> Self {
        let mut formulas = Self {
            all: all.clone(),
            local,
            wraps: false,
            values: values.clone(),
        };
        for of in 0..formulas.all.loops.len() {
            let Loop { lower, upper, .. } = formulas.all.loops[of].clone();
            formulas.all.loops[of].lower = lower.map(|it| formulas.normal(&it).unwrap_or(it));
            formulas.all.loops[of].upper = upper.map(|it| formulas.normal(&it).unwrap_or(it));
        }
        formulas
    }

    /// The formula with global ids as `group * size + local`; none where it gets too large.
    pub(super) fn normal(&mut self, of: &Polynomial) -> Option<Polynomial> {
        self.replace(of, &mut |_, _| None, DEEPEST)
    }

    /// The formula as [`normal`](Self::normal) gives it, with a loop's variable as a strip's first value and an offset
    /// in the strip.
    pub(super) fn within(&mut self, of: &Polynomial, scope: Scope) -> Option<Polynomial> {
        let Scope::Strip {
            of: own,
            outer,
            inner,
            ..
        } = scope
        else {
            return Some(of.clone());
        };
        let mut strip = |all: &mut Accesses, atom: AtomId| {
            if all.atoms.get(atom) != &Atom::Loop(own) {
                return None;
            }
            let first = all.atoms.of(Atom::Loop(outer));
            first.plus(&all.atoms.of(Atom::Loop(inner)))
        };
        self.replace(of, &mut strip, DEEPEST)
    }

    pub(super) fn replace(
        &mut self,
        of: &Polynomial,
        by: &mut impl FnMut(&mut Accesses, AtomId) -> Option<Polynomial>,
        left: usize,
    ) -> Option<Polynomial> {
        let left = left.checked_sub(1)?;
        let mut sum = Polynomial::default();
        for (factors, number) in of.terms() {
            let mut term = Polynomial::constant(number);
            for atom in factors {
                let atom = self.replace_atom(*atom, by, left)?;
                term = term.times(&atom)?;
            }
            sum = sum.plus(&term)?;
        }
        Some(sum)
    }

    fn replace_atom(
        &mut self,
        atom: AtomId,
        by: &mut impl FnMut(&mut Accesses, AtomId) -> Option<Polynomial>,
        left: usize,
    ) -> Option<Polynomial> {
        if let Some(other) = by(&mut self.all, atom) {
            return Some(other);
        }
        if let Some(LaunchValue::Equal(value)) = self.values.get(&atom) {
            return Some(Polynomial::constant(*value));
        }
        match self.all.atoms.get(atom).clone() {
            Atom::Id(Id::Global, dimension) => {
                let size = *self.local.get(usize::from(dimension))?;
                if size == 0 {
                    return None;
                }
                let group = self.all.atoms.of(Atom::Id(Id::Group, dimension));
                let local = self.all.atoms.id(Atom::Id(Id::Local, dimension));
                let local = self.replace_atom(local, by, left)?;
                group.scaled(size)?.plus(&local)
            }
            Atom::Id(Id::Local, dimension)
                if self.local.get(usize::from(dimension)) == Some(&1) =>
            {
                Some(Polynomial::default())
            }
            Atom::Id(Id::LocalSize, dimension) => match *self.local.get(usize::from(dimension))? {
                0 => Some(Polynomial::atom(atom)),
                size => Some(Polynomial::constant(size)),
            },
            Atom::Operation(operation, of) => {
                let of: Option<Vec<Polynomial>> =
                    of.iter().map(|it| self.replace(it, by, left)).collect();
                self.operation(operation, of?)
            }
            _ => Some(Polynomial::atom(atom)),
        }
    }

    /// An operation, without the terms that a remainder is certain to drop.
    fn operation(&mut self, operation: Operation, of: Vec<Polynomial>) -> Option<Polynomial> {
        if let (Operation::Divide | Operation::Remainder, [dividend, by]) =
            (operation, of.as_slice())
            && let Some((rows, rest)) = self.in_rows(dividend, by)
        {
            let of = vec![rows, by.clone()];
            let rows = self.all.atoms.operation(operation, of);
            return match operation {
                Operation::Divide => Some(rows),
                _ => rows.plus(&rest),
            };
        }
        if let (Operation::Remainder, [dividend, by]) = (operation, of.as_slice())
            && let Some(by) = by.as_constant().filter(|by| *by > 0)
            && self.is_no_less_than_zero(dividend)
        {
            let terms = dividend.terms().filter(|(_, number)| number % by != 0);
            let terms = terms.map(|(factors, number)| (factors.to_vec(), number % by));
            let rest = Polynomial::from_terms(terms)?;
            if let Some((least, most)) = self.bounds(&rest, None)
                && least >= 0
                && most < i128::from(by)
            {
                return Some(rest);
            }
            let by = Polynomial::constant(by);
            return Some(self.all.atoms.operation(operation, vec![rest, by]));
        }
        Some(self.all.atoms.operation(operation, of))
    }

    /// Splits a number that is divided by a multiple of a work-group's length: into multiples of that length, and a
    /// rest. The rest changes no quotient, and stays itself in the remainder.
    fn in_rows(&self, of: &Polynomial, by: &Polynomial) -> Option<(Polynomial, Polynomial)> {
        let multiple_of = |atom: &AtomId| match self.values.get(atom) {
            Some(LaunchValue::Multiple(of)) => *of,
            _ => 1,
        };
        let is_row = |length: i64| {
            let mut terms = by.terms();
            let is = |(factors, number): (&[AtomId], i64)| {
                number % length == 0 || factors.iter().any(|it| multiple_of(it) % length == 0)
            };
            length > 1 && terms.all(is)
        };
        let length = self.local.into_iter().find(|length| is_row(*length))?;
        if !self.is_no_less_than_zero(of) {
            return None;
        }
        let (mut rows, mut rest) = (Vec::new(), Vec::new());
        for (factors, number) in of.terms() {
            match number % length {
                0 => rows.push((factors.to_vec(), number)),
                _ => rest.push((factors.to_vec(), number)),
            }
        }
        let (rows, rest) = (Polynomial::from_terms(rows)?, Polynomial::from_terms(rest)?);
        let (least, most) = self.bounds(&rest, None)?;
        let is_within = least >= 0 && most < i128::from(length) && rest != Polynomial::default();
        is_within.then_some((rows, rest))
    }

    /// Whether a formula is a sum of ids with factors of 0 or more.
    fn is_no_less_than_zero(&self, of: &Polynomial) -> bool {
        of.terms().all(|(factors, number)| {
            let is_id = |atom: &AtomId| matches!(self.all.atoms.get(*atom), Atom::Id(..));
            number >= 0 && factors.iter().all(is_id)
        })
    }

    /// The parts of a subscript made ready by [`within`](Self::within).
    ///
    /// # Errors
    /// The reason why it has no such parts.
    pub(super) fn split(
        &self,
        of: &Polynomial,
        scope: Scope,
        nest: &[usize],
    ) -> Result<Split, Reason> {
        let mut split = Split::default();
        for (factors, number) in of.terms() {
            let kinds: Vec<Kind> = factors
                .iter()
                .map(|atom| self.kind(*atom, scope, nest, DEEPEST))
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
        left: usize,
    ) -> Result<Kind, Reason> {
        let left = left.checked_sub(1).ok_or(Reason::Shape)?;
        match self.all.atoms.get(atom) {
            Atom::Id(Id::Global | Id::Local, _) => Ok(Kind::Varying),
            Atom::Id(..) | Atom::Scalar(..) => Ok(Kind::Uniform),
            Atom::Loop(of) if is_inside(*of, scope, nest) => Ok(Kind::Varying),
            Atom::Loop(_) => Ok(Kind::Uniform),
            Atom::Operation(_, of) => {
                let mut most = Kind::Uniform;
                for atom in of.iter().flat_map(Polynomial::atoms) {
                    most = most.max(self.kind(atom, scope, nest, left)?);
                }
                Ok(most)
            }
            Atom::Loaded(..) => Err(Reason::DataDependent),
            Atom::Select(..) => Err(Reason::Shape),
            // What is cut off has no text here.
            Atom::Cut(..) | Atom::Carried(_) | Atom::Computed(_) => Err(Reason::UnknownIndex),
        }
    }

    /// Whether a formula is the same for all work-items of a work-group, in the same passes of all loops.
    pub(super) fn is_uniform(&self, of: &Polynomial) -> bool {
        self.is_uniform_within(of, DEEPEST)
    }

    fn is_uniform_within(&self, of: &Polynomial, left: usize) -> bool {
        let Some(left) = left.checked_sub(1) else {
            return false;
        };
        of.atoms()
            .iter()
            .all(|atom| match self.all.atoms.get(*atom) {
                Atom::Id(id, _) => !matches!(id, Id::Global | Id::Local),
                Atom::Scalar(..) => true,
                Atom::Loop(of) => self.all.loops[*of]
                    .lower
                    .as_ref()
                    .is_some_and(|lower| self.is_uniform_within(lower, left)),
                Atom::Operation(_, of) => of.iter().all(|it| self.is_uniform_within(it, left)),
                Atom::Select(condition, yes, no) => {
                    let by = condition.atoms();
                    let mut by = by.iter().map(|atom| Polynomial::atom(*atom));
                    !condition.is_opaque()
                        && by.all(|it| self.is_uniform_within(&it, left))
                        && [yes, no].iter().all(|it| self.is_uniform_within(it, left))
                }
                _ => false,
            })
    }

    /// Whether all work-items of a work-group run this loop equally often, come what data may.
    pub(super) fn is_uniform_loop(&self, of: usize) -> Result<(), Reason> {
        let described = &self.all.loops[of];
        refuse_if(described.ends_early.is_some(), Reason::LoopEndsEarly)?;
        let (lower, upper) = (described.lower.as_ref(), described.upper.as_ref());
        let bounds = [lower, upper, Some(described.step.amount())];
        let is_uniform = |it: &Option<&Polynomial>| it.is_some_and(|it| self.is_uniform(it));
        refuse_if(!bounds.iter().all(is_uniform), Reason::LoopDiffers)
    }

    /// Whether a condition is the same for all work-items of a work-group, as far as is known.
    pub(super) fn is_uniform_condition(&self, condition: &Condition) -> bool {
        if condition.is_opaque() {
            return false;
        }
        condition
            .atoms()
            .iter()
            .all(|atom| self.is_uniform(&Polynomial::atom(*atom)))
    }
}

/// Whether a loop runs between two fills of a tile. `nest`: the loops around the access.
fn is_inside(of: usize, scope: Scope, nest: &[usize]) -> bool {
    let after = |own: usize| {
        let own = nest.iter().position(|it| *it == own);
        let at = nest.iter().position(|it| *it == of);
        at.is_some() && at > own
    };
    match scope {
        Scope::Kernel => true,
        Scope::Strip {
            of: own,
            outer,
            inner,
            ..
        } => of == inner || (of != outer && after(own)),
    }
}
