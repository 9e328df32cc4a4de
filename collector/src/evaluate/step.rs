//! What a comparison says while it runs.

/// What a comparison is about to do.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// To compare so many methods.
    Comparison {
        /// What is compared, in words.
        what: &'a str,
        /// One after the other.
        methods: usize,
    },
    /// To fit and judge one of them.
    Method {
        /// Its name.
        name: &'a str,
        /// Its place among them, from 1.
        place: usize,
    },
}
