//! Texts that are wrong in any way cost a refusal, never a panic: read, inlined, sliced and run.

use kerncast_analysis::{
    llvm,
    run::{Goal, Machine, Memory, Slice, lower},
};
use kerncast_suite::{LaunchArgument, Step};
use proptest::prelude::*;

const TEXTS: [&str; 4] = [
    include_str!("llvm/bitonic_sort.ll"),
    include_str!("llvm/histogram.ll"),
    include_str!("llvm/median_filter.ll"),
    include_str!("llvm/tree_search.ll"),
];

/// All that can be done with a text.
fn follow(text: &str) {
    let Ok(module) = llvm::read(text) else { return };
    for function in &module.functions {
        let Ok(program) = lower(&module, &function.name) else {
            continue;
        };
        for wanted in [Goal::Branches, Goal::Addresses, Goal::Values] {
            let Ok(slice) = Slice::new(&program, wanted, &[]) else {
                continue;
            };
            let arguments = program.arguments.iter();
            let arguments = arguments.map(|_| LaunchArgument::Scalar(vec![1, 0, 0, 0]));
            let step = Step {
                function: function.name.as_str().into(),
                names: Vec::new().into(),
                arguments: arguments.collect(),
                global: vec![16],
                local: vec![8],
                round: None,
                is_timed: true,
            };
            let machine = Machine::new(&program, &slice, &step, Memory::default(), 3);
            let Ok(mut machine) = machine else { continue };
            machine.limit = 20_000;
            let items = machine.all_items();
            let _ = machine.run_group([1, 0, 0], &items, &mut ());
        }
    }
}

#[test]
fn the_texts_themselves_are_followed() {
    for text in TEXTS {
        assert!(llvm::read(text).is_ok());
        follow(text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn changed_texts_never_panic(
        which in 0..TEXTS.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..5, any::<prop::sample::Index>()), 1..12),
    ) {
        let mut lines: Vec<&str> = TEXTS[which].lines().collect();
        let words = ["i32", "%0", "0", "-1", "ptr", "<4 x i8>", "[9 x i64]", "@f", "label", "undef", "(", "}", "i128"];
        let mut own: Vec<String> = Vec::new();
        for (place, kind, other) in &changes {
            let (at, from) = (place.index(lines.len()), other.index(lines.len()));
            match kind {
                0 => {
                    lines.remove(at);
                }
                1 => lines.swap(at, from),
                2 => lines[at] = lines[from],
                _ => {
                    let mut parts: Vec<&str> = lines[at].split(' ').collect();
                    let part = other.index(parts.len());
                    parts[part] = words[place.index(words.len())];
                    own.push(format!("{at} {}", parts.join(" ")));
                }
            }
            if lines.is_empty() {
                break;
            }
        }
        let mut all: Vec<String> = lines.into_iter().map(str::to_owned).collect();
        for change in own {
            if let Some((at, line)) = change.split_once(' ')
                && let Ok(at) = at.parse::<usize>()
                && at < all.len()
            {
                all[at] = line.to_owned();
            }
        }
        follow(&all.join("\n"));
    }
}
