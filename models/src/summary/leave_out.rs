/// A summary of samples that can take in another one.
pub trait Merge: Clone {
    /// With the other's samples.
    fn merge(&mut self, other: &Self);
}

/// For each part `rest` merged with all other parts, in their order. Costs three merges a part: those before
/// it are merged from the front, those after it from the back.
pub(crate) fn without_each<T: Merge>(parts: &[T], rest: &T) -> Vec<T> {
    let mut after = Vec::with_capacity(parts.len());
    let mut merged = rest.clone();
    for part in parts.iter().rev() {
        after.push(merged.clone());
        merged.merge(part);
    }
    after.reverse();
    // Those before the first are none.
    let mut before: Option<T> = None;
    for (part, after) in parts.iter().zip(&mut after) {
        match &mut before {
            None => before = Some(part.clone()),
            Some(before) => {
                after.merge(before);
                before.merge(part);
            }
        }
    }
    after
}
