//! Accesses and pointers as they are recorded.

use std::collections::BTreeSet;

use super::{
    Walker,
    elements::{ElementIndex, element_index},
    value::{Pointer, Subscript, Value},
};
use crate::{
    accesses::{Access, Class, Does, Pointing, Polynomial},
    ast::{Span, VariableId},
};

impl Walker<'_> {
    /// Records where a pointer variable is set to.
    pub(super) fn record_pointer(&mut self, variable: VariableId, value: &Value, span: &Span) {
        if let Value::Pointer(pointer) = value {
            let pointing = Pointing {
                variable,
                arrays: pointer.arrays(),
                offset: pointer.offset.clone(),
                span: span.clone(),
                is_own: self.calls.is_empty(),
            };
            self.output.pointers.push(pointing);
        }
    }

    /// Records an access and returns its place among all.
    pub(super) fn record_access(
        &mut self,
        pointer: Pointer,
        does: Does,
        bytes: u64,
        span: &Span,
    ) -> usize {
        let (array, offset, subscripts) = (pointer.array, pointer.offset, pointer.subscripts);
        let of = array.map(|array| &self.output.arrays[array]);
        let declared = of.map_or(1, |of| of.element_bytes);
        // The one dimension of an argument may be several by its formula.
        let is_written =
            of.is_some_and(|of| subscripts.len() > usize::from(of.parameter.is_some()));
        let subscripts =
            Some(subscripts).filter(|it| is_written && cover_offset(it, &offset, declared));
        let subscripts = subscripts.unwrap_or_default();
        let element = if array.is_some() { pointer.element } else { 1 };
        let ElementIndex {
            index,
            element_bytes,
            within,
        } = element_index(&mut self.output.atoms, &offset, bytes, [element, declared]);
        let step = |it: &Subscript| i64::try_from(it.bytes / element_bytes).unwrap_or(i64::MAX);
        let strides = subscripts.iter().map(|it| Polynomial::constant(step(it)));
        let strides = strides.collect();
        let (subscripts, fields): (Vec<_>, Vec<_>) = subscripts
            .into_iter()
            .map(|it| (it.index, it.field))
            .unzip();
        self.output.accesses.push(Access {
            array,
            also: pointer.also.into_iter().collect(),
            does,
            bytes,
            offset,
            index,
            element_bytes,
            within,
            subscripts,
            fields,
            strides,
            loops: self.loops.clone(),
            guards: self.guards.clone(),
            span: span.clone(),
            calls: self.calls.iter().map(|(_, place)| place.clone()).collect(),
            class: Class::Unknown,
            reasons: Vec::new(),
            depends_on: BTreeSet::new(),
            happens_by: BTreeSet::new(),
        });
        self.output.accesses.len() - 1
    }
}

/// Whether subscripts and fields are all that an offset is made of, in elements of so many bytes.
fn cover_offset(subscripts: &[Subscript], offset: &Polynomial, element: u64) -> bool {
    let rest = subscripts.iter().try_fold(offset.clone(), |rest, it| {
        rest.minus(&it.index.scaled(i64::try_from(it.bytes).ok()?)?)
    });
    let rest = rest
        .and_then(|it| it.as_constant())
        .and_then(|it| u64::try_from(it).ok());
    let outermost = subscripts.first().map_or(0, |it| it.bytes);
    rest.is_some_and(|rest| rest < outermost.max(element))
}
