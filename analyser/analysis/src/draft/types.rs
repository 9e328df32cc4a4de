//! Types of OpenCL C in a launch file's words.

use std::{fmt::Write as _, sync::Arc};

use super::Undescribed;
use crate::ast::{Field, Kind, Record, Scalar, Type};

/// A type's name in a launch file: `float4`, or a structure's.
pub(super) fn name(of_what: &str, of: &Type) -> Result<String, Undescribed> {
    let wrong = |words: String| Undescribed::Type {
        name: of_what.to_owned(),
        of: words,
    };
    match of {
        Type::Scalar(scalar) => Ok(number_name(*scalar).to_owned()),
        Type::Vector(scalar, lanes) => {
            // One of 3 takes the room of 4.
            let lanes = if *lanes == 3 { 4 } else { *lanes };
            Ok(format!("{}{lanes}", number_name(*scalar)))
        }
        Type::Record(record) if let Some(of) = same_bytes(record) => name(of_what, of),
        Type::Record(record) => {
            let name = record.name.trim();
            match name
                .chars()
                .all(|it| it == '_' || it.is_ascii_alphanumeric())
                && !name.is_empty()
            {
                true => Ok(name.to_owned()),
                false => Err(wrong("a structure without a name".to_owned())),
            }
        }
        Type::Void => Err(wrong("of no type".to_owned())),
        Type::Pointer(..) => Err(wrong("a pointer".to_owned())),
        Type::Array(..) => Err(wrong("an array".to_owned())),
        Type::Other(words) => Err(wrong(format!("`{words}`"))),
    }
}

fn number_name(scalar: Scalar) -> &'static str {
    match (scalar.kind, scalar.bytes) {
        (Kind::Float, 2) => "half",
        (Kind::Float, 8) => "double",
        (Kind::Float, _) => "float",
        (Kind::Signed, 1) => "char",
        (Kind::Signed, 2) => "short",
        (Kind::Signed, 8) => "long",
        (Kind::Signed, _) => "int",
        (_, 1) => "uchar",
        (_, 2) => "ushort",
        (_, 8) => "ulong",
        (_, _) => "uint",
    }
}

/// NumPy's letter for a number's kind.
pub(super) fn code(scalar: Scalar) -> char {
    match scalar.kind {
        Kind::Float => 'f',
        Kind::Signed => 'i',
        Kind::Bool | Kind::Unsigned => 'u',
    }
}

/// `[[structs]]` of all that parameters are made of, those within others first.
pub(super) fn structs(parameters: &[(&str, &Type)]) -> Result<String, Undescribed> {
    let mut known: Vec<(String, String)> = Vec::new();
    for (_, of) in parameters {
        let of = match of {
            Type::Pointer(_, of) => of,
            other => *other,
        };
        if let Type::Record(record) = of {
            structure(record, &mut known)?;
        }
    }
    Ok(known.into_iter().map(|it| it.1).collect())
}

/// The first field of a union whose fields are the same bytes read as other numbers.
fn same_bytes(record: &Record) -> Option<&Type> {
    let is_same = |it: &Field| {
        it.offset == 0 && it.of.scalar().is_some() && it.of.bytes() == Some(record.bytes)
    };
    let first = record
        .fields
        .first()
        .filter(|_| record.fields.iter().all(is_same))?;
    (record.fields.len() > 1).then_some(&first.of)
}

/// Names and tables.
fn structure(record: &Record, known: &mut Vec<(String, String)>) -> Result<(), Undescribed> {
    if same_bytes(record).is_some() {
        return Ok(());
    }
    let own = name("an argument", &Type::Record(Arc::new(record.clone())))?;
    if !is_laid_out(record) {
        return Err(Undescribed::Type {
            name: own,
            of: "a union, or packed or aligned otherwise than its fields".to_owned(),
        });
    }
    if known.iter().any(|(name, _)| *name == own) {
        return Ok(());
    }
    let mut fields = Vec::new();
    for field in &record.fields {
        let (of, lengths) = field.of.lengths();
        if let Type::Record(inner) = of {
            structure(inner, known)?;
        }
        let mut of = name(&format!("{own}.{}", field.name), of)?;
        if !lengths.is_empty() {
            let _ = write!(of, "[{}]", lengths.iter().product::<u64>());
        }
        fields.push(format!("{{ name = \"{}\", type = \"{of}\" }}", field.name));
    }
    let table = format!(
        "\n[[structs]]\nname = \"{own}\"\nfields = [{}]\n",
        fields.join(", ")
    );
    known.push((own, table));
    Ok(())
}

/// Whether a structure's fields lie one behind the other as a launch file's do.
fn is_laid_out(record: &Record) -> bool {
    let mut end = 0;
    for field in &record.fields {
        let Some(bytes) = field.of.bytes() else {
            return false;
        };
        if field.offset != u64::next_multiple_of(end, alignment(&field.of)) {
            return false;
        }
        end = field.offset + bytes;
    }
    let largest = record.fields.iter().map(|it| alignment(&it.of)).max();
    record.bytes == end.next_multiple_of(largest.unwrap_or(1))
}

fn alignment(of: &Type) -> u64 {
    match of {
        Type::Array(of, _) => alignment(of),
        Type::Record(record) => record.alignment.max(1),
        other => other.bytes().unwrap_or(1).max(1),
    }
}

/// A fill for numbers of a type, or for each field.
pub(super) fn fill(of: &Type) -> String {
    match of.lengths().0 {
        Type::Record(record) if let Some(of) = same_bytes(record) => fill(of),
        Type::Scalar(scalar) | Type::Vector(scalar, _) => match scalar.kind {
            Kind::Float => "{ uniform = [-1.0, 1.0] }".to_owned(),
            Kind::Bool => "{ uniform = [0, 1] }".to_owned(),
            Kind::Signed | Kind::Unsigned => "{ uniform = [0, 100] }".to_owned(),
        },
        Type::Record(record) => each(record, "fields", fill),
        // Bytes that are read as something else.
        _ => "{ uniform = [-1.0, 1.0] }".to_owned(),
    }
}

/// A value for a scalar, or for each field.
pub(super) fn value(of: &Type) -> String {
    match of.lengths().0 {
        Type::Record(record) if let Some(of) = same_bytes(record) => value(of),
        Type::Record(record) => {
            let fields = record.fields.iter();
            let fields = fields.map(|it| format!("{} = {}", it.name, value(&it.of)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        Type::Scalar(scalar) | Type::Vector(scalar, _) if scalar.kind == Kind::Float => {
            "1.0".to_owned()
        }
        _ => "1".to_owned(),
    }
}

/// The value of these bytes; none where a launch file has no words for it.
pub(super) fn passed(of: &Type, bytes: &[u8]) -> Option<String> {
    match of.lengths() {
        (Type::Record(record), _) if let Some(of) = same_bytes(record) => passed(of, bytes),
        (Type::Record(record), lengths) if lengths.is_empty() => {
            let fields = record.fields.iter().map(|it| {
                let begin = usize::try_from(it.offset).ok()?;
                let end = begin + usize::try_from(it.of.bytes()?).ok()?;
                let own = passed(&it.of, bytes.get(begin..end)?)?;
                Some(format!("{} = {own}", it.name))
            });
            Some(format!(
                "{{ {} }}",
                fields.collect::<Option<Vec<_>>>()?.join(", ")
            ))
        }
        (Type::Scalar(scalar) | Type::Vector(scalar, _), _) => {
            let parts = bytes.chunks_exact(scalar.bytes.into());
            let mut numbers = parts.map(|it| number(*scalar, it)).collect::<Vec<_>>();
            if let (Type::Vector(_, 3), Some(unused)) = (of, numbers.get_mut(3)) {
                *unused = Some("0".to_owned());
            }
            match &numbers.into_iter().collect::<Option<Vec<_>>>()?[..] {
                [number] => Some(number.clone()),
                several => Some(format!("[{}]", several.join(", "))),
            }
        }
        _ => None,
    }
}

/// A number of these bytes, as a launch file has it; none of one that is not finite, or above 2⁶³ − 1.
pub(super) fn number(scalar: Scalar, bytes: &[u8]) -> Option<String> {
    let mut eight = [0; 8];
    eight.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let bits = u64::from_le_bytes(eight);
    let unused = 64_u32.checked_sub(8 * u32::from(scalar.bytes))?;
    let real = match (scalar.kind, scalar.bytes) {
        (Kind::Bool | Kind::Unsigned, _) => return Some(i64::try_from(bits).ok()?.to_string()),
        (Kind::Signed, _) => return Some(((bits << unused).cast_signed() >> unused).to_string()),
        (Kind::Float, 2) => half::f16::from_le_bytes([bytes[0], bytes[1]]).to_f64(),
        // The shortest that reads back as the same single; of the largest that is above it.
        (Kind::Float, 4) => {
            let single = f32::from_le_bytes(bytes.try_into().ok()?);
            let shortest: f64 = single.to_string().parse().ok()?;
            if single.is_infinite() {
                return None;
            }
            shortest.clamp(f32::MIN.into(), f32::MAX.into())
        }
        (Kind::Float, _) => f64::from_bits(bits),
    };
    real.is_finite().then(|| format!("{real:?}"))
}

fn each(record: &Record, key: &str, of: fn(&Type) -> String) -> String {
    let fields = record.fields.iter();
    let fields = fields.map(|it| format!("{} = {}", it.name, of(&it.of)));
    let fields: Vec<String> = fields.collect();
    format!("{{ {key} = {{ {} }} }}", fields.join(", "))
}
