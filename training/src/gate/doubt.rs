/// What speaks against a sample.
#[derive(Clone, Debug)]
pub(super) struct Doubt {
    /// In words and numbers.
    pub(super) reason: String,
    /// Whether a later collection that says the same dispels it.
    pub(super) can_be_confirmed: bool,
}
