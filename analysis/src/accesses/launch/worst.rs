//! Of an access to local memory the request that its banks serve worst.

use super::{Enumeration, Geometry, WARP, request, warps};
use crate::{accesses::Accesses, ast::Space};

/// A warp's request of local memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BankRequest {
    /// Passes over 32 banks of 4 bytes.
    pub passes: u64,
    /// Lanes of the warp, each with the bytes from the array's beginning at which it accesses it.
    pub lanes: Vec<(usize, i64)>,
}

impl Accesses {
    /// The first request of a work-group that takes the most passes, of the same work-group as
    /// [`measured`](Self::measured); none where nothing is known of it, or the access is to another memory.
    pub fn worst_request(&self, access: usize, geometry: &Geometry) -> Option<BankRequest> {
        let access = &self.accesses[access];
        let is_local = self.arrays[access.array?].space == Space::Local;
        if !is_local {
            return None;
        }
        let bytes = i64::try_from(access.bytes).unwrap_or(1).min(1 << 12);
        let groups = geometry.groups();
        let mut worst = BankRequest::default();
        for group in [
            groups.map(|count| count / 2),
            [0; 3],
            groups.map(|count| count - 1),
        ] {
            let most = super::points(self, access);
            let mut enumeration = Enumeration::of(self, geometry, access, most).ok()?;
            for lanes in warps(geometry)? {
                // Where there are too many requests, the worst of the first ones.
                let gone = enumeration.warp(group, &lanes, &mut |touches| {
                    let passes = request::bank_passes(touches, bytes);
                    if passes > worst.passes {
                        let lanes = touches.iter().map(|it| (it.lane % WARP, it.offset));
                        worst = BankRequest {
                            passes,
                            lanes: lanes.collect(),
                        };
                    }
                });
                if gone.is_err() {
                    break;
                }
            }
            if worst.passes > 0 {
                return Some(worst);
            }
        }
        None
    }
}
