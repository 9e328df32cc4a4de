//! Samples as numbers, checked once for all fits.

mod error;
mod regions;

use std::collections::BTreeMap;

use kerncast_wire::{HoldOutKey, Role};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};

pub use error::DatasetError;

use crate::{Rows, folds::numbered};

/// n samples of p counters and their response, checked once: nothing in it is missing or not finite, and every response
/// is above 0. Rows of generated kernels may follow. Every fit learns from them, also where something is left out, and
/// no fit is judged by them.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    counters: Vec<String>,
    roles: Vec<Option<Role>>,
    kernels: Vec<String>,
    kernel_numbers: Vec<usize>,
    family_numbers: Vec<usize>,
    /// Number of rows that judge (n): those of kernels that are not generated, which come first.
    judging: usize,
    x: Array2<f64>,
    y: Array1<f64>,
}

impl Dataset {
    /// Makes a dataset of counter names (p), the kernel of each row (n), raw counter values (n × p) and the response
    /// (n, seconds).
    ///
    /// # Errors
    /// [`DatasetError`] where the shapes disagree, a counter is not finite, or a response is not a finite number above
    /// 0.
    pub fn new(
        counters: Vec<String>,
        kernels: Vec<String>,
        x: Array2<f64>,
        y: Array1<f64>,
    ) -> Result<Self, DatasetError> {
        let (rows, columns) = x.dim();
        check_length("counters", counters.len(), columns)?;
        check_length("kernels", kernels.len(), rows)?;
        check_length("y", y.len(), rows)?;
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
        let kernel_numbers = numbered(&kernels);
        Ok(Self {
            roles: vec![None; counters.len()],
            counters,
            family_numbers: kernel_numbers.clone(),
            judging: rows,
            kernel_numbers,
            kernels,
            x,
            y,
        })
    }

    /// Sets what each column counts, as far as that is known (p). Otherwise nothing is known of any column.
    ///
    /// # Errors
    /// [`DatasetError`] where there are not p.
    pub fn with_roles(mut self, roles: Vec<Option<Role>>) -> Result<Self, DatasetError> {
        check_length("roles", roles.len(), self.counters.len())?;
        self.roles = roles;
        Ok(self)
    }

    /// Sets the family of each row (n). A kernel without one is its own family, as is every kernel where no families
    /// were set.
    ///
    /// # Errors
    /// [`DatasetError`] where there are not n, or a kernel is in two: leaving one of them out would then leave a part
    /// of the kernel in.
    pub fn with_families(mut self, families: &[Option<String>]) -> Result<Self, DatasetError> {
        check_length("families", families.len(), self.kernels.len())?;
        let own = |(family, kernel): (&Option<String>, &String)| {
            family.clone().unwrap_or_else(|| kernel.clone())
        };
        let families: Vec<String> = families.iter().zip(&self.kernels).map(own).collect();
        let mut of_kernel = BTreeMap::new();
        for (row, (family, kernel)) in families.iter().zip(&self.kernels).enumerate() {
            let other = *of_kernel.entry(kernel).or_insert(family);
            if other != family {
                return Err(DatasetError::Family {
                    row,
                    kernel: kernel.clone(),
                    family: family.clone(),
                    other: other.clone(),
                });
            }
        }
        self.family_numbers = numbered(&families);
        Ok(self)
    }

    /// Declares the last `generated` rows to be of generated kernels: from here on n is the number of the others.
    ///
    /// # Errors
    /// [`DatasetError`] where there are not as many rows.
    pub fn with_generated(mut self, generated: usize) -> Result<Self, DatasetError> {
        let rows = self.kernels.len();
        let judging = rows.checked_sub(generated);
        self.judging = judging.ok_or(DatasetError::Shape {
            field: "generated",
            found: generated,
            expected: rows,
        })?;
        Ok(self)
    }

    /// The dataset of these rows, in this order, without families. Rows of generated kernels come last.
    ///
    /// # Panics
    /// Where there is no such row, or one of a generated kernel stands before another.
    #[must_use]
    pub fn part(&self, rows: &[usize]) -> Self {
        let generated = rows.iter().filter(|row| **row >= self.judging).count();
        let judging = rows.len() - generated;
        assert!(
            rows[..judging].iter().all(|row| *row < self.judging),
            "generated kernels are last"
        );
        let kernels: Vec<String> = rows.iter().map(|row| self.kernels[*row].clone()).collect();
        let kernel_numbers = numbered(&kernels);
        Self {
            counters: self.counters.clone(),
            roles: self.roles.clone(),
            family_numbers: kernel_numbers.clone(),
            kernel_numbers,
            kernels,
            judging,
            x: self.x.select(Axis(0), rows),
            y: self.y.select(Axis(0), rows),
        }
    }

    /// Number of rows of generated kernels, which follow the n others.
    #[must_use]
    pub fn generated(&self) -> usize {
        self.kernels.len() - self.judging
    }

    /// The columns' names (p).
    #[must_use]
    pub fn counters(&self) -> &[String] {
        &self.counters
    }

    /// Roles of the columns, as far as they are known (p).
    #[must_use]
    pub fn roles(&self) -> &[Option<Role>] {
        &self.roles
    }

    /// The kernel of each row (n).
    #[must_use]
    pub fn kernels(&self) -> &[String] {
        &self.kernels[..self.judging]
    }

    /// The kernel of a row; rows of generated kernels count from n on.
    ///
    /// # Panics
    /// Where there is no such row.
    #[must_use]
    pub fn kernel(&self, row: usize) -> &str {
        &self.kernels[row]
    }

    /// The kernel of each row (n), as a number: from 0 without a gap, in the order of their first rows.
    #[must_use]
    pub fn kernel_numbers(&self) -> &[usize] {
        &self.kernel_numbers[..self.judging]
    }

    /// The fold of each row (n) where `key` is left out: from 0 without a gap, in the order of their first
    /// rows.
    #[must_use]
    pub fn folds(&self, key: HoldOutKey) -> Vec<usize> {
        match key {
            HoldOutKey::Row => (0..self.judging).collect(),
            HoldOutKey::Kernel => self.kernel_numbers().to_vec(),
            HoldOutKey::Family => self.family_numbers[..self.judging].to_vec(),
            HoldOutKey::Region => regions::regions(&Rows {
                x: self.x(),
                y: self.y(),
                kernels: self.kernel_numbers(),
                generated: 0,
                ..self.rows()
            }),
        }
    }

    /// Raw counter values (n × p).
    #[must_use]
    pub fn x(&self) -> ArrayView2<'_, f64> {
        self.x.slice(s![..self.judging, ..])
    }

    /// The response (n), seconds.
    #[must_use]
    pub fn y(&self) -> ArrayView1<'_, f64> {
        self.y.slice(s![..self.judging])
    }

    /// All rows, to fit to: those of generated kernels come last.
    #[must_use]
    pub fn rows(&self) -> Rows<'_> {
        Rows {
            counters: &self.counters,
            roles: &self.roles,
            x: self.x.view(),
            y: self.y.view(),
            kernels: &self.kernel_numbers,
            generated: self.y.len() - self.judging,
            weights: None,
        }
    }
}

fn check_length(field: &'static str, found: usize, expected: usize) -> Result<(), DatasetError> {
    if found != expected {
        return Err(DatasetError::Shape {
            field,
            found,
            expected,
        });
    }
    Ok(())
}
