//! A kernel in other words, whose accesses all stand in its own text: macros as what they stand for, and functions that
//! get an array in the place of their calls.

use std::fs;

use anyhow::Result;
use kerncast_analysis::{
    accesses::Accesses,
    ast::Unit,
    localize::{Localized, Reason, Refusal, Subject, in_place, localize},
};
use kerncast_suite::Kernel;

use super::{Read, Wishes};
use crate::{clang::Clang, scratch::Scratch};

/// Functions in functions.
const DEEPEST: usize = 8;

/// The source in other words, and what becomes of it, where more goes to local memory then.
pub(super) fn reworded(
    clang: &Clang,
    kernel: &Kernel,
    read: &Read,
    wishes: &Wishes,
    localized: &Localized,
) -> Result<Option<(String, Localized)>> {
    if !localized.refusals.iter().any(is_of_words) {
        return Ok(None);
    }
    let variant = super::global(kernel);
    let Ok(text) = clang.without_macros(&variant.source, &read.options, &kernel.folder) else {
        return Ok(None);
    };
    let scratch = Scratch::new()?;
    let of = Words {
        clang,
        read,
        wishes,
        scratch,
    };
    for (name, text) in kernel.files.iter().flatten() {
        let path = of.scratch.path().join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, text)?;
    }
    let Some(mut own) = of.parsed(text)? else {
        return Ok(None);
    };
    for _ in 0..DEEPEST {
        let Some(next) = in_place(of.subject(&own)) else {
            break;
        };
        let Some(next) = of.parsed(next)? else { break };
        own = next;
    }
    let mut best = localize(of.subject(&own));
    let mut source = own.source.clone();
    if std::env::var("KC_DEBUG").is_ok() {
        eprintln!("{source}");
        for r in &best.refusals { eprintln!("REWORDED {:?} {:?} {}", r.reason, r.array, r.place); }
    }
    if best.placed.is_empty() || !is_more(&best, localized) {
        return Ok(None);
    }
    // The rest of the author's file stays as it is, where the kernel is all that has to change.
    if let Some(text) = of.in_file(&own)
        && let Some(own) = of.parsed(text)?
    {
        let again = localize(of.subject(&own));
        if again.placed == best.placed {
            (best, source) = (again, own.source);
        }
    }
    // Places are of the author's text.
    let has = |array: &String| best.placed.iter().any(|it| it.array == *array);
    let stays = |it: &&Refusal| it.array.as_ref().is_none_or(|array| !has(array));
    best.refusals = localized.refusals.iter().filter(stays).cloned().collect();
    Ok(Some((source, best)))
}

/// Whether other words may help.
fn is_of_words(refusal: &Refusal) -> bool {
    matches!(
        refusal.reason,
        Reason::InMacro
            | Reason::InFunction
            | Reason::Directive
            | Reason::ElsewhereWritten
            | Reason::Text
    )
}

/// Whether all that went to local memory still does, and something else too.
fn is_more(now: &Localized, before: &Localized) -> bool {
    let has = |array: &String| now.placed.iter().any(|it| it.array == *array);
    now.placed.len() > before.placed.len() && before.placed.iter().all(|it| has(&it.array))
}

struct Words<'a> {
    clang: &'a Clang,
    read: &'a Read,
    wishes: &'a Wishes,
    /// The kernel's folder, with another source.
    scratch: Scratch,
}

struct Parsed {
    source: String,
    unit: Unit,
    accesses: Accesses,
}

impl Words<'_> {
    /// Another source; none where clang refuses it.
    fn parsed(&self, source: String) -> Result<Option<Parsed>> {
        let path = self.scratch.path().join(&self.read.file);
        fs::write(&path, &source)?;
        let unit = self
            .clang
            .read_file(&path, &self.read.options, self.scratch.path());
        let Ok(unit) = unit else { return Ok(None) };
        let accesses = Accesses::of(&unit, &self.read.accesses.function);
        Ok(accesses.map(|accesses| Parsed {
            source,
            unit,
            accesses,
        }))
    }

    fn subject<'a>(&'a self, own: &'a Parsed) -> Subject<'a> {
        Subject {
            unit: &own.unit,
            accesses: &own.accesses,
            source: &own.source,
            ..self.read.subject(self.wishes)
        }
    }

    /// The author's file with the kernel as it is in another source; none where the author's kernel is no text of that
    /// file.
    fn in_file(&self, own: &Parsed) -> Option<String> {
        let before = self.read.subject(self.wishes).kernel_range()?;
        let now = self.subject(own).kernel_range()?;
        let mut text = self.read.source.clone();
        text.replace_range(before, &own.source[now]);
        Some(text)
    }
}
