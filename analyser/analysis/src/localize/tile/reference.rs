//! Accesses that a tile may serve, and their subscripts.

use std::ops::Range;

use crate::{
    accesses::{Access, Atom, Operation, Polynomial},
    ast::{Expr, ExprKind, Type},
    localize::{
        Formulas, LEAST_FAR_STRIDE, Reason, Scope, Split, Subject, exprs, is_name, refuse_if,
    },
};

/// An access that a tile may serve.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    /// Its place among all accesses.
    pub(super) access: usize,
    /// Its text.
    pub(super) range: Range<usize>,
    /// Its subscripts with global ids resolved, outermost first.
    pub(super) axes: Vec<Axis>,
    pub(super) text: Text,
}

/// A read, as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    /// The type that an element is read as.
    pub(super) element: Type,
    /// Elements that are read at once: as many as `vload4` and its like read, else 1.
    pub(super) lanes: u8,
    /// Whether the author computes the index with 64 bits.
    pub(super) is_wide: bool,
}

/// A subscript.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    /// The subscript, or the part of it that is clamped.
    pub(super) index: Polynomial,
    pub(super) clamp: Clamp,
    /// Elements per step of the subscript.
    pub(super) stride: Polynomial,
}

/// `min(max(i, low), high)`, in either order: the limits of a subscript, both included.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Clamp {
    pub(super) low: Option<Polynomial>,
    pub(super) high: Option<Polynomial>,
    /// Whether `low` holds where the two cross: it is applied last.
    pub(super) is_low_last: bool,
}

impl Clamp {
    pub(super) fn is_none(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }
}

impl Reference {
    /// An access as a reference.
    ///
    /// # Errors
    /// The reason why no tile can serve it.
    pub(super) fn new(
        subject: Subject<'_>,
        formulas: &mut Formulas,
        index: usize,
    ) -> Result<Self, Reason> {
        let access = &subject.accesses.accesses[index];
        refuse_if(!access.also.is_empty(), Reason::SeveralArrays)?;
        refuse_if(!access.calls.is_empty(), Reason::InFunction)?;
        let (range, text) = text_of(subject, access)?;
        let bytes = text.element.bytes().ok_or(Reason::Shape)?;
        let mut axes = Vec::new();
        let argument = access.array.map(|array| &subject.accesses.arrays[array]);
        let has_fields = access.fields.iter().any(|it| !it.is_empty());
        if !has_fields && argument.is_some_and(|it| it.element == text.element && access.counts(it))
        {
            for (subscript, stride) in access.subscripts.iter().zip(&access.strides) {
                axes.push(Axis::new(formulas, subscript, stride)?);
            }
        } else {
            // What is read by another type, or a field, begins so many bytes into the array; an element has just so
            // many.
            let within = i64::try_from(access.within).map_err(|_| Reason::Shape)?;
            let begin = access.offset.minus(&Polynomial::constant(within));
            let offset = begin.and_then(|it| formulas.normal(&it));
            let offset = offset.ok_or(Reason::Shape)?;
            let index = i64::try_from(bytes).ok().and_then(|by| offset.divided(by));
            let one = Polynomial::constant(1);
            axes.push(Axis::new(formulas, &index.ok_or(Reason::Shape)?, &one)?);
        }
        while axes.len() < 3
            && let Some(rows) = axes.last().and_then(|last| last.as_rows(formulas))
        {
            axes.pop();
            axes.extend(rows);
        }
        Ok(Self {
            access: index,
            range,
            axes,
            text,
        })
    }

    /// The parts of each subscript: what is shared and what differs.
    pub(super) fn split(
        &self,
        formulas: &mut Formulas,
        nest: &[usize],
        scope: Scope,
    ) -> Result<Vec<Split>, Reason> {
        let mut splits = Vec::new();
        for axis in &self.axes {
            let index = formulas.within(&axis.index, scope).ok_or(Reason::Shape)?;
            splits.push(formulas.split(&index, scope, nest)?);
            for limit in [&axis.clamp.low, &axis.clamp.high].into_iter().flatten() {
                // A loop's variable means nothing where the tile is filled.
                let is_of_loop = |atom: &usize| formulas.depends_on_loop(*atom, &|_| true);
                if !formulas.is_uniform(limit) || limit.atoms().iter().any(is_of_loop) {
                    return Err(Reason::Shape);
                }
            }
        }
        Ok(splits)
    }
}

/// The text of an access up to its last bracket; components and fields stay where they are.
fn text_of(subject: Subject<'_>, access: &Access) -> Result<(Range<usize>, Text), Reason> {
    refuse_if(access.span.spelled.is_some(), Reason::InMacro)?;
    let mut range = subject.bare(subject.tokens(&access.span)?);
    let text = subject.text(&range);
    if let Some(rest) = text.strip_prefix("vload") {
        let lanes = rest.split('(').next().and_then(|it| it.trim().parse().ok());
        return of_vector(subject, range, lanes.ok_or(Reason::Text)?);
    }
    if !text.starts_with('*') {
        let end = text.rfind(']').ok_or(Reason::Text)? + 1;
        let tail = text[end..].trim_start();
        let is_part = tail.strip_prefix('.').is_some_and(|it| is_name(it.trim()));
        let (array, _) = text.split_once('[').ok_or(Reason::Text)?;
        let array = array.trim();
        let is_sum = array.starts_with('(') && array.ends_with(')');
        if !(is_name(array) || is_sum) || !(tail.is_empty() || is_part) {
            return Err(Reason::Text);
        }
        range.end = range.start + end;
    }
    let expr = subject.pure_place(&range).ok_or(Reason::Text)?;
    let array = access.array.ok_or(Reason::UnknownIndex)?;
    // A cast pointer reads the same bytes as something else, which must have a name.
    let is_own = expr.ty == subject.accesses.arrays[array].element;
    refuse_if(!is_own && expr.ty.scalar().is_none(), Reason::Text)?;
    let text = Text {
        element: expr.ty.clone(),
        lanes: 1,
        is_wide: match &expr.kind {
            ExprKind::Index(_, index) => is_wide(index),
            _ => true,
        },
    };
    Ok((range, text))
}

/// The text of `vload4(i, p)`, which reads this many numbers.
fn of_vector(
    subject: Subject<'_>,
    range: Range<usize>,
    lanes: u8,
) -> Result<(Range<usize>, Text), Reason> {
    let function = subject.function().ok_or(Reason::Text)?;
    let is_text =
        |it: &Expr| subject.tokens(&it.span).map(|it| subject.bare(it)) == Ok(range.clone());
    let calls = exprs(subject.unit, &function.body).into_iter();
    let mut arguments = calls.filter_map(|expr| match &expr.kind {
        ExprKind::Call(_, given) if is_text(expr) && subject.is_pure(expr) => Some(given),
        _ => None,
    });
    let Some([offset, pointer]) = arguments.next_back().map(Vec::as_slice) else {
        return Err(Reason::Text);
    };
    let Type::Pointer(_, pointee) = &pointer.ty else {
        return Err(Reason::Text);
    };
    let text = Text {
        element: Type::clone(pointee),
        lanes,
        is_wide: is_wide(offset),
    };
    Ok((range, text))
}

fn is_wide(index: &Expr) -> bool {
    index.ty.scalar().is_some_and(|it| it.bytes > 4)
}

impl Axis {
    fn new(
        formulas: &mut Formulas,
        subscript: &Polynomial,
        stride: &Polynomial,
    ) -> Result<Self, Reason> {
        let index = formulas.normal(subscript).ok_or(Reason::Shape)?;
        let stride = formulas.normal(stride).ok_or(Reason::Shape)?;
        refuse_if(!formulas.is_uniform(&stride), Reason::Shape)?;
        let mut axis = Self {
            index,
            clamp: Clamp::default(),
            stride,
        };
        for _ in 0..2 {
            let index = axis.index.clone();
            let Some(atom) = index.as_atom() else { break };
            let Atom::Operation(operation, operands) = formulas.all.atoms.get(atom) else {
                break;
            };
            let [one, other] = operands.as_slice() else {
                break;
            };
            let (inner, limit) = match (formulas.is_uniform(one), formulas.is_uniform(other)) {
                (false, true) => (one.clone(), other.clone()),
                (true, false) => (other.clone(), one.clone()),
                _ => break,
            };
            let clamp = &mut axis.clamp;
            match operation {
                Operation::Minimum if clamp.high.is_none() => clamp.high = Some(limit),
                Operation::Maximum if clamp.low.is_none() => {
                    clamp.is_low_last = clamp.high.is_none();
                    clamp.low = Some(limit);
                }
                _ => break,
            }
            axis.index = inner;
        }
        Ok(axis)
    }

    /// A subscript as a row of a fixed length and a place in it. The length is the largest number that a local id is
    /// multiplied by.
    fn as_rows(&self, formulas: &Formulas) -> Option<[Self; 2]> {
        if !self.clamp.is_none() {
            return None;
        }
        let own = (0..3).map(|dimension| formulas.local_id_factor(&self.index, dimension));
        let by = own.filter(|by| *by >= LEAST_FAR_STRIDE).max()?;
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        for (factors, number) in self.index.terms() {
            if factors.is_empty() {
                // A row above is so many elements before.
                let rows = (number + by / 2).div_euclid(by);
                outer.push((Vec::new(), rows));
                inner.push((Vec::new(), number - rows * by));
            } else if number % by == 0 {
                outer.push((factors.to_vec(), number / by));
            } else {
                inner.push((factors.to_vec(), number));
            }
        }
        let axis = |terms, stride| {
            Some(Self {
                index: Polynomial::from_terms(terms)?,
                clamp: Clamp::default(),
                stride,
            })
        };
        Some([
            axis(outer, self.stride.scaled(by)?)?,
            axis(inner, self.stride.clone())?,
        ])
    }
}
