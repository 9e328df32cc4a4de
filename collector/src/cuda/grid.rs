//! OpenCL's launch sizes in CUDA's terms.

use super::CudaError;

/// The work-groups of a launch, and the work-items of a work-group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Work-groups by dimension.
    pub groups: [u32; 3],
    /// Work-items of a work-group by dimension.
    pub items: [u32; 3],
    /// Number of dimensions of the launch.
    pub dimensions: u32,
}

/// The most work-groups by dimension (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
const MOST_GROUPS: [usize; 3] = [(1 << 31) - 1, 65_535, 65_535];
const MOST_ITEMS: u32 = 1024;

impl Grid {
    /// The grid of global and local sizes, 1 to 3 of each; every local size divides its global size.
    ///
    /// # Errors
    /// There are more work-groups than CUDA launches at once.
    ///
    /// # Panics
    /// The sizes are not as said above.
    pub fn new(global: &[usize], local: &[usize]) -> Result<Self, CudaError> {
        assert!(global.len() == local.len() && (1..=3).contains(&global.len()));
        let (mut groups, mut items) = ([1; 3], [1; 3]);
        for (axis, (global, local)) in global.iter().zip(local).enumerate() {
            assert_eq!(global % local, 0, "work-groups are whole");
            let (count, most) = (global / local, MOST_GROUPS[axis]);
            groups[axis] =
                u32::try_from(count)
                    .ok()
                    .filter(|_| count <= most)
                    .ok_or(CudaError::Grid {
                        dimension: axis + 1,
                        groups: count,
                        most,
                    })?;
            // Too large a work-group is the driver's to refuse.
            items[axis] = u32::try_from(*local).unwrap_or(MOST_ITEMS + 1);
        }
        Ok(Self {
            groups,
            items,
            dimensions: u32::try_from(global.len()).unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_groups_and_refuses_too_many() {
        let grid = Grid::new(&[64, 48], &[16, 4]).expect("small");
        assert_eq!((grid.groups, grid.items), ([4, 12, 1], [16, 4, 1]));
        assert!(Grid::new(&[65_536], &[1]).is_ok());
        let refused = Grid::new(&[1, 65_536], &[1, 1]).expect_err("too many");
        let refused = refused.to_string();
        assert!(
            refused.starts_with(
                "65536 work-groups in dimension 2; CUDA launches at most 65535 there at once"
            ),
            "{refused}"
        );
    }
}
