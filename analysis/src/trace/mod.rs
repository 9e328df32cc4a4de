//! Running a kernel's tree for one work-item, whole numbers alone: what it accesses, one by one. It shares nothing
//! with [`crate::accesses`] and checks it. What depends on memory is not known, and both ways of a branch on it are
//! gone.

mod expr;
mod stmt;

use std::collections::BTreeMap;

use crate::{
    accesses::{Does, launch::Geometry},
    ast::{Place, Span, Unit, VariableId},
};

/// One access as it happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The argument or declared array; none where the pointer is not known.
    pub variable: Option<VariableId>,
    /// What it does.
    pub does: Does,
    /// Bytes from the array's beginning, where they are known.
    pub offset: Option<i64>,
    /// Where it is written.
    pub span: Span,
    /// Calls that lead to it.
    pub calls: Vec<Place>,
    /// Whether it is known that it happens.
    pub is_sure: bool,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Whole(i64),
    Pointer(VariableId, Option<i64>),
    Address(VariableId, u64),
    Parts(BTreeMap<u64, Value>),
    Unknown,
}

struct Run<'u> {
    unit: &'u Unit,
    geometry: &'u Geometry,
    group: [i64; 3],
    local: [i64; 3],
    variables: BTreeMap<VariableId, Value>,
    calls: Vec<Place>,
    events: Vec<Event>,
    returned: Option<Value>,
    /// Branches on what is not known around what runs.
    unsure: usize,
    left: usize,
}

/// Steps of one work-item.
const MOST: usize = 1 << 20;

/// All accesses of a work-item, in order; none where the kernel is not there or takes too long.
pub fn trace(
    unit: &Unit,
    kernel: &str,
    geometry: &Geometry,
    group: [i64; 3],
    local: [i64; 3],
) -> Option<Vec<Event>> {
    let function = unit.function(kernel)?;
    let mut run = Run {
        unit,
        geometry,
        group,
        local,
        variables: BTreeMap::new(),
        calls: Vec::new(),
        events: Vec::new(),
        returned: None,
        unsure: 0,
        left: MOST,
    };
    for (index, parameter) in function.parameters.iter().enumerate() {
        let value = run.argument(index, *parameter);
        run.variables.insert(*parameter, value);
    }
    run.stmt(&function.body)?;
    Some(run.events)
}
