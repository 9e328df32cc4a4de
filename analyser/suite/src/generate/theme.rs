//! Themes: what a generated kernel is mainly about.

/// A family of generated kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theme {
    Stream,
    Stride,
    Gather,
    RandomReads,
    LoadsInFlight,
    Chase,
    Table,
    Neighbours,
    Rows,
    Columns,
    InPlace,
    Arithmetic,
    Mix,
    PrivateArray,
    LocalReads,
    LocalChase,
    LocalArray,
    Exchange,
    Reduce,
    Scan,
    LocalCounts,
    AtomicsFew,
    AtomicsMany,
    Branches,
    StoresFew,
    StoresScattered,
}

use Theme as T;

/// Number of themes.
pub(super) const THEME_COUNT: u32 = 26;

/// Every theme with its family's name and its subject.
pub(super) const THEMES: [(Theme, &str, &str); THEME_COUNT as usize] = [
    (T::Stream, "stream", "neighbours read side by side"),
    (T::Stride, "stride", "neighbours read far apart"),
    (T::Gather, "gather", "places to read are read first"),
    (T::RandomReads, "random_reads", "reads anywhere"),
    (
        T::LoadsInFlight,
        "loads_in_flight",
        "several reads at once, little arithmetic",
    ),
    (T::Chase, "chase", "each read says where the next is"),
    (T::Table, "table", "all read the same"),
    (
        T::Neighbours,
        "neighbours",
        "reads that overlap those of neighbours",
    ),
    (T::Rows, "rows", "a row a work-item"),
    (T::Columns, "columns", "a column a work-item"),
    (
        T::InPlace,
        "in_place",
        "rows or columns changed where they are",
    ),
    (
        T::Arithmetic,
        "arithmetic",
        "chains of arithmetic without memory",
    ),
    (T::Mix, "mix", "two kinds of arithmetic in turn"),
    (
        T::PrivateArray,
        "private_array",
        "a private array that is indexed at run time",
    ),
    (
        T::LocalReads,
        "local_reads",
        "reads of local memory, with or without conflicts of banks",
    ),
    (
        T::LocalChase,
        "local_chase",
        "each read of local memory says where the next is",
    ),
    (
        T::LocalArray,
        "local_array",
        "each work-item changes an array of its own in local memory",
    ),
    (
        T::Exchange,
        "exchange",
        "neighbours exchange numbers between barriers",
    ),
    (T::Reduce, "reduce", "sums of work-groups by halving"),
    (T::Scan, "scan", "prefix sums of work-groups"),
    (T::LocalCounts, "local_counts", "atomics on local memory"),
    (
        T::AtomicsFew,
        "atomics_few",
        "atomics of everybody on few addresses",
    ),
    (T::AtomicsMany, "atomics_many", "atomics on many addresses"),
    (T::Branches, "branches", "work-items that do unlike work"),
    (
        T::StoresFew,
        "stores_few",
        "everybody stores to few addresses",
    ),
    (T::StoresScattered, "stores_scattered", "stores anywhere"),
];
