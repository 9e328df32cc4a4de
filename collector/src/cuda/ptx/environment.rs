//! `%envreg0` … `%envreg31`: registers by which the OpenCL driver tells a kernel about its launch, and the CUDA driver
//! does not. Their meanings were found with kernels that call one work-item function each.
//!
//! The entry takes them as further parameters: the assembler reads both from constant memory, and
//! knows neither when it optimises.

use super::Unpatchable;
use crate::{cuda::Grid, units::joined};

const NAME: &str = "%envreg";
const MOVE: &str = "mov.b32";

/// A register, by what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// Numbers 0 to 5: the offset of the groups (launches too large for the device come in parts)
    /// and the global offset, by dimension. Both are 0 here.
    Offset(u8),
    /// Numbers 6 to 8: groups in a dimension, from 0.
    Groups(u8),
    /// Number 9: dimensions.
    Dimensions,
}

impl Register {
    fn parse(number: &str) -> Result<Self, Unpatchable> {
        match number.parse() {
            Ok(number @ 0..=5) => Ok(Self::Offset(number)),
            Ok(number @ 6..=8) => Ok(Self::Groups(number - 6)),
            Ok(9) => Ok(Self::Dimensions),
            _ => Err(Unpatchable::Environment(number.to_owned())),
        }
    }

    fn parameter(self) -> String {
        let number = match self {
            Self::Offset(number) => number,
            Self::Groups(axis) => axis + 6,
            Self::Dimensions => 9,
        };
        format!("kerncast_envreg{number}")
    }

    /// The register's value in a launch.
    pub fn value(self, grid: &Grid) -> u32 {
        match self {
            Self::Offset(_) => 0,
            Self::Groups(axis) => grid.groups[usize::from(axis)],
            Self::Dimensions => grid.dimensions,
        }
    }
}

/// The registers that these lines read, each once.
pub(super) fn read_in(lines: &[&str]) -> Result<Vec<Register>, Unpatchable> {
    let mut registers = Vec::new();
    for number in lines.iter().flat_map(|line| line.split(NAME).skip(1)) {
        let register = Register::parse(digits(number).0)?;
        if !registers.contains(&register) {
            registers.push(register);
        }
    }
    Ok(registers)
}

/// Adds parameters to an entry's head, whose lines are the last ones of `patched`, `)` included.
pub(super) fn append_parameters(patched: &mut Vec<String>, registers: &[Register]) {
    if registers.is_empty() {
        return;
    }
    let close = patched.iter().rposition(|line| line.starts_with(')'));
    let close = close.unwrap_or(patched.len());
    if let Some(last) = patched[..close].last_mut()
        && last.trim_start().starts_with(".param")
    {
        last.push(',');
    }
    let registers = registers.iter().map(|it| it.parameter());
    let parameters = registers.map(|it| format!("\t.param .u32 {it}"));
    patched.insert(close, joined(parameters, ",\n"));
}

/// Replaces a register in a line by the entry's parameter; for lines of the entry.
pub(super) fn from_parameter(line: &str, dimensions: usize) -> Result<String, Unpatchable> {
    let moved = line.split_once(MOVE).and_then(|(before, after)| {
        after
            .split_once(NAME)
            .map(|(to, number)| (before, to, number))
    });
    match moved {
        Some((before, to, number)) if digits(number).1 == ";" => {
            let parameter = Register::parse(digits(number).0)?.parameter();
            Ok(format!("{before}ld.param.u32{to}[{parameter}];"))
        }
        _ => replaced(line, dimensions),
    }
}

/// Replaces registers in a line by numbers or by CUDA's special registers; for lines that have no parameters.
pub(super) fn replaced(line: &str, dimensions: usize) -> Result<String, Unpatchable> {
    let mut parts = line.split(NAME);
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = digits(part);
        replaced.push_str(&match Register::parse(number)? {
            Register::Offset(_) => "0".to_owned(),
            Register::Groups(axis) => format!("%nctaid.{}", ["x", "y", "z"][usize::from(axis)]),
            Register::Dimensions => dimensions.to_string(),
        });
        replaced.push_str(rest);
    }
    Ok(replaced)
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(
        text.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len()),
    )
}
