//! Reads of local memory without bank conflicts.

use std::fmt;

use super::{
    Way,
    bench::{Bench, Missing, Rate, vector},
};

/// Reads of a work-item in a round, as in local.cl.
const READS: usize = 8;
/// Elements between two reads of a work-item.
const STRIDE: usize = 32;
const GROUPS_PER_UNIT: usize = 32;

struct Shape {
    /// Components of a vector.
    width: usize,
    /// Work-items of a group. Long elements have few, so that several groups fit into a compute unit and the array into
    /// a CPU's first cache.
    group: usize,
}

const SHAPES: [Shape; 6] = [
    Shape::new(2, 256),
    Shape::new(16, 64),
    Shape::new(8, 64),
    Shape::new(4, 256),
    Shape::new(1, 256),
    Shape::new(4, 64),
];

pub(super) fn bandwidth(bench: Bench<'_>) -> Result<Vec<Way>, Missing> {
    bench.compare(SHAPES, |way| rate(bench, way))
}

fn rate(bench: Bench<'_>, way: &Shape) -> Result<Rate, Missing> {
    let options = format!(
        "-D ELEMENT={} -D GROUP={} -D APART={STRIDE}",
        vector("uint", way.width),
        way.group
    );
    let source = include_str!("local.cl");
    let mut function = bench.function(source, &options, "read_local")?;
    let items = way.group * bench.groups(GROUPS_PER_UNIT);
    let element_bytes = way.width * size_of::<u32>();
    let out = bench.buffer(items * element_bytes)?;
    function.set_local(0, (way.group + (READS - 1) * STRIDE) * element_bytes)?;
    function.set_buffer(1, out)?;
    function.set_scalar(2, &1_i32.to_ne_bytes())?;
    bench.rate((items * READS * element_bytes) as f64, |rounds| {
        function.set_scalar(3, &rounds.to_ne_bytes())?;
        bench.queue.launch(&function, &[items], &[way.group], &[])
    })
}

impl Shape {
    const fn new(width: usize, group: usize) -> Self {
        Self { width, group }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, groups of {}",
            vector("uint", self.width),
            self.group
        )
    }
}
