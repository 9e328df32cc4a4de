/// What one fold of a hold-out leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HoldOutKey {
    /// One row. A method that has to refit leaves up to a fiftieth of the rows out at a time.
    Row,
    /// All rows of a kernel: the headline, since a new kernel is what a model is asked about.
    Kernel,
    /// All rows of a family: sibling kernels know each other's times.
    Family,
    /// All rows of a device.
    Device,
}

impl HoldOutKey {
    /// What it is called.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Kernel => "kernel",
            Self::Family => "family",
            Self::Device => "device",
        }
    }
}
