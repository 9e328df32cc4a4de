//! What Oclgrind's instruction counts hold: counts of work-items, not of warps.

use std::borrow::Cow;

use kerncast_wire::{CounterKind, Role};

use super::{Counter, Description, counters};

counters! { pub(super) COUNTERS
    Volume "instructions" is IrInstructions, "inst",
        "LLVM instructions executed, all kinds";
    Volume "br" is IrBranches, "inst",
        "branches, conditional or not";
    Volume "load_global" is IrGlobalLoads, "inst",
        "loads from global memory";
    Volume "load_global_bytes" is IrGlobalLoadBytes, "byte",
        "bytes loaded from global memory";
    Volume "store_global" is IrGlobalStores, "inst",
        "stores to global memory";
    Volume "store_global_bytes" is IrGlobalStoreBytes, "byte",
        "bytes stored to global memory";
    Volume "load_local" is IrLocalLoads, "inst",
        "loads from local memory";
    Volume "load_local_bytes" is IrLocalLoadBytes, "byte",
        "bytes loaded from local memory";
    Volume "store_local" is IrLocalStores, "inst",
        "stores to local memory";
    Volume "store_local_bytes" is IrLocalStoreBytes, "byte",
        "bytes stored to local memory";
    Volume "load_constant", "inst",
        "loads from constant memory";
    Volume "load_constant_bytes", "byte",
        "bytes loaded from constant memory";
    Volume "load_private", "inst",
        "loads from private memory: arrays and variables that are not in registers";
    Volume "load_private_bytes", "byte",
        "bytes loaded from private memory";
    Volume "store_private", "inst",
        "stores to private memory";
    Volume "store_private_bytes", "byte",
        "bytes stored to private memory";
    Volume "fadd" is IrOperations, "inst",
        "floating-point additions";
    Volume "fsub" is IrOperations, "inst",
        "floating-point subtractions";
    Volume "fmul" is IrOperations, "inst",
        "floating-point multiplications";
    Volume "fdiv" is IrOperations, "inst",
        "floating-point divisions";
    Volume "frem" is IrOperations, "inst",
        "floating-point remainders";
    Volume "call_fma" is IrMultiplyAdds, "inst",
        "calls of fma";
    Volume "call_mad" is IrMultiplyAdds, "inst",
        "calls of mad";
    Volume "call_llvm.fmuladd" is IrMultiplyAdds, "inst",
        "calls of llvm.fmuladd: a * b + c in the source";
}

/// Other instructions come under LLVM's names of them.
const OPCODES: &[&str] = &[
    "add",
    "addrspacecast",
    "alloca",
    "and",
    "ashr",
    "atomicrmw",
    "bitcast",
    "call",
    "cmpxchg",
    "extractelement",
    "extractvalue",
    "fcmp",
    "fence",
    "fneg",
    "fpext",
    "fptosi",
    "fptoui",
    "fptrunc",
    "freeze",
    "getelementptr",
    "icmp",
    "insertelement",
    "insertvalue",
    "inttoptr",
    "lshr",
    "mul",
    "or",
    "phi",
    "ptrtoint",
    "ret",
    "sdiv",
    "select",
    "sext",
    "shl",
    "shufflevector",
    "sitofp",
    "srem",
    "sub",
    "switch",
    "trunc",
    "udiv",
    "uitofp",
    "unreachable",
    "urem",
    "xor",
    "zext",
];

pub(super) fn describe_instruction(name: &str) -> Option<Description> {
    let description = match name.strip_prefix("call_") {
        Some(function) if !function.is_empty() => format!("calls of {function}"),
        _ if OPCODES.contains(&name) => format!("LLVM instructions `{name}`"),
        _ => return None,
    };
    Some(Description {
        unit: "inst",
        kind: CounterKind::Volume,
        role: None,
        description: Cow::Owned(description),
    })
}
