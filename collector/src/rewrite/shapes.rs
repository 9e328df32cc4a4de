//! Shapes that a kernel with local memory may have: work-groups, strips, padding.

use anyhow::Result;
use kerncast_analysis::localize::{LocalArray, Mechanism, TileForm};
use kerncast_suite::{Kernel, Launch};

use super::{RewrittenKernel, original_variant, parsed_variant::ParsedVariant, work_group};
use crate::clang::Clang;

/// Work-group sizes to try, in one dimension and in two.
const GROUPS_1D: [usize; 4] = [64, 128, 256, 512];
const GROUPS_2D: [[usize; 2]; 7] = [
    [8, 8],
    [16, 8],
    [16, 16],
    [32, 4],
    [32, 8],
    [32, 16],
    [64, 4],
];
/// Iterations of a strip to try.
const STRIP_LENGTHS: [u16; 4] = [8, 16, 32, 64];

/// A work-group size, where it differs from the launch file's, and a form of tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Work-group size by dimension.
    pub group_size: Option<Vec<usize>>,
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
        strips.extend(STRIP_LENGTHS.map(Some));
    }
    let is_padded = |extents: &[i64]| extents.iter().filter(|extent| **extent > 1).count() > 1;
    let is_tile = |it: &&LocalArray| matches!(it.mechanism, Mechanism::Tile | Mechanism::Strip);
    if placed
        .iter()
        .filter(is_tile)
        .any(|it| is_padded(&it.extents))
    {
        paddings.extend([Some(false), Some(true)]);
    }
    let mut group_sizes = vec![rewritten.shape.group_size.clone()];
    if rewritten.shape.group_size.is_none() {
        let others = other_group_sizes(clang, kernel, most_items)?;
        group_sizes.extend(others.into_iter().map(Some));
    }
    let mut all = Vec::new();
    for group_size in &group_sizes {
        for &strip in &strips {
            for &padding in &paddings {
                all.push(Shape {
                    group_size: group_size.clone(),
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
fn other_group_sizes(clang: &Clang, kernel: &Kernel, most_items: usize) -> Result<Vec<Vec<usize>>> {
    let variant = original_variant(kernel);
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
        1 => GROUPS_1D.map(|x| vec![x]).into(),
        2 => GROUPS_2D.map(Vec::from).into(),
        _ => Vec::new(),
    };
    let mut fits = |size: &Vec<usize>| {
        let mut all = launches.iter_mut();
        *size != own
            && size.iter().product::<usize>() <= most_items
            && all.all(|launch| work_group::reshape(launch, size).is_some())
    };
    Ok(sizes.into_iter().filter(|size| fits(size)).collect())
}
