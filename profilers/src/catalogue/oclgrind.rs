//! Instructions that Oclgrind counts beyond its table: counts of work-items, not of warps.

use std::borrow::Cow;

use kerncast_wire::CounterKind;

use super::Description;

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
