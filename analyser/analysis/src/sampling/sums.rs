//! Tables of sums.

/// Defines the sums of a launch, each with the name of the counter that it is, if it is one.
macro_rules! sums {
    ($($(#[$doc:meta])* $sum:ident $($counter:literal)?,)*) => {
        /// A sum over work-groups.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Sum {
            $($(#[$doc])* $sum,)*
        }

        /// Number of sums.
        pub(super) const SUMS: usize = [$(Sum::$sum),*].len();

        /// Sums that are counters as they are, with the counters' names.
        pub(super) const SUM_COUNTERS: &[(Sum, &str)] = &[$($((Sum::$sum, $counter),)?)*];
    };
}

pub(crate) use sums;
