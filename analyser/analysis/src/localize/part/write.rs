//! A part, as text.

use std::ops::Range;

use super::{Indexed, OwnedPart, passed_length};
use crate::{
    accesses::{Access, Does},
    ast::Space,
    localize::{
        Edit, ItemLoop, LocalArray, Mechanism, Memory, NAME, PLACE, Placement, Proved, Reason,
        Renderer, Subject, refuse_if, sum_text,
    },
};

impl Proved for OwnedPart {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Renders declaration, pointers, and the loops that read the part in and write it back.
    fn render(self, renderer: &Renderer<'_>) -> Result<Placement, Reason> {
        let formulas = renderer.formulas;
        let argument = &formulas.all.arrays[self.array];
        let element = renderer.element(self.array)?;
        let (memory, extent) = match &self.passed_extent {
            None => {
                let memory = Memory::Declared(vec![self.extent], false);
                (memory, self.extent.to_string())
            }
            Some(extent) => {
                let length = passed_length::length(formulas, extent)?;
                (Memory::argument(argument, length)?, renderer.sum(extent)?)
            }
        };
        let mut edits = Vec::new();
        for Indexed { range, pointer, at } in self.indexed {
            let pointer = pointer.as_deref().unwrap_or(NAME);
            let text = format!("{pointer}[{}]", renderer.sum(&at)?);
            edits.push(Edit::replace(range, text));
        }
        for (range, at) in self.pointer_values {
            let text = sum_text(NAME, &renderer.sum(&at)?, 0);
            edits.push(Edit::replace(range, text));
        }
        let pointers = self.pointers.into_iter();
        edits.extend(pointers.map(|it| Edit::replace(it, "__local")));
        let index = sum_text(&renderer.sum(&self.base)?, PLACE, 0);
        let [prologue, epilogue] = self.contents.copies(
            &ItemLoop::new(renderer).head(PLACE, &extent),
            &format!("{NAME}[{PLACE}]"),
            &format!("{}[{index}]", argument.name),
        );
        Ok(Placement {
            array: self.array,
            summary: LocalArray {
                extents: vec![self.extent],
                ..LocalArray::new(argument, Mechanism::Part, self.bytes)
            },
            dropped: self.contents.dropped(renderer.subject, argument)?,
            name: format!("{}_part", argument.name),
            element,
            memory,
            edits,
            prologue,
            epilogue,
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
