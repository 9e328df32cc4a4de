//! Themes: what a generated kernel is mainly about.

macro_rules! themes {
    ($($theme:ident $family:literal $subject:literal,)*) => {
        /// A family of generated kernels.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Theme {
            $($theme,)*
        }

        /// Every theme with its family's name and its subject.
        pub(super) const THEMES: [(Theme, &str, &str); THEME_COUNT as usize] =
            [$((Theme::$theme, $family, $subject),)*];
    };
}

/// Number of themes.
pub(super) const THEME_COUNT: u32 = 26;

themes! {
    Stream "stream" "neighbours read side by side",
    Stride "stride" "neighbours read far apart",
    Gather "gather" "places to read are read first",
    RandomReads "random_reads" "reads anywhere",
    LoadsInFlight "loads_in_flight" "several reads at once, little arithmetic",
    Chase "chase" "each read says where the next is",
    Table "table" "all read the same",
    Neighbours "neighbours" "reads that overlap those of neighbours",
    Rows "rows" "a row a work-item",
    Columns "columns" "a column a work-item",
    InPlace "in_place" "rows or columns changed where they are",
    Arithmetic "arithmetic" "chains of arithmetic without memory",
    Mix "mix" "two kinds of arithmetic in turn",
    PrivateArray "private_array" "a private array that is indexed at run time",
    LocalReads "local_reads" "reads of local memory, with or without conflicts of banks",
    LocalChase "local_chase" "each read of local memory says where the next is",
    LocalArray "local_array" "each work-item changes an array of its own in local memory",
    Exchange "exchange" "neighbours exchange numbers between barriers",
    Reduce "reduce" "sums of work-groups by halving",
    Scan "scan" "prefix sums of work-groups",
    LocalCounts "local_counts" "atomics on local memory",
    AtomicsFew "atomics_few" "atomics of everybody on few addresses",
    AtomicsMany "atomics_many" "atomics on many addresses",
    Branches "branches" "work-items that do unlike work",
    StoresFew "stores_few" "everybody stores to few addresses",
    StoresScattered "stores_scattered" "stores anywhere",
}
