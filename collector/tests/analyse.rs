//! What is said of the suite's accesses, against a run of the same tree, and footprints by algebra against those by
//! enumeration.

use std::{collections::BTreeSet, path::Path};

use kerncast_analysis::{
    accesses::{
        Accesses, Class,
        launch::{Geometry, Level},
    },
    ast::Unit,
    trace::{Event, trace},
};
use kerncast_collector::clang::Clang;
use kerncast_suite::{Launch, load};

/// A kernel's variant at its smallest size.
struct Analysed {
    name: String,
    unit: Unit,
    accesses: Accesses,
    geometry: Geometry,
}

fn suite() -> Vec<Analysed> {
    let clang = Clang::find().expect("clang-15 is installed");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    let mut all = Vec::new();
    for kernel in load(&folder).expect("the suite") {
        for variant in &kernel.variants {
            let launch = Launch::new(&kernel, variant, &kernel.sizes[0].parameters).expect("a launch");
            let unit = clang.read(&launch, &kernel.folder).expect("a tree");
            let mut seen = BTreeSet::new();
            for step in launch.steps.iter().filter(|step| seen.insert(step.function.clone())) {
                all.push(Analysed {
                    name: format!("{} {} {}", kernel.name, variant.name, step.function),
                    accesses: Accesses::of(&unit, &step.function).expect("a kernel"),
                    unit: unit.clone(),
                    geometry: Geometry::of(step),
                });
            }
        }
    }
    all
}

/// The first, a middle and the last work-item of such groups.
fn items(geometry: &Geometry) -> Vec<([i64; 3], [i64; 3])> {
    let three = |sizes: [i64; 3]| [sizes.map(|_| 0), sizes.map(|size| size / 2), sizes.map(|size| size - 1)];
    let groups = three(geometry.groups());
    groups.iter().flat_map(|group| three(geometry.local).map(|local| (*group, local))).collect()
}

fn of_access<'e>(events: &'e [Event], all: &Accesses, access: usize) -> Vec<&'e Event> {
    let access = &all.accesses[access];
    let is_same = |event: &&Event| event.span == access.span && event.calls == access.calls && event.does == access.does;
    events.iter().filter(is_same).collect()
}

#[test]
fn every_access_is_what_a_run_of_the_tree_does() {
    let (mut same, mut unsure, mut hoisted, mut wrong) = (0, 0, 0, Vec::new());
    for it in suite() {
        for (group, local) in items(&it.geometry) {
            let Some(events) = trace(&it.unit, &it.accesses.function, &it.geometry, group, local) else {
                unsure += it.accesses.accesses.len();
                continue;
            };
            for access in 0..it.accesses.accesses.len() {
                let events = of_access(&events, &it.accesses, access);
                let found: Option<Vec<i64>> = events.iter().map(|event| event.offset.filter(|_| event.is_sure)).collect();
                let said = it.accesses.offsets(access, &it.geometry, group, local);
                let (Some(found), Some(said)) = (found, said) else {
                    unsure += 1;
                    continue;
                };
                let sets = |of: &[i64]| of.iter().copied().collect::<BTreeSet<_>>();
                if found == said {
                    same += 1;
                } else if sets(&found) == sets(&said) {
                    // A loop's bound is looked at once, and run every pass.
                    hoisted += 1;
                } else {
                    let place = &it.accesses.accesses[access].span.begin;
                    let index = it.accesses.text(&it.accesses.accesses[access].index);
                    let short = |of: &[i64]| format!("{:?}… ({})", &of[..of.len().min(6)], of.len());
                    wrong.push(format!(
                        "{} {place} {index} {group:?} {local:?}: ran {}, said {}",
                        it.name,
                        short(&found),
                        short(&said)
                    ));
                }
            }
        }
    }
    println!("{same} the same, {hoisted} of loops' bounds, {unsure} unsure, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same > 1, "{same}");
}

#[test]
fn footprints_by_algebra_are_those_by_enumeration() {
    let (mut groups, mut launches, mut affine, mut wrong) = (0, 0, 0, Vec::new());
    for it in suite() {
        for access in 0..it.accesses.accesses.len() {
            affine += usize::from(it.accesses.accesses[access].class == Class::Affine);
            let compared = it.accesses.compared(access, &it.geometry);
            let mut compare = |what: &str, (algebra, enumerated): (Option<Level>, Option<Level>), count: &mut usize| {
                let (Some(mut algebra), Some(mut enumerated)) = (algebra, enumerated) else {
                    return;
                };
                *count += 1;
                // Ranges by dimension are algebra's alone, where there are several.
                if enumerated.ranges.is_empty() {
                    algebra.ranges.clear();
                }
                if algebra.elements == 0 {
                    (algebra.ranges, enumerated.ranges) = Default::default();
                }
                if algebra != enumerated {
                    let place = &it.accesses.accesses[access].span.begin;
                    wrong.push(format!("{} {place} {what}: algebra {algebra:?}, enumeration {enumerated:?}", it.name));
                }
            };
            compare("group", compared.group, &mut groups);
            compare("launch", compared.launch, &mut launches);
        }
    }
    println!("{affine} affine, {groups} groups and {launches} launches compared, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(groups > 1, "{groups}");
}
