//! `__local` arrays of the source.
//!
//! The assembler of the OpenCL driver leaves the first bytes of local memory free, so that no
//! `__local` pointer is null. Arrays then lie at odd multiples of 4, where loads can't be merged to
//! wider ones: on an H200 the suite's tiled matrix product was a fifth faster without. Here the first
//! array gets those bytes in front.

use super::ends_here;

const NULL_BYTES: u64 = 4;

/// The shift of the first array.
pub(super) struct Shift<'a>(Option<Array<'a>>);

struct Array<'a> {
    name: &'a str,
    bytes: u64,
    by: u64,
}

impl<'a> Shift<'a> {
    pub(super) fn find(body: &[&'a str]) -> Self {
        Self(body.iter().find_map(|line| array(line)))
    }

    pub(super) fn apply(&self, line: String) -> String {
        let Some(Array { name, bytes, by }) = &self.0 else {
            return line;
        };
        if array(&line).is_some_and(|declared| declared.name == *name) {
            return line.replace(&format!("[{bytes}]"), &format!("[{}]", bytes + by));
        }
        let mut parts = line.split(name);
        let mut shifted = parts.next().unwrap_or_default().to_owned();
        for rest in parts {
            shifted.push_str(name);
            if !ends_here(rest) {
                shifted.push_str(rest);
                continue;
            }
            let (offset, rest) = offset(rest);
            shifted.push_str(&format!("+{}{rest}", offset + by));
        }
        shifted
    }
}

/// The array that a line declares: `.shared .align 4 .b8 mm_$_tile[1024];`.
fn array(line: &str) -> Option<Array<'_>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [".shared", ".align", align, ".b8", declared] = words[..] else {
        return None;
    };
    let (name, bytes) = declared.strip_suffix("];")?.split_once('[')?;
    let align: u32 = align.parse().ok()?;
    let bytes: u32 = bytes.parse().ok()?;
    Some(Array {
        name,
        bytes: bytes.into(),
        by: u64::from(align).max(NULL_BYTES),
    })
}

/// The number after `+` at the start of `rest`, and the text behind it.
fn offset(rest: &str) -> (u64, &str) {
    let Some(number) = rest.strip_prefix('+') else {
        return (0, rest);
    };
    let digits = number.find(|c: char| !c.is_ascii_digit());
    let (number, after) = number.split_at(digits.unwrap_or(number.len()));
    // No device has more local memory than 32 bits count.
    let offset = number.parse::<u32>();
    offset.map_or((0, rest), |offset| (offset.into(), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_array_moves_and_nothing_else() {
        let body = [
            "\t.shared .align 4 .b8 k_$_a[64];",
            "\t.shared .align 16 .b8 k_$_ab[32];",
        ];
        let shift = Shift::find(&body);
        for (before, after) in [
            (body[0], "\t.shared .align 4 .b8 k_$_a[68];"),
            (body[1], body[1]),
            ("mov.u64 %rd1, k_$_a;", "mov.u64 %rd1, k_$_a+4;"),
            (
                "ld.shared.u32 %r1, [k_$_a+12];",
                "ld.shared.u32 %r1, [k_$_a+16];",
            ),
            (
                "st.shared.u32 [k_$_a], %r1;",
                "st.shared.u32 [k_$_a+4], %r1;",
            ),
            ("mov.u64 %rd1, k_$_ab;", "mov.u64 %rd1, k_$_ab;"),
        ] {
            assert_eq!(shift.apply(before.to_owned()), after);
        }
        let wide = Shift::find(&body[1..]);
        assert_eq!(
            wide.apply("mov.u64 %rd1, k_$_ab;".to_owned()),
            "mov.u64 %rd1, k_$_ab+16;"
        );
    }
}
