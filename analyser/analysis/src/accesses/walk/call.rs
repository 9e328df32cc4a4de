//! Calls: a function of the source is followed where it is called.

use std::{mem, sync::Arc};

use super::{MOST_CALLS, Walker, value::Value};
use crate::{
    accesses::{Barrier, Gap, atom::Condition},
    ast::Expr,
};

impl Walker<'_> {
    pub(super) fn call(&mut self, name: &Arc<str>, arguments: &[Expr], expr: &Expr) -> Value {
        let values: Vec<Value> = arguments.iter().map(|it| self.eval(it)).collect();
        let place = &expr.span.begin;
        if matches!(&**name, "barrier" | "work_group_barrier") {
            self.output.barriers.push(Barrier {
                place: place.clone(),
                is_uniform: false,
                guards: self.guards.clone(),
                loops: self.loops.clone(),
            });
            return Value::nothing();
        }
        let unit = self.unit;
        let Some(function) = unit.function(name) else {
            return self.builtin(name, values, arguments, expr);
        };
        if self.calls.iter().any(|(caller, _)| caller == name) {
            let reason = format!("`{name}` calls itself");
            self.add_gap(&reason, place);
            // Of several functions of one name it may be another that is called.
            if unit.is_only(name) {
                self.output.recursion.get_or_insert(Gap {
                    place: place.clone(),
                    reason,
                });
            }
            return Value::nothing();
        }
        if self.calls.len() >= MOST_CALLS {
            let deep = format!("`{name}` is called more than {MOST_CALLS} calls deep");
            self.add_gap(&deep, place);
            return Value::nothing();
        }
        for (parameter, value) in function.parameters.iter().zip(values) {
            self.bind(function, *parameter, value);
        }
        let outer_returns = mem::take(&mut self.returns);
        let guards = self.guards.len();
        let outer_guards = mem::replace(&mut self.call_guards, guards);
        self.calls.push((name.clone(), place.clone()));
        self.stmt(&function.body);
        self.calls.pop();
        self.guards.truncate(guards);
        self.call_guards = outer_guards;
        let returns = mem::replace(&mut self.returns, outer_returns);
        // The last return is reached where no earlier one was.
        let value = returns
            .into_iter()
            .rev()
            .fold(None, |later, (when, value)| match later {
                None => Some(value),
                Some(later) => Some(self.select(&when, value, later)),
            });
        value.unwrap_or_else(Value::nothing)
    }

    /// `return`, which happens when all guards since the function's beginning hold.
    pub(super) fn return_value(&mut self, value: Value) {
        let since = self.guards.get(self.call_guards..).unwrap_or_default();
        let when = Condition::All(since.iter().map(|guard| guard.condition.clone()).collect());
        self.returns.push((when, value));
    }
}
