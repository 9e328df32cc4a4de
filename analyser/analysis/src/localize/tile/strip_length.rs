//! Lengths of strips in passes of a loop.

use super::strip_head;
use crate::{
    accesses::{Atom, Does, Id, Loop, Polynomial, Step},
    localize::{
        formulas::{Formulas, Scope},
        refusal::Reason,
        subject::Subject,
    },
};

/// Passes of a strip if rows are walked: as many neighbours as make a request of 64 bytes of numbers.
const ROW: i64 = 16;
/// The most bytes of a strip that is made longer than a work-group.
const LONG_BYTES: u64 = 2 << 10;
/// The most passes of a strip.
const MOST_PASSES: i64 = 256;

/// The largest step of a loop's variable.
const MOST_STEP: i64 = 16;

/// The choice of a strip's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Passes {
    /// The length that suits the work-group.
    Usual,
    /// One pass: the loop's body is between two fills.
    One,
}

/// A loop in strips, if its variable grows by a number.
///
/// # Errors
/// The loop has another form.
pub(super) fn strip_of(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    of: usize,
    passes: Passes,
) -> Result<Scope, Reason> {
    let described = formulas.all.loops[of].clone();
    let step = match &described.step {
        Step::Add(by) => by.as_constant(),
        _ => None,
    };
    let step = step.filter(|by| (1..=MOST_STEP).contains(by));
    let step = step.filter(|_| described.rises && !described.until_equal);
    let step = step.ok_or(Reason::LoopForm)?;
    strip_head::head(subject, &described.span)?;
    let walks_rows = subject.accesses.accesses.iter().any(|access| {
        let is_in = access.loops.contains(&of) && access.does == Does::Load;
        let outer = access.subscripts.iter().rev().skip(1);
        is_in && outer.into_iter().any(|it| formulas.is_of_first_id(it))
    });
    let [x, y, z] = formulas.local;
    let passes = match (subject.form.strip, y * z == 1, walks_rows) {
        _ if passes == Passes::One => 1,
        (Some(passes), ..) => i64::from(passes).clamp(1, MOST_PASSES),
        (None, true, true) => ROW.min(x),
        (None, true, false) => long(subject, formulas, of, x),
        (None, false, _) => x.min(MOST_PASSES),
    };
    let passes = (passes / step).max(1) * step;
    let outer = formulas.all.loops.len();
    let inner = outer + 1;
    formulas.all.loops.push(Loop {
        step: Step::Add(Polynomial::constant(passes)),
        trips: None,
        ..described.clone()
    });
    formulas.all.loops.push(Loop {
        name: None,
        lower: Some(Polynomial::default()),
        upper: Some(Polynomial::constant(passes)),
        trips: None,
        ..described
    });
    formulas.all.atoms.of(Atom::Loop(outer));
    Ok(Scope::Strip {
        of,
        outer,
        inner,
        passes,
        step,
    })
}

/// Passes of a strip with one element for each pass and neighbour: several loads of a work-item for each barrier, if
/// that takes little memory.
fn long(subject: Subject<'_>, formulas: &Formulas, of: usize, x: i64) -> i64 {
    let all = subject.accesses;
    let accesses = all.accesses.iter();
    let own = accesses.filter(|it| it.loops.contains(&of) && it.does == Does::Load);
    let mut bytes = 1;
    for access in own {
        let is_simple = |subscript: &Polynomial| {
            subscript.terms().all(|(factors, number)| {
                let is_id = |atom: &usize| formulas.is_of_first_id(&Polynomial::atom(*atom));
                let is_apart = factors.iter().any(is_id) && (number != 1 || factors.len() > 1);
                let mut loops = factors.iter().flat_map(|it| formulas.all.loops_of(*it));
                let place = |of: usize| access.loops.iter().position(|it| *it == of);
                !is_apart && loops.all(|it| place(it) <= place(of))
            })
        };
        if !access.subscripts.iter().all(is_simple) {
            return x.min(MOST_PASSES);
        }
        let array = access.array.map_or(1, |it| all.arrays[it].element_bytes);
        bytes = bytes.max(array);
    }
    let most = i64::try_from(LONG_BYTES / bytes).unwrap_or(MOST_PASSES);
    (4 * x).min(most).max(x).min(MOST_PASSES)
}

impl Formulas {
    fn is_of_first_id(&self, of: &Polynomial) -> bool {
        let ids = [Atom::Id(Id::Global, 0), Atom::Id(Id::Local, 0)];
        of.atoms()
            .iter()
            .any(|atom| ids.contains(self.all.atoms.get(*atom)))
    }
}
