//! Edges: the author's own conditions on ids limit what fills a tile. `if (x > 0 && x < n - 1)` reads no element before
//! the first and none behind the last, and what fills the tile must not either.

use crate::{
    accesses::{Atom, AtomId, Condition, Guard, Id, Polynomial},
    localize::{Formulas, Reason, Split},
};

/// The first and the last subscript that is read, as far as conditions say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Edge {
    pub(super) low: Option<i64>,
    pub(super) high: Option<Polynomial>,
}

/// The edge of a side with this shared part. `references`: the conditions of each reference, and what it adds to a
/// global id.
pub(super) fn edge<'a>(
    formulas: &Formulas,
    shared: &Polynomial,
    references: impl Iterator<Item = (&'a [Guard], &'a Split)>,
) -> Edge {
    let dimension = match dimension(formulas, shared) {
        Some(dimension) if !formulas.wraps => dimension,
        _ => return Edge::default(),
    };
    let mut all: Option<Edge> = None;
    for (guards, split) in references {
        let own = of_reference(formulas, dimension, guards, split).unwrap_or_default();
        all = Some(match all {
            None => own,
            Some(all) => Edge {
                low: all.low.zip(own.low).map(|(one, other)| one.min(other)),
                high: all.high.zip(own.high).and_then(|(one, other)| {
                    let more = one.minus(&other)?.as_constant()?;
                    Some(if more > 0 { one } else { other })
                }),
            },
        });
    }
    all.unwrap_or_default()
}

/// The dimension whose global id begins at `shared` in every work-group.
fn dimension(formulas: &Formulas, shared: &Polynomial) -> Option<u8> {
    let mut terms = shared.terms();
    let (Some(([atom], number)), None) = (terms.next(), terms.next()) else {
        return None;
    };
    match formulas.all.atoms.get(*atom) {
        Atom::Id(Id::Group, dimension)
            if formulas.local.get(usize::from(*dimension)) == Some(&number) =>
        {
            Some(*dimension)
        }
        _ => None,
    }
}

fn of_reference(
    formulas: &Formulas,
    dimension: u8,
    guards: &[Guard],
    split: &Split,
) -> Option<Edge> {
    let atoms = 0..formulas.all.atoms.len();
    let is = |atom: &AtomId, id: Id| formulas.all.atoms.get(*atom) == &Atom::Id(id, dimension);
    let global = atoms.clone().find(|atom| is(atom, Id::Global))?;
    // What the subscript adds to the global id.
    let mut rest = split.varying.plus(&Polynomial::constant(split.constant))?;
    if formulas.local.get(usize::from(dimension)) != Some(&1) {
        let local = atoms.clone().find(|atom| is(atom, Id::Local))?;
        rest = rest.minus(&Polynomial::atom(local))?;
    }
    let (least, most) = formulas.bounds(&rest, None)?;
    let mut edge = Edge::default();
    let mut open: Vec<&Condition> = guards.iter().map(|guard| &guard.condition).collect();
    while let Some(condition) = open.pop() {
        match condition {
            Condition::All(all) => open.extend(all),
            Condition::AtLeastZero(formula) => {
                let by = formula.terms().find(|(factors, _)| *factors == [global]);
                let by = by.map_or(0, |(_, number)| number);
                let without = formula.minus(&Polynomial::atom(global).scaled(by)?)?;
                if without.atoms().contains(&global) {
                    continue;
                }
                match by {
                    1 => {
                        // `x + j >= 0` is about the subscript `x + j` itself, however far `j` goes.
                        let own = rest.minus(&without)?.as_constant();
                        let Some(low) = own.or_else(|| {
                            let id = without.as_constant()?;
                            i64::try_from(least).ok()?.checked_sub(id)
                        }) else {
                            continue;
                        };
                        edge.low = Some(edge.low.map_or(low, |known| known.max(low)));
                    }
                    -1 => {
                        let own = rest.plus(&without)?;
                        let high = if formulas.is_given(&own) {
                            own
                        } else if formulas.is_given(&without) {
                            let most = Polynomial::constant(i64::try_from(most).ok()?);
                            without.plus(&most)?
                        } else {
                            continue;
                        };
                        edge.high = edge.high.or(Some(high));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
    Some(edge)
}

impl Formulas {
    /// Whether arguments, sizes and numbers alone decide a formula.
    fn is_given(&self, formula: &Polynomial) -> bool {
        formula
            .atoms()
            .iter()
            .all(|atom| match self.all.atoms.get(*atom) {
                Atom::Scalar(..) => true,
                Atom::Id(id, _) => !matches!(id, Id::Global | Id::Local | Id::Group),
                _ => false,
            })
    }
}

impl Edge {
    /// The edge as conditions on `place`, which is the subscript less `constant`. `signed` writes a formula that may be
    /// below 0.
    ///
    /// # Errors
    /// A formula has no text here.
    pub(super) fn conditions(
        &self,
        place: &str,
        constant: i64,
        signed: impl Fn(&Polynomial) -> Result<String, Reason>,
    ) -> Result<Vec<String>, Reason> {
        let mut conditions = Vec::new();
        if let Some(low) = self.low.map(|low| low - constant).filter(|low| *low > 0) {
            conditions.push(format!("{place} >= {low}"));
        }
        if let Some(high) = &self.high {
            let behind = high.plus(&Polynomial::constant(1 - constant));
            conditions.push(format!(
                "{place} < {}",
                signed(&behind.ok_or(Reason::Shape)?)?
            ));
        }
        Ok(conditions)
    }
}
