//! Names of built-in functions as C++ writes them: `_Z3minjj` is `min(uint, uint)`.

/// A function's name and the type of its first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mangled<'a> {
    pub(crate) name: &'a str,
    /// The text behind the name.
    pub(super) types: &'a str,
}

impl<'a> Mangled<'a> {
    pub(crate) fn parse(symbol: &'a str) -> Option<Self> {
        let rest = symbol.strip_prefix("_Z")?;
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let length: usize = rest[..digits].parse().ok()?;
        let name = rest[digits..].get(..length)?;
        Some(Self {
            name,
            types: &rest[digits + length..],
        })
    }

    /// The letter of the first number's type: that of a vector's elements, or of what a pointer points to.
    pub(super) fn letter(&self) -> &'a str {
        let mut rest = self.types;
        loop {
            rest = if let Some(behind) = rest.strip_prefix("Dv") {
                behind.split_once('_').map_or("", |(_, element)| element)
            } else if let Some(behind) = rest.strip_prefix("PU3AS") {
                behind.get(1..).unwrap_or_default()
            } else if let Some(behind) = rest.strip_prefix('P') {
                behind
            } else if let Some(behind) = rest.strip_prefix(['K', 'V']) {
                behind
            } else {
                break;
            }
        }
        let length = if rest.starts_with('D') { 2 } else { 1 };
        rest.get(..length).unwrap_or_default()
    }

    /// Whether that type has a sign.
    pub(super) fn is_signed(&self) -> bool {
        matches!(self.letter(), "c" | "a" | "s" | "i" | "l" | "x")
    }

    /// Whether it is a floating-point type.
    pub(super) fn is_real(&self) -> bool {
        matches!(self.letter(), "Dh" | "f" | "d")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_s_type_is_found_behind_vectors_and_pointers() {
        let letter =
            |symbol: &'static str| Mangled::parse(symbol).map(|name| (name.name, name.letter()));
        assert_eq!(letter("_Z3minjj"), Some(("min", "j")));
        assert_eq!(letter("_Z10atomic_minPU3AS1Vii"), Some(("atomic_min", "i")));
        assert_eq!(letter("_Z3dotDv4_fS_"), Some(("dot", "f")));
        assert_eq!(
            letter("_Z10vload_halfmPU3AS1KDh"),
            Some(("vload_half", "m"))
        );
        assert_eq!(letter("_Z99x"), None);
    }
}
