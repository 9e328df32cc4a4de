use kerncast_wire::Ceilings;

/// What a workload asks of a device, in the ceilings' units; what was not counted is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Demand {
    /// Bytes read and written in global memory.
    pub global_bytes: Option<f64>,
    /// Single-precision operations.
    pub fp32_flop: Option<f64>,
    /// Double-precision operations.
    pub fp64_flop: Option<f64>,
    /// 32-bit integer operations.
    pub int32_op: Option<f64>,
    /// Bytes read and written in local memory.
    pub local_bytes: Option<f64>,
}

/// Ceilings that a kernel can run into.
pub(crate) const KINDS: usize = 6;

/// What a device does per second: global bytes, fp32, fp64, int32 and local bytes.
pub(crate) fn rates(ceilings: &Ceilings) -> [Option<f64>; KINDS - 1] {
    [
        ceilings.copy_bytes_per_s,
        ceilings.fp32_flop_per_s,
        ceilings.fp64_flop_per_s,
        ceilings.int32_op_per_s,
        ceilings.local_bytes_per_s,
    ]
}

impl Demand {
    /// The least seconds that each kind of it takes on a device: global bytes, fp32, fp64, int32, local
    /// bytes, and the launch itself. Absent where the demand or its ceiling is.
    pub(crate) fn seconds(&self, ceilings: &Ceilings) -> [Option<f64>; KINDS] {
        let at = |amount: Option<f64>, rate: Option<f64>| {
            let (amount, rate) = (amount?, rate?);
            (amount >= 0.0 && rate > 0.0).then(|| amount / rate)
        };
        [
            at(self.global_bytes, ceilings.copy_bytes_per_s),
            at(self.fp32_flop, ceilings.fp32_flop_per_s),
            at(self.fp64_flop, ceilings.fp64_flop_per_s),
            at(self.int32_op, ceilings.int32_op_per_s),
            at(self.local_bytes, ceilings.local_bytes_per_s),
            ceilings.launch_latency_s.filter(|&latency| latency > 0.0),
        ]
    }
}

/// The plain baseline that every forecast across devices stands beside: the time on the device counted on, as
/// many times longer on the target as the ceiling is lower that the workload is nearest to on the device
/// counted on.
///
/// That ceiling is the one whose demand would take longest there at the full rate (Williams, Waterman,
/// Patterson, Roofline, CACM 2009), the launch's latency among them; ceilings that one of the two devices
/// lacks are left out. Where nothing is known of the demand it is the copy's: most kernels wait for
/// memory. Absent where the devices have no such ceiling in common.
#[must_use]
pub fn scaled_by_ceilings(
    counted_on_time: f64,
    counted_on: &Ceilings,
    target: &Ceilings,
    demand: &Demand,
) -> Option<f64> {
    let (on_counted, on_target) = (demand.seconds(counted_on), demand.seconds(target));
    let known = demand != &Demand::default();
    let pairs = on_counted.into_iter().zip(on_target);
    let nearest = pairs
        .filter_map(|(counted_on, target)| Some((counted_on?, target?)))
        .filter(|&(counted_on, _)| known && counted_on > 0.0)
        .max_by(|one, other| one.0.total_cmp(&other.0));
    let ratio = match nearest {
        Some((counted_on, target)) => target / counted_on,
        None => counted_on.copy_bytes_per_s? / target.copy_bytes_per_s?,
    };
    Some(counted_on_time * ratio)
}
