//! Macros of the author's own, with their text in the place of their calls: what accesses a macro makes has a text then,
//! which an edit may change. A preprocessor does the same.

use std::ops::Range;

use super::subject::Subject;

/// Macros in macros.
const DEEPEST: usize = 4;

/// A macro that makes accesses.
struct Macro {
    name: String,
    parameters: Vec<String>,
    /// What it is, line by line, each without the white space that all have.
    lines: Vec<String>,
}

/// The source with calls of such macros in the kernel's body put in their place; none where there are none.
pub fn expanded(subject: Subject<'_>) -> Option<String> {
    let body = subject.range(&subject.function()?.body.span).ok()?;
    let behind = subject.source.len() - body.end;
    let macros = macros(subject);
    let mut source = subject.source.to_owned();
    for _ in 0..DEEPEST {
        let body = body.start..source.len() - behind;
        let Some((range, text)) = macros.iter().find_map(|it| it.call(&source, body.clone()))
        else {
            break;
        };
        source.replace_range(range, &text);
    }
    (source != subject.source).then_some(source)
}

/// Macros with brackets in them that are defined once, and whose text means the same elsewhere.
fn macros(subject: Subject<'_>) -> Vec<Macro> {
    let mut found: Vec<Macro> = Vec::new();
    let mut lines = subject.source.lines();
    while let Some(first) = lines.next() {
        let Some(first) = first.trim_start().strip_prefix("#define ") else {
            continue;
        };
        let mut all = vec![first.to_owned()];
        while all.last().is_some_and(|it| it.trim_end().ends_with('\\')) {
            let last = all.pop().unwrap_or_default();
            all.push(last.trim_end().trim_end_matches('\\').trim_end().to_owned());
            all.push(lines.next().unwrap_or_default().to_owned());
        }
        found.extend(read(&all));
    }
    let is_one = |it: &Macro| {
        let name = it.name.as_str();
        let is_undefined = subject.source.contains(&format!("#undef {name}"));
        subject.definitions(name).len() == 1 && !is_undefined
    };
    found.retain(|it| is_one(it));
    found
}

fn read(lines: &[String]) -> Option<Macro> {
    let (name, rest) = lines.first()?.split_once('(')?;
    let (parameters, rest) = rest.split_once(')')?;
    let parameters: Vec<String> = parameters
        .split(',')
        .map(|it| it.trim().to_owned())
        .collect();
    let is_name = |it: &String| !it.is_empty() && it.chars().all(is_part);
    let mut own = vec![rest.trim().to_owned()];
    let indent = |line: &String| line.len() - line.trim_start().len();
    let common = lines[1..]
        .iter()
        .filter(|it| !it.trim().is_empty())
        .map(indent)
        .min();
    let others = lines[1..].iter();
    own.extend(others.map(|it| {
        it.get(common.unwrap_or(0)..)
            .unwrap_or_default()
            .trim_end()
            .to_owned()
    }));
    own.retain(|it| !it.is_empty());
    let text = own.join("\n");
    // What the preprocessor does with names and texts, a text in place of the call does not.
    let is_plain = ![
        "#",
        "\"",
        "'",
        "//",
        "__VA_ARGS__",
        "__LINE__",
        "__COUNTER__",
    ]
    .iter()
    .any(|it| text.contains(it));
    let is_fit = text.contains('[')
        && is_plain
        && is_name(&name.to_owned())
        && parameters.iter().all(is_name)
        && words(&text).all(|(_, word)| word != name);
    is_fit.then(|| Macro {
        name: name.to_owned(),
        parameters,
        lines: own,
    })
}

impl Macro {
    /// The first call in a part of the source that is in no comment, and what takes its place.
    fn call(&self, source: &str, within: Range<usize>) -> Option<(Range<usize>, String)> {
        let text = &source[within.clone()];
        let (at, end, given) = words(text).find_map(|(at, word)| {
            let line = text[..at].rfind('\n').map_or(0, |it| it + 1);
            let before = &text[line..at];
            let is_call = word == self.name && !before.contains("//") && !before.contains("/*");
            let (end, given) = arguments(text, at + word.len()).filter(|_| is_call)?;
            Some((at, end, given))
        })?;
        if given.len() != self.parameters.len() {
            return None;
        }
        let line = text[..at].rfind('\n').map_or(0, |it| it + 1);
        let before = &text[line..at];
        let indent = &before[..before.len() - before.trim_start().len()];
        let lines = self.lines.iter().map(|line| self.put(line, &given));
        let lines = lines.collect::<Option<Vec<_>>>()?;
        let range = within.start + at..within.start + end;
        Some((range, lines.join(&format!("\n{indent}"))))
    }

    /// A line with what is given in the place of the parameters: in brackets of its own only where it is more than a
    /// word.
    fn put(&self, line: &str, given: &[String]) -> Option<String> {
        let (mut text, mut from) = (String::new(), 0);
        for (at, word) in words(line) {
            let Some(place) = self.parameters.iter().position(|it| it == word) else {
                continue;
            };
            let given = &given[place];
            let end = at + word.len();
            let is_word = given.chars().all(is_part);
            let before = &line[from..at];
            let is_called = before
                .strip_suffix('(')
                .is_some_and(|it| it.ends_with(is_part));
            if is_word && before.ends_with('(') && line[end..].starts_with(')') && !is_called {
                text += &before[..before.len() - 1];
                text += given;
                from = end + 1;
                continue;
            }
            // Signs side by side would become another.
            let ends = |it: &str| it.ends_with(|c: char| is_part(c) || c == ')' || c == ']');
            let begins = given.starts_with(|c: char| is_part(c) || c == '(');
            if given.is_empty() || !ends(given) || !begins {
                return None;
            }
            text += before;
            text += given;
            from = end;
        }
        text += &line[from..];
        Some(text)
    }
}

/// Words of a text, and where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    let parts = text.split_inclusive(|c: char| !is_part(c));
    parts.filter_map(move |part| {
        let begin = at;
        at += part.len();
        let word = part.trim_end_matches(|c: char| !is_part(c));
        (!word.is_empty()).then_some((begin, word))
    })
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What stands in brackets behind a place, apart by commas, and where that ends.
fn arguments(text: &str, from: usize) -> Option<(usize, Vec<String>)> {
    let open = from + text[from..].find(|c: char| !c.is_whitespace())?;
    if !text[open..].starts_with('(') {
        return None;
    }
    let (mut depth, mut begin, mut given) = (0_usize, open + 1, Vec::new());
    for (at, sign) in text[open..].char_indices() {
        let at = open + at;
        match sign {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 1 => {
                given.push(text[begin..at].trim().to_owned());
                begin = at + 1;
            }
            '"' | '\'' => return None,
            '/' if text[at..].starts_with("//") || text[at..].starts_with("/*") => return None,
            _ => {}
        }
        if depth == 0 {
            given.push(text[begin..at].trim().to_owned());
            return Some((at + 1, given));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(defined: &[&str], line: &str) -> Option<String> {
        let lines: Vec<String> = defined.iter().map(|it| (*it).to_owned()).collect();
        let own = read(&lines)?;
        let (range, text) = own.call(line, 0..line.len())?;
        let mut line = line.to_owned();
        line.replace_range(range, &text);
        Some(line)
    }

    #[test]
    fn a_call_is_what_it_is_defined_as() {
        let at = ["AT(p, i) (p)[(i) * (pitch)]"];
        let says = |line: &str| put(&at, line).unwrap_or_default();
        assert_eq!(says("x = AT(a, k);"), "x = a[k * (pitch)];");
        assert_eq!(says("AT(a + 3, f(k, 1))"), "(a + 3)[(f(k, 1)) * (pitch)]");
        let lines = ["SET(p)", "        for (;;)", "            p[0] = f(p)"];
        let said = "    for (;;)\n        a[0] = f(a);";
        assert_eq!(put(&lines, "    SET(a);").as_deref(), Some(said));
    }

    #[test]
    fn what_would_mean_something_else_stays() {
        for (defined, line) in [
            ("A(x) y[0] -x", "A(-1)"),
            ("A(x) y[x##1]", "A(b)"),
            ("A(x) #x[0]", "A(b)"),
            ("A(x) A[x]", "A(b)"),
            ("A(x) y[x]", "A(1, 2)"),
            ("A(x) y[x]", "// A(1)"),
            ("A(x) y[x]", "A"),
            ("A(x) y[x]", "A(\"(\")"),
            ("A(x) y[x] // z", "A(1)"),
        ] {
            assert_eq!(put(&[defined], line), None, "{defined}: {line}");
        }
    }
}
