//! What lies in local memory of a variant that was made, for its kernel's page (docs/localize.md): what it is called and
//! how it is declared there, and how the banks serve it.

use std::path::Path;

use kerncast_analysis::{
    accesses::{
        Accesses,
        launch::{BankRequest, Geometry, Rooms},
        report::{AccessReport, ArrayReport, Report},
    },
    ast::Space,
    localize::{Mechanism, Placed},
};
use kerncast_suite::{Kernel, load};
use kerncast_wire::{
    AccessDoes, Mechanism as Word, PlacedArray, TileLane, TileRequest, TileSide, VariantAnalysis,
};

use crate::{
    clang::Clang, localize::GENERATED, providers::Analysis, source_page::variant_analysis,
    workload::Workload,
};

/// A variant that was made.
#[derive(Clone, Debug)]
pub struct OnPage {
    /// Absent where the launch file has no sizes for a GPU.
    pub variant: Option<VariantAnalysis>,
    /// One a placed array, in their order.
    pub placed: Vec<PlacedArray>,
}

/// Of the kernel in `folder`, that has the variant that was made, at the launch file's first size.
///
/// # Errors
/// There is no clang, or the folder has no such variant.
pub fn on_page(analysis: &Analysis, folder: &Path, placed: &[Placed]) -> Result<OnPage, String> {
    let kernel = load(folder).map_err(|why| why.to_string())?.pop();
    let kernel = kernel.ok_or("the folder has no kernel")?;
    let variant = kernel
        .variant(GENERATED)
        .ok_or("the variant is not there")?;
    let read = Read::of(analysis.clang()?, &kernel)?;
    let mut taken = Vec::new();
    Ok(OnPage {
        variant: variant_analysis(analysis, &kernel, variant),
        placed: placed
            .iter()
            .filter_map(|it| read.placed(it, &mut taken))
            .collect(),
    })
}

/// The variant that was made, read anew.
struct Read {
    accesses: Accesses,
    geometry: Geometry,
    report: Report,
}

impl Read {
    fn of(clang: &Clang, kernel: &Kernel) -> Result<Self, String> {
        let workload = Workload {
            kernel,
            variant: kernel
                .variant(GENERATED)
                .ok_or("the variant is not there")?,
            parameters: kernel.sizes[0].parameters.clone(),
        };
        let launch = workload.launch().map_err(|why| why.to_string())?;
        let unit = clang.read(&launch, &kernel.folder);
        let unit = unit.map_err(|why| why.to_string())?;
        let step = launch.only_step().ok_or("it has several launches")?;
        let accesses = Accesses::of(&unit, &step.function).ok_or("its function is not there")?;
        let geometry = Geometry::of(step);
        let report = accesses.report(&geometry, &Rooms::of(&launch, step));
        Ok(Self {
            accesses,
            geometry,
            report,
        })
    }

    /// Nothing of an array that lies in local memory no more.
    fn placed(&self, placed: &Placed, taken: &mut Vec<usize>) -> Option<PlacedArray> {
        let declared = self.declared(placed, taken);
        let mut lengths =
            declared.map_or_else(Vec::new, |it| self.report.arrays[it].lengths.clone());
        let sides = placed
            .extents
            .iter()
            .zip(&placed.halo)
            .map(|(extent, halo)| TileSide {
                extent: small(*extent),
                before: small(halo.before),
                behind: small(halo.behind),
                length: match extent {
                    1 if placed.extents.len() > 1 => Some(1),
                    _ if lengths.is_empty() => None,
                    _ => Some(small(lengths.remove(0))),
                },
            });
        Some(PlacedArray {
            array: placed.array.clone(),
            name: declared.map(|it| self.report.arrays[it].name.clone()),
            mechanism: match placed.mechanism {
                Mechanism::Tile => Word::Tile,
                Mechanism::Strip => Word::Strip,
                Mechanism::Plane => Word::Plane,
                // A column is the part of a work-item.
                Mechanism::Part | Mechanism::Columns => Word::Part,
                Mechanism::Privatised => Word::Privatised,
                Mechanism::Staged => Word::Staged,
                Mechanism::Table => Word::Table,
            },
            sides: sides.collect(),
            element_bytes: placed.element_bytes,
            bytes: placed.bytes,
            reads: placed.reads,
            fills: placed.fills,
            request: declared.and_then(|it| self.request(it)),
        })
    }

    /// The array that is declared for it: by its name, and by its form, of which loops that never run at the same time
    /// share one.
    fn declared(&self, placed: &Placed, taken: &mut Vec<usize>) -> Option<usize> {
        let begin = format!("{}_", placed.array);
        let is_it = |array: &ArrayReport| {
            array.memory == Space::Local
                && array.name.starts_with(&begin)
                && array.element_bytes == placed.element_bytes
                && is_form(placed, &array.lengths)
        };
        let arrays = self.report.arrays.iter().enumerate();
        let all: Vec<usize> = arrays.filter(|it| is_it(it.1)).map(|it| it.0).collect();
        let free = all.iter().find(|it| !taken.contains(it)).copied();
        let found = free.or(all.first().copied());
        taken.extend(found);
        found
    }

    /// The read that the banks serve worst: a tile is read more often than it is filled. Where nothing reads it, another
    /// access.
    fn request(&self, array: usize) -> Option<TileRequest> {
        let own = self.report.accesses.iter().enumerate();
        let own = own.filter(|(_, access)| access.array == Some(array));
        let found = own.filter_map(|(place, access)| {
            let request = self.accesses.worst_request(place, &self.geometry)?;
            Some((access, request))
        });
        let rank = |(access, request): &(&AccessReport, BankRequest)| {
            (access.does == AccessDoes::Load, request.passes)
        };
        let worst = found.reduce(|one, other| match rank(&other) > rank(&one) {
            true => other,
            false => one,
        });
        let (access, request) = worst?;
        let lane = |(lane, offset): &(usize, i64)| TileLane {
            lane: small(*lane),
            offset: small(*offset),
        };
        Some(TileRequest {
            access: self.report.named(access),
            line: access.place.line,
            bytes: small(access.bytes),
            passes: small(request.passes),
            lanes: request.lanes.iter().map(lane).collect(),
        })
    }
}

/// Whether these are a tile's lengths: without sides of one element, with padding.
fn is_form(placed: &Placed, lengths: &[u64]) -> bool {
    let wide = |extent: &&i64| placed.extents.len() == 1 || **extent > 1;
    let extents: Vec<u64> = placed
        .extents
        .iter()
        .filter(wide)
        .map(|it| it.unsigned_abs())
        .collect();
    let is_padded = |(extent, length): (&u64, &u64)| (*extent..=*extent + 1).contains(length);
    extents.len() == lengths.len() && extents.iter().zip(lengths).all(is_padded)
}

/// What is of a tile is far below this type's end.
fn small(number: impl TryInto<u32>) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}
