//! Instructions: the registers that they read and write, and the pipe that they keep busy.

/// The classes of instructions by what their results wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Results after a fixed time of the pipe.
    Fixed,
    GlobalLoad,
    GlobalAtomic,
    LocalLoad,
    LocalAtomic,
    PrivateLoad,
    /// Exchange between the lanes of a warp.
    Shuffle,
    /// Reads of ids and other special registers.
    SpecialRegister,
    Constant,
    /// Copies from a warp's registers to a register that all lanes share.
    ToUniform,
}

/// The pipe that an instruction keeps busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pipe {
    /// Integers and logic.
    Alu,
    /// Single precision.
    Fma,
    /// The half of the single-precision pipe that multiplies integers.
    FmaHeavy,
    Fp64,
    /// Special functions and conversions.
    Special,
    Memory,
    /// Instructions with one result for all lanes.
    Uniform,
    Control,
}

impl Pipe {
    /// The number of pipes.
    pub(super) const COUNT: usize = 8;
}

/// A register: of lanes, uniform, or a predicate of either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Register {
    Lanes(u16),
    Uniform(u16),
    Predicate(u16),
    UniformPredicate(u16),
}

/// The facts about an instruction that its time depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    pub(super) class: Class,
    pub(super) pipe: Pipe,
    pub(super) writes: Vec<Register>,
    pub(super) reads: Vec<Register>,
    /// The address that a branch goes to.
    pub(super) target: Option<u64>,
    /// Whether execution may continue elsewhere than at the next instruction.
    pub(super) ends_block: bool,
    pub(super) is_branch: bool,
}

const FP64: [&str; 5] = ["DADD", "DMUL", "DFMA", "DSETP", "DMNMX"];

impl Instruction {
    /// Parses a line of code, such as `@!P0 IMAD.WIDE R2, R5, 0x4, R2`.
    pub(super) fn parse(text: &str) -> Self {
        let text = text.trim();
        let (guard, text) = match text.strip_prefix('@').and_then(|it| it.split_once(' ')) {
            Some((guard, rest)) => (Some(guard.trim_start_matches('!')), rest.trim_start()),
            None => (None, text),
        };
        let (operation, operands) = text.split_once(' ').unwrap_or((text, ""));
        let mut modifiers = operation.split('.');
        let name = modifiers.next().unwrap_or_default();
        let modifiers: Vec<&str> = modifiers.collect();
        let operands: Vec<&str> = operands
            .split(',')
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .collect();
        let results = results(name, &operands).min(operands.len());
        let (results, sources) = operands.split_at(results);
        let is_fp64 = FP64.contains(&name);
        let width = width(name, &modifiers);

        let mut writes = Vec::new();
        for result in results {
            for (register, _) in registers(result) {
                let span = if register.is_predicate() { 1 } else { width };
                writes.extend(register.and_next(span));
            }
        }
        let mut reads = Vec::new();
        for (place, source) in sources.iter().enumerate() {
            let is_last = place + 1 == sources.len();
            let is_stored = is_last && results.is_empty();
            for (register, is_pair) in registers(source) {
                let span = if is_stored {
                    width
                } else if is_pair || is_fp64 || (is_last && modifiers.contains(&"WIDE")) {
                    2
                } else {
                    1
                };
                let span = if register.is_predicate() { 1 } else { span };
                reads.extend(register.and_next(span));
            }
        }
        reads.extend(guard.into_iter().flat_map(registers).map(|(it, _)| it));
        let target = operands.last().and_then(|it| it.strip_prefix("0x"));
        let target = target.filter(|_| name == "BRA");
        Self {
            class: class(name),
            pipe: pipe(name),
            writes,
            reads,
            target: target.and_then(|it| u64::from_str_radix(it, 16).ok()),
            ends_block: matches!(
                name,
                "BRA" | "EXIT" | "RET" | "BSYNC" | "BRX" | "CALL" | "JMP"
            ),
            is_branch: name == "BRA",
        }
    }
}

impl Register {
    fn is_predicate(self) -> bool {
        matches!(self, Self::Predicate(_) | Self::UniformPredicate(_))
    }

    /// The `span` registers from this one on.
    fn and_next(self, span: u16) -> impl Iterator<Item = Self> {
        (0..span).map(move |next| match self {
            Self::Lanes(at) => Self::Lanes(at + next),
            Self::Uniform(at) => Self::Uniform(at + next),
            other => other,
        })
    }
}

/// The number of 32-bit registers of a result.
fn width(name: &str, modifiers: &[&str]) -> u16 {
    let is_wide = modifiers.contains(&"64") || modifiers.contains(&"WIDE");
    if modifiers.contains(&"128") {
        4
    } else if is_wide || FP64.contains(&name) || to_64(name, modifiers) {
        2
    } else {
        1
    }
}

/// The number of operands that are results.
fn results(name: &str, operands: &[&str]) -> usize {
    let is_predicate = |it: &&&str| {
        let it = it.trim_start_matches('U');
        it.len() == 2 && it.starts_with('P')
    };
    match name {
        // The first operand is no result.
        "STG" | "ST" | "STS" | "STL" | "RED" | "REDG" | "BRA" | "EXIT" | "BAR" | "BSYNC"
        | "BSSY" | "NOP" | "MEMBAR" | "CCTL" | "WARPSYNC" | "ERRBAR" | "DEPBAR" | "RET"
        | "CALL" | "YIELD" | "BREAK" | "SYNCS" | "UBLKCP" | "NANOSLEEP" | "JMP" | "BRX"
        | "KILL" | "FENCE" | "LDGDEPBAR" | "WARPGROUP" | "CCTLL" => 0,
        // Two predicates.
        "ISETP" | "FSETP" | "DSETP" | "HSETP2" | "UISETP" | "PLOP3" | "UPLOP3" | "VOTE" => 2,
        // Predicates of carry or overflow may follow.
        "IADD3" | "UIADD3" | "LEA" | "ULEA" | "LOP3" | "ULOP3" => {
            let others = operands.iter().skip(1).take(2);
            1 + others.take_while(is_predicate).count()
        }
        "ATOM" | "ATOMG" | "ATOMS" | "SHFL" => {
            1 + usize::from(operands.first().is_some_and(|it| is_predicate(&it)))
        }
        _ => 1,
    }
}

/// Whether a conversion's result has 64 bits.
fn to_64(name: &str, modifiers: &[&str]) -> bool {
    matches!(name, "I2F" | "F2F") && modifiers.first() == Some(&"F64")
}

/// The registers that an operand names, and whether each is the first of a pair: `desc[UR4][R2.64+0x10]` names UR4 and
/// the pair R2, R3.
fn registers(operand: &str) -> impl Iterator<Item = (Register, bool)> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = operand.split(move |c: char| !word(c) && c != '.');
    words.filter_map(|it| {
        let (name, modifier) = it.split_once('.').unwrap_or((it, ""));
        let number = |from: &str| name.strip_prefix(from)?.parse::<u16>().ok();
        let register = None
            .or_else(|| number("UR").map(Register::Uniform))
            .or_else(|| number("UP").map(Register::UniformPredicate))
            .or_else(|| number("R").map(Register::Lanes))
            .or_else(|| number("P").map(Register::Predicate))?;
        Some((register, modifier.split('.').any(|it| it == "64")))
    })
}

fn class(name: &str) -> Class {
    match name {
        "LDG" | "LD" => Class::GlobalLoad,
        "LDL" => Class::PrivateLoad,
        "LDS" | "LDSM" => Class::LocalLoad,
        "ATOMG" | "ATOM" => Class::GlobalAtomic,
        "ATOMS" => Class::LocalAtomic,
        "SHFL" => Class::Shuffle,
        "S2R" | "S2UR" | "CS2R" => Class::SpecialRegister,
        "LDC" | "ULDC" => Class::Constant,
        "R2UR" | "REDUX" | "VOTE" | "VOTEU" | "MATCH" => Class::ToUniform,
        _ => Class::Fixed,
    }
}

fn pipe(name: &str) -> Pipe {
    match name {
        "ULDC" => Pipe::Alu,
        _ if name.starts_with('U') => Pipe::Uniform,
        "IMAD" | "HFMA2" | "IMUL" => Pipe::FmaHeavy,
        "FFMA" | "FMUL" | "FADD" | "HADD2" | "HMUL2" | "HSETP2" => Pipe::Fma,
        _ if FP64.contains(&name) => Pipe::Fp64,
        "MUFU" | "I2F" | "F2I" | "F2F" | "I2I" | "POPC" | "FLO" | "BREV" | "FRND" => Pipe::Special,
        "LDG" | "LD" | "LDS" | "LDSM" | "LDL" | "STG" | "ST" | "STS" | "STL" | "ATOMG" | "ATOM"
        | "ATOMS" | "RED" | "REDG" | "SHFL" => Pipe::Memory,
        "BRA" | "EXIT" | "BSSY" | "BSYNC" | "BAR" | "NOP" | "WARPSYNC" | "RET" | "CALL"
        | "DEPBAR" | "MEMBAR" | "YIELD" | "BREAK" => Pipe::Control,
        _ => Pipe::Alu,
    }
}
