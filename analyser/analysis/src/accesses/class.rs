//! What kind of index an access has, on which loads it depends, and whether work-items come there alike.

use std::collections::BTreeSet;

pub use kerncast_wire::AccessClass as Class;

use super::{
    Accesses, Does, Guard, Step,
    atom::{Atom, Atoms, Condition, Id, Operation},
    polynomial::{AtomId, Polynomial},
};
use crate::ast::Space;

/// All that a value comes from.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Accesses that read it.
    pub loads: BTreeSet<usize>,
    /// Of [`Atoms`]: what is not followed.
    pub computed: BTreeSet<usize>,
    /// Of [`Atoms`]: what loops carry.
    pub carried: BTreeSet<usize>,
    /// Whether it differs from work-item to work-item, or from work-group to work-group, or by a loop's pass.
    pub has_ids: bool,
}

pub(super) fn judged(mut all: Accesses) -> Accesses {
    for index in 0..all.accesses.len() {
        let access = &all.accesses[index];
        let (class, reasons, depends_on) = class(&all, &access.index, access.array.is_some());
        let control = control(&all, &access.guards, &access.loops);
        let happens_by = all.facts(&control).loads;
        let access = &mut all.accesses[index];
        access.class = class;
        access.reasons = reasons;
        access.depends_on = depends_on;
        access.happens_by = happens_by;
    }
    for index in 0..all.barriers.len() {
        let barrier = &all.barriers[index];
        let is_uniform = !varies(&all, &control(&all, &barrier.guards, &barrier.loops));
        all.barriers[index].is_uniform = is_uniform;
    }
    all
}

/// What decides whether, and how often, it happens.
pub(super) fn control(all: &Accesses, guards: &[Guard], loops: &[usize]) -> BTreeSet<AtomId> {
    let mut atoms: BTreeSet<AtomId> = guards
        .iter()
        .flat_map(|guard| guard.condition.atoms())
        .collect();
    for of in loops.iter().map(|of| &all.loops[*of]) {
        for bound in [&of.lower, &of.upper].into_iter().flatten() {
            atoms.extend(bound.atoms());
        }
        atoms.extend(step(&of.step).atoms());
        atoms.extend(of.ends_early.iter().flatten());
    }
    atoms
}

pub(super) fn step(step: &Step) -> &Polynomial {
    match step {
        Step::Add(by) | Step::By(_, by) | Step::Multiply(by) => by,
    }
}

fn class(
    all: &Accesses,
    index: &Polynomial,
    is_followed: bool,
) -> (Class, Vec<String>, BTreeSet<usize>) {
    let facts = all.facts(&index.atoms());
    let atoms = &all.atoms;
    let mut reasons: Vec<String> = Vec::new();
    let mut add = |reason: String| {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    };
    if !is_followed {
        add("a pointer that is not followed".to_owned());
    }
    for computed in facts.computed.iter().map(|it| &atoms.computed[*it]) {
        add(format!("{} ({})", computed.reason, computed.place));
    }
    let unfollowed: Vec<usize> = facts
        .carried
        .iter()
        .copied()
        .filter(|it| alternating(atoms, *it).is_none())
        .collect();
    for carried in unfollowed.iter().map(|it| &atoms.carried[*it]) {
        let place = &all.loops[carried.of].span.begin;
        add(format!(
            "`{}` is carried from pass to pass of a loop ({place})",
            carried.name
        ));
    }
    for load in &facts.loads {
        let load = &all.accesses[*load];
        let name = load
            .array
            .map_or("a pointer", |array| &all.arrays[array].name);
        add(format!("what `{name}` holds ({})", load.span.begin));
    }
    if !is_followed {
        return (Class::Unknown, reasons, facts.loads);
    }
    if !facts.loads.is_empty() {
        return (Class::DataDependent, reasons, facts.loads);
    }
    if !facts.computed.is_empty() || !unfollowed.is_empty() {
        return (Class::Unknown, reasons, facts.loads);
    }
    let mut words = BTreeSet::new();
    if is_affine(all, index, &mut words) {
        return (Class::Affine, reasons, facts.loads);
    }
    (
        Class::QuasiAffine,
        words.into_iter().map(str::to_owned).collect(),
        facts.loads,
    )
}

/// A carried variable that goes back and forth: after two passes it is what it was.
pub(super) struct Alternating {
    pub(super) first: Polynomial,
    pub(super) other: Other,
}

/// What it is after a pass.
pub(super) enum Other {
    /// This, less what it was.
    Sum(Polynomial),
    /// Other bits than it was, by these.
    Bits(Polynomial),
    /// What the variable that it is swapped with began as.
    Swap(Polynomial),
}

pub(super) fn alternating(atoms: &Atoms, carried: usize) -> Option<Alternating> {
    let entry = &atoms.carried[carried];
    let (first, next) = (entry.first.as_ref()?, entry.next.as_ref()?);
    let is_own = |atom: &AtomId| atoms.get(*atom) == &Atom::Carried(carried);
    let is_fixed = |of: &Polynomial| {
        let is_fixed = |atom: &AtomId| match atoms.get(*atom) {
            Atom::Id(..) | Atom::Scalar(..) => true,
            // Of a loop around its own.
            Atom::Loop(of) => *of < entry.of,
            _ => false,
        };
        of.atoms().iter().all(is_fixed)
    };
    let found = |other: Other| Alternating {
        first: first.clone(),
        other,
    };
    if !is_fixed(first) {
        return None;
    }
    if let Some(own) = next.atoms().into_iter().find(is_own) {
        let sum = next.plus(&Polynomial::atom(own))?;
        return is_fixed(&sum).then(|| found(Other::Sum(sum.clone())));
    }
    let atom = atoms.get(next.as_atom()?);
    if let Atom::Carried(partner) = atom {
        let partner = &atoms.carried[*partner];
        let other = partner.first.as_ref().filter(|other| is_fixed(other))?;
        let back = partner.next.as_ref()?;
        let is_back = back.atoms().iter().all(is_own)
            && back.as_constant().is_none()
            && back.terms().count() == 1;
        return is_back.then(|| found(Other::Swap(other.clone())));
    }
    let Atom::Operation(Operation::Xor, both) = atom else {
        return None;
    };
    let [left, right] = both.as_slice() else {
        return None;
    };
    let is_itself = |of: &Polynomial| of.atoms().iter().any(is_own) && of.terms().count() == 1;
    match (is_itself(left), is_itself(right)) {
        (true, false) if is_fixed(right) => Some(found(Other::Bits(right.clone()))),
        (false, true) if is_fixed(left) => Some(found(Other::Bits(left.clone()))),
        _ => None,
    }
}

fn is_affine(all: &Accesses, of: &Polynomial, words: &mut BTreeSet<&'static str>) -> bool {
    let mut affine = true;
    for (factors, _) in of.terms() {
        let varying: Vec<AtomId> = factors
            .iter()
            .copied()
            .filter(|it| !is_parameter(all, *it))
            .collect();
        if varying.len() > 1 {
            words.insert("a product of ids or loop variables");
            affine = false;
        }
        for atom in varying {
            affine &= is_affine_atom(all, atom, words);
        }
    }
    affine
}

fn is_affine_atom(all: &Accesses, atom: AtomId, words: &mut BTreeSet<&'static str>) -> bool {
    match all.atoms.get(atom) {
        Atom::Id(..) | Atom::Scalar(..) | Atom::Cut(..) => true,
        Atom::Loop(of) => {
            let of = &all.loops[*of];
            let lower = of
                .lower
                .as_ref()
                .is_none_or(|lower| is_affine(all, lower, words));
            let Step::Add(by) = &of.step else {
                words.insert("a loop variable that is multiplied or divided");
                return false;
            };
            lower && by.atoms().iter().all(|it| is_parameter(all, *it))
        }
        Atom::Operation(operation, _) => {
            words.insert(word(*operation));
            false
        }
        Atom::Select(..) => {
            words.insert("a choice");
            false
        }
        Atom::Carried(_) => {
            words.insert("a variable that goes back and forth");
            false
        }
        Atom::Loaded(..) | Atom::Computed(_) => false,
    }
}

pub(super) fn word(operation: Operation) -> &'static str {
    match operation {
        Operation::Divide => "/",
        Operation::Remainder => "%",
        Operation::And => "&",
        Operation::Or => "|",
        Operation::Xor => "^",
        Operation::ShiftLeft => "<<",
        Operation::ShiftRight => ">>",
        Operation::Minimum => "min",
        Operation::Maximum => "max",
        Operation::Wrap(..) => "a narrower type",
    }
}

/// The same for all work-items, passes and work-groups, and known before the launch.
fn is_parameter(all: &Accesses, atom: AtomId) -> bool {
    let facts = all.facts(&BTreeSet::from([atom]));
    !facts.has_ids
        && facts.loads.is_empty()
        && facts.computed.is_empty()
        && facts.carried.is_empty()
}

impl Accesses {
    /// All that these atoms come from.
    pub fn facts(&self, roots: &BTreeSet<AtomId>) -> Facts {
        let mut facts = Facts::default();
        for atom in self.behind(roots) {
            match self.atoms.get(atom) {
                Atom::Id(Id::Global | Id::Local | Id::Group, _) => facts.has_ids = true,
                Atom::Loop(_) => facts.has_ids = true,
                Atom::Loaded(access, _) => {
                    facts.loads.insert(*access);
                }
                Atom::Computed(computed) => {
                    facts.computed.insert(*computed);
                }
                Atom::Carried(carried) => {
                    facts.carried.insert(*carried);
                }
                Atom::Id(..)
                | Atom::Scalar(..)
                | Atom::Cut(..)
                | Atom::Operation(..)
                | Atom::Select(..) => {}
            }
        }
        facts
    }

    /// These atoms, and all that their values are made of.
    pub(super) fn behind(&self, roots: &BTreeSet<AtomId>) -> BTreeSet<AtomId> {
        let mut open: Vec<AtomId> = roots.iter().copied().collect();
        let mut seen = BTreeSet::new();
        while let Some(atom) = open.pop() {
            if seen.insert(atom) {
                open.extend(self.parts(atom));
            }
        }
        seen
    }

    /// What a variable holds that a loop swaps with another: one or the other.
    pub(crate) fn swapped(&self, carried: usize) -> Option<[Polynomial; 2]> {
        let Alternating { first, other } = alternating(&self.atoms, carried)?;
        match other {
            Other::Swap(other) => Some([first, other]),
            _ => None,
        }
    }

    /// Loops whose variables an atom is made of.
    pub(crate) fn loops_of(&self, atom: AtomId) -> Vec<usize> {
        match self.atoms.get(atom) {
            Atom::Loop(of) => vec![*of],
            Atom::Operation(..) | Atom::Select(..) => {
                let parts = self.parts(atom);
                parts.into_iter().flat_map(|it| self.loops_of(it)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Loops that an atom's value goes back and forth in.
    pub(crate) fn carried_by(&self, atom: AtomId) -> Vec<usize> {
        match self.atoms.get(atom) {
            Atom::Carried(carried) => vec![self.atoms.carried[*carried].of],
            Atom::Operation(..) | Atom::Select(..) => {
                let parts = self.parts(atom);
                parts
                    .into_iter()
                    .flat_map(|it| self.carried_by(it))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// What an atom's value is made of.
    pub(super) fn parts(&self, atom: AtomId) -> BTreeSet<AtomId> {
        match self.atoms.get(atom) {
            Atom::Id(..) | Atom::Scalar(..) | Atom::Cut(..) | Atom::Loaded(..) => BTreeSet::new(),
            Atom::Loop(of) => {
                let of = &self.loops[*of];
                let mut atoms = step(&of.step).atoms();
                atoms.extend(of.lower.iter().flat_map(Polynomial::atoms));
                atoms
            }
            Atom::Operation(_, of) => of.iter().flat_map(Polynomial::atoms).collect(),
            Atom::Select(condition, yes, no) => {
                let either = &yes.atoms() | &no.atoms();
                &condition.atoms() | &either
            }
            Atom::Carried(carried) => self.atoms.carried[*carried].roots.clone(),
            Atom::Computed(computed) => self.atoms.computed[*computed].roots.clone(),
        }
    }
}

/// Whether work-items of a work-group may differ in it.
pub(super) fn varies(all: &Accesses, roots: &BTreeSet<AtomId>) -> bool {
    let mut open: Vec<AtomId> = roots.iter().copied().collect();
    let mut seen = vec![false; all.atoms.len()];
    while let Some(atom) = open.pop() {
        if std::mem::replace(&mut seen[atom], true) {
            continue;
        }
        match all.atoms.get(atom) {
            Atom::Id(Id::Global | Id::Local, _) => return true,
            Atom::Loaded(access, _) => {
                let access = &all.accesses[*access];
                let Some(array) = access.array else {
                    return true;
                };
                // What lies there each has for itself, or got as its own.
                if all.arrays[array].space == Space::Private || access.does == Does::Atomic {
                    return true;
                }
                open.extend(access.offset.atoms());
            }
            // What passes leave depends on how many there were.
            Atom::Carried(carried) => {
                let of = &all.loops[all.atoms.carried[*carried].of];
                open.extend(of.ends_early.iter().flatten());
            }
            _ => {}
        }
        open.extend(all.parts(atom));
    }
    false
}

impl Condition {
    /// Whether it can be told from ids, loops and arguments.
    pub fn is_opaque(&self) -> bool {
        match self {
            Self::Opaque(_) => true,
            Self::All(all) | Self::Any(all) => all.iter().any(Self::is_opaque),
            _ => false,
        }
    }
}
