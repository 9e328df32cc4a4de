//! A part, as text.

use super::{
    super::{
        Added, Mechanism, edit::Edit, fill, formula::Formulas, placement::Placement,
        refusal::Reason, subject::Subject, words::Words, write::element, written::Written,
    },
    Owned, sized,
};
use crate::{
    accesses::{Access, Does},
    ast::Space,
};

impl Placement for Owned {
    fn what(&self) -> (usize, Mechanism, u64) {
        (self.array, Mechanism::Part, self.bytes)
    }

    fn extents(&self, _: &Formulas) -> Vec<i64> {
        vec![self.extent]
    }

    fn is_dropped(&self) -> bool {
        !self.is_filled && !self.is_output
    }

    /// Declaration, pointers, and what is read in and written back.
    fn write(&self, words: &Words<'_>, written: &mut Written) -> Result<(), Reason> {
        let (subject, formulas) = (words.subject, words.formulas);
        let array = &formulas.all.arrays[self.array].name;
        let name = written.name(subject, &format!("{array}_part"));
        let of = element(subject, formulas, self.array)?;
        let extent = match &self.sized {
            None => {
                let declared = format!("__local {of} {name}[{}];", self.extent);
                written.declared.push(declared);
                self.extent.to_string()
            }
            Some(extent) => {
                let array = &formulas.all.arrays[self.array];
                written.added.push(Added {
                    name: name.clone(),
                    like: array.parameter.ok_or(Reason::Written)?,
                    element_bytes: array.element_bytes,
                    length: sized::length(formulas, extent)?,
                    declared: format!("__local {of} *{name}"),
                });
                words.sum(extent)?
            }
        };
        for (range, at) in &self.direct {
            written.replace(range.clone(), format!("{name}[{}]", words.sum(at)?));
        }
        for (range, pointer, at) in &self.through {
            written.replace(range.clone(), format!("{pointer}[{}]", words.sum(at)?));
        }
        for (range, at) in &self.set {
            let text = match at.as_constant() {
                Some(0) => name.clone(),
                _ => format!("{name} + {}", words.sum(at)?),
            };
            written.edits.push(Edit::replace(range.clone(), text));
        }
        for range in &self.pointers {
            written.replace(range.clone(), "__local");
        }
        let place = written.name(subject, "i");
        let begin = match words.sum(&self.base)?.as_str() {
            "0" => place.clone(),
            base => format!("{base} + {place}"),
        };
        let head = format!(
            "for (int {place} = {}; {place} < {extent}; {place} += {})",
            fill::flat(words),
            fill::group(words)
        );
        if self.is_filled {
            let copy = format!("{name}[{place}] = {array}[{begin}];");
            written
                .begun
                .extend(fill::nested(vec![head.clone()], vec![copy]));
        }
        if self.is_output {
            let copy = format!("{array}[{begin}] = {name}[{place}];");
            written.ended.extend(fill::nested(vec![head], vec![copy]));
        }
        Ok(())
    }
}

/// Fences of the memory that work-items now exchange by: local, and global where they still do there, too.
///
/// # Errors
/// A barrier stands in a macro, or says it in another way.
pub(in crate::localize) fn fences(
    subject: Subject<'_>,
    owned: &[usize],
    written: &mut Written,
) -> Result<(), Reason> {
    if owned.is_empty() {
        return Ok(());
    }
    let all = subject.accesses;
    // Whatever else is written and read in global memory: arguments may share a buffer.
    let is_left = |access: &&Access| {
        let mut into = access.array.iter().chain(&access.also);
        access.array.is_none()
            || into.any(|array| {
                !matches!(all.arrays[*array].space, Space::Local | Space::Private)
                    && !owned.contains(array)
            })
    };
    let left: Vec<&Access> = all.accesses.iter().filter(is_left).collect();
    let does = |does: Does| left.iter().any(|it| it.does == does);
    let also_global = does(Does::Atomic) || does(Does::Store) && does(Does::Load);
    let fence = match also_global {
        true => "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE",
        false => "CLK_LOCAL_MEM_FENCE",
    };
    for barrier in &all.barriers {
        if *barrier.place.file != *subject.file {
            return Err(Reason::ElsewhereWritten);
        }
        let begin = barrier.place.offset as usize;
        let rest = subject.source.get(begin..).ok_or(Reason::InMacro)?;
        let end = rest.find(')').ok_or(Reason::InMacro)?;
        let Some((before, flags)) = rest[..end].split_once('(') else {
            return Err(Reason::InMacro);
        };
        if before.trim() != "barrier" {
            return Err(Reason::InMacro);
        }
        if flags.contains("CLK_LOCAL_MEM_FENCE") {
            continue;
        }
        let at = begin + before.len() + 1;
        written.replace(at..begin + end, fence);
    }
    Ok(())
}
