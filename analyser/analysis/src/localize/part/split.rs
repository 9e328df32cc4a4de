//! Offsets as what a work-group shares and what differs, of all that a pointer may be set to.

use crate::{
    accesses::{Atom, Polynomial},
    localize::{Formulas, Scope, formula::Split, refusal::Reason},
};

pub(in crate::localize) fn with_constant(split: &Split) -> Polynomial {
    let constant = Polynomial::constant(split.constant);
    split.varying.plus(&constant).unwrap_or_default()
}

/// An offset in bytes, split in elements. Where pointers are swapped, or a condition decides, there are several.
pub(in crate::localize) fn splits(
    formulas: &mut Formulas,
    offset: &Polynomial,
    element: u64,
    nest: &[usize],
) -> Result<Vec<Split>, Reason> {
    let mut splits: Vec<Split> = Vec::new();
    for index in indices(formulas, offset, element)? {
        let split = formulas.split(&index, Scope::Kernel, nest)?;
        if !splits.contains(&split) {
            splits.push(split);
        }
    }
    Ok(splits)
}

/// All that an offset in bytes may be in elements, with global ids resolved.
pub(super) fn indices(
    formulas: &mut Formulas,
    offset: &Polynomial,
    element: u64,
) -> Result<Vec<Polynomial>, Reason> {
    let mut open = vec![offset.clone()];
    for _ in 0..4 {
        let mut next = Vec::new();
        for of in &open {
            let all = &formulas.all;
            let one_or_other = of.atoms().into_iter().find_map(|atom| {
                let values = match all.atoms.get(atom) {
                    Atom::Carried(carried) => all.swap_values(*carried),
                    Atom::Select(_, yes, no) => Some([yes.clone(), no.clone()]),
                    _ => return None,
                };
                Some((atom, values))
            });
            let Some((atom, values)) = one_or_other else {
                next.push(of.clone());
                continue;
            };
            for value in values.ok_or(Reason::UnknownIndex)? {
                next.push(replaced(of, atom, &value).ok_or(Reason::Shape)?);
            }
        }
        open = next;
    }
    let size = i64::try_from(element).map_err(|_| Reason::Shape)?;
    let each = open.into_iter().map(|of| {
        // Amid an element: not divided.
        let begin = of.divided(size).ok_or(Reason::Shape)?;
        formulas.normal(&begin).ok_or(Reason::Shape)
    });
    each.collect()
}

fn replaced(of: &Polynomial, atom: usize, by: &Polynomial) -> Option<Polynomial> {
    let mut sum = Polynomial::default();
    for (factors, number) in of.terms() {
        let mut term = Polynomial::constant(number);
        for factor in factors {
            let factor = if *factor == atom {
                by.clone()
            } else {
                Polynomial::atom(*factor)
            };
            term = term.times(&factor)?;
        }
        sum = sum.plus(&term)?;
    }
    Some(sum)
}
