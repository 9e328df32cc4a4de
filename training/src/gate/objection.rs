use kerncast_wire::{Doubt, Reasons};

/// What speaks against a sample.
#[derive(Clone, Debug)]
pub(super) struct Objection {
    /// The most telling first.
    pub(super) doubts: Reasons<Doubt>,
    /// Whether a later collection that says the same dispels it.
    pub(super) can_be_confirmed: bool,
}
