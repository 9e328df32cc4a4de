//! Elements that a launch accesses outside of its buffers and of declared arrays.

use std::fmt;

use kerncast_suite::{Launch, LaunchArgument, Step};
use serde::Serialize;

use super::{algebra, barriers::corner_groups, enumerate::Enumeration, geometry::Geometry, warps};
use crate::accesses::{Access, Accesses, Array, Does};

/// The most points of a work-group that are enumerated where algebra does not tell.
const MOST_POINTS: u64 = 1 << 17;

/// The bytes of each parameter's buffer or local memory; none for other parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BufferSizes(Vec<Option<u64>>);

/// An access outside of its array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OutOfBounds {
    /// The array's name.
    pub array: String,
    /// Whether the launch file gives the array's length, rather than the source.
    pub is_argument: bool,
    /// The kind of access.
    pub does: Does,
    /// The farthest element outside; negative before the array's beginning.
    pub element: i64,
    /// Number of elements in the array.
    pub elements: u64,
}

impl BufferSizes {
    /// The sizes that one launch gives.
    pub fn of(launch: &Launch, step: &Step) -> Self {
        let size = |argument: &LaunchArgument| match argument {
            LaunchArgument::Buffer(place) => {
                let buffer = launch.buffers.get(*place)?;
                buffer.image.is_none().then_some(buffer.bytes() as u64)
            }
            LaunchArgument::Local(bytes) => Some(*bytes as u64),
            LaunchArgument::Null => Some(0),
            LaunchArgument::Sampler(_) | LaunchArgument::Scalar(_) => None,
        };
        Self(step.arguments.iter().map(size).collect())
    }

    fn bytes(&self, array: &Array) -> Option<u64> {
        if let Some(parameter) = array.parameter {
            return *self.0.get(parameter)?;
        }
        let (first, others) = array.lengths.split_first()?;
        let elements = others
            .iter()
            .try_fold(*first, |product, it| product.checked_mul(*it));
        elements?.checked_mul(array.element_bytes)
    }
}

impl Accesses {
    /// The farthest element outside of its array that the access with this number certainly touches. Algebra of the
    /// whole launch may tell; otherwise the work-groups at the launch's corners and in its middle are enumerated.
    /// Accesses that depend on data are not certain, nor are pointers that may be into several arrays.
    pub fn out_of_bounds(
        &self,
        access: usize,
        geometry: &Geometry,
        sizes: &BufferSizes,
    ) -> Option<OutOfBounds> {
        let access = &self.accesses[access];
        if !access.also.is_empty() {
            return None;
        }
        let array = &self.arrays[access.array?];
        let size = i64::try_from(sizes.bytes(array)?).ok()?;
        let bytes = i64::try_from(access.bytes).ok()?;
        let (least, most) = self.touched_range(access, geometry)?;
        let element = i64::try_from(array.element_bytes.max(1)).ok()?;
        let end = most.checked_add(bytes)?;
        let outside = match (least < 0, end > size) {
            (_, true) => (end - 1).div_euclid(element),
            (true, false) => least.div_euclid(element),
            (false, false) => return None,
        };
        Some(OutOfBounds {
            array: array.name.clone(),
            is_argument: array.parameter.is_some(),
            does: access.does,
            element: outside,
            elements: (size / element).unsigned_abs(),
        })
    }

    /// Bytes from the beginning of a parameter's buffer to the last one that a launch certainly touches, and whether
    /// that covers all its accesses: it does not cover those that depend on data. None where there is no access.
    pub fn touched_bytes(&self, parameter: usize, geometry: &Geometry) -> Option<(u64, bool)> {
        let own = self.of_parameter(parameter);
        own.map(|access| match self.touched_range(access, geometry) {
            Some((_, most)) => ((most.max(0) as u64).saturating_add(access.bytes), true),
            None => (0, false),
        })
        .reduce(|one, other| (one.0.max(other.0), one.1 && other.1))
    }

    /// The least and the greatest byte at which an access certainly begins; none where it never happens.
    fn touched_range(&self, access: &Access, geometry: &Geometry) -> Option<(i64, i64)> {
        if let Some(range) = algebra::byte_range(self, geometry, access) {
            return range;
        }
        let warps = warps(geometry)?;
        let mut touched: Option<(i64, i64)> = None;
        for group in corner_groups(geometry.groups()) {
            let mut enumeration = Enumeration::new(self, geometry, access, MOST_POINTS).ok()?;
            for lanes in &warps {
                let result = enumeration.visit_warp(group, lanes, &mut |touches| {
                    for offset in touches.iter().map(|touch| touch.offset) {
                        let (least, most) = touched.unwrap_or((offset, offset));
                        touched = Some((least.min(offset), most.max(offset)));
                    }
                });
                if enumeration.at_most {
                    return None;
                }
                // What was enumerated is certain all the same.
                if result.is_err() {
                    break;
                }
            }
        }
        touched
    }
}

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let does = match self.does {
            Does::Load => "read",
            Does::Store => "written",
            Does::Atomic => "changed",
        };
        let (kind, end) = if self.is_argument {
            ("argument", "beyond its buffer")
        } else {
            ("array", "beyond its end")
        };
        let (array, element, elements) = (&self.array, self.element, self.elements);
        let side = if element < 0 {
            "before its beginning"
        } else {
            end
        };
        write!(
            f,
            "{kind} `{array}` is {does} {side}: element {element} of {elements}"
        )
    }
}
