//! Local memory written for the suite's kernels.

use std::{collections::BTreeMap, path::Path};

use kerncast_collector::{clang::Clang, localize::rewritten};
use kerncast_suite::load;

/// Bytes of local memory of a work-group.
const MOST_BYTES: u64 = 32 << 10;

#[test]
fn sources_are_rewritten() {
    let clang = Clang::find().expect("clang-15 is installed");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels");
    let only = std::env::var("ONLY").ok();
    let mut mechanisms: BTreeMap<String, usize> = BTreeMap::new();
    let (mut with_local, mut of) = (0, 0);
    for kernel in load(&folder).expect("the suite") {
        if only.as_ref().is_some_and(|only| *only != kernel.name) {
            continue;
        }
        let has_local = kernel.variant("local").is_some();
        let made = match rewritten(&clang, &kernel, MOST_BYTES) {
            Ok(made) => made,
            Err(why) => {
                println!("{:<22} {} {why}", kernel.name, u8::from(has_local));
                continue;
            }
        };
        of += usize::from(has_local);
        with_local += usize::from(has_local && made.after.is_some());
        let placed: Vec<String> = made
            .localized
            .placed
            .iter()
            .map(|it| {
                *mechanisms.entry(format!("{:?}", it.mechanism)).or_default() += 1;
                format!("{} {:?}{:?} {}/{}", it.array, it.mechanism, it.extents, it.reads, it.fills)
            })
            .collect();
        let refusals: Vec<String> = made
            .localized
            .refusals
            .iter()
            .map(|it| format!("{}: {:?} {}", it.array.as_deref().unwrap_or("-"), it.reason, it.place))
            .collect();
        println!(
            "{:<22} {} [{}] | {}",
            kernel.name,
            u8::from(has_local),
            placed.join("; "),
            refusals.join("; ")
        );
        if only.is_some() {
            println!("{}", made.after.unwrap_or_default());
        }
    }
    println!("{with_local} of {of}; {mechanisms:?}");
}
