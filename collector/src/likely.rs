//! What somebody may have meant by a name that is not there.

/// Below it two names have too little in common.
const ALIKE: f64 = 0.7;

/// `. Did you mean …?`, or nothing where no name of `all` is like `asked`.
#[must_use]
pub fn did_you_mean<'a>(asked: &str, all: impl IntoIterator<Item = &'a str>) -> String {
    let asked = asked.to_lowercase();
    let likeness = |name: &str| strsim::jaro_winkler(&asked, &name.to_lowercase());
    let best = all
        .into_iter()
        .map(|name| (likeness(name), name))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|one, other| one.0.total_cmp(&other.0));
    best.map_or_else(String::new, |(_, name)| format!(". Did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn the_nearest_name_is_offered_and_none_where_all_are_far() {
        let all = ["matmul_float", "matmul_float4", "median_filter"];
        assert_eq!(
            did_you_mean("matmul_flaot", all),
            ". Did you mean `matmul_float`?"
        );
        assert_eq!(did_you_mean("xyzzy", all), "");
    }
}
