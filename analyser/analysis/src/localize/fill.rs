//! The text that fills a tile, by all work-items of the work-group side by side.

use super::{
    edge::Edge,
    formula::Scope,
    refusal::Reason,
    tile::{Side, Tile},
    words::Words,
};
use crate::accesses::Polynomial;

/// A tile that is written down.
pub(super) struct Named<'a> {
    pub(super) tile: &'a Tile,
    pub(super) name: String,
    /// The array's name.
    pub(super) array: String,
    /// Lengths as they are declared, padding included.
    pub(super) lengths: Vec<i64>,
}

/// Names of places in a tile that the source does not have: all dimensions as one, then outermost first.
pub(super) struct Places {
    pub(super) flat: String,
    pub(super) by_side: [String; 3],
}

/// Lines that fill it.
///
/// # Errors
/// A formula has no text here.
pub(super) fn lines(
    words: &Words<'_>,
    of: &Named<'_>,
    places: &Places,
) -> Result<Vec<String>, Reason> {
    // Of a side of one element there is but one place.
    let sides: Vec<&Side> = of
        .tile
        .sides
        .iter()
        .filter(|side| side.extent > 1)
        .collect();
    let names: &[String] = &places.by_side[3 - sides.len()..];
    let [x, y, z] = words.formulas.local;
    let items = x * y * z;
    let last = sides.last().ok_or(Reason::Shape)?.extent;
    let statement = |names: &[String]| statement(words, of, names);
    if sides.len() == 1 {
        if last == items && y * z == 1 {
            return statement(&["get_local_id(0)".to_owned()]);
        }
        let name = &names[0];
        let head = format!(
            "for (int {name} = {}; {name} < {last}; {name} += {})",
            flat(words),
            group(words)
        );
        return Ok(nested(vec![head], statement(names)?));
    }
    if y * z == 1 || last < x || is_wasteful(words, &sides) {
        let name = &places.flat;
        let elements: i64 = sides.iter().map(|side| side.extent).product();
        let mut lines = vec![format!(
            "for (int {name} = {}; {name} < {elements}; {name} += {}) {{",
            flat(words),
            group(words)
        )];
        let mut below = elements;
        let mut parts = Vec::new();
        for (side, own) in sides.iter().zip(names) {
            let mut part = name.clone();
            if below != elements {
                part = format!("{part} % {below}");
            }
            below /= side.extent;
            if below != 1 {
                part = format!("{part} / {below}");
            }
            parts.push(format!("{own} = {part}"));
        }
        lines.push(format!("    const int {};", parts.join(", ")));
        lines.extend(
            statement(names)?
                .into_iter()
                .map(|line| format!("    {line}")),
        );
        lines.push("}".to_owned());
        return Ok(lines);
    }
    let mut heads = Vec::new();
    let mut own: Vec<String> = names.to_vec();
    for (place, side) in sides.iter().enumerate() {
        let dimension = sides.len() - 1 - place;
        let is_outermost = place == 0;
        let (first, step) = match (is_outermost, dimension) {
            (true, 1) if z > 1 => (
                format!("get_local_id(2) * {} + get_local_id(1)", size(words, 1)),
                (y * z).to_string(),
            ),
            (_, dimension) => (format!("get_local_id({dimension})"), size(words, dimension)),
        };
        let by = if is_outermost && dimension == 1 {
            y * z
        } else {
            words.formulas.local[dimension]
        };
        if by == side.extent && !first.contains('*') {
            own[place] = first;
            continue;
        }
        let name = &names[place];
        heads.push(match by {
            1 => format!("for (int {name} = 0; {name} < {}; ++{name})", side.extent),
            _ => format!(
                "for (int {name} = {first}; {name} < {}; {name} += {step})",
                side.extent
            ),
        });
    }
    Ok(nested(heads, statement(&own)?))
}

/// Whether a loop for each dimension would leave more than half of the work-items idle, as of 6 × 18 elements by 4 × 16.
fn is_wasteful(words: &Words<'_>, sides: &[&Side]) -> bool {
    let [x, y, z] = words.formulas.local;
    let round = |elements: i64, by: i64| (elements + by - 1) / by;
    let last = sides.len() - 1;
    let rounds = sides.iter().enumerate().map(|(place, side)| {
        let by = match last - place {
            1 if place == 0 => y * z,
            dimension => words.formulas.local[dimension],
        };
        round(side.extent, by)
    });
    let elements: i64 = sides.iter().map(|side| side.extent).product();
    rounds.product::<i64>() > 2 * round(elements, x * y * z)
}

/// A work-item's place in its work-group.
pub(super) fn flat(words: &Words<'_>) -> String {
    let [_, y, z] = words.formulas.local;
    match (y != 1, z != 1) {
        (false, false) => "get_local_id(0)".to_owned(),
        (_, false) => format!("get_local_id(1) * {} + get_local_id(0)", size(words, 0)),
        _ => format!(
            "(get_local_id(2) * {} + get_local_id(1)) * {} + get_local_id(0)",
            size(words, 1),
            size(words, 0)
        ),
    }
}

/// A work-group's size.
pub(super) fn group(words: &Words<'_>) -> String {
    let [x, y, z] = words.formulas.local;
    match (y * z, x * y * z) {
        (1, _) => size(words, 0),
        (_, 0) => [0, 1, 2].map(|it| size(words, it)).join(" * "),
        (_, items) => items.to_string(),
    }
}

pub(super) fn size(words: &Words<'_>, dimension: usize) -> String {
    let named = words.sizes[dimension].clone();
    named.unwrap_or_else(|| match words.formulas.local[dimension] {
        0 => format!("get_local_size({dimension})"),
        size => size.to_string(),
    })
}

/// Heads one in the other, and what they are of.
pub(super) fn nested(heads: Vec<String>, inner: Vec<String>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut indent = String::new();
    for head in heads {
        lines.push(format!("{indent}{head}"));
        indent += "    ";
    }
    lines.extend(inner.into_iter().map(|line| format!("{indent}{line}")));
    lines
}

fn statement(words: &Words<'_>, of: &Named<'_>, names: &[String]) -> Result<Vec<String>, Reason> {
    let (mut index, mut conditions) = (Vec::new(), Vec::new());
    let mut own = names.iter();
    for side in &of.tile.sides {
        let name = match side.extent {
            1 => "0",
            _ => own.next().ok_or(Reason::Shape)?,
        };
        let place = subscript(words, side, name)?;
        index.push(match side.stride.as_constant() {
            Some(1) => place,
            _ => {
                // Ids have 64 bits by themselves.
                let is_wide = place.replace("(int)get_", "").contains("get_");
                let cast = if of.tile.is_wide && !is_wide {
                    "(size_t)"
                } else {
                    ""
                };
                let place = if place.contains(' ') {
                    format!("({place})")
                } else {
                    place
                };
                format!("{cast}{place} * {}", words.factor(&side.stride)?)
            }
        });
        if side.edge != Edge::default() {
            let constant = side.base.constant_term();
            let shared = side.base.minus(&Polynomial::constant(constant));
            let mut begin = words.signed(&shared.ok_or(Reason::Shape)?)?;
            if name != "0" {
                begin = format!("{begin} + {}", name.replace("get_", "(int)get_"));
            }
            let end = |of: &Polynomial| match (words.signed(of), of.constant_term()) {
                // Of numbers without a sign nothing may be taken away.
                (Err(_), 0..) => words.sum(of),
                (text, _) => text,
            };
            conditions.extend(side.edge.conditions(&begin, constant, end)?);
        }
        conditions.extend(last_strip(words, of.tile.scope, side, name)?);
    }
    if let Some(length) = &of.tile.within {
        // What is below 0 is large without a sign.
        let length = words.counted(length)?;
        conditions.push(format!("(size_t)({}) < {length}", index.join(" + ")));
    }
    let places: Vec<String> = names.iter().map(|name| format!("[{name}]")).collect();
    let statement = format!(
        "{}{} = {}[{}];",
        of.name,
        places.concat(),
        of.array,
        index.join(" + ")
    );
    Ok(match conditions.is_empty() {
        true => vec![statement],
        false => vec![
            format!("if ({})", conditions.join(" && ")),
            format!("    {statement}"),
        ],
    })
}

/// The subscript in the array of a place in the tile.
fn subscript(words: &Words<'_>, side: &Side, name: &str) -> Result<String, Reason> {
    let constant = side.base.constant_term();
    let shared = side.base.minus(&Polynomial::constant(constant));
    let shared = shared.ok_or(Reason::Shape)?;
    if side.limits == (None, None) {
        return Ok(sum(&words.sum(&shared)?, name, constant));
    }
    // What is clamped may be below 0.
    let place = sum(
        &words.signed(&shared)?,
        &name.replace("get_", "(int)get_"),
        constant,
    );
    Ok(match (&side.limits.0, &side.limits.1) {
        (Some(low), Some(high)) => {
            let (low, high) = (words.signed(low)?, words.signed(high)?);
            match side.is_low_last {
                true => format!("max(min({place}, {high}), {low})"),
                false => format!("min(max({place}, {low}), {high})"),
            }
        }
        (Some(low), None) => format!("max({place}, {})", words.signed(low)?),
        (None, Some(high)) => format!("min({place}, {})", words.signed(high)?),
        (None, None) => place,
    })
}

/// What is added before what is taken away.
fn sum(base: &str, name: &str, constant: i64) -> String {
    let begin = match (base, name) {
        ("0", name) => name.to_owned(),
        (base, "0") => base.to_owned(),
        (base, name) => format!("{base} + {name}"),
    };
    match constant {
        0 => begin,
        number if number < 0 => format!("{begin} - {}", -number),
        number => format!("{begin} + {number}"),
    }
}

/// What keeps the last strip from being filled beyond the loop's last pass.
fn last_strip(
    words: &Words<'_>,
    scope: Scope,
    side: &Side,
    name: &str,
) -> Result<Option<String>, Reason> {
    let Scope::Strip {
        of, passes, step, ..
    } = scope
    else {
        return Ok(None);
    };
    let described = &words.formulas.all.loops[of];
    let (Some(lower), Some(upper)) = (&described.lower, &described.upper) else {
        return Err(Reason::LoopForm);
    };
    let trips = upper.minus(lower).and_then(|trips| trips.as_constant());
    if side.by_pass == 0 || trips.is_some_and(|trips| trips % passes == 0) {
        return Ok(None);
    }
    // A first pass below 0 is none of a number without a sign.
    let name = name.replace("get_", "(int)get_");
    let strip = words.strips.iter().find(|(own, _)| *own == scope);
    let first = &strip.ok_or(Reason::Name)?.1;
    let end = |by: i64, more: i64| -> Result<String, Reason> {
        let end = upper.scaled(by);
        let end = end.and_then(|end| end.plus(&Polynomial::constant(more)));
        words.sum(&end.ok_or(Reason::Shape)?)
    };
    if step > 1 {
        // The last pass begins where a step does.
        let (more, by) = (
            side.extent - side.by_pass * (passes - step),
            step * side.by_pass,
        );
        let end = end(1, -1)?;
        let by = format!("({end} - {first}) / {step} * {by} + {more}");
        return Ok(Some(format!("{name} < {by}")));
    }
    // What is below 0 is large beside an id, but the difference is not.
    if lower.as_constant().is_none_or(|lower| lower < 0) {
        return Ok(Some(match side.by_pass {
            by @ 1.. => {
                let (end, first) = match by {
                    1 => (end(1, side.extent - passes)?, first.clone()),
                    _ => (
                        end(by, side.extent - by * passes)?,
                        format!("{first} * {by}"),
                    ),
                };
                format!("{name} < {end} - {first}")
            }
            _ => format!("{name} + ({} - {first}) >= {passes}", end(1, 0)?),
        }));
    }
    Ok(Some(match side.by_pass {
        1 => format!("{first} + {name} < {}", end(1, side.extent - passes)?),
        by @ 2.. => {
            let end = end(by, side.extent - by * passes)?;
            format!("{first} * {by} + {name} < {end}")
        }
        _ => format!("{name} + {} >= {first} + {passes}", end(1, 0)?),
    }))
}
