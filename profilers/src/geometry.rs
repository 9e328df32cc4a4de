/// A launch's sizes, in OpenCL's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Geometry {
    /// Work-items of the launch, at least 1.
    pub work_items: u64,
    /// Work-items of a work-group, at least 1.
    pub work_group_items: u64,
    /// Work-items by dimension; none where the file does not say.
    pub global: Option<[u64; 3]>,
    /// Work-items of a work-group by dimension; none where the file does not say.
    pub local: Option<[u64; 3]>,
}

impl Geometry {
    /// Number of work-groups; the last one in a dimension may be smaller than the others.
    pub fn work_groups(&self) -> u64 {
        match (self.global, self.local) {
            (Some(global), Some(local)) => global
                .iter()
                .zip(local)
                .map(|(items, group)| items.div_ceil(group))
                .product(),
            _ => self.work_items.div_ceil(self.work_group_items),
        }
    }

    /// The counters of Kerncast's provider `launch` that follow from the geometry.
    pub fn counters(&self) -> [(&'static str, f64); 3] {
        [
            ("work_items", self.work_items as f64),
            ("work_groups", self.work_groups() as f64),
            ("work_group_size", self.work_group_items as f64),
        ]
    }

    /// A geometry of totals; none where one is 0.
    pub(crate) fn flat(work_items: u64, work_group_items: u64) -> Option<Self> {
        (work_items > 0 && work_group_items > 0).then_some(Self {
            work_items,
            work_group_items,
            global: None,
            local: None,
        })
    }

    /// A geometry of work-items by dimension; none where one is 0 or the product overflows.
    pub(crate) fn shaped(global: [u64; 3], local: [u64; 3]) -> Option<Self> {
        let flat = Self::flat(product(global)?, product(local)?)?;
        Some(Self {
            global: Some(global),
            local: Some(local),
            ..flat
        })
    }

    /// A geometry of CUDA's grid, which counts work-groups; none where a product overflows or is 0.
    pub(crate) fn of_groups(groups: [u64; 3], local: [u64; 3]) -> Option<Self> {
        let mut global = [0; 3];
        for axis in 0..3 {
            global[axis] = groups[axis].checked_mul(local[axis])?;
        }
        Self::shaped(global, local)
    }
}

fn product(sizes: [u64; 3]) -> Option<u64> {
    sizes.into_iter().try_fold(1_u64, u64::checked_mul)
}
