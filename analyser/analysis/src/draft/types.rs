//! Types and values of OpenCL C in a launch file's words.

use std::{fmt::Write as _, sync::Arc};

use super::DraftError;
use crate::ast::{Field, Kind, Record, Scalar, Type};

/// A type's name in a launch file: `float4`, or a structure's. `owner` is the argument or field of this type.
///
/// # Errors
/// A launch file has no name for it.
pub(super) fn type_name(owner: &str, ty: &Type) -> Result<String, DraftError> {
    let error = |words: String| DraftError::Type {
        name: owner.to_owned(),
        ty: words,
    };
    match ty {
        Type::Scalar(scalar) => Ok(number_name(*scalar).to_owned()),
        Type::Vector(scalar, lanes) => {
            // A vector of 3 takes the space of 4.
            let lanes = if *lanes == 3 { 4 } else { *lanes };
            Ok(format!("{}{lanes}", number_name(*scalar)))
        }
        Type::Record(record) if let Some(alias) = same_bytes(record) => type_name(owner, alias),
        Type::Record(record) => {
            let name = record.name.trim();
            let mut chars = name.chars();
            let is_name = chars.all(|it| it == '_' || it.is_ascii_alphanumeric());
            if !is_name || name.is_empty() {
                return Err(error("a structure without a name".to_owned()));
            }
            Ok(name.to_owned())
        }
        Type::Void => Err(error("of no type".to_owned())),
        Type::Pointer(..) => Err(error("a pointer".to_owned())),
        Type::Array(..) => Err(error("an array".to_owned())),
        Type::Other(words) => Err(error(format!("`{words}`"))),
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

pub(super) fn numpy_kind(scalar: Scalar) -> char {
    match scalar.kind {
        Kind::Float => 'f',
        Kind::Signed => 'i',
        Kind::Bool | Kind::Unsigned => 'u',
    }
}

/// The tables `[[structs]]` of all structures in parameters; a structure comes after those in it.
///
/// # Errors
/// A launch file can't describe one of them.
pub(super) fn structs(parameters: &[(&str, &Type)]) -> Result<String, DraftError> {
    let mut tables: Vec<Table> = Vec::new();
    for (_, ty) in parameters {
        let ty = match ty {
            Type::Pointer(_, pointee) => pointee,
            other => *other,
        };
        if let Type::Record(record) = ty {
            add_tables(record, &mut tables)?;
        }
    }
    Ok(tables.into_iter().map(|it| it.text).collect())
}

/// The first field of a union whose fields are the same bytes read as other numbers.
fn same_bytes(record: &Record) -> Option<&Type> {
    let is_same = |it: &Field| {
        it.offset == 0 && it.ty.scalar().is_some() && it.ty.bytes() == Some(record.bytes)
    };
    let are_alike = record.fields.iter().all(is_same);
    let first = record.fields.first().filter(|_| are_alike)?;
    (record.fields.len() > 1).then_some(&first.ty)
}

struct Table {
    name: String,
    text: String,
}

/// Adds the tables of a structure and of those in it.
fn add_tables(record: &Record, tables: &mut Vec<Table>) -> Result<(), DraftError> {
    if same_bytes(record).is_some() {
        return Ok(());
    }
    let own = type_name("an argument", &Type::Record(Arc::new(record.clone())))?;
    if !is_laid_out(record) {
        return Err(DraftError::Type {
            name: own,
            ty: "a union, or packed or aligned otherwise than its fields".to_owned(),
        });
    }
    if tables.iter().any(|it| it.name == own) {
        return Ok(());
    }
    let mut fields = Vec::new();
    for field in &record.fields {
        let (element, lengths) = field.ty.lengths();
        if let Type::Record(inner) = element {
            add_tables(inner, tables)?;
        }
        let mut element_name = type_name(&format!("{own}.{}", field.name), element)?;
        if !lengths.is_empty() {
            let _ = write!(element_name, "[{}]", lengths.iter().product::<u64>());
        }
        fields.push(format!(
            "{{ name = \"{}\", type = \"{element_name}\" }}",
            field.name
        ));
    }
    let text = format!(
        "\n[[structs]]\nname = \"{own}\"\nfields = [{}]\n",
        fields.join(", ")
    );
    tables.push(Table { name: own, text });
    Ok(())
}

/// Whether a structure's fields lie as a launch file lays them out, without packing or extra alignment.
fn is_laid_out(record: &Record) -> bool {
    let mut end = 0;
    for field in &record.fields {
        let Some(bytes) = field.ty.bytes() else {
            return false;
        };
        if field.offset != u64::next_multiple_of(end, field.ty.alignment()) {
            return false;
        }
        end = field.offset + bytes;
    }
    let largest = record.fields.iter().map(|it| it.ty.alignment()).max();
    record.bytes == end.next_multiple_of(largest.unwrap_or(1))
}

/// A guessed fill for numbers of a type, or for each field.
pub(super) fn guess_fill(ty: &Type) -> String {
    match ty.lengths().0 {
        Type::Record(record) if let Some(alias) = same_bytes(record) => guess_fill(alias),
        Type::Scalar(scalar) | Type::Vector(scalar, _) => match scalar.kind {
            Kind::Float => "{ uniform = [-1.0, 1.0] }".to_owned(),
            Kind::Bool => "{ uniform = [0, 1] }".to_owned(),
            Kind::Signed | Kind::Unsigned => "{ uniform = [0, 100] }".to_owned(),
        },
        Type::Record(record) => format!("{{ fields = {} }}", fields(record, guess_fill)),
        // Bytes that the kernel reads as something else.
        _ => "{ uniform = [-1.0, 1.0] }".to_owned(),
    }
}

/// A guessed value for a scalar, or for each field.
pub(super) fn guess_value(ty: &Type) -> String {
    match ty.lengths().0 {
        Type::Record(record) if let Some(alias) = same_bytes(record) => guess_value(alias),
        Type::Record(record) => fields(record, guess_value),
        Type::Scalar(scalar) | Type::Vector(scalar, _) if scalar.kind == Kind::Float => {
            "1.0".to_owned()
        }
        _ => "1".to_owned(),
    }
}

/// The value that these bytes hold; none where a launch file has no words for it.
pub(super) fn value_of_bytes(ty: &Type, bytes: &[u8]) -> Option<String> {
    match ty.lengths() {
        (Type::Record(record), _) if let Some(alias) = same_bytes(record) => {
            value_of_bytes(alias, bytes)
        }
        (Type::Record(record), lengths) if lengths.is_empty() => {
            let fields = record.fields.iter().map(|it| {
                let begin = usize::try_from(it.offset).ok()?;
                let end = begin + usize::try_from(it.ty.bytes()?).ok()?;
                let own = value_of_bytes(&it.ty, bytes.get(begin..end)?)?;
                Some(format!("{} = {own}", it.name))
            });
            Some(format!(
                "{{ {} }}",
                fields.collect::<Option<Vec<_>>>()?.join(", ")
            ))
        }
        (Type::Scalar(scalar) | Type::Vector(scalar, _), _) => {
            let parts = bytes.chunks_exact(scalar.bytes.into());
            let mut numbers = parts
                .map(|it| number_of_bytes(*scalar, it))
                .collect::<Vec<_>>();
            if let (Type::Vector(_, 3), Some(unused)) = (ty, numbers.get_mut(3)) {
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

/// The number that these bytes hold, as a launch file has it; none if it is not finite or above 2⁶³ − 1.
pub(super) fn number_of_bytes(scalar: Scalar, bytes: &[u8]) -> Option<String> {
    let mut eight = [0; 8];
    eight.get_mut(..bytes.len())?.copy_from_slice(bytes);
    let bits = u64::from_le_bytes(eight);
    let unused = 64_u32.checked_sub(8 * u32::from(scalar.bytes))?;
    let real = match (scalar.kind, scalar.bytes) {
        (Kind::Bool | Kind::Unsigned, _) => return Some(i64::try_from(bits).ok()?.to_string()),
        (Kind::Signed, _) => return Some(((bits << unused).cast_signed() >> unused).to_string()),
        (Kind::Float, 2) => half::f16::from_le_bytes([bytes[0], bytes[1]]).to_f64(),
        // The shortest text that reads back as the same single. That of the largest single is above it.
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

fn fields(record: &Record, of_type: fn(&Type) -> String) -> String {
    let fields = record.fields.iter();
    let fields = fields.map(|it| format!("{} = {}", it.name, of_type(&it.ty)));
    let fields: Vec<String> = fields.collect();
    format!("{{ {} }}", fields.join(", "))
}
