use super::*;

/// Code with a line for each row: its instruction and the number of times that it ran. Instructions have 16 bytes each,
/// from address 0 on.
fn code(text: &[(&str, u64)]) -> Vec<Line> {
    let lines = (0..).step_by(16).zip(text);
    lines
        .map(|(address, (instruction, executed))| Line {
            address,
            instruction: (*instruction).to_owned(),
            executed: *executed,
        })
        .collect()
}

fn cycles(text: &[(&str, u64)], chain: Chain) -> f64 {
    let all = chains(&code(text)).expect("there is code");
    let place = Chain::ALL.iter().position(|(it, _)| *it == chain);
    all[place.expect("all are there")]
}

#[track_caller]
fn same(cycles: f64, expected: f64) {
    assert!((cycles - expected).abs() < 1e-9, "{cycles}, not {expected}");
}

#[test]
fn no_code_has_no_chain() {
    assert_eq!(chains(&[]), None);
}

/// The cycles by hand: issued at 0, 4.5 and 9, and a cycle for the last.
#[test]
fn what_is_needed_is_waited_for() {
    let dependent = [
        ("IADD3 R1, R2, R3, RZ", 1),
        ("IADD3 R4, R1, R3, RZ", 1),
        ("IADD3 R5, R4, R3, RZ", 1),
    ];
    same(cycles(&dependent, Chain::Fixed), 10.0);
    // The pipe takes one every other cycle: 0, 2, 4.
    let independent = [
        ("IADD3 R1, R2, R3, RZ", 1),
        ("IADD3 R4, R2, R3, RZ", 1),
        ("IADD3 R5, R2, R3, RZ", 1),
    ];
    same(cycles(&independent, Chain::Fixed), 5.0);
}

/// Loads one after the other take a latency together, loads of loads one each.
#[test]
fn loads_overlap_unless_they_wait_for_each_other() {
    let side_by_side = [
        ("LDG.E R1, desc[UR4][R2.64]", 1),
        ("LDG.E R6, desc[UR4][R4.64]", 1),
        ("IADD3 R1, R1, R6, RZ", 1),
    ];
    let one_by_one = [
        ("LDG.E.64 R4, desc[UR4][R2.64]", 1),
        ("LDG.E R6, desc[UR4][R4.64]", 1),
        ("IADD3 R1, R6, R6, RZ", 1),
    ];
    let wait = |text: &[(&str, u64)]| cycles(text, Chain::L2) - cycles(text, Chain::Fixed);
    same(cycles(&side_by_side, Chain::L2), 4.0 + 250.0 + 1.0);
    same(cycles(&one_by_one, Chain::L2), 2.0 * 250.0 + 1.0);
    assert!(wait(&side_by_side) < 251.0 && wait(&one_by_one) > 490.0);
    // Local memory answers at once here.
    same(
        cycles(&one_by_one, Chain::LocalMemory),
        cycles(&one_by_one, Chain::Fixed),
    );
}

/// A store that may be to what is loaded next keeps the compiler from loading first: the sum is waited for
/// before each load, although no address depends on it.
#[test]
fn a_warp_issues_in_order() {
    let text = [
        ("LDG.E R10, desc[UR8][R8.64]", 1),
        ("IMAD.IADD R19, R17, 0x1, R10", 1),
        ("STG.E desc[UR8][R8.64], R19", 1),
        ("LDG.E R12, desc[UR8][R6.64]", 1),
        ("IMAD.IADD R21, R19, 0x1, R12", 1),
    ];
    let wait = cycles(&text, Chain::L2) - cycles(&text, Chain::Fixed);
    assert!((480.0..=500.0).contains(&wait), "{wait}");
}

/// Ten rounds: the add waits for that of the round before.
#[test]
fn a_loop_finds_what_its_end_has_left() {
    let text = [
        ("MOV R1, RZ", 1),
        ("FADD R1, R1, R2", 10),
        ("@P0 BRA 0x10", 10),
        ("EXIT", 1),
    ];
    // A round: the branch goes 6 cycles after the add's issue and one more; the sum is there by then.
    same(cycles(&text, Chain::Fixed), 1.0 + 10.0 * 8.0 + 1.0);
    let slow = [
        ("MOV R1, RZ", 1),
        ("LDG.E R1, desc[UR4][R8.64]", 10),
        ("@P0 BRA 0x10", 10),
        ("EXIT", 1),
    ];
    // Each load overwrites what the last one has not brought yet.
    let a_round = cycles(&slow, Chain::L2) / 10.0;
    assert!((249.0..254.0).contains(&a_round), "{a_round}");
}

#[test]
fn widths_predicates_and_guards_are_operands() {
    let late_pair = [("DADD R2, R4, R6", 1), ("MOV R9, R3", 1)];
    same(cycles(&late_pair, Chain::Fixed), 8.0 + 1.0);
    let guard = [
        ("ISETP.GE.AND P0, PT, R2, 0x1, PT", 1),
        ("@!P0 FADD R1, R2, R3", 1),
    ];
    same(cycles(&guard, Chain::Fixed), 4.5 + 1.0);
    let stored = [
        ("LDS.128 R4, [R8]", 1),
        ("STG.E.128 desc[UR4][R10.64], R4", 1),
    ];
    same(cycles(&stored, Chain::LocalMemory), 25.0 + 1.0);
    let last_of_four = [("LDS.128 R4, [R8]", 1), ("MOV R1, R7", 1)];
    same(cycles(&last_of_four, Chain::LocalMemory), 25.0 + 1.0);
    let carry = [
        ("IADD3 R6, P1, R2, R11, RZ", 1),
        ("LEA.HI.X R7, R11, R3, R7, 0x1, P1", 1),
    ];
    same(cycles(&carry, Chain::Fixed), 4.5 + 1.0);
}

/// Two launches of a sum down columns, of 64 and 4,096 rows, each row's sum stored before the next row is
/// loaded: a load waits for the one before it. tests/captured/README.md
const PREFIX_COLUMNS: &str =
    include_str!("../../tests/captured/ncu_2025.3_source_h200_prefix_columns.csv.txt");

#[test]
fn the_source_page_tells_how_many_loads_wait_for_each_other() {
    let listings = listings(PREFIX_COLUMNS).expect("captured");
    let functions: Vec<&str> = listings.iter().map(|it| &*it.function).collect();
    assert_eq!(functions, ["prefix_columns", "prefix_columns"]);
    let first = &listings[0].code;
    assert_eq!((first.len(), first[1].address), (88, 0x7f14_137a_0010));
    assert_eq!(first[0].instruction, "LDC R1, c[0x0][0x28]");
    for (listing, warps, waits) in [
        (&listings[0], 1.0, 63.0),
        (&listings[1], 16.0, 16.0 * 4095.0),
    ] {
        same(listing.code[0].executed as f64, warps);
        let [fixed, .., l1, l2, dram, _] = chains(&listing.code).expect("there is code");
        same(dram - l2, waits * 350.0);
        assert!(l2 - l1 > waits * 210.0 && l1 > fixed);
    }
}

#[test]
fn a_listing_without_counts_is_refused() {
    let without = "\"Kernel Name\",\"f\",\n\"Address\",\"Source\"\n";
    let error = listings(without).expect_err("no counts");
    assert_eq!(
        error.to_string(),
        "line 2: column `inst_executed` is missing from the header"
    );
    let cut = PREFIX_COLUMNS.replacen(",\"1\"", ",\"one\"", 1);
    let error = listings(&cut).expect_err("no number");
    assert_eq!(
        error.to_string(),
        "line 3, column `inst_executed`: `one`, expected a whole number"
    );
}
