//! Oclgrind's counters that are not in the catalogue's table. They count work-items, not warps.

use std::borrow::Cow;

use kerncast_wire::{CounterKind, provider::OCLGRIND};

use super::{Description, of_provider};

/// Counter of all calls of built-in functions that take many instructions, such as `exp` or `sqrt`. A kernel calls few
/// of them, so no single function is called by enough kernels for a model to learn its cost.
pub(crate) const MATH_CALLS: &str = "math_calls";
/// Counter of calls of built-in atomic functions.
pub(crate) const ATOMIC_CALLS: &str = "atomic_calls";

/// Other instructions, by their names in LLVM.
const OPCODES: &str = "add addrspacecast alloca and ashr atomicrmw bitcast cmpxchg extractelement extractvalue \
                        fcmp fence fneg fpext fptosi fptoui fptrunc freeze getelementptr icmp insertelement \
                        insertvalue inttoptr lshr mul or phi ptrtoint ret sdiv select sext shl shufflevector \
                        sitofp srem sub switch trunc udiv uitofp urem xor zext";

/// The sum that counts calls of this function; none where no sum does.
pub(crate) fn sum_of(function: &str) -> Option<&'static str> {
    let plain = ["native_", "half_"]
        .iter()
        .find_map(|prefix| function.strip_prefix(prefix));
    match plain.unwrap_or(function) {
        // OpenCL C's math functions (OpenCL C 1.2, section 6.12.2), without those that are few instructions everywhere
        // (`fabs`, `fma`, `floor`, …).
        "acos" | "acosh" | "acospi" | "asin" | "asinh" | "asinpi" | "atan" | "atan2"
        | "atan2pi" | "atanh" | "atanpi" | "cbrt" | "cos" | "cosh" | "cospi" | "divide" | "erf"
        | "erfc" | "exp" | "exp10" | "exp2" | "expm1" | "fmod" | "hypot" | "lgamma"
        | "lgamma_r" | "log" | "log10" | "log1p" | "log2" | "logb" | "pow" | "pown" | "powr"
        | "recip" | "remainder" | "remquo" | "rootn" | "rsqrt" | "sin" | "sincos" | "sinh"
        | "sinpi" | "sqrt" | "tan" | "tanh" | "tanpi" | "tgamma" => Some(MATH_CALLS),
        _ if function.starts_with("atomic_") || function.starts_with("atom_") => Some(ATOMIC_CALLS),
        _ => None,
    }
}

/// Counters of every launch: where Oclgrind's list lacks one it is 0, because the list has only what ran.
pub(crate) fn always() -> impl Iterator<Item = &'static str> {
    of_provider(OCLGRIND)
        .map(|it| &*it.name)
        .chain(OPCODES.split(' '))
}

pub(super) fn describe_instruction(name: &str) -> Option<Description> {
    let description = match name.strip_prefix("call_") {
        Some(function) if !function.is_empty() => format!("calls of {function}"),
        _ if OPCODES.split(' ').any(|it| it == name) => format!("LLVM instructions `{name}`"),
        _ => return None,
    };
    Some(Description {
        unit: "inst",
        kind: CounterKind::Volume,
        role: None,
        description: Cow::Owned(description),
    })
}
