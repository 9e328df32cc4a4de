//! What is said of the suite's accesses, against a run of the same tree, and footprints by algebra against those by
//! enumeration.

use std::{collections::BTreeSet, path::Path};

use kerncast_analysis::{
    accesses::{
        Access, Accesses, Class,
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

/// Of the same text: a macro may read its argument twice, which are two accesses at one place.
fn is_same(event: &Event, access: &Access) -> bool {
    (&event.span, &event.calls, event.does) == (&access.span, &access.calls, access.does)
}

/// What a run did at an access's place, and what is said of all accesses there; none where either is not sure.
fn both(it: &Analysed, events: &[Event], access: &Access, item: ([i64; 3], [i64; 3])) -> Option<(Vec<i64>, Vec<i64>)> {
    let own = events.iter().filter(|event| is_same(event, access));
    let mut ran: Vec<i64> = own.map(|event| event.offset.filter(|_| event.is_sure)).collect::<Option<_>>()?;
    let mut said = Vec::new();
    for (index, other) in it.accesses.accesses.iter().enumerate() {
        if (&other.span, &other.calls, other.does) == (&access.span, &access.calls, access.does) {
            said.extend(it.accesses.offsets(index, &it.geometry, item.0, item.1)?);
        }
    }
    ran.sort_unstable();
    said.sort_unstable();
    Some((ran, said))
}

#[test]
fn every_access_is_what_a_run_of_the_tree_does() {
    let (mut same, mut unsure, mut wrong) = (0, 0, Vec::new());
    for it in suite() {
        for item in items(&it.geometry) {
            let Some(events) = trace(&it.unit, &it.accesses.function, &it.geometry, item.0, item.1) else {
                unsure += it.accesses.accesses.len();
                continue;
            };
            for event in &events {
                let is_known = it.accesses.accesses.iter().any(|access| is_same(event, access));
                assert!(is_known, "{}: {event:?} is no access", it.name);
            }
            for access in &it.accesses.accesses {
                match both(&it, &events, access, item) {
                    None => unsure += 1,
                    Some((ran, said)) if ran == said => same += 1,
                    Some((ran, said)) => {
                        let (place, index) = (&access.span.begin, it.accesses.text(&access.index));
                        wrong.push(format!("{} {place} {index} {item:?}: ran {ran:?}, said {said:?}", it.name));
                    }
                }
            }
        }
    }
    println!("{same} the same, {unsure} unsure, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Nine work-items of every access; unsure is what depends on data.
    assert!(same >= 12_000 && unsure <= 2_500, "{same} {unsure}");
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
    assert!(groups >= 1_100 && launches >= 1_090, "{groups} {launches}");
}
