use kerncast_wire::Role;
use ndarray::ArrayView1;

use super::Demand;
use crate::rows::playing;

/// Units by role; what there is of a kind adds up.
type Units = &'static [(Role, f64)];

const GLOBAL_BYTES: Units = &[
    (Role::DramReadSectors, 32.0),
    (Role::DramWriteSectors, 32.0),
    (Role::IrGlobalLoadBytes, 1.0),
    (Role::IrGlobalStoreBytes, 1.0),
];
const FP32_FLOP: Units = &[
    (Role::Fp32Adds, 1.0),
    (Role::Fp32Multiplies, 1.0),
    (Role::Fp32MultiplyAdds, 2.0),
];
const FP64_FLOP: Units = &[
    (Role::Fp64Adds, 1.0),
    (Role::Fp64Multiplies, 1.0),
    (Role::Fp64MultiplyAdds, 2.0),
];
const INT32_OP: Units = &[(Role::ItemIntegers, 1.0)];
/// A pass moves 4 bytes of each of 32 banks.
const LOCAL_BYTES: Units = &[
    (Role::LocalLoadPasses, 128.0),
    (Role::LocalStorePasses, 128.0),
    (Role::IrLocalLoadBytes, 1.0),
    (Role::IrLocalStoreBytes, 1.0),
];

/// Which columns make up a workload's [`Demand`]: (column, units per count), by kind. Where a kind has
/// none, nobody counted it.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(from = "crate::stored::Units", into = "crate::stored::Units")]
pub struct Demands {
    /// Bytes read and written in global memory.
    pub global_bytes: Vec<(usize, f64)>,
    /// Single-precision operations.
    pub fp32_flop: Vec<(usize, f64)>,
    /// Double-precision operations.
    pub fp64_flop: Vec<(usize, f64)>,
    /// 32-bit integer operations.
    pub int32_op: Vec<(usize, f64)>,
    /// Bytes read and written in local memory.
    pub local_bytes: Vec<(usize, f64)>,
}

impl Demands {
    /// Of the roles of columns (p). Floating-point operations of intermediate code are not among them: who
    /// counts those does not tell single from double precision.
    #[must_use]
    pub fn of(roles: &[Option<Role>]) -> Self {
        let columns = |units: Units| {
            let found = units.iter();
            found
                .filter_map(|&(role, unit)| Some((playing(roles, role)?, unit)))
                .collect()
        };
        Self {
            global_bytes: columns(GLOBAL_BYTES),
            fp32_flop: columns(FP32_FLOP),
            fp64_flop: columns(FP64_FLOP),
            int32_op: columns(INT32_OP),
            local_bytes: columns(LOCAL_BYTES),
        }
    }

    pub(crate) fn columns(&self) -> Vec<usize> {
        let columns = self.kinds().into_iter().flatten();
        columns.map(|&(column, _)| column).collect()
    }

    /// In the order of [`rates`](super::rates).
    pub(crate) fn kinds(&self) -> [&[(usize, f64)]; 5] {
        [
            &self.global_bytes,
            &self.fp32_flop,
            &self.fp64_flop,
            &self.int32_op,
            &self.local_bytes,
        ]
    }

    /// What one row of raw counter values (p) asks of a device.
    ///
    /// # Panics
    /// Where `row` is shorter than the columns ask for.
    #[must_use]
    pub fn demand(&self, row: ArrayView1<'_, f64>) -> Demand {
        let sum = |columns: &[(usize, f64)]| {
            let units = columns.iter().map(|&(column, units)| units * row[column]);
            (!columns.is_empty()).then(|| units.sum())
        };
        Demand {
            global_bytes: sum(&self.global_bytes),
            fp32_flop: sum(&self.fp32_flop),
            fp64_flop: sum(&self.fp64_flop),
            int32_op: sum(&self.int32_op),
            local_bytes: sum(&self.local_bytes),
        }
    }
}
