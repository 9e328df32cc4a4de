use thiserror::Error;

/// Why numbers are no [`Dataset`](crate::Dataset). Rows count from 0.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DatasetError {
    /// A part has another length than x says.
    #[error("{field} has {found} entries; the counter values ask for {expected}")]
    Shape {
        /// The part.
        field: &'static str,
        /// Its length.
        found: usize,
        /// The length that x asks for.
        expected: usize,
    },
    /// A defect: the dataset was never made.
    #[error("{0}")]
    Defect(String),
    /// A counter is NaN or infinite.
    #[error("row {row} ({kernel}): {counter} is {value}; expected a finite number")]
    Counter {
        /// The row.
        row: usize,
        /// Its kernel.
        kernel: String,
        /// The counter's name.
        counter: String,
        /// The counter's value.
        value: f64,
    },
    /// A response is no time.
    #[error("row {row} ({kernel}): the response is {value}; expected a finite number above 0")]
    Response {
        /// The row.
        row: usize,
        /// Its kernel.
        kernel: String,
        /// The response's value.
        value: f64,
    },
    /// A kernel's rows name different families.
    #[error("row {row} ({kernel}): the family is {family}; expected {other}, as in earlier rows")]
    Family {
        /// The row.
        row: usize,
        /// Its kernel.
        kernel: String,
        /// Its family.
        family: String,
        /// The family of the kernel's earlier rows.
        other: String,
    },
}
