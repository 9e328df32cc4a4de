//! Why an array is left in global memory.

pub use kerncast_wire::LocalizedReason as Reason;
use serde::Serialize;

use crate::ast::Place;

/// A reason, and where, if that is not the array's first access.
pub(super) type Why = (Reason, Option<Place>);

/// Why an array, or the whole kernel, is left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The argument; absent where it is about the whole kernel.
    pub array: Option<String>,
    /// Why.
    pub reason: Reason,
    /// Where.
    pub place: Place,
}
