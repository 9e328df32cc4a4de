//! Classes of accesses' indices, the loads that they depend on, and whether work-items reach barriers alike.

use std::collections::BTreeSet;

pub use kerncast_wire::AccessClass as Class;

use super::{
    Access, Accesses, Step,
    alternation::alternation,
    atom::{Atom, Operation},
    facts::{Facts, control_atoms, varies},
    polynomial::{AtomId, Polynomial},
};

/// Sets the classes of all accesses, the loads that they depend on, and which barriers are uniform.
pub(super) fn classify(all: &mut Accesses) {
    for number in 0..all.accesses.len() {
        let access = &all.accesses[number];
        let facts = all.facts(&access.index.atoms());
        let (class, reasons) = class(all, access, &facts);
        let control = control_atoms(all, &access.guards, &access.loops);
        let happens_by = all.facts(&control).loads;
        let access = &mut all.accesses[number];
        access.class = class;
        access.reasons = reasons;
        access.depends_on = facts.loads;
        access.happens_by = happens_by;
    }
    for number in 0..all.barriers.len() {
        let barrier = &all.barriers[number];
        let control = control_atoms(all, &barrier.guards, &barrier.loops);
        all.barriers[number].is_uniform = !varies(all, &control);
    }
}

/// The class of an access's index, and why it is not affine.
fn class(all: &Accesses, access: &Access, facts: &Facts) -> (Class, Vec<String>) {
    let is_followed = access.array.is_some();
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
    let mut is_carried = false;
    for number in &facts.carried {
        if alternation(atoms, *number).is_some() {
            continue;
        }
        is_carried = true;
        let carried = &atoms.carried[*number];
        let place = &all.loops[carried.around].span.begin;
        add(format!(
            "`{}` is carried from pass to pass of a loop ({place})",
            carried.name
        ));
    }
    for load in facts.loads.iter().map(|it| &all.accesses[*it]) {
        let array = load.array.map(|it| &*all.arrays[it].name);
        let name = array.unwrap_or("a pointer");
        add(format!("what `{name}` holds ({})", load.span.begin));
    }
    if !is_followed {
        return (Class::Unknown, reasons);
    }
    if !facts.loads.is_empty() {
        return (Class::DataDependent, reasons);
    }
    if !facts.computed.is_empty() || is_carried {
        return (Class::Unknown, reasons);
    }
    let mut words = BTreeSet::new();
    if is_affine(all, &access.index, &mut words) {
        return (Class::Affine, reasons);
    }
    let words = words.into_iter().map(str::to_owned);
    (Class::QuasiAffine, words.collect())
}

/// Whether a formula is affine; `words` says what is not.
fn is_affine(all: &Accesses, formula: &Polynomial, words: &mut BTreeSet<&'static str>) -> bool {
    let mut affine = true;
    for (factors, _) in formula.terms() {
        let varying = factors.iter().copied().filter(|it| !is_parameter(all, *it));
        let varying: Vec<AtomId> = varying.collect();
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
        Atom::Loop(number) => {
            let own = &all.loops[*number];
            let lower = own.lower.as_ref();
            let starts_affine = lower.is_none_or(|it| is_affine(all, it, words));
            let Step::Add(by) = &own.step else {
                words.insert("a loop variable that is multiplied or divided");
                return false;
            };
            starts_affine && by.atoms().iter().all(|it| is_parameter(all, *it))
        }
        Atom::Operation(operation, _) => {
            words.insert(operation_word(*operation));
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

pub(super) fn operation_word(operation: Operation) -> &'static str {
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

/// Whether an atom is the same for all work-items, iterations and work-groups, and known before the launch.
fn is_parameter(all: &Accesses, atom: AtomId) -> bool {
    let facts = all.facts(&BTreeSet::from([atom]));
    !facts.has_ids
        && facts.loads.is_empty()
        && facts.computed.is_empty()
        && facts.carried.is_empty()
}
