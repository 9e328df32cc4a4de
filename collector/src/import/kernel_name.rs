use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

/// Characters of the longest name that the server takes.
const LONGEST_NAME: usize = 200;

/// The kernels' names by their signatures. Where several signatures of a file have the same name, names include
/// parameters; where these are the same too, the whole signature is used.
pub(super) fn names<'s>(signatures: impl IntoIterator<Item = &'s str>) -> BTreeMap<String, String> {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for signature in signatures {
        let name = names.entry(signature.to_owned());
        name.or_insert_with(|| plain(signature));
    }
    for longer in [with_parameters, shortened] {
        let mut signatures: BTreeMap<String, usize> = BTreeMap::new();
        for name in names.values() {
            *signatures.entry(name.clone()).or_default() += 1;
        }
        for (signature, name) in &mut names {
            if signatures[name] > 1 {
                *name = longer(signature);
            }
        }
    }
    names
}

/// The name with parameters; a mangled name stays as it is.
fn with_parameters(signature: &str) -> String {
    let name = without_additions(signature);
    shortened(without_return_type(name).trim())
}

/// The name of a kernel in a profiler's C++ signature: without qualifiers, return type and parameters, with template
/// arguments. `void add<float>(float*, int)` is `add<float>`.
fn plain(signature: &str) -> String {
    let name = source_name(signature).unwrap_or(signature);
    shortened(without_return_type(without_parameters(name)).trim())
}

/// The source's name of a mangled one: `scale` of `_Z5scalePfi`. None for names in namespaces and templates.
fn source_name(mangled: &str) -> Option<&str> {
    let rest = mangled.strip_prefix("_Z")?;
    let length = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    let name = rest[length.len()..].get(..length.parse().ok()?)?;
    let is_template = rest[length.len() + name.len()..].starts_with('I');
    (!name.is_empty() && !is_template).then_some(name)
}

/// The signature without what compilers append: ` [clone .kd]`, ` [with T = float]`, ` const`.
fn without_additions(signature: &str) -> &str {
    let mut name = signature.trim_end();
    while let Some((before, _)) = name.strip_suffix(']').and_then(|it| it.rsplit_once(" [")) {
        name = before.trim_end();
    }
    name.strip_suffix(" const").unwrap_or(name)
}

fn without_parameters(signature: &str) -> &str {
    let name = without_additions(signature);
    if !name.ends_with(')') {
        return name;
    }
    let mut all = depths(name).into_iter().rev();
    match all.find(|(_, c, depth)| *c == '(' && *depth == 0) {
        Some((at, ..)) if at > 0 => &name[..at],
        _ => name,
    }
}

/// The text after the last blank outside all brackets, unless the blank is part of the name: `operator` and the like.
fn without_return_type(name: &str) -> &str {
    let blank = depths(name)
        .into_iter()
        .rev()
        .find(|(at, c, depth)| *c == ' ' && *depth == 0 && !name[..*at].ends_with("operator"));
    blank.map_or(name, |(at, ..)| &name[at + 1..])
}

/// The characters with their places and the depth of brackets around them; a bracket itself is outside. Brackets in
/// quotes and those of `operator<`, `operator->` and `operator()` do not count.
fn depths(name: &str) -> Vec<(usize, char, usize)> {
    let mut open = Vec::new();
    let (mut is_quoted, mut of_operator) = (false, false);
    let mut all = Vec::new();
    for (at, c) in name.char_indices() {
        is_quoted ^= c == '\'';
        let is_bracket = !is_quoted && !of_operator;
        match c {
            // In parentheses it may compare.
            '>' if is_bracket && open.last() == Some(&'<') => open.truncate(open.len() - 1),
            ')' | ']' | '}' if is_bracket => {
                let own = open.iter().rposition(|it| *it != '<');
                open.truncate(own.unwrap_or(0));
            }
            _ => {}
        }
        all.push((at, c, open.len()));
        if is_bracket && matches!(c, '(' | '<' | '[' | '{') {
            open.push(c);
        }
        if !matches!(c, '<' | '>' | '-' | '=' | '(' | ')') {
            of_operator = name[..at + c.len_utf8()].ends_with("operator");
        }
    }
    all
}

/// A name that the server accepts. Names of templates reach thousands of characters; a hash replaces what is cut off.
fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST_NAME {
        return name.to_owned();
    }
    let hash = hex::encode(&Sha256::digest(name)[..8]);
    let start: String = name.chars().take(LONGEST_NAME - 17).collect();
    format!("{}~{hash}", start.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_lose_their_parameters() {
        for (signature, name) in [
            ("mm", "mm"),
            ("vecCopy(double*, double*, int)", "vecCopy"),
            ("void add<float>(float*, float const*)", "add<float>"),
            (
                "(anonymous namespace)::go(int)",
                "(anonymous namespace)::go",
            ),
            (
                "void f<(anonymous namespace)::T>(void (*)(int))",
                "f<(anonymous namespace)::T>",
            ),
            ("(unnamed)", "(unnamed)"),
            ("void k(float*) [with T = float]", "k"),
            (
                "void ns::F<int>::operator()(int) const",
                "ns::F<int>::operator()",
            ),
            ("bool ns::F::operator<(int) const", "ns::F::operator<"),
            (
                "std::enable_if<(4>2), void>::type ns::k<float>(float*)",
                "ns::k<float>",
            ),
            ("__global__ void k(int)", "k"),
            ("static void k(int)", "k"),
            ("_Z5scalePfi", "scale"),
            ("_ZN2ns1kE", "_ZN2ns1kE"),
            ("k(int) [clone .isra.0] [clone .kd]", "k"),
            (
                "void (anonymous namespace)::k<1>(int)",
                "(anonymous namespace)::k<1>",
            ),
            ("void k<'a', '('>(char)", "k<'a', '('>"),
            ("void k<(bool)1, (int)2>(int)", "k<(bool)1, (int)2>"),
            ("main::{lambda(auto:1)#1}", "main::{lambda(auto:1)#1}"),
            (
                "void at::k<128, at::impl<f(at::It&)::{lambda(float)#1}>(at::It&)::{lambda(int)#1}>(int, at::f)",
                "at::k<128, at::impl<f(at::It&)::{lambda(float)#1}>(at::It&)::{lambda(int)#1}>",
            ),
            ("cut(", "cut("),
        ] {
            assert_eq!(plain(signature), name);
        }
    }

    #[test]
    fn overloads_stay_apart() {
        let all = [
            "_Z5scalePfi",
            "_Z5scalePdi",
            "void add(float*, int)",
            "void add(double*, int) [clone .kd]",
            "void k(T*) [with T = float]",
            "void k(T*) [with T = double]",
            "void mm<4>(int)",
            "void mm<8>(int)",
        ];
        let names = names(all);
        assert_eq!(
            all.map(|signature| &*names[signature]),
            [
                "_Z5scalePfi",
                "_Z5scalePdi",
                "add(float*, int)",
                "add(double*, int)",
                "void k(T*) [with T = float]",
                "void k(T*) [with T = double]",
                "mm<4>",
                "mm<8>",
            ]
        );
    }

    /// Half a million brackets, which take minutes if they are read again for each of them.
    #[test]
    fn brackets_are_read_once() {
        let brackets = format!("operator{}", "(>".repeat(1 << 19));
        assert!(plain(&brackets).starts_with("operator(>(>"));
    }

    #[test]
    fn long_names_stay_apart() {
        let [one, other] = ["a", "b"].map(|end| plain(&format!("{}{end}", "x".repeat(300))));
        assert_eq!(one.chars().count(), LONGEST_NAME);
        assert_ne!(one, other);
    }
}
