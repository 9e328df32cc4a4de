use std::collections::BTreeMap;

use ndarray::{Array1, Array2, ArrayView1, ArrayView2};
use thiserror::Error;

use crate::Training;

/// n samples of p counters and their response, checked once: nothing in it is missing or not finite,
/// and every response is above 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    counters: Vec<String>,
    kernels: Vec<String>,
    kernel_numbers: Vec<usize>,
    x: Array2<f64>,
    y: Array1<f64>,
}

impl Dataset {
    /// Of counter names (p), the kernel of each row (n), raw counter values (n × p) and the response
    /// (n, seconds).
    ///
    /// # Errors
    /// [`DatasetError`] where the shapes disagree, a counter is not finite, or a response is not a
    /// finite number above 0.
    pub fn new(
        counters: Vec<String>,
        kernels: Vec<String>,
        x: Array2<f64>,
        y: Array1<f64>,
    ) -> Result<Self, DatasetError> {
        let (rows, columns) = x.dim();
        for (field, found, expected) in [
            ("counters", counters.len(), columns),
            ("kernels", kernels.len(), rows),
            ("y", y.len(), rows),
        ] {
            if found != expected {
                return Err(DatasetError::Shape {
                    field,
                    found,
                    expected,
                });
            }
        }
        if let Some(((row, column), &value)) = x.indexed_iter().find(|(_, v)| !v.is_finite()) {
            return Err(DatasetError::Counter {
                row,
                kernel: kernels[row].clone(),
                counter: counters[column].clone(),
                value,
            });
        }
        let impossible = |v: f64| !v.is_finite() || v <= 0.0;
        if let Some((row, &value)) = y.indexed_iter().find(|&(_, &v)| impossible(v)) {
            return Err(DatasetError::Response {
                row,
                kernel: kernels[row].clone(),
                value,
            });
        }
        Ok(Self {
            counters,
            kernel_numbers: numbers(&kernels),
            kernels,
            x,
            y,
        })
    }

    /// The columns' names (p).
    #[must_use]
    pub fn counters(&self) -> &[String] {
        &self.counters
    }

    /// The kernel of each row (n).
    #[must_use]
    pub fn kernels(&self) -> &[String] {
        &self.kernels
    }

    /// The kernel of each row (n), as a number: from 0 without a gap, in the order of their first rows.
    #[must_use]
    pub fn kernel_numbers(&self) -> &[usize] {
        &self.kernel_numbers
    }

    /// Raw counter values (n × p).
    #[must_use]
    pub fn x(&self) -> ArrayView2<'_, f64> {
        self.x.view()
    }

    /// The response (n), seconds.
    #[must_use]
    pub fn y(&self) -> ArrayView1<'_, f64> {
        self.y.view()
    }

    /// All of it, to fit to.
    #[must_use]
    pub fn training(&self) -> Training<'_> {
        Training {
            counters: &self.counters,
            x: self.x(),
            y: self.y(),
            kernels: &self.kernel_numbers,
            weights: None,
        }
    }
}

fn numbers(names: &[String]) -> Vec<usize> {
    let mut numbers = BTreeMap::new();
    let number = |name| {
        let next = numbers.len();
        *numbers.entry(name).or_insert(next)
    };
    names.iter().map(number).collect()
}

/// Why numbers are no [`Dataset`]. Rows count from 0.
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
    /// A counter is NaN or infinite.
    #[error("row {row} ({kernel}): {counter} is {value}; expected a finite number")]
    Counter {
        /// The row.
        row: usize,
        /// Its kernel.
        kernel: String,
        /// The counter's name.
        counter: String,
        /// What was there.
        value: f64,
    },
    /// A response is no time.
    #[error("row {row} ({kernel}): the response is {value}; expected a finite number above 0")]
    Response {
        /// The row.
        row: usize,
        /// Its kernel.
        kernel: String,
        /// What was there.
        value: f64,
    },
}
