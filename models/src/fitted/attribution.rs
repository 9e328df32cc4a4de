/// A forecast shared out among counters: `rest` and the shares add up to it, up to rounding.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribution {
    /// Seconds that no counter explains, such as an intercept.
    pub rest: f64,
    /// (column, seconds), in the columns' order.
    pub shares: Vec<(usize, f64)>,
}
