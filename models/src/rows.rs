//! Rows as a method gets them, not checked yet.

use kerncast_wire::Role;
use ndarray::{ArrayView1, ArrayView2};

/// n samples of p counters, as a method learns from them. Nothing in it is checked yet.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The columns' names (p).
    pub counters: &'a [String],
    /// Roles of the columns, as far as they are known (p): methods know a column by its role.
    pub roles: &'a [Option<Role>],
    /// Raw counter values (n × p).
    pub x: ArrayView2<'a, f64>,
    /// The response (n), seconds.
    pub y: ArrayView1<'a, f64>,
    /// The kernel of each row (n), as a number: what a method leaves out together when it chooses its
    /// settings, and what it counts once where it weighs kernels equally. Any numbers will do.
    pub kernels: &'a [usize],
    /// The number of last rows that are of generated kernels: where kernels count equally, these together count no more
    /// than all others together.
    pub generated: usize,
    /// A row with weight w counts as w equal rows (n); without weights each counts once.
    pub weights: Option<ArrayView1<'a, f64>>,
}

/// The first column with a role. `roles`: those of the columns (p).
pub(crate) fn with_role(roles: &[Option<Role>], role: Role) -> Option<usize> {
    roles.iter().position(|it| *it == Some(role))
}

/// The first of `columns` that has the earliest of the `alternatives` that any of them has.
pub(crate) fn first_with_role(
    roles: &[Option<Role>],
    columns: &[usize],
    alternatives: &[Role],
) -> Option<usize> {
    let plays = |role: &Role, column: usize| roles.get(column) == Some(&Some(*role));
    let find = |role| columns.iter().copied().find(|&column| plays(role, column));
    alternatives.iter().find_map(find)
}
