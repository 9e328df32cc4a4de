//! clang's syntax trees: whatever they say, accesses are found or there is no tree, and their numbers are made in time.

use kerncast_analysis::{
    accesses::{Accesses, launch::Geometry},
    ast::{Sources, Unit},
};

/// Tries one input; a panic is a find.
pub fn fuzz(json: &[u8]) {
    let json = String::from_utf8_lossy(json);
    let Ok(unit) = Unit::read(&json, &Sources::new()) else {
        return;
    };
    let geometry = Geometry {
        global: [64, 4, 1],
        local: [16, 2, 1],
        dimensions: 2,
        scalars: vec![Some(vec![16, 0, 0, 0]); 4],
    };
    for function in unit.functions.iter().take(2) {
        if let Some(accesses) = Accesses::of(&unit, &function.name) {
            for access in 0..accesses.accesses.len().min(8) {
                let _ = accesses.offsets_at_most(access, &geometry, [1, 0, 0], [3, 1, 0]);
            }
        }
    }
}
