//! A part, as text.

use std::ops::Range;

use super::{Indexed, OwnedPart, passed_length};
use crate::{
    accesses::{Access, Does},
    ast::Space,
    localize::{
        Edit, ItemLoop, LocalArray, Mechanism, Memory, Placement, Proved, Reason, Renderer,
        Subject, refuse_if,
    },
};

impl Proved for OwnedPart {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Renders declaration, pointers, and the loops that read the part in and write it back.
    fn render(self, renderer: &Renderer<'_>) -> Result<Placement, Reason> {
        let formulas = renderer.formulas;
        let array = &formulas.all.arrays[self.array];
        let element = renderer.element(self.array)?;
        let (memory, extent) = match &self.passed_extent {
            None => (Memory::Declared(self.extent), self.extent.to_string()),
            Some(extent) => {
                let length = passed_length::length(formulas, extent)?;
                (Memory::argument(array, length)?, renderer.sum(extent)?)
            }
        };
        let mut indices = Vec::new();
        for Indexed { range, pointer, at } in self.indexed {
            indices.push((range, pointer, renderer.sum(&at)?));
        }
        let mut pointer_values = Vec::new();
        for (range, at) in self.pointer_values {
            let more = match at.as_constant() {
                Some(0) => String::new(),
                _ => format!(" + {}", renderer.sum(&at)?),
            };
            pointer_values.push((range, more));
        }
        let begin = match renderer.sum(&self.base)?.as_str() {
            "0" => String::new(),
            base => format!("{base} + "),
        };
        let items = ItemLoop::new(renderer);
        let is_dropped = !self.is_filled && !self.is_output;
        Ok(Placement {
            array: self.array,
            summary: LocalArray {
                extents: vec![self.extent],
                ..LocalArray::new(array, Mechanism::Part, self.bytes)
            },
            dropped: renderer.dropped(self.array, is_dropped)?,
            write: {
                let array = array.name.clone();
                Box::new(move |subject, rewrite| {
                    let name = rewrite.name(subject, &format!("{array}_part"));
                    memory.declare(&element, &name, rewrite);
                    for (range, pointer, at) in &indices {
                        let pointer = pointer.as_ref().unwrap_or(&name);
                        rewrite.replace(range.clone(), format!("{pointer}[{at}]"));
                    }
                    for (range, more) in &pointer_values {
                        let edit = Edit::replace(range.clone(), format!("{name}{more}"));
                        rewrite.edits.push(edit);
                    }
                    for range in &self.pointers {
                        rewrite.replace(range.clone(), "__local");
                    }
                    let place = rewrite.name(subject, "i");
                    let head = items.head(&place, &extent);
                    let (local, global) = (
                        format!("{name}[{place}]"),
                        format!("{array}[{begin}{place}]"),
                    );
                    if self.is_filled {
                        let lines = [head.clone(), format!("    {local} = {global};")];
                        rewrite.prologue.extend(lines);
                    }
                    if self.is_output {
                        let lines = [head, format!("    {global} = {local};")];
                        rewrite.epilogue.extend(lines);
                    }
                })
            },
        })
    }
}

/// The ranges of the memory that the author's barriers name, other than local memory.
///
/// # Errors
/// A barrier stands in a macro, or names it in another way.
pub(super) fn fence_flags(subject: Subject<'_>) -> Result<Vec<Range<usize>>, Reason> {
    let mut all = Vec::new();
    for barrier in &subject.accesses.barriers {
        if *barrier.place.file != *subject.file {
            return Err(Reason::ElsewhereWritten);
        }
        let begin = barrier.place.offset as usize;
        let rest = subject.source.get(begin..).ok_or(Reason::InMacro)?;
        let end = rest.find(')').ok_or(Reason::InMacro)?;
        let Some((before, flags)) = rest[..end].split_once('(') else {
            return Err(Reason::InMacro);
        };
        refuse_if(before.trim() != "barrier", Reason::InMacro)?;
        if !flags.contains("CLK_LOCAL_MEM_FENCE") {
            all.push(begin + before.len() + 1..begin + end);
        }
    }
    Ok(all)
}

/// The fences for the memory by which work-items exchange numbers if these arrays have parts: local, and global if some
/// numbers still are exchanged there.
pub(super) fn fence(subject: Subject<'_>, owned: &[usize]) -> &'static str {
    let all = subject.accesses;
    // Whatever else is written and read in global memory: arguments may share a buffer.
    let is_global = |access: &&Access| {
        let mut into = access.array.iter().chain(&access.also);
        access.array.is_none()
            || into.any(|array| {
                !matches!(all.arrays[*array].space, Space::Local | Space::Private)
                    && !owned.contains(array)
            })
    };
    let global: Vec<&Access> = all.accesses.iter().filter(is_global).collect();
    let does = |does: Does| global.iter().any(|it| it.does == does);
    if does(Does::Atomic) || does(Does::Store) && does(Does::Load) {
        "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"
    } else {
        "CLK_LOCAL_MEM_FENCE"
    }
}
