//! Lengths of strips in iterations of a loop.

use super::strip_head;
use crate::{
    accesses::{Atom, Does, Id, Loop, Polynomial, Step},
    localize::{Formulas, Reason, Scope, Strip, Subject},
};

/// Iterations of a strip if rows are walked: as many neighbours as make a request of 64 bytes of numbers.
const ROW_STRIP_LENGTH: i64 = 16;
/// The most bytes of a strip that is made longer than a work-group.
const MOST_LONG_STRIP_BYTES: u64 = 2 << 10;
/// The most iterations of a strip.
const MOST_STRIP_LENGTH: i64 = 256;

/// The largest step of a loop's variable.
const MOST_STEP: i64 = 16;

/// The choice of a strip's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StripLength {
    /// The length that suits the work-group.
    Usual,
    /// One iteration: the loop's body is between two fills.
    One,
}

/// A loop in strips, if its variable grows by a number.
///
/// # Errors
/// The loop has another form.
pub(super) fn strip_scope(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    original: usize,
    length: StripLength,
) -> Result<Scope, Reason> {
    let around = formulas.all.loops[original].clone();
    let step = match &around.step {
        Step::Add(by) => by.as_constant(),
        _ => None,
    };
    let step = step.filter(|by| (1..=MOST_STEP).contains(by));
    let step = step.filter(|_| around.rises && !around.until_equal);
    let step = step.ok_or(Reason::LoopForm)?;
    strip_head::head(subject, &around.span)?;
    let walks_rows = subject.accesses.accesses.iter().any(|access| {
        let is_in = access.loops.contains(&original) && access.does == Does::Load;
        let outer = access.subscripts.iter().rev().skip(1);
        is_in && outer.into_iter().any(|it| formulas.is_of_first_id(it))
    });
    let [x, y, z] = formulas.local;
    let length = match (subject.form.strip, y * z == 1, walks_rows) {
        _ if length == StripLength::One => 1,
        (Some(length), ..) => i64::from(length).clamp(1, MOST_STRIP_LENGTH),
        (None, true, true) => ROW_STRIP_LENGTH.min(x),
        (None, true, false) => long_strip(subject, formulas, original, x),
        (None, false, _) => x.min(MOST_STRIP_LENGTH),
    };
    let length = (length / step).max(1) * step;
    let outer = formulas.all.loops.len();
    let inner = outer + 1;
    formulas.all.loops.push(Loop {
        step: Step::Add(Polynomial::constant(length)),
        trips: None,
        ..around.clone()
    });
    formulas.all.loops.push(Loop {
        name: None,
        lower: Some(Polynomial::default()),
        upper: Some(Polynomial::constant(length)),
        trips: None,
        ..around
    });
    formulas.all.atoms.formula(Atom::Loop(outer));
    Ok(Scope::Strip(Strip {
        original,
        outer,
        inner,
        length,
        step,
    }))
}

/// Iterations of a strip with one element for each iteration and neighbour: several loads of a work-item for each
/// barrier, if that takes little memory.
fn long_strip(subject: Subject<'_>, formulas: &Formulas, loop_index: usize, x: i64) -> i64 {
    let all = subject.accesses;
    let accesses = all.accesses.iter();
    let own = accesses.filter(|it| it.loops.contains(&loop_index) && it.does == Does::Load);
    let mut bytes = 1;
    for access in own {
        let is_simple = |subscript: &Polynomial| {
            subscript.terms().all(|(factors, number)| {
                let is_id = |atom: &usize| formulas.is_of_first_id(&Polynomial::atom(*atom));
                let is_apart = factors.iter().any(is_id) && (number != 1 || factors.len() > 1);
                let mut loops = factors.iter().flat_map(|it| formulas.all.loops_of(*it));
                let place =
                    |loop_index: usize| access.loops.iter().position(|it| *it == loop_index);
                !is_apart && loops.all(|it| place(it) <= place(loop_index))
            })
        };
        if !access.subscripts.iter().all(is_simple) {
            return x.min(MOST_STRIP_LENGTH);
        }
        let array = access.array.map_or(1, |it| all.arrays[it].element_bytes);
        bytes = bytes.max(array);
    }
    let most = i64::try_from(MOST_LONG_STRIP_BYTES / bytes).unwrap_or(MOST_STRIP_LENGTH);
    (4 * x).min(most).max(x).min(MOST_STRIP_LENGTH)
}

impl Formulas {
    fn is_of_first_id(&self, formula: &Polynomial) -> bool {
        let ids = [Atom::Id(Id::Global, 0), Atom::Id(Id::Local, 0)];
        formula
            .atoms()
            .iter()
            .any(|atom| ids.contains(self.all.atoms.get(*atom)))
    }
}
