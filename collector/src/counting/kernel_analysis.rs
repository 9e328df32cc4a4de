//! The analysis of a kernel's sources for its page (docs/analysis.md): its accesses, and what a GPU would count of
//! each.

use kerncast_analysis::{
    accesses::report, gpu_counters::AccessShares, llvm::Space, run::AccessKind,
};
use kerncast_suite::{Kernel, Variant};
use kerncast_wire::{
    AccessDoes, DeviceKind, KernelAnalysis, Memory, SourceAccess, SourceNote, VariantAnalysis,
    provider::ANALYSIS,
};

use crate::{device::is_for, providers, source_analysis::accesses::reports, workload::Workload};

/// The most bytes of a launch's buffers; larger ones take long to fill.
const LARGEST_LAUNCH_BYTES: usize = 64 << 20;

/// Analyses every variant, at the largest sizes for a GPU whose buffers are filled quickly.
///
/// # Errors
/// There is no clang.
pub fn kernel_analysis(
    analysis: &providers::Analysis,
    kernel: &Kernel,
) -> Result<KernelAnalysis, String> {
    let version = analysis.version()?;
    let variants = kernel.variants.iter();
    Ok(KernelAnalysis {
        tool: format!("kerncast {}, {version}", env!("CARGO_PKG_VERSION")),
        variants: variants
            .filter_map(|variant| workload_analysis(analysis, &representative(kernel, variant)?))
            .collect(),
    })
}

/// Analyses a workload for a GPU; none where its launch file gives it no launch.
#[must_use]
pub fn workload_analysis(
    analysis: &providers::Analysis,
    workload: &Workload<'_>,
) -> Option<VariantAnalysis> {
    let mut answer = VariantAnalysis {
        variant: workload.variant.name.clone(),
        parameters: workload.parameters.clone(),
        refusal: None,
        accesses: Vec::new(),
        notes: Vec::new(),
        counters: None,
        scope: None,
        uncounted: None,
    };
    let reports = analysis.clang().and_then(|clang| reports(clang, workload));
    match reports {
        Err(why) => answer.refusal = Some(why),
        Ok(reports) => {
            for report in &reports {
                let accesses = report.accesses.iter();
                let accesses = accesses.map(|access| source_access(report, access));
                answer.accesses.extend(accesses);
                answer.notes.extend(notes(report));
            }
        }
    }
    let launch = workload.launch().ok()?;
    match analysis.gpu_counts(workload, &launch, analysis.gpu()) {
        Err(why) => answer.uncounted = Some(why),
        Ok(counted) => {
            share_out(&mut answer.accesses, &counted.access_shares);
            answer.scope = Some(providers::scope(counted.extent));
            let (counters, local_bytes) = (counted.counters, counted.local_bytes);
            let counters = providers::with_geometry(ANALYSIS, counters, &launch, local_bytes);
            answer.counters = Some(counters);
        }
    }
    Some(answer)
}

fn representative<'k>(kernel: &'k Kernel, variant: &'k Variant) -> Option<Workload<'k>> {
    let sizes = kernel.sizes.iter();
    let for_gpu = sizes.filter(|it| is_for(it, DeviceKind::Gpu));
    let mut workloads = for_gpu.map(|size| Workload {
        kernel,
        variant,
        parameters: size.parameters.clone(),
    });
    let is_small = |workload: &Workload<'k>| {
        let launch = workload.launch();
        launch.is_ok_and(|launch| launch.global_bytes() <= LARGEST_LAUNCH_BYTES)
    };
    let mut largest_first = workloads.clone().rev();
    largest_first.find(is_small).or_else(|| workloads.next())
}

fn source_access(report: &report::Report, access: &report::AccessReport) -> SourceAccess {
    let (place, measured) = (&access.place, &access.measured);
    SourceAccess {
        file: place.file.to_string(),
        line: place.line,
        column: place.column,
        access: report.access_text(access),
        does: access.does,
        // Nobody knows the memory of a pointer that is not followed.
        memory: access
            .array
            .map_or(Memory::Private, |array| report.arrays[array].memory),
        class: access.class,
        reasons: access.reasons.clone(),
        sectors: measured.sectors,
        bank_passes: measured.bank_passes,
        reuse_by_item: measured.reuse.map(|reuse| reuse.by_item),
        reuse_by_group: measured.reuse.map(|reuse| reuse.by_group),
        group_elements: measured.group.as_ref().map(|group| group.elements),
        shares: Default::default(),
    }
}

fn notes(report: &report::Report) -> Vec<SourceNote> {
    let notes = report.notes().into_iter();
    notes
        .map(|note| SourceNote {
            file: note.place.file.to_string(),
            line: note.place.line,
            column: note.place.column,
            text: note.text,
        })
        .collect()
}

/// Adds each count to the access of its line, kind and memory with the nearest column, because the compiler names some
/// column within an access.
fn share_out(accesses: &mut [SourceAccess], counted: &[AccessShares]) {
    for counts in counted {
        let Some(location) = &counts.location else {
            continue;
        };
        let (does, memory) = (does(counts.kind), memory(counts.space));
        let on_line = accesses.iter_mut().filter(|access| {
            (access.line, access.does, access.memory) == (location.line, does, memory)
                && access.file == location.file
        });
        let nearest = on_line.min_by_key(|access| access.column.abs_diff(location.column));
        if let Some(access) = nearest {
            for (counter, share) in &counts.shares {
                *access.shares.entry((*counter).to_owned()).or_default() += share;
            }
        }
    }
}

fn does(kind: AccessKind) -> AccessDoes {
    match kind {
        AccessKind::Load => AccessDoes::Load,
        AccessKind::Store => AccessDoes::Store,
        AccessKind::Atomic(_) | AccessKind::CompareExchange => AccessDoes::Atomic,
    }
}

fn memory(space: Space) -> Memory {
    match space {
        Space::Global => Memory::Global,
        Space::Constant => Memory::Constant,
        Space::Local => Memory::Local,
        Space::Private => Memory::Private,
    }
}
