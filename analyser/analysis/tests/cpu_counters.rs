//! What a CPU does with a launch, counted by hand.
#![expect(clippy::float_cmp, reason = "counts come out whole")]

use std::collections::BTreeMap;

use kerncast_analysis::{
    cpu_counters, llvm,
    run::lower,
    sampling::{Budget, CountedLaunch},
};
use kerncast_suite::{LaunchArgument, Step};

/// b[id] = a[id * stride] + 1, of 256 work-items in work-groups of 64.
fn copied(stride: u32) -> BTreeMap<String, f64> {
    let text = format!(
        r"
define spir_kernel void @f(ptr addrspace(1) %a, ptr addrspace(1) %b) {{
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %place = mul i64 %id, {stride}
  %from = getelementptr inbounds float, ptr addrspace(1) %a, i64 %place
  %number = load float, ptr addrspace(1) %from, align 4
  %more = fadd float %number, 1.0
  %to = getelementptr inbounds float, ptr addrspace(1) %b, i64 %id
  store float %more, ptr addrspace(1) %to, align 4
  ret void
}}
declare spir_func i64 @_Z13get_global_idj(i32)
"
    );
    counted(&text, 256 * stride as usize)
}

fn counted(text: &str, elements: usize) -> BTreeMap<String, f64> {
    let program = lower(&llvm::read(text).expect("a module"), "f").expect("a program");
    let step = Step {
        function: "f".into(),
        names: Vec::new().into(),
        arguments: vec![LaunchArgument::Buffer(0), LaunchArgument::Buffer(1)],
        global: vec![256],
        local: vec![64],
        round: None,
        is_timed: true,
    };
    let launch = CountedLaunch {
        program: &program,
        step: &step,
        bytes: &[4 * elements, 4 * 256],
        input: &|_| None,
        budget: Budget::for_addresses(),
    };
    cpu_counters::count(&launch, 2).expect("counts").counters
}

#[test]
fn neighbours_are_loaded_by_vectors() {
    let counters = copied(1);
    // Vectors of 8 floats.
    assert_eq!(counters["cpu_loads"], 256.0 / 8.0);
    assert_eq!(counters["cpu_stores"], 256.0 / 8.0);
    assert_eq!(counters["cpu_float_instructions"], 256.0 / 8.0);
    assert_eq!(counters["cpu_scalar_instructions"], 0.0);
    assert_eq!(counters["cpu_gathered_loads"], 0.0);
    // 1 KiB each.
    assert_eq!(counters["cpu_lines"], 32.0);
    assert_eq!(counters["cpu_written_lines"], 16.0);
}

#[test]
fn what_lies_apart_is_gathered() {
    let counters = copied(16);
    assert_eq!(counters["cpu_gathered_loads"], 256.0);
    assert_eq!(counters["cpu_scattered_stores"], 0.0);
    // A line each.
    assert_eq!(counters["cpu_lines"], 256.0 + 16.0);
}

/// Each work-item sums its row of 32; `kind` is of the numbers, `add` adds.
fn summed(kind: &str, add: &str, zero: &str) -> BTreeMap<String, f64> {
    let text = format!(
        r"
define spir_kernel void @f(ptr addrspace(1) %a, ptr addrspace(1) %b) {{
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %id, 32
  br label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi {kind} [ {zero}, %entry ], [ %more, %loop ]
  %place = add i64 %row, %at
  %from = getelementptr inbounds {kind}, ptr addrspace(1) %a, i64 %place
  %number = load {kind}, ptr addrspace(1) %from, align 4
  %more = {add} {kind} %sum, %number
  %next = add i64 %at, 1
  %again = icmp ult i64 %next, 32
  br i1 %again, label %loop, label %out
out:
  %to = getelementptr inbounds {kind}, ptr addrspace(1) %b, i64 %id
  store {kind} %more, ptr addrspace(1) %to, align 4
  ret void
}}
declare spir_func i64 @_Z13get_global_idj(i32)
"
    );
    counted(&text, 256 * 32)
}

#[test]
fn iterations_go_side_by_side_where_their_order_does_not_matter() {
    let whole = summed("i32", "add", "0");
    assert!(whole["cpu_turn_instructions"] > 0.0);
    let floats = summed("float", "fadd", "0.0");
    assert_eq!(floats["cpu_turn_instructions"], 0.0);
    // One by one, and each sum waits for the one before: 32 additions of 4 cycles.
    assert!(floats["cpu_loads"] >= 256.0 * 32.0);
    assert!(floats["cpu_chain"] > 0.0);
    assert!(floats["cpu_item_instructions"] > 256.0 * 32.0);
}

#[test]
fn a_loop_that_always_goes_on_is_foretold() {
    let counters = summed("float", "fadd", "0.0");
    // Its end is not, once a work-item.
    assert!(
        counters["cpu_mispredictions"] <= 256.0 + 8.0,
        "{counters:?}"
    );
    assert!(counters["cpu_mispredictions"] > 0.0);
}
