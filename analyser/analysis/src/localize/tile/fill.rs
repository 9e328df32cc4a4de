//! The text that fills a tile, by all work-items of the work-group side by side.

use super::{Side, Tile, edge::Edge};
use crate::{
    accesses::Polynomial,
    localize::{ItemLoop, Reason, Renderer, nested, sum_text},
};

/// A tile that is filled.
pub(super) struct Fill<'a> {
    pub(super) renderer: &'a Renderer<'a>,
    pub(super) tile: &'a Tile,
    /// The tile's name.
    pub(super) name: &'a str,
    /// The name of the array's beginning.
    pub(super) begin: &'a str,
    pub(super) places: &'a Places,
}

/// New names for places in a tile: all dimensions as one, and each by itself, outermost first.
pub(super) struct Places {
    pub(super) flat: String,
    pub(super) by_side: [String; 3],
}

impl Fill<'_> {
    /// Lines that fill the tile.
    ///
    /// # Errors
    /// A formula has no text here.
    pub(super) fn lines(&self) -> Result<Vec<String>, Reason> {
        // Of a side of one element there is but one place.
        let sides = self.tile.sides.iter().filter(|side| side.extent > 1);
        let sides: Vec<&Side> = sides.collect();
        let names = &self.places.by_side[3 - sides.len()..];
        let [x, y, z] = self.renderer.formulas.local;
        let last = sides.last().ok_or(Reason::Shape)?.extent;
        if let [name] = names {
            if last == x && y * z == 1 {
                return self.statement(&["get_local_id(0)".to_owned()]);
            }
            let head = ItemLoop::new(self.renderer).head(name, &last.to_string());
            return Ok(nested([head], self.statement(names)?));
        }
        if y * z == 1 || last < x || is_wasteful(self.renderer, &sides) {
            self.flat_loop(&sides, names)
        } else {
            self.loops_by_side(&sides, names)
        }
    }

    /// One loop over all elements, which finds each element's place by dividing.
    fn flat_loop(&self, sides: &[&Side], names: &[String]) -> Result<Vec<String>, Reason> {
        let flat = &self.places.flat;
        let elements: i64 = sides.iter().map(|side| side.extent).product();
        let head = ItemLoop::new(self.renderer).head(flat, &elements.to_string());
        let mut below = elements;
        let mut places = Vec::new();
        for (side, name) in sides.iter().zip(names) {
            let mut place = flat.clone();
            if below != elements {
                place = format!("{place} % {below}");
            }
            below /= side.extent;
            if below != 1 {
                place = format!("{place} / {below}");
            }
            places.push(format!("{name} = {place}"));
        }
        let mut lines = vec![format!("{head} {{")];
        lines.push(format!("    const int {};", places.join(", ")));
        let statement = self.statement(names)?.into_iter();
        lines.extend(statement.map(|line| format!("    {line}")));
        lines.push("}".to_owned());
        Ok(lines)
    }

    /// A loop for each side that has not just as many elements as work-items.
    fn loops_by_side(&self, sides: &[&Side], names: &[String]) -> Result<Vec<String>, Reason> {
        let local = self.renderer.formulas.local;
        let [_, y, z] = local;
        let mut heads = Vec::new();
        let mut places: Vec<String> = names.to_vec();
        for (number, side) in sides.iter().enumerate() {
            let dimension = sides.len() - 1 - number;
            // The outermost of two sides is for two dimensions of the work-group.
            let is_of_two = number == 0 && dimension == 1;
            let (first, step) = if is_of_two && z > 1 {
                let rows = self.renderer.local_size(1);
                let first = format!("get_local_id(2) * {rows} + get_local_id(1)");
                (first, (y * z).to_string())
            } else {
                let first = format!("get_local_id({dimension})");
                (first, self.renderer.local_size(dimension))
            };
            let by = if is_of_two { y * z } else { local[dimension] };
            if by == side.extent && !first.contains('*') {
                places[number] = first;
                continue;
            }
            let (name, extent) = (&names[number], side.extent);
            heads.push(match by {
                1 => format!("for (int {name} = 0; {name} < {extent}; ++{name})"),
                _ => format!("for (int {name} = {first}; {name} < {extent}; {name} += {step})"),
            });
        }
        Ok(nested(heads, self.statement(&places)?))
    }

    /// The assignment of one element, under the conditions that keep it within the array.
    fn statement(&self, names: &[String]) -> Result<Vec<String>, Reason> {
        let (mut index, mut conditions) = (Vec::new(), Vec::new());
        let mut own = names.iter();
        for side in &self.tile.sides {
            let name = match side.extent {
                1 => "0",
                _ => own.next().ok_or(Reason::Shape)?,
            };
            index.push(self.offset(side, name)?);
            conditions.extend(self.edge_conditions(side, name)?);
            conditions.extend(self.last_strip(side, name)?);
        }
        let index = index.join(" + ");
        if let Some(length) = &self.tile.within {
            // What is below 0 is large without a sign.
            let length = self.renderer.length(length)?;
            conditions.push(format!("(size_t)({index}) < {length}"));
        }
        let places: String = names.iter().map(|name| format!("[{name}]")).collect();
        let statement = format!("{}{places} = {}[{index}];", self.name, self.begin);
        let condition =
            (!conditions.is_empty()).then(|| format!("if ({})", conditions.join(" && ")));
        Ok(nested(condition, vec![statement]))
    }

    /// The text of what a side adds to the index in the array.
    fn offset(&self, side: &Side, name: &str) -> Result<String, Reason> {
        let place = subscript(self.renderer, side, name)?;
        if side.stride.as_constant() == Some(1) {
            return Ok(place);
        }
        // Ids have 64 bits by themselves.
        let is_wide = place.replace("(int)get_", "").contains("get_");
        let is_cast = self.tile.is_wide && !is_wide;
        let cast = if is_cast { "(size_t)" } else { "" };
        let stride = self.renderer.factor(&side.stride)?;
        Ok(if place.contains(' ') {
            format!("{cast}({place}) * {stride}")
        } else {
            format!("{cast}{place} * {stride}")
        })
    }

    /// Conditions that keep a side within the author's own conditions.
    fn edge_conditions(&self, side: &Side, name: &str) -> Result<Vec<String>, Reason> {
        if side.edge == Edge::default() {
            return Ok(Vec::new());
        }
        let renderer = self.renderer;
        let constant = side.base.constant_term();
        let shared = side.base.minus(&Polynomial::constant(constant));
        let mut begin = renderer.signed(&shared.ok_or(Reason::Shape)?)?;
        if name != "0" {
            begin = format!("{begin} + {}", name.replace("get_", "(int)get_"));
        }
        let end = |formula: &Polynomial| match (renderer.signed(formula), formula.constant_term()) {
            // Of numbers without a sign nothing may be taken away.
            (Err(_), 0..) => renderer.sum(formula),
            (text, _) => text,
        };
        side.edge.conditions(&begin, constant, end)
    }

    /// The condition that keeps the last strip from being filled beyond the loop's last iteration.
    fn last_strip(&self, side: &Side, name: &str) -> Result<Option<String>, Reason> {
        let renderer = self.renderer;
        let Some(strip) = self.tile.scope.strip() else {
            return Ok(None);
        };
        let (length, step) = (strip.length, strip.step);
        let around = &renderer.formulas.all.loops[strip.original];
        let (Some(lower), Some(upper)) = (&around.lower, &around.upper) else {
            return Err(Reason::LoopForm);
        };
        let trips = upper.minus(lower).and_then(|trips| trips.as_constant());
        if side.per_iteration == 0 || trips.is_some_and(|trips| trips % length == 0) {
            return Ok(None);
        }
        // A first iteration below 0 is none of a number without a sign.
        let name = name.replace("get_", "(int)get_");
        let mut strips = renderer.strips.iter();
        let own = strips.find(|(own, _)| *own == self.tile.scope);
        let first = &own.ok_or(Reason::Name)?.1;
        let end = |by: i64, more: i64| -> Result<String, Reason> {
            let end = upper.scaled(by);
            let end = end.and_then(|end| end.plus(&Polynomial::constant(more)));
            renderer.sum(&end.ok_or(Reason::Shape)?)
        };
        if step > 1 {
            // The last iteration begins where a step does.
            let more = side.extent - side.per_iteration * (length - step);
            let (by, end) = (step * side.per_iteration, end(1, -1)?);
            let by = format!("({end} - {first}) / {step} * {by} + {more}");
            return Ok(Some(format!("{name} < {by}")));
        }
        // What is below 0 is large beside an id, but the difference is not.
        if lower.as_constant().is_none_or(|lower| lower < 0) {
            return Ok(Some(match side.per_iteration {
                by @ 1.. => {
                    let end = end(by, side.extent - by * length)?;
                    let first = match by {
                        1 => first.clone(),
                        _ => format!("{first} * {by}"),
                    };
                    format!("{name} < {end} - {first}")
                }
                _ => format!("{name} + ({} - {first}) >= {length}", end(1, 0)?),
            }));
        }
        Ok(Some(match side.per_iteration {
            1 => format!("{first} + {name} < {}", end(1, side.extent - length)?),
            by @ 2.. => {
                let end = end(by, side.extent - by * length)?;
                format!("{first} * {by} + {name} < {end}")
            }
            _ => format!("{name} + {} >= {first} + {length}", end(1, 0)?),
        }))
    }
}

/// Whether a loop for each dimension would leave more than half of the work-items idle, as for 6 × 18 elements by 4 ×
/// 16 work-items.
fn is_wasteful(renderer: &Renderer<'_>, sides: &[&Side]) -> bool {
    let [x, y, z] = renderer.formulas.local;
    let round = |elements: i64, by: i64| (elements + by - 1) / by;
    let last = sides.len() - 1;
    let rounds = sides.iter().enumerate().map(|(place, side)| {
        let by = match last - place {
            1 if place == 0 => y * z,
            dimension => renderer.formulas.local[dimension],
        };
        round(side.extent, by)
    });
    let elements: i64 = sides.iter().map(|side| side.extent).product();
    rounds.product::<i64>() > 2 * round(elements, x * y * z)
}

/// The subscript in the array for a place in the tile.
fn subscript(renderer: &Renderer<'_>, side: &Side, name: &str) -> Result<String, Reason> {
    let constant = side.base.constant_term();
    let shared = side.base.minus(&Polynomial::constant(constant));
    let shared = shared.ok_or(Reason::Shape)?;
    if side.clamp.is_none() {
        return Ok(sum_text(&renderer.sum(&shared)?, name, constant));
    }
    // What is clamped may be below 0.
    let name = name.replace("get_", "(int)get_");
    let place = sum_text(&renderer.signed(&shared)?, &name, constant);
    Ok(match (&side.clamp.low, &side.clamp.high) {
        (Some(low), Some(high)) => {
            let (low, high) = (renderer.signed(low)?, renderer.signed(high)?);
            if side.clamp.is_low_last {
                format!("max(min({place}, {high}), {low})")
            } else {
                format!("min(max({place}, {low}), {high})")
            }
        }
        (Some(low), None) => format!("max({place}, {})", renderer.signed(low)?),
        (None, Some(high)) => format!("min({place}, {})", renderer.signed(high)?),
        (None, None) => place,
    })
}
