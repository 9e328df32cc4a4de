//! Shapes that a kernel with local memory may have: work-groups, strips, padding.

use anyhow::Result;
use kerncast_analysis::localize::{Mechanism, TileForm};
use kerncast_suite::{Kernel, Launch};

use super::{RewrittenKernel, original, parsed_variant::ParsedVariant, work_group};
use crate::clang::Clang;

/// Work-group sizes to try, in one dimension and in two.
const LINES: [usize; 4] = [64, 128, 256, 512];
const AREAS: [[usize; 2]; 7] = [
    [8, 8],
    [16, 8],
    [16, 16],
    [32, 4],
    [32, 8],
    [32, 16],
    [64, 4],
];
/// Iterations of a strip to try.
const STRIPS: [u16; 4] = [8, 16, 32, 64];

/// A work-group size, where it differs from the launch file's, and a form of tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Work-group size by dimension.
    pub tile: Option<Vec<usize>>,
    /// The form of tiles.
    pub form: TileForm,
}

/// All shapes but the usual one, for work-groups of at most `most_items` work-items. Some may give the same source.
///
/// # Errors
/// The source can't be read, or the launch file has no usable value.
pub fn other_shapes(
    clang: &Clang,
    kernel: &Kernel,
    rewritten: &RewrittenKernel,
    most_items: usize,
) -> Result<Vec<Shape>> {
    let placed = &rewritten.localized.placed;
    let mut strips = vec![None];
    let mut paddings = vec![None];
    if placed.iter().any(|it| it.mechanism == Mechanism::Strip) {
        strips.extend(STRIPS.map(Some));
    }
    let is_padded = |extents: &[i64]| extents.iter().filter(|extent| **extent > 1).count() > 1;
    let tiles = [Mechanism::Tile, Mechanism::Strip];
    let mut of_tiles = placed.iter().filter(|it| tiles.contains(&it.mechanism));
    if of_tiles.any(|it| is_padded(&it.extents)) {
        paddings.extend([Some(false), Some(true)]);
    }
    let mut tiles = vec![rewritten.tile.clone()];
    if rewritten.tile.is_none() {
        let others = other_work_groups(clang, kernel, most_items)?;
        tiles.extend(others.into_iter().map(Some));
    }
    let mut all = Vec::new();
    for tile in &tiles {
        for &strip in &strips {
            for &padding in &paddings {
                all.push(Shape {
                    tile: tile.clone(),
                    form: TileForm { strip, padding },
                });
            }
        }
    }
    // The usual form.
    all.remove(0);
    Ok(all)
}

/// Other work-group sizes that the kernel could have; empty where it needs its own.
fn other_work_groups(clang: &Clang, kernel: &Kernel, most_items: usize) -> Result<Vec<Vec<usize>>> {
    let variant = original(kernel);
    let parsed = ParsedVariant::read(clang, kernel, variant, None)?;
    if !work_group::is_of_any_size(&parsed.unit, &parsed.accesses) {
        return Ok(Vec::new());
    }
    let launches = kernel.sizes.iter();
    let launches = launches.map(|size| Launch::new(kernel, variant, &size.parameters));
    let mut launches: Vec<Launch> = launches.collect::<Result<_, _>>()?;
    let steps = || launches.iter().flat_map(|launch| &launch.steps);
    let own = steps().next().map_or(Vec::new(), |step| step.local.clone());
    let sizes: Vec<Vec<usize>> = match own.len() {
        1 => LINES.map(|x| vec![x]).into(),
        2 => AREAS.map(Vec::from).into(),
        _ => Vec::new(),
    };
    let mut fits = |tile: &Vec<usize>| {
        let items: usize = tile.iter().product();
        let mut all = launches.iter_mut();
        *tile != own
            && items <= most_items
            && all.all(|launch| work_group::reshape(launch, tile).is_some())
    };
    Ok(sizes.into_iter().filter(|tile| fits(tile)).collect())
}
