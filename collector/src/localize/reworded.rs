//! A kernel in other words, whose accesses all stand in its own text: macros as what they stand for, functions that get
//! an array in the place of their calls, and loops that count up.

use std::fs;

use anyhow::Result;
use kerncast_analysis::{
    accesses::Accesses,
    ast::Unit,
    localize::{Localized, Reason, Refusal, Subject, in_place, localize, upwards, words},
};
use kerncast_suite::Kernel;

use super::{Read, Wishes};
use crate::{clang::Clang, programs::Scratch};

/// What macros begin with that OpenCL's header or a device's compiler may define.
const OF_DEVICES: [&str; 18] = [
    "__", "cl_", "CL_", "CLK_", "M_", "NULL", "INFINITY", "NAN", "MAXFLOAT", "HUGE_", "FLT_",
    "DBL_", "HALF_", "INT_", "UINT_", "LONG_", "CHAR_", "FP_",
];
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
    if !is_decided(&read.source) || !is_decided(&read.included) {
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
    // Strips of an outer loop cost more than they bring where an inner one has its own (docs/notebook/localize.md).
    if best.placed.is_empty()
        && let Some(next) = upwards(of.subject(&own))
        && let Some(next) = of.parsed(next)?
    {
        (best, own) = (localize(of.subject(&next)), next);
    }
    let mut source = own.source.clone();
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

/// Whether every `#if` that decides more than a `#pragma` comes out for a device as it does here: what it asks of is not
/// OpenCL's or a device's to say.
fn is_decided(source: &str) -> bool {
    let lines = source.lines().map(str::trim_start).collect::<Vec<_>>();
    let directive = |line: &str| line.strip_prefix('#').map(|it| it.trim_start().to_owned());
    let asks_device =
        |line: &str| words(line).any(|word| OF_DEVICES.iter().any(|it| word.starts_with(it)));
    let is_known = |(place, line): (usize, &&str)| {
        let Some(of) = directive(line).filter(|it| it.starts_with("if") || it.starts_with("elif"))
        else {
            return true;
        };
        let inner = lines[place + 1..].iter();
        let mut inner = inner.take_while(|line| !line.starts_with("#endif"));
        let is_harmless = |line: &&str| {
            line.is_empty() || directive(line).is_some_and(|it| !it.starts_with("define"))
        };
        !asks_device(&of) || inner.all(is_harmless)
    };
    lines.iter().enumerate().all(is_known)
}

/// Whether other words may help.
fn is_of_words(refusal: &Refusal) -> bool {
    matches!(
        refusal.reason,
        Reason::InMacro
            | Reason::InFunction
            | Reason::Directive
            | Reason::ElsewhereWritten
            | Reason::LoopForm
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
    /// file, or a word of it is a macro there.
    fn in_file(&self, own: &Parsed) -> Option<String> {
        let author = self.read.subject(self.wishes);
        let before = author.kernel_range()?;
        let now = self.subject(own).kernel_range()?;
        let text = &own.source[now.clone()];
        let has_lines = author.source[before.clone()]
            .lines()
            .any(|line| line.trim_start().starts_with('#') && !line.contains("pragma"));
        if has_lines || words(text).any(|word| author.is_macro(word)) {
            return None;
        }
        let mut text = self.read.source.clone();
        text.replace_range(before, &own.source[now]);
        Some(text)
    }
}
