//! Element types of buffers: `float`, `uchar4`, …

use std::{fmt, str::FromStr};

use half::f16;

use super::Number;

/// An OpenCL scalar type, or a vector of 2, 4, 8 or 16 of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// The component's type.
    pub base: Base,
    /// Components per element: 1, 2, 4, 8 or 16.
    pub lanes: usize,
}

macro_rules! bases {
    ($($base:ident $name:literal $bytes:literal $doc:literal,)*) => {
        /// An OpenCL scalar type.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Base {
            $(#[doc = $doc] $base,)*
        }

        /// Every scalar type, in order, with its name and its bytes.
        const BASES: &[(Base, &str, usize)] = &[$((Base::$base, $name, $bytes),)*];
    };
}

bases! {
    Char "char" 1 "`char`: 8 bits, signed.",
    Uchar "uchar" 1 "`uchar`: 8 bits.",
    Short "short" 2 "`short`: 16 bits, signed.",
    Ushort "ushort" 2 "`ushort`: 16 bits.",
    Int "int" 4 "`int`: 32 bits, signed.",
    Uint "uint" 4 "`uint`: 32 bits.",
    Long "long" 8 "`long`: 64 bits, signed.",
    Ulong "ulong" 8 "`ulong`: 64 bits.",
    Half "half" 2 "`half`: IEEE 754 half.",
    Float "float" 4 "`float`: IEEE 754 single.",
    Double "double" 8 "`double`: IEEE 754 double.",
}

impl Base {
    /// Bytes of one component.
    pub fn bytes(self) -> usize {
        BASES[self as usize].2
    }

    /// Whether a value of this type can be `number`, perhaps rounded.
    pub fn holds(self, number: Number) -> bool {
        let number = match number {
            Number::Whole(number) => number,
            Number::Real(real) => return self.is_float() && real.abs() <= self.largest(),
        };
        match self {
            Self::Char => i8::try_from(number).is_ok(),
            Self::Uchar => u8::try_from(number).is_ok(),
            Self::Short => i16::try_from(number).is_ok(),
            Self::Ushort => u16::try_from(number).is_ok(),
            Self::Int => i32::try_from(number).is_ok(),
            Self::Uint => u32::try_from(number).is_ok(),
            Self::Ulong => u64::try_from(number).is_ok(),
            Self::Half => number.unsigned_abs() <= 65_504,
            Self::Long | Self::Float | Self::Double => true,
        }
    }

    /// The numbers that the type holds, in words.
    pub(crate) fn numbers(self) -> String {
        let whole = if self.is_float() { "" } else { "whole " };
        format!("a {whole}number that {self} can hold")
    }

    /// The largest number of a floating-point type.
    pub(crate) fn largest(self) -> f64 {
        match self {
            Self::Half => f16::MAX.into(),
            Self::Float => f32::MAX.into(),
            _ => f64::MAX,
        }
    }

    /// Whether it is `half`, `float` or `double`.
    pub fn is_float(self) -> bool {
        matches!(self, Self::Half | Self::Float | Self::Double)
    }
}

impl Element {
    /// Bytes of one element; its address is a multiple of them.
    pub fn bytes(self) -> usize {
        self.base.bytes() * self.lanes
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(BASES[*self as usize].1)
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.base)?;
        if self.lanes > 1 {
            write!(f, "{}", self.lanes)?;
        }
        Ok(())
    }
}

impl FromStr for Element {
    /// The words that were expected.
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(text.len());
        let (name, lanes) = text.split_at(digits);
        let base = BASES.iter().find(|it| it.1 == name);
        match (base, lanes) {
            (Some((base, ..)), "" | "2" | "4" | "8" | "16") => Ok(Self {
                base: *base,
                lanes: lanes.parse().unwrap_or(1),
            }),
            _ => Err(
                "char, uchar, short, ushort, int, uint, long, ulong, half, float or double, alone or \
                     followed by 2, 4, 8 or 16 (a vector of 3 takes the room of 4: write 4)",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_type_and_writes_it_back() {
        for (index, (base, name, bytes)) in BASES.iter().copied().enumerate() {
            assert_eq!(base as usize, index);
            for (lanes, suffix) in [(1, ""), (2, "2"), (4, "4"), (8, "8"), (16, "16")] {
                let element: Element = format!("{name}{suffix}").parse().unwrap();
                assert_eq!(element, Element { base, lanes });
                assert_eq!(element.bytes(), bytes * lanes);
                assert_eq!(element.to_string(), format!("{name}{suffix}"));
            }
        }
        for wrong in ["float3", "Float", "float04", "", "4", "halfs", "float 4"] {
            assert!(wrong.parse::<Element>().is_err(), "{wrong}");
        }
    }
}
