use std::collections::BTreeMap;

use ndarray::{Array1, Array2};

use super::{AcrossError, Roles};
use crate::{Dataset, DatasetError, FitError, HoldOut, HoldOutKey};

/// One left out, and two of which each forecasts the other where something is to be chosen.
const KERNELS_NEEDED: usize = 3;

/// Workloads that several devices have run: one set of counters each, counted on a source device or
/// independent of any, and a time on every device.
#[derive(Clone, Debug)]
pub struct Workloads {
    /// Counters, kernels and, as the response, the times on the first device.
    first: Dataset,
    roles: Roles,
    devices: Vec<String>,
    times: Vec<Array1<f64>>,
}

impl Workloads {
    /// Of counter names (p), the kernel of each workload (n; what a hold-out leaves out together), raw
    /// counter values (n × p), and each device's name and times (n, seconds). `roles` says
    /// which columns say what.
    ///
    /// # Errors
    /// [`AcrossError`] where there is no device, a role's column is none, or a number is not finite (a
    /// time: not above 0).
    pub fn new(
        counters: Vec<String>,
        kernels: Vec<String>,
        x: Array2<f64>,
        times: BTreeMap<String, Array1<f64>>,
        roles: Roles,
    ) -> Result<Self, AcrossError> {
        let named = [roles.instructions, roles.items].into_iter();
        let mut named = named.chain(roles.longest).chain(roles.volumes.clone());
        if let Some(column) = named.find(|&column| column >= counters.len()) {
            let counters = counters.len();
            return Err(AcrossError::NoSuchColumn { column, counters });
        }
        let sets: Vec<Dataset> = times
            .values()
            .map(|y| Dataset::new(counters.clone(), kernels.clone(), x.clone(), y.clone()))
            .collect::<Result<_, DatasetError>>()?;
        let first = sets.into_iter().next().ok_or(AcrossError::NoDevice)?;
        let (devices, times) = times.into_iter().unzip();
        Ok(Self {
            first,
            roles,
            devices,
            times,
        })
    }

    /// The devices' names, sorted; other functions count devices in this order, from 0.
    #[must_use]
    pub fn devices(&self) -> &[String] {
        &self.devices
    }

    /// The times on `device` (n, seconds).
    ///
    /// # Panics
    /// Where there is no such device.
    #[must_use]
    pub fn times(&self, device: usize) -> &Array1<f64> {
        &self.times[device]
    }

    /// The workloads with their times on `device` as the response: what errors are told of.
    ///
    /// # Panics
    /// Where there is no such device.
    #[must_use]
    pub fn dataset(&self, device: usize) -> Dataset {
        self.first.with_response(self.times[device].clone())
    }

    /// Number of workloads.
    #[must_use]
    pub fn len(&self) -> usize {
        self.first.y().len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn x(&self) -> ndarray::ArrayView2<'_, f64> {
        self.first.x()
    }

    /// Which columns say what.
    #[must_use]
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// The kernel of each workload, as a number from 0 without a gap.
    pub(super) fn kernels(&self) -> &[usize] {
        self.first.kernel_numbers()
    }

    pub(super) fn kernels_of(&self, rows: &[usize]) -> Vec<usize> {
        rows.iter().map(|&row| self.kernels()[row]).collect()
    }

    pub(super) fn times_of(&self, device: usize, rows: &[usize]) -> Vec<f64> {
        rows.iter().map(|&row| self.times[device][row]).collect()
    }

    /// Every workload forecast once: `forecast` gets the rows to learn from and the rows of one kernel,
    /// and answers seconds for these. What is no number becomes a refusal.
    pub(super) fn leave_kernels_out(
        &self,
        forecast: impl Fn(&[usize], &[usize]) -> Result<Vec<f64>, AcrossError>,
    ) -> Result<HoldOut, AcrossError> {
        let count = self.kernels().iter().max().map_or(0, |last| last + 1);
        if count < KERNELS_NEEDED {
            let (found, needed) = (count, KERNELS_NEEDED);
            return Err(AcrossError::TooFewKernels { found, needed });
        }
        let mut seconds = vec![f64::NAN; self.len()];
        for kernel in 0..count {
            let (rest, left_out): (Vec<usize>, Vec<usize>) =
                (0..self.len()).partition(|&row| self.kernels()[row] != kernel);
            for (row, forecast) in left_out.iter().zip(forecast(&rest, &left_out)?) {
                seconds[*row] = forecast;
            }
        }
        let finite = |forecast: f64| {
            let refused = FitError::Forecast { forecast };
            if forecast.is_finite() {
                Ok(forecast)
            } else {
                Err(refused)
            }
        };
        Ok(HoldOut {
            key: HoldOutKey::Kernel,
            forecasts: seconds.into_iter().map(finite).collect(),
        })
    }
}
