//! Conversions by name: `convert_uchar4_sat_rte(x)`.

use super::{Lowering, builtins::Lowered, integers, mangled::Mangled, math};
use crate::run::{Operation, Real, Refusal, Slot, bits::mask};

/// The target of a conversion.
#[derive(Clone, Copy)]
enum Target {
    Whole(u32, bool),
    Real(Real),
}

fn target(name: &str) -> Option<Target> {
    Some(match name {
        "char" => Target::Whole(8, true),
        "uchar" => Target::Whole(8, false),
        "short" => Target::Whole(16, true),
        "ushort" => Target::Whole(16, false),
        "int" => Target::Whole(32, true),
        "uint" => Target::Whole(32, false),
        "long" => Target::Whole(64, true),
        "ulong" => Target::Whole(64, false),
        "half" => Target::Real(Real::Half),
        "float" => Target::Real(Real::Float),
        "double" => Target::Real(Real::Double),
        _ => return None,
    })
}

fn bits_of(letter: &str) -> Option<u32> {
    Some(match letter {
        "c" | "a" | "h" => 8,
        "s" | "t" => 16,
        "i" | "j" => 32,
        "l" | "m" | "x" | "y" => 64,
        _ => return None,
    })
}

impl Lowering<'_> {
    /// Lowers a conversion; none for any other function.
    pub(super) fn convert(&mut self, name: &Mangled<'_>, numbers: &[Slot]) -> Lowered {
        let Some(rest) = name.name.strip_prefix("convert_") else {
            return Ok(None);
        };
        let mut words = rest.split('_');
        let to = words.next().unwrap_or_default();
        let to = target(to.trim_end_matches(|c: char| c.is_ascii_digit()));
        let mut saturated = false;
        let mut rounds: Option<fn(f64) -> f64> = None;
        for word in words {
            match word {
                "sat" => saturated = true,
                "rte" => rounds = Some(f64::round_ties_even),
                "rtz" => rounds = Some(f64::trunc),
                "rtp" => rounds = Some(f64::ceil),
                "rtn" => rounds = Some(f64::floor),
                _ => return Ok(None),
            }
        }
        let from = (math::real(name.letter()), bits_of(name.letter()));
        let mut results = Vec::new();
        for number in numbers {
            results.push(match (from, to) {
                ((Some(from), _), Some(Target::Whole(bits, signed))) => {
                    let operation = match (rounds, saturated) {
                        (None, false) => Operation::ToInteger(from, bits, signed),
                        (rounds, _) => {
                            Operation::Round(from, rounds.unwrap_or(f64::trunc), bits, signed)
                        }
                    };
                    self.make(operation, vec![*number])?
                }
                ((Some(from), _), Some(Target::Real(to))) if from == to => *number,
                ((Some(from), _), Some(Target::Real(to))) => {
                    self.make(Operation::Resize(from, to), vec![*number])?
                }
                ((_, Some(bits)), Some(Target::Real(to))) => {
                    let operation = Operation::FromInteger(bits, name.is_signed(), to);
                    self.make(operation, vec![*number])?
                }
                ((_, Some(bits)), Some(Target::Whole(to, signed))) => {
                    self.whole_to_whole(*number, (bits, name.is_signed()), (to, signed), saturated)?
                }
                _ => return Ok(None),
            });
        }
        Ok(Some(results))
    }

    fn whole_to_whole(
        &mut self,
        number: Slot,
        (bits, from_signed): (u32, bool),
        (to, to_signed): (u32, bool),
        saturated: bool,
    ) -> Result<Slot, Refusal> {
        let wide = if from_signed && bits < 64 {
            self.make(Operation::SignExtend(bits, 64), vec![number])?
        } else {
            number
        };
        if !saturated {
            return self.make(Operation::Mask(to), vec![wide]);
        }
        let top = self.constant(mask(if to_signed { to - 1 } else { to }))?;
        let clamped = if from_signed {
            let least = if to_signed { !mask(to - 1) } else { 0 };
            let least = self.constant(least)?;
            // Of 64 bits without a sign nothing with a sign is too large.
            if to == 64 && !to_signed {
                self.make(Operation::Whole2(integers::smax, 64), vec![wide, least])?
            } else {
                self.make(
                    Operation::Whole3(integers::sclamp, 64),
                    vec![wide, least, top],
                )?
            }
        } else {
            self.make(Operation::Whole2(integers::umin, 64), vec![wide, top])?
        };
        self.make(Operation::Mask(to), vec![clamped])
    }
}
