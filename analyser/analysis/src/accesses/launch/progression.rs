//! Counts the distinct numbers that sums of arithmetic progressions take.

/// An arithmetic progression: `count` numbers, `step` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progression {
    /// The difference of neighbours, of any sign.
    pub(super) step: i64,
    /// The number of numbers, at least 1.
    pub(super) count: u64,
}

/// The number of distinct sums of one element of each progression. The progressions are digits of a number with mixed
/// radix: the step of each is larger than all smaller digits reach, or a multiple of a smaller digit's that leaves no
/// gap and lengthens that digit. None where they overlap otherwise.
pub(super) fn count_distinct_sums(progressions: &[Progression]) -> Option<u64> {
    let mut ascending: Vec<(u64, u64)> = progressions
        .iter()
        .filter(|it| it.step != 0 && it.count > 1)
        .map(|it| (it.step.unsigned_abs(), it.count))
        .collect();
    ascending.sort_unstable();
    let mut digits: Vec<(u64, u64)> = Vec::new();
    // How far the digits so far reach.
    let mut reach = 0_u64;
    for (step, count) in ascending {
        let far = step.checked_mul(count - 1)?;
        match digits.last_mut() {
            Some((own, length)) if step % *own == 0 && step / *own <= *length => {
                *length = length.checked_add((step / *own).checked_mul(count - 1)?)?;
            }
            _ if step > reach => digits.push((step, count)),
            _ => return None,
        }
        reach = reach.checked_add(far)?;
    }
    digits
        .iter()
        .try_fold(1_u64, |product, (_, length)| product.checked_mul(*length))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn enumerated(progressions: &[Progression]) -> u64 {
        let mut sums = BTreeSet::from([0]);
        for it in progressions {
            let steps = 0..i64::try_from(it.count).expect("small");
            sums = steps
                .flat_map(|k| {
                    sums.iter()
                        .map(move |sum| sum + k * it.step)
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        sums.len() as u64
    }

    proptest! {
        #[test]
        fn is_what_enumeration_finds(progressions in vec((-40_i64..40, 1_u64..9), 0..5)) {
            let progressions: Vec<Progression> = progressions.into_iter().map(|(step, count)| Progression { step, count }).collect();
            if let Some(count) = count_distinct_sums(&progressions) {
                prop_assert_eq!(count, enumerated(&progressions));
            }
        }
    }

    #[test]
    fn rows_columns_and_tiles_are_counted() {
        let count = |pairs: &[(i64, u64)]| {
            let progressions: Vec<Progression> = pairs
                .iter()
                .map(|(step, count)| Progression {
                    step: *step,
                    count: *count,
                })
                .collect();
            count_distinct_sums(&progressions)
        };
        // 16 rows of 96, whole.
        assert_eq!(count(&[(96, 16), (1, 96)]), Some(1536));
        // 16 of each of 96 rows.
        assert_eq!(count(&[(96, 96), (1, 16)]), Some(1536));
        // A work-group's items and the groups side by side.
        assert_eq!(count(&[(1, 16), (16, 6)]), Some(96));
        // A window that slides: 64 + 8.
        assert_eq!(count(&[(1, 64), (1, 9)]), Some(72));
        assert_eq!(count(&[(2, 4), (3, 4)]), None);
        assert_eq!(count(&[(i64::MAX, u64::MAX), (3, 4)]), None);
    }
}
