//! Multiply-adds per second.

use std::fmt;

use super::{
    Way,
    bench::{Bench, Missing, Rate, vector},
};

/// Multiply-adds of a chain in a round.
const STEPS: usize = 8;
const GROUP: usize = 256;
/// Work-groups per compute unit: enough to fill it, and many, so that the last ones weigh little.
const GROUPS_PER_UNIT: usize = 32;
/// Components of a vector, and independent chains of them in a work-item. A GPU hides latency with
/// work-items, a CPU with chains of vectors.
const SHAPES: [(usize, usize); 6] = [(1, 8), (16, 8), (8, 8), (4, 4), (4, 8), (1, 16)];

/// A component's type.
#[derive(Clone, Copy)]
struct Number {
    name: &'static str,
    /// The chains' factor and summand, as bytes: every chain converges to 1, or cycles.
    factor: &'static [u8],
    summand: &'static [u8],
}

struct Shape {
    number: Number,
    width: usize,
    chains: usize,
}

const FP32: Number = Number {
    name: "float",
    factor: &0.75_f32.to_ne_bytes(),
    summand: &0.25_f32.to_ne_bytes(),
};
const FP64: Number = Number {
    name: "double",
    factor: &0.75_f64.to_ne_bytes(),
    summand: &0.25_f64.to_ne_bytes(),
};
const INT32: Number = Number {
    name: "uint",
    factor: &1_664_525_u32.to_ne_bytes(),
    summand: &1_013_904_223_u32.to_ne_bytes(),
};

pub(super) fn fp32(bench: Bench<'_>) -> Result<Vec<Way>, Missing> {
    compare(bench, FP32)
}

pub(super) fn fp64(bench: Bench<'_>) -> Result<Vec<Way>, Missing> {
    if bench.has_double {
        compare(bench, FP64)
    } else {
        Err(Missing::NoDouble)
    }
}

pub(super) fn int32(bench: Bench<'_>) -> Result<Vec<Way>, Missing> {
    compare(bench, INT32)
}

fn compare(bench: Bench<'_>, number: Number) -> Result<Vec<Way>, Missing> {
    let ways = SHAPES.map(|(width, chains)| Shape {
        number,
        width,
        chains,
    });
    bench.compare(ways, |way| rate(bench, way))
}

fn rate(bench: Bench<'_>, way: &Shape) -> Result<Rate, Missing> {
    let (number, width, chains) = (way.number, way.width, way.chains);
    let options = format!(
        "-D NUMBER={} -D ELEMENT={} -D CHAINS={chains} -D STEPS={STEPS}",
        number.name,
        way.element(),
    );
    let source = include_str!("arithmetic.cl");
    let mut function = bench.function(source, &options, "multiply_add")?;
    let items = GROUP * bench.groups(GROUPS_PER_UNIT);
    let out = bench.buffer(items * width * number.factor.len())?;
    function.set_buffer(0, out)?;
    function.set_scalar(1, number.factor)?;
    function.set_scalar(2, number.summand)?;
    let operations = 2 * items * width * chains * STEPS;
    bench.rate(operations as f64, |rounds| {
        function.set_scalar(3, &rounds.to_ne_bytes())?;
        bench.queue.launch(&function, &[items], &[GROUP], &[])
    })
}

impl Shape {
    fn element(&self) -> String {
        vector(self.number.name, self.width)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} chains of {}", self.chains, self.element())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use kerncast_opencl::devices;

    #[test]
    fn without_double_precision_there_is_no_rate_of_it() {
        let device = devices().expect("a device").remove(0);
        let queue = device.context().expect("a context").queue();
        let queue = queue.expect("a queue");
        let mut bench = Bench::new(&device, &queue, Duration::ZERO);
        bench.has_double = false;
        assert!(matches!(fp64(bench), Err(Missing::NoDouble)));
        bench.has_double = true;
        assert!(fp64(bench).is_ok());
    }
}
