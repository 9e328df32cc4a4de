//! A copy that is counted in, as text.

use super::{Elements, Privatised, Served};
use crate::{
    ast::{Kind, Type},
    localize::{
        ItemLoop, Length, LocalArray, Mechanism, Memory, Placement, Proved, Reason, Renderer,
        nested, refuse_if,
    },
};

impl Proved for Privatised {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Renders the copy's declaration, its first values, and the atomics on global memory.
    fn render(self, renderer: &Renderer<'_>) -> Result<Placement, Reason> {
        let (subject, formulas) = (renderer.subject, renderer.formulas);
        let array = &formulas.all.arrays[self.array];
        let element = renderer.element(self.array)?;
        let (memory, count) = match self.elements {
            Elements::Fixed(elements) => (Memory::Declared(elements), elements.to_string()),
            Elements::Argument(by) => (
                Memory::argument(array, Length::Buffer)?,
                renderer.scalar(by)?,
            ),
        };
        let mut names = Vec::new();
        let mut places = Vec::new();
        for served in self.served {
            match served {
                Served::Name(range) => names.push(range),
                Served::Place(range, at) => places.push((range, renderer.sum(&at)?)),
            }
        }
        let is_signed = matches!(&array.element, Type::Scalar(it) if it.kind == Kind::Signed);
        let none = self.kind.none(is_signed);
        refuse_if(!subject.definitions(none).is_empty(), Reason::Name)?;
        let base = renderer.sum(&self.base)?;
        let each = ElementLoop::new(renderer, self.elements);
        let kind = self.kind;
        let elements = i64::try_from(self.bytes / self.element_bytes).unwrap_or(i64::MAX);
        Ok(Placement {
            array: self.array,
            summary: LocalArray {
                extents: vec![elements],
                ..LocalArray::new(array, Mechanism::Privatised, self.bytes)
            },
            dropped: None,
            write: {
                let array = array.name.clone();
                Box::new(move |subject, rewrite| {
                    let name = rewrite.name(subject, &format!("{array}_{}", kind.word()));
                    let place = rewrite.name(subject, "i");
                    memory.declare(&element, &name, rewrite);
                    for range in &names {
                        rewrite.replace(range.clone(), name.clone());
                    }
                    for (range, at) in &places {
                        rewrite.replace(range.clone(), format!("&{name}[{at}]"));
                    }
                    let (head, place) = match &each {
                        ElementLoop::At(head, place) => (head.clone(), *place),
                        ElementLoop::Loop(items) => (Some(items.head(&place, &count)), &*place),
                    };
                    let begin = match (base.as_str(), place) {
                        ("0", place) => place.to_owned(),
                        (base, "0") => base.to_owned(),
                        (base, place) => format!("{base} + {place}"),
                    };
                    let function = kind.function();
                    let first = format!("{name}[{place}] = {none};");
                    let last = vec![
                        format!("if ({name}[{place}] != {none})"),
                        format!("    {function}(&{array}[{begin}], {name}[{place}]);"),
                    ];
                    rewrite.prologue.extend(nested(head.clone(), vec![first]));
                    rewrite.epilogue.extend(nested(head, last));
                })
            },
        })
    }
}

/// The way in which each element of the copy is handled by all work-items.
enum ElementLoop {
    /// One statement for each element: its condition, if there is one, and the element's place.
    At(Option<String>, &'static str),
    Loop(ItemLoop),
}

impl ElementLoop {
    fn new(renderer: &Renderer<'_>, elements: Elements) -> Self {
        let [x, y, z] = renderer.formulas.local;
        let own = "get_local_id(0)";
        match elements {
            Elements::Fixed(1) => {
                let first = format!("if ({} == 0)", renderer.flat_local_id());
                Self::At(Some(first), "0")
            }
            Elements::Fixed(elements) if y * z == 1 && elements <= x => {
                let condition = (elements != x).then(|| format!("if ({own} < {elements})"));
                Self::At(condition, own)
            }
            _ => Self::Loop(ItemLoop::new(renderer)),
        }
    }
}
