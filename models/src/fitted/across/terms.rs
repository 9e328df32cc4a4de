//! The columns that forms across devices know, and what may take time by them.

use ndarray::ArrayView1;

/// The columns that play each role: the little that has to be known of a provider to forecast across devices.
/// Everything else is learned. Columns count from 0.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Roles {
    /// Instructions executed by all work-items together.
    pub instructions: usize,
    /// Work-items of the launch.
    pub items: usize,
    /// Instructions of the longest chain, between barriers or in one work-item, where that is counted.
    pub longest: Option<usize>,
    /// Totals that cost where a throughput limits: bytes, sectors, distinct addresses.
    pub volumes: Vec<usize>,
}

impl Roles {
    /// Number of instructions that follow one another, 0 or more: one work-item's share, or the longest chain.
    pub(crate) fn chain(&self, row: ArrayView1<'_, f64>) -> f64 {
        // A launch has one work-item or more.
        let share = row[self.instructions] / row[self.items].max(1.0);
        let longest = self.longest.map_or(0.0, |column| row[column]);
        share.max(longest)
    }

    pub(crate) fn columns(&self) -> Vec<usize> {
        let columns = [self.instructions, self.items].into_iter();
        let columns = columns.chain(self.longest);
        columns.chain(self.volumes.iter().copied()).collect()
    }

    /// All terms that these counters give; the launch is first.
    pub(crate) fn terms(&self) -> Vec<Term> {
        let totals = [self.instructions].into_iter().chain(self.volumes.clone());
        let first = [Term::Launch, Term::Chain, Term::RootOfChain];
        first.into_iter().chain(totals.map(Term::Total)).collect()
    }
}

/// A term of the costs: something that may take time.
///
/// A total costs where throughput limits; the chain of instructions that one work-item goes through costs where latency
/// limits, however few work-items there are. Its root stands for latency that is partly hidden, so that the cost grows
/// more slowly than the chain.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Term {
    /// The launch: 1, what every launch costs.
    Launch,
    /// The chain of instructions.
    Chain,
    /// The square root of the chain.
    RootOfChain,
    /// A counter, by its column.
    Total(usize),
}

impl Term {
    /// The term's value for one row of raw counter values (p), 0 or more; a counter below 0 counts as 0.
    pub(crate) fn value(&self, roles: &Roles, row: ArrayView1<'_, f64>) -> f64 {
        match *self {
            Self::Launch => 1.0,
            Self::Chain => roles.chain(row).max(0.0),
            Self::RootOfChain => roles.chain(row).max(0.0).sqrt(),
            Self::Total(column) => row[column].max(0.0),
        }
    }
}
