//! Elements that a launch accesses and that are not there: beyond a buffer, or an array that is declared.

use std::fmt;

use kerncast_suite::{Launch, LaunchArgument, Step};
use serde::Serialize;

use super::{
    algebra::{self, Of},
    enumerate::Enumeration,
    reached::corners,
    value::Geometry,
    warps,
};
use crate::accesses::{Access, Accesses, Array, Does};

/// Points of a work-group that are gone through where algebra does not tell.
const MOST_POINTS: u64 = 1 << 17;

/// Of each parameter the bytes that the launch gives it; none of what is no buffer and no local memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rooms(Vec<Option<u64>>);

/// An access that leaves its array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Beyond {
    /// The array's name.
    pub array: String,
    /// Whether the launch file says how long it is, rather than the source.
    pub is_argument: bool,
    /// What is done there.
    pub does: Does,
    /// The farthest element outside; negative before the array's beginning.
    pub element: i64,
    /// Elements that the array has.
    pub elements: u64,
}

impl Rooms {
    /// Of one launch.
    pub fn of(launch: &Launch, step: &Step) -> Self {
        let room = |argument: &LaunchArgument| match argument {
            LaunchArgument::Buffer(place) => {
                let buffer = launch.buffers.get(*place)?;
                buffer.image.is_none().then_some(buffer.bytes() as u64)
            }
            LaunchArgument::Local(bytes) => Some(*bytes as u64),
            LaunchArgument::Null => Some(0),
            LaunchArgument::Sampler(_) | LaunchArgument::Scalar(_) => None,
        };
        Self(step.arguments.iter().map(room).collect())
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
    /// Whether the access in this place leaves its array for sure: by algebra of the whole launch; where that does not
    /// tell, by going through the work-groups at the launch's corners and in its middle. What depends on data is not
    /// sure, nor is a pointer that may be into several arrays.
    pub fn beyond(&self, access: usize, geometry: &Geometry, rooms: &Rooms) -> Option<Beyond> {
        let access = &self.accesses[access];
        if !access.also.is_empty() {
            return None;
        }
        let array = &self.arrays[access.array?];
        let room = i64::try_from(rooms.bytes(array)?).ok()?;
        let bytes = i64::try_from(access.bytes).ok()?;
        let (least, most) = self.touched(access, geometry)?;
        let element = i64::try_from(array.element_bytes.max(1)).ok()?;
        let end = most.checked_add(bytes)?;
        let outside = match (least < 0, end > room) {
            (_, true) => (end - 1).div_euclid(element),
            (true, false) => least.div_euclid(element),
            (false, false) => return None,
        };
        Some(Beyond {
            array: array.name.clone(),
            is_argument: array.parameter.is_some(),
            does: access.does,
            element: outside,
            elements: (room / element).unsigned_abs(),
        })
    }

    /// Bytes from the beginning of a parameter's buffer to the last one that a launch surely touches, and whether that is
    /// known of all its accesses: what depends on data is not. None where there is no access.
    pub fn reach(&self, parameter: usize, geometry: &Geometry) -> Option<(u64, bool)> {
        let own = self.of_parameter(parameter);
        own.map(|access| match self.touched(access, geometry) {
            Some((_, most)) => ((most.max(0) as u64).saturating_add(access.bytes), true),
            None => (0, false),
        })
        .reduce(|one, other| (one.0.max(other.0), one.1 && other.1))
    }

    /// The least and the greatest byte at which it surely happens; none where it never does.
    fn touched(&self, access: &Access, geometry: &Geometry) -> Option<(i64, i64)> {
        if let Some(extent) = algebra::extent(self, geometry, access, Of::Launch) {
            return extent;
        }
        let warps = warps(geometry)?;
        let mut touched: Option<(i64, i64)> = None;
        for group in corners(geometry.groups()) {
            let mut enumeration = Enumeration::of(self, geometry, access, MOST_POINTS).ok()?;
            for lanes in &warps {
                let mut found = touched;
                let gone = enumeration.warp(group, lanes, &mut |touches| {
                    for offset in touches.iter().map(|touch| touch.offset) {
                        let (least, most) = found.unwrap_or((offset, offset));
                        found = Some((least.min(offset), most.max(offset)));
                    }
                });
                if enumeration.at_most {
                    return None;
                }
                touched = found;
                // What was gone through is sure all the same.
                if gone.is_err() {
                    break;
                }
            }
        }
        touched
    }
}

impl fmt::Display for Beyond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let does = match self.does {
            Does::Load => "read",
            Does::Store => "written",
            Does::Atomic => "changed",
        };
        let (what, its) = match self.is_argument {
            true => ("argument", "its buffer"),
            false => ("array", "its end"),
        };
        let Self {
            array,
            element,
            elements,
            ..
        } = self;
        match *element < 0 {
            true => write!(
                f,
                "{what} `{array}` is {does} before its beginning: element {element} of {elements}"
            ),
            false => write!(
                f,
                "{what} `{array}` is {does} beyond {its}: element {element} of {elements}"
            ),
        }
    }
}
