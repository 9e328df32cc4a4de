use sha2::{Digest, Sha256};

/// Characters of the longest name that the server takes.
const LONGEST: usize = 200;

/// A kernel's name out of a profiler's C++ signature: without return type and parameters, with template
/// arguments. `void add<float>(float*, int)` is `add<float>`.
pub(super) fn plain(signature: &str) -> String {
    let name = signature.strip_prefix("void ").unwrap_or(signature);
    shortened(without_parameters(name).trim())
}

fn without_parameters(name: &str) -> &str {
    if !name.ends_with(')') {
        return name;
    }
    let mut depth = 0;
    for (at, character) in name.char_indices().rev() {
        match character {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return if at > 0 { &name[..at] } else { name };
        }
    }
    name
}

/// Names of templates reach thousands of characters: what is cut off lives on as a hash.
fn shortened(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    let hash = hex::encode(&Sha256::digest(name)[..8]);
    let kept: String = name.chars().take(LONGEST - 17).collect();
    format!("{}~{hash}", kept.trim_end())
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
            ("cut(", "cut("),
        ] {
            assert_eq!(plain(signature), name);
        }
    }

    #[test]
    fn long_names_stay_apart() {
        let [one, other] = ["a", "b"].map(|end| plain(&format!("{}{end}", "x".repeat(300))));
        assert_eq!(one.chars().count(), LONGEST);
        assert_ne!(one, other);
    }
}
