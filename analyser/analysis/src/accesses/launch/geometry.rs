//! A launch's sizes and the numbers that it passes.

use kerncast_suite::{LaunchArgument, Step};

use crate::accesses::atom::{Atom, Id, wrapped};

/// The geometry of a launch: sizes, and numbers passed by value.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    /// Work-items, by dimension.
    pub global: [i64; 3],
    /// Work-items of a work-group, by dimension.
    pub local: [i64; 3],
    /// Number of dimensions that the launch names, 1 to 3.
    pub dimensions: i64,
    /// The bytes of each parameter that is passed by value.
    pub scalars: Vec<Option<Vec<u8>>>,
}

impl Geometry {
    /// The geometry of one launch.
    pub fn of(step: &Step) -> Self {
        let three = |sizes: &[usize]| {
            [0, 1, 2].map(|dimension| {
                let size = sizes.get(dimension).copied().unwrap_or(1);
                i64::try_from(size).unwrap_or(i64::MAX).max(1)
            })
        };
        let scalar = |argument: &LaunchArgument| match argument {
            LaunchArgument::Scalar(bytes) => Some(bytes.clone()),
            _ => None,
        };
        Self {
            global: three(&step.global),
            local: three(&step.local),
            dimensions: i64::try_from(step.global.len()).unwrap_or(3),
            scalars: step.arguments.iter().map(scalar).collect(),
        }
    }

    /// Work-groups, by dimension.
    pub fn groups(&self) -> [i64; 3] {
        [0, 1, 2].map(|it| (self.global[it] / self.local[it]).max(1))
    }

    fn scalar(&self, parameter: usize, at: u64, bytes: u8, signed: bool) -> Option<i64> {
        let own = self.scalar_bytes(parameter, at, bytes)?;
        let mut eight = [0; 8];
        eight.get_mut(..own.len())?.copy_from_slice(own);
        Some(wrapped(i64::from_le_bytes(eight), bytes, signed))
    }

    /// The `bytes` bytes from `at` on of a parameter that is passed by value.
    pub(super) fn scalar_bytes(&self, parameter: usize, at: u64, bytes: u8) -> Option<&[u8]> {
        let all = self.scalars.get(parameter)?.as_ref()?;
        let begin = usize::try_from(at).ok()?;
        all.get(begin..begin.checked_add(bytes.into())?)
    }

    /// An atom's value, if it is the same for the whole launch.
    pub(crate) fn launch_constant(&self, atom: &Atom) -> Option<i64> {
        match atom {
            Atom::Scalar(parameter, at, bytes, signed) => {
                self.scalar(*parameter, *at, *bytes, *signed)
            }
            Atom::Cut(real, bytes, signed) => self.truncate(real, *bytes, *signed),
            Atom::Id(id, dimension) => {
                let at = usize::from(*dimension);
                match id {
                    Id::GlobalSize => self.global.get(at).copied(),
                    Id::LocalSize => self.local.get(at).copied(),
                    Id::Groups => self.groups().get(at).copied(),
                    Id::Dimensions => Some(self.dimensions),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
