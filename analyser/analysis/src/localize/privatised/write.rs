//! A copy that is counted in, as text.

use super::{Elements, Privatised, Served};
use crate::{
    ast::{Kind, Type},
    localize::{
        Edit, ItemLoop, Length, LocalArray, Mechanism, Memory, NAME, PLACE, Placement, Proved,
        Reason, Renderer, nested, refuse_if, sum_text,
    },
};

impl Proved for Privatised {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Renders the copy's declaration, its first values, and the atomics on global memory.
    fn render(self, renderer: &Renderer<'_>) -> Result<Placement, Reason> {
        let (subject, formulas) = (renderer.subject, renderer.formulas);
        let argument = &formulas.all.arrays[self.array];
        let element = renderer.element(self.array)?;
        let (memory, count) = match self.elements {
            Elements::Fixed(elements) => {
                let memory = Memory::Declared(vec![elements], false);
                (memory, elements.to_string())
            }
            Elements::Argument(by) => (
                Memory::argument(argument, Length::Buffer)?,
                renderer.scalar(by)?,
            ),
        };
        let mut edits = Vec::new();
        for served in self.served {
            edits.push(match served {
                Served::Name(range) => Edit::replace(range, NAME),
                Served::Place(range, at) => {
                    Edit::replace(range, format!("&{NAME}[{}]", renderer.sum(&at)?))
                }
            });
        }
        let is_signed = matches!(&argument.element, Type::Scalar(it) if it.kind == Kind::Signed);
        let none = self.kind.none(is_signed);
        refuse_if(!subject.definitions(none).is_empty(), Reason::Name)?;
        let base = renderer.sum(&self.base)?;
        let (head, place) = element_loop(renderer, self.elements, &count);
        let own = format!("{NAME}[{place}]");
        let (name, begin) = (&argument.name, sum_text(&base, place, 0));
        let first = format!("{own} = {none};");
        let last = vec![
            format!("if ({own} != {none})"),
            format!("    {}(&{name}[{begin}], {own});", self.kind.function()),
        ];
        let elements = i64::try_from(self.bytes / self.element_bytes).unwrap_or(i64::MAX);
        Ok(Placement {
            array: self.array,
            summary: LocalArray {
                extents: vec![elements],
                ..LocalArray::new(argument, Mechanism::Privatised, self.bytes)
            },
            dropped: None,
            name: format!("{name}_{}", self.kind.word()),
            element,
            memory,
            edits,
            prologue: nested(head.clone(), vec![first]),
            epilogue: nested(head, last),
        })
    }
}

/// The loop, or the condition if one is needed, by which all work-items handle each element of the copy, and the
/// element's place in it.
fn element_loop(
    renderer: &Renderer<'_>,
    elements: Elements,
    count: &str,
) -> (Option<String>, &'static str) {
    let [x, y, z] = renderer.formulas.local;
    let own = "get_local_id(0)";
    match elements {
        Elements::Fixed(1) => {
            let first = format!("if ({} == 0)", renderer.flat_local_id());
            (Some(first), "0")
        }
        Elements::Fixed(elements) if y * z == 1 && elements <= x => {
            let condition = (elements != x).then(|| format!("if ({own} < {elements})"));
            (condition, own)
        }
        _ => (Some(ItemLoop::new(renderer).head(PLACE, count)), PLACE),
    }
}
