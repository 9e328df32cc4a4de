//! `__constant` memory.
//!
//! A `__constant` argument is a pointer into global memory: where a program has one, the assembler
//! of the OpenCL driver turns every load from constant memory, also from arrays of the file, into a
//! read-only load from global memory. It knows so from the parameter's `.ptr .const`, which the CUDA
//! driver does not take; so the same is done here by hand. Without such an argument the arrays of
//! the file stay in constant memory, for both drivers.

/// The treatment of constant memory in a program.
pub(super) enum Rule {
    Keep,
    ReadGlobal,
}

impl Rule {
    pub(super) fn of(lines: &[&str]) -> Self {
        let mut parameters = lines
            .iter()
            .filter(|line| line.trim_start().starts_with(".param"));
        if parameters.any(|line| line.contains(".ptr .const")) {
            Self::ReadGlobal
        } else {
            Self::Keep
        }
    }

    pub(super) fn apply(&self, code: String) -> String {
        match self {
            Self::Keep => code,
            Self::ReadGlobal if is_array(&code) => code.replacen(".const", ".global", 1),
            Self::ReadGlobal => code
                .replace("ld.const", "ld.global.nc")
                .replace("cvta.const", "cvta.global"),
        }
    }
}

/// Whether a line declares an array: `.const .align 4 .b8 table[32] = …`, perhaps with `.visible` before it.
fn is_array(code: &str) -> bool {
    code.split_whitespace().take(2).any(|word| word == ".const")
}
