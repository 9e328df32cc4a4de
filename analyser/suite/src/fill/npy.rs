//! NumPy's `.npy` files: a line that says what they hold, then the numbers (numpy.lib.format). Crates for it bring a
//! parser of Python along, for types that no buffer has.

use super::{Base, Data};

const MAGIC: &[u8] = b"\x93NUMPY";

/// The numbers in a file: `components` of them, of type `base`, in the file's order.
///
/// # Errors
/// What the file holds instead.
pub(super) fn numbers(file: &[u8], base: Base, components: usize) -> Result<Data, String> {
    let (header, numbers) = split(file).ok_or("is no .npy file")?;
    let value = |key: &str| {
        let after = header.split_once(&format!("'{key}':"))?.1;
        Some(after.trim_start())
    };
    let descr = value("descr").and_then(|text| text.split('\'').nth(1));
    let descr = descr.ok_or("holds no plain numbers")?;
    // `|` of single bytes, which have no order.
    if descr.trim_start_matches('|').trim_start_matches('<') != code(base) || descr.starts_with('>')
    {
        return Err(format!(
            "holds numbers of type {descr}; expected <{} for {base}",
            code(base)
        ));
    }
    if !value("fortran_order").is_some_and(|text| text.starts_with("False")) {
        return Err("is in Fortran's order; expected C's (numpy.ascontiguousarray)".to_owned());
    }
    let mut data = Data::zeros(base, components);
    if numbers.len() != data.bytes().len() {
        let count = numbers.len() / base.bytes();
        return Err(format!("holds {count} numbers; expected {components}"));
    }
    data.bytes_mut().copy_from_slice(numbers);
    Ok(data)
}

/// The header line, and the bytes behind it.
fn split(file: &[u8]) -> Option<(&str, &[u8])> {
    let (version, rest) = file.strip_prefix(MAGIC)?.split_at_checked(2)?;
    let (length, rest) = rest.split_at_checked(if version[0] == 1 { 2 } else { 4 })?;
    let length = length
        .iter()
        .rev()
        .fold(0, |length, byte| length << 8 | usize::from(*byte));
    let (header, numbers) = rest.split_at_checked(length)?;
    Some((std::str::from_utf8(header).ok()?, numbers))
}

fn code(base: Base) -> String {
    let kind = match base {
        Base::Half | Base::Float | Base::Double => 'f',
        Base::Char | Base::Short | Base::Int | Base::Long => 'i',
        Base::Uchar | Base::Ushort | Base::Uint | Base::Ulong => 'u',
    };
    format!("{kind}{}", base.bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, numbers: &[u8]) -> Vec<u8> {
        let length = u16::try_from(header.len()).expect("short").to_le_bytes();
        [MAGIC, &[1, 0], &length, header.as_bytes(), numbers].concat()
    }

    #[test]
    fn reads_what_numpy_writes_and_says_what_else_there_is() {
        let header = "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }\n";
        let short = file(header, &[1, 0, 255, 255, 0, 1]);
        let data = numbers(&short, Base::Short, 3).expect("three");
        assert_eq!(data.as_i16(), [1, -1, 256]);
        let byte = file(&header.replace("<i2", "|u1"), &[7]);
        assert_eq!(numbers(&byte, Base::Uchar, 1).expect("one").as_u8(), [7]);
        for (file, base, components, problem) in [
            (&short, Base::Short, 4, "holds 3 numbers; expected 4"),
            (
                &short,
                Base::Half,
                3,
                "holds numbers of type <i2; expected <f2 for half",
            ),
            (
                &file(&header.replace('<', ">"), &[0; 6]),
                Base::Short,
                3,
                "holds numbers of type >i2; expected <i2 for short",
            ),
            (
                &file(&header.replace("False", "True"), &[0; 6]),
                Base::Short,
                3,
                "is in Fortran's order",
            ),
            (
                &b"\x93NUMPY\x01".to_vec(),
                Base::Short,
                3,
                "is no .npy file",
            ),
            (
                &b"\x93NUMPY\x01\x00\xff\xff{".to_vec(),
                Base::Short,
                3,
                "is no .npy file",
            ),
        ] {
            let error = numbers(file, base, components).expect_err(problem);
            assert!(error.starts_with(problem), "{error}");
        }
    }
}
