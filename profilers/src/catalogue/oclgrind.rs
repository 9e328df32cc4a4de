//! What Oclgrind's instruction counts hold: counts of work-items, not of warps.

use std::borrow::Cow;

use super::{Counter, Description, Kind, counters, find};

counters! { pub(super) COUNTERS
    Volume "instructions", "inst",
        "LLVM instructions executed, all kinds";
    Volume "br", "inst",
        "branches, conditional or not";
    Volume "load_global", "inst",
        "loads from global memory";
    Volume "load_global_bytes", "byte",
        "bytes loaded from global memory";
    Volume "store_global", "inst",
        "stores to global memory";
    Volume "store_global_bytes", "byte",
        "bytes stored to global memory";
    Volume "load_local", "inst",
        "loads from local memory";
    Volume "load_local_bytes", "byte",
        "bytes loaded from local memory";
    Volume "store_local", "inst",
        "stores to local memory";
    Volume "store_local_bytes", "byte",
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
    "fadd",
    "fcmp",
    "fdiv",
    "fence",
    "fmul",
    "fneg",
    "fpext",
    "fptosi",
    "fptoui",
    "fptrunc",
    "freeze",
    "frem",
    "fsub",
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

pub(super) fn describe(name: &str) -> Option<Description> {
    find(COUNTERS, name).or_else(|| {
        let description = match name.strip_prefix("call_") {
            Some(function) if !function.is_empty() => format!("calls of {function}"),
            _ if OPCODES.contains(&name) => format!("LLVM instructions `{name}`"),
            _ => return None,
        };
        Some(Description {
            unit: "inst",
            kind: Kind::Volume,
            description: Cow::Owned(description),
        })
    })
}
