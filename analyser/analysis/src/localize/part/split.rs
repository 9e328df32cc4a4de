//! Offsets as what a work-group shares and what differs, for all values of a pointer.

use crate::{
    accesses::{Atom, AtomId, Id, Polynomial},
    localize::{Formulas, Reason, Scope, Split},
};

/// The quantity that decides a part's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::localize) enum PartLength {
    /// No size: the length is fixed.
    Fixed,
    /// Numbers that the launch passes: the part ends where the next work-group's begins.
    Passed,
}

impl PartLength {
    /// An offset in bytes, split into the beginning of the work-group's part and the place in it, in elements. There
    /// are several if pointers are swapped, or a condition decides.
    pub(in crate::localize) fn splits(
        self,
        formulas: &mut Formulas,
        offset: &Polynomial,
        element: u64,
        nest: &[usize],
    ) -> Result<Vec<Split>, Reason> {
        let mut splits: Vec<Split> = Vec::new();
        for index in indices(formulas, offset, element)? {
            let split = match self {
                Self::Fixed => formulas.split(&index, Scope::Kernel, nest)?,
                Self::Passed => split_at_groups(formulas, &index)?,
            };
            if !splits.contains(&split) {
                splits.push(split);
            }
        }
        Ok(splits)
    }
}

/// An index as the terms that grow by work-groups, and all others.
fn split_at_groups(formulas: &Formulas, index: &Polynomial) -> Result<Split, Reason> {
    let is_group = |atom: &AtomId| formulas.all.atoms.get(*atom) == &Atom::Id(Id::Group, 0);
    let (mut base, mut place) = (Vec::new(), Vec::new());
    for (factors, number) in index.terms() {
        let to = if factors.iter().any(is_group) {
            &mut base
        } else {
            &mut place
        };
        to.push((factors.to_vec(), number));
    }
    Ok(Split {
        uniform: Polynomial::from_terms(base).ok_or(Reason::Shape)?,
        constant: 0,
        varying: Polynomial::from_terms(place).ok_or(Reason::Shape)?,
    })
}

/// All values that an offset in bytes may have in elements, with global ids resolved.
fn indices(
    formulas: &mut Formulas,
    offset: &Polynomial,
    element: u64,
) -> Result<Vec<Polynomial>, Reason> {
    let mut open = vec![offset.clone()];
    for _ in 0..4 {
        let mut next = Vec::new();
        for formula in &open {
            let all = &formulas.all;
            let one_or_other = formula.atoms().into_iter().find_map(|atom| {
                let values = match all.atoms.get(atom) {
                    Atom::Carried(carried) => all.swap_values(*carried),
                    Atom::Select(_, yes, no) => Some([yes.clone(), no.clone()]),
                    _ => return None,
                };
                Some((atom, values))
            });
            let Some((atom, values)) = one_or_other else {
                next.push(formula.clone());
                continue;
            };
            for value in values.ok_or(Reason::UnknownIndex)? {
                let by = |own| {
                    Some(if own == atom {
                        value.clone()
                    } else {
                        Polynomial::atom(own)
                    })
                };
                next.push(formula.substituted(by).ok_or(Reason::Shape)?);
            }
        }
        open = next;
    }
    let size = i64::try_from(element).map_err(|_| Reason::Shape)?;
    let each = open.into_iter().map(|it| {
        // Amid an element: not divided.
        let begin = it.divided(size).ok_or(Reason::Shape)?;
        formulas.normal(&begin).ok_or(Reason::Shape)
    });
    each.collect()
}
