//! A copy that is counted in, as text.

use super::{
    super::{
        Added, Length, Mechanism, fill, formula::Formulas, placement::Placement, refusal::Reason,
        subject::Subject, words::Words, write::element, written::Written,
    },
    Elements, Privatised, Served,
};
use crate::ast::{Kind, Type};

impl Placement for Privatised {
    fn what(&self) -> (usize, Mechanism, u64) {
        (self.array, Mechanism::Privatised, self.bytes)
    }

    fn extents(&self, _: &Formulas) -> Vec<i64> {
        vec![i64::try_from(self.bytes / self.element_bytes).unwrap_or(i64::MAX)]
    }

    /// Its declaration, what it begins with, and what is brought to global memory.
    fn write(&self, words: &Words<'_>, written: &mut Written) -> Result<(), Reason> {
        let (subject, formulas) = (words.subject, words.formulas);
        let of = &formulas.all.arrays[self.array];
        let array = &of.name;
        let name = written.name(subject, &format!("{array}_{}", self.kind.word()));
        let element = element(subject, formulas, self.array)?;
        let place = written.name(subject, "i");
        let count = match self.elements {
            Elements::Fixed(elements) => {
                let declared = format!("__local {element} {name}[{elements}];");
                written.declared.push(declared);
                elements.to_string()
            }
            Elements::Counted(by) => {
                written.added.push(Added {
                    name: name.clone(),
                    like: of.parameter.ok_or(Reason::Written)?,
                    element_bytes: of.element_bytes,
                    length: Length::Buffer,
                    declared: format!("__local {element} *{name}"),
                });
                words.scalar(by)?
            }
        };
        for served in &self.served {
            match served {
                Served::Name(range) => written.replace(range.clone(), name.clone()),
                Served::Place(range, at) => {
                    written.replace(range.clone(), format!("&{name}[{}]", words.sum(at)?));
                }
            }
        }
        let (head, place) = each(words, self.elements, &count, place);
        let is_signed = matches!(&of.element, Type::Scalar(it) if it.kind == Kind::Signed);
        let none = self.kind.none(is_signed);
        if !subject.definitions(none).is_empty() {
            return Err(Reason::Name);
        }
        let begin = match (words.sum(&self.base)?.as_str(), place.as_str()) {
            ("0", place) => place.to_owned(),
            (base, "0") => base.to_owned(),
            (base, place) => format!("{base} + {place}"),
        };
        let begun = format!("{name}[{place}] = {none};");
        let ended = format!(
            "    {}(&{array}[{begin}], {name}[{place}]);",
            self.kind.function()
        );
        let touched = format!("if ({name}[{place}] != {none})");
        written
            .begun
            .extend(fill::nested(head.clone(), vec![begun]));
        written
            .ended
            .extend(fill::nested(head, vec![touched, ended]));
        Ok(())
    }
}

/// Heads of what is done for each element by all work-items, and what an element's place is called there.
fn each(
    words: &Words<'_>,
    elements: Elements,
    count: &str,
    place: String,
) -> (Vec<String>, String) {
    let [x, y, z] = words.formulas.local;
    match elements {
        Elements::Fixed(1) => {
            let first = match y * z {
                1 => "if (get_local_id(0) == 0)".to_owned(),
                _ => format!("if ({} == 0)", fill::flat(words)),
            };
            (vec![first], "0".to_owned())
        }
        Elements::Fixed(elements) if y * z == 1 && elements <= x => {
            let own = "get_local_id(0)".to_owned();
            match elements == x {
                true => (Vec::new(), own),
                false => (vec![format!("if ({own} < {elements})")], own),
            }
        }
        _ => {
            let head = format!(
                "for (int {place} = {}; {place} < {count}; {place} += {})",
                fill::flat(words),
                fill::group(words)
            );
            (vec![head], place)
        }
    }
}

/// Arguments that the kernel gets, behind its last.
///
/// # Errors
/// A macro makes its head.
pub(in crate::localize) fn parameters(
    subject: Subject<'_>,
    written: &mut Written,
) -> Result<(), Reason> {
    let function = subject.function().ok_or(Reason::Text)?;
    for added in written.added.clone() {
        let last = function.parameters.last().ok_or(Reason::Text)?;
        let end = subject.range(&subject.unit.variables[*last].span)?.end;
        let edit = super::super::edit::Edit::insert(end, format!(", {}", added.declared));
        written.edits.push(edit);
    }
    Ok(())
}
