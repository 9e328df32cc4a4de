//! `__constant` memory.
//!
//! A `__constant` argument is a pointer into global memory: where a program has one, the assembler
//! of the OpenCL driver turns every load from constant memory, also from arrays of the file, into a
//! read-only load from global memory. It knows so from the parameter's `.ptr .const`, which the CUDA
//! driver does not take; so the same is done here by hand. Without such an argument the arrays of
//! the file stay in constant memory, for both drivers.

/// Whether the program loads from constant memory as from global memory.
pub(super) fn is_global(lines: &[&str]) -> bool {
    let parameters = lines.iter().map(|line| line.trim_start());
    let mut parameters = parameters.filter(|line| line.starts_with(".param"));
    parameters.any(|line| line.contains(".ptr .const"))
}

/// A line with global memory in the place of constant memory.
pub(super) fn to_global(code: &str) -> String {
    if is_array(code) {
        return code.replacen(".const", ".global", 1);
    }
    let code = code.replace("ld.const", "ld.global.nc");
    code.replace("cvta.const", "cvta.global")
}

/// Whether a line declares an array: `.const .align 4 .b8 table[32] = …`, perhaps with `.visible` before it.
fn is_array(code: &str) -> bool {
    code.split_whitespace().take(2).any(|word| word == ".const")
}
