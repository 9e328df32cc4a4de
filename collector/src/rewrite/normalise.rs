//! Normalises a kernel so that all accesses stand in its own text: macros are expanded, functions with array arguments
//! are inlined, and loops count up.

use std::fs;

use anyhow::Result;
use kerncast_analysis::{
    accesses::Accesses,
    ast::Unit,
    localize::{Localized, Reason, Refusal, Subject, inline_calls, localize, reverse_loops, words},
};
use kerncast_suite::Kernel;

use super::{RewriteOptions, parsed_variant::ParsedVariant};
use crate::{clang::Clang, programs::Scratch};

/// Beginnings of macros that OpenCL's header or a device's compiler may define.
const DEVICE_MACROS: [&str; 18] = [
    "__", "cl_", "CL_", "CLK_", "M_", "NULL", "INFINITY", "NAN", "MAXFLOAT", "HUGE_", "FLT_",
    "DBL_", "HALF_", "INT_", "UINT_", "LONG_", "CHAR_", "FP_",
];
/// The deepest nesting of functions that is inlined.
const DEEPEST_INLINING: usize = 8;

/// Rewrites the normalised source; none where that brings no more to local memory than `localized`.
pub(super) fn normalise(
    clang: &Clang,
    kernel: &Kernel,
    author: &ParsedVariant,
    options: &RewriteOptions,
    localized: &Localized,
) -> Result<Option<(String, Localized)>> {
    let texts = [&author.source, &author.included];
    if !localized.refusals.iter().any(may_help) || !texts.iter().all(|it| is_decided(it)) {
        return Ok(None);
    }
    let source = &super::original_variant(kernel).source;
    let Ok(text) = clang.without_macros(source, &author.options, &kernel.folder) else {
        return Ok(None);
    };
    let normaliser = Normaliser::new(clang, kernel, author, options)?;
    let Some(mut parsed) = normaliser.parse_inlined(text)? else {
        return Ok(None);
    };
    let mut best = localize(normaliser.subject(&parsed));
    // Strips of an outer loop cost more than they bring where an inner one has its own (docs/notebook/localize.md).
    if best.placed.is_empty()
        && let Some(next) = reverse_loops(normaliser.subject(&parsed))
        && let Some(next) = normaliser.parse(next)?
    {
        (best, parsed) = (localize(normaliser.subject(&next)), next);
    }
    if best.placed.is_empty() || !is_more(&best, localized) {
        return Ok(None);
    }
    // The rest of the author's file stays as it is, where the kernel is all that has to change.
    if let Some(text) = normaliser.in_authors_file(&parsed)
        && let Some(own) = normaliser.parse(text)?
    {
        let again = localize(normaliser.subject(&own));
        if again.placed == best.placed {
            (best, parsed) = (again, own);
        }
    }
    // Places are of the author's text.
    let has = |array: &String| best.placed.iter().any(|it| it.array == *array);
    let stays = |it: &&Refusal| it.array.as_ref().is_none_or(|array| !has(array));
    best.refusals = localized.refusals.iter().filter(stays).cloned().collect();
    Ok(Some((parsed.source, best)))
}

/// Whether every `#if` around more than a `#pragma` is decided the same on all devices: its condition must not depend
/// on macros of OpenCL or of a device.
fn is_decided(source: &str) -> bool {
    let lines = source.lines().map(str::trim_start).collect::<Vec<_>>();
    let directive = |line: &str| line.strip_prefix('#').map(|it| it.trim_start().to_owned());
    let asks_device =
        |line: &str| words(line).any(|word| DEVICE_MACROS.iter().any(|it| word.starts_with(it)));
    let is_known = |(place, line): (usize, &&str)| {
        let condition = directive(line);
        let Some(condition) = condition.filter(|it| it.starts_with("if") || it.starts_with("elif"))
        else {
            return true;
        };
        let inner = lines[place + 1..].iter();
        let mut inner = inner.take_while(|line| !line.starts_with("#endif"));
        let is_harmless = |line: &&str| {
            line.is_empty() || directive(line).is_some_and(|it| !it.starts_with("define"))
        };
        !asks_device(&condition) || inner.all(is_harmless)
    };
    lines.iter().enumerate().all(is_known)
}

/// Whether another spelling of the source may avoid the refusal.
fn may_help(refusal: &Refusal) -> bool {
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

/// Whether everything in local memory before still is, and something more.
fn is_more(now: &Localized, before: &Localized) -> bool {
    let has = |array: &String| now.placed.iter().any(|it| it.array == *array);
    now.placed.len() > before.placed.len() && before.placed.iter().all(|it| has(&it.array))
}

struct Normaliser<'a> {
    clang: &'a Clang,
    author: &'a ParsedVariant,
    options: &'a RewriteOptions,
    /// A copy of the kernel's folder for another source.
    scratch: Scratch,
}

struct Parsed {
    source: String,
    unit: Unit,
    accesses: Accesses,
}

impl<'n> Normaliser<'n> {
    fn new(
        clang: &'n Clang,
        kernel: &Kernel,
        author: &'n ParsedVariant,
        options: &'n RewriteOptions,
    ) -> Result<Self> {
        let scratch = Scratch::new()?;
        for (name, text) in kernel.files.iter().flatten() {
            let path = scratch.path().join(name);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(path, text)?;
        }
        Ok(Self {
            clang,
            author,
            options,
            scratch,
        })
    }

    /// Parses another source with its calls inlined; none where clang refuses it.
    fn parse_inlined(&self, source: String) -> Result<Option<Parsed>> {
        let Some(mut parsed) = self.parse(source)? else {
            return Ok(None);
        };
        for _ in 0..DEEPEST_INLINING {
            let Some(next) = inline_calls(self.subject(&parsed)) else {
                break;
            };
            let Some(next) = self.parse(next)? else {
                break;
            };
            parsed = next;
        }
        Ok(Some(parsed))
    }

    /// Parses another source; none where clang refuses it.
    fn parse(&self, source: String) -> Result<Option<Parsed>> {
        let folder = self.scratch.path();
        let path = folder.join(&self.author.file);
        fs::write(&path, &source)?;
        let unit = self.clang.read_file(&path, &self.author.options, folder);
        let Ok(unit) = unit else { return Ok(None) };
        let accesses = Accesses::of(&unit, &self.author.accesses.function);
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
            ..self.author.subject(self.options)
        }
    }

    /// The author's file with the kernel from another source; none where the author's kernel is not text of that file,
    /// or contains one of its macros.
    fn in_authors_file(&self, own: &Parsed) -> Option<String> {
        let author = self.author.subject(self.options);
        let before = author.kernel_range()?;
        let now = self.subject(own).kernel_range()?;
        let text = &own.source[now.clone()];
        let mut lines = author.source[before.clone()].lines().map(str::trim_start);
        let has_lines = lines.any(|line| line.starts_with('#') && !line.contains("pragma"));
        if has_lines || words(text).any(|word| author.is_macro(word)) {
            return None;
        }
        let mut text = self.author.source.clone();
        text.replace_range(before, &own.source[now]);
        Some(text)
    }
}
