//! Checks whether two variants of a kernel made the same outputs.

use std::ops::Range;

use half::f16;
use rayon::prelude::*;
use thiserror::Error;

use super::{Data, Tolerance, threads::PART};

/// A disagreement: the first component of an output that is not what it should be.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "{argument}[{index}] is {actual}; the reference has {expected} (tolerance {tolerance}; {count} of {components} components disagree)"
)]
pub struct Disagreement {
    /// Name of the output.
    pub argument: String,
    /// The component's place.
    pub index: usize,
    /// The component's value.
    pub actual: String,
    /// The reference's value.
    pub expected: String,
    /// The tolerance, in words.
    pub tolerance: String,
    /// Number of components that disagree.
    pub count: usize,
    /// Number of components.
    pub components: usize,
}

/// Compares an output with the reference's, component by component. Components of a `partly` written output agree too
/// if neither has written them.
///
/// # Errors
/// The first component that differs by more than the tolerance; NaN always does.
///
/// # Panics
/// If type or length differ: both come from the same argument of the same size.
pub fn agree(
    argument: &str,
    actual: &Data,
    reference: &Data,
    tolerance: Tolerance,
    partly: bool,
) -> Result<(), Disagreement> {
    assert_eq!(
        (actual.base(), actual.len()),
        (reference.base(), reference.len()),
        "{argument}"
    );
    let starts = (0..actual.len()).into_par_iter().step_by(PART);
    let ends = |start: usize| actual.len().min(start + PART);
    let parts: Vec<Differences> = starts
        .map(|start| differ(actual, reference, start..ends(start), tolerance, partly))
        .collect();
    let Some(index) = parts.iter().find_map(|part| part.first) else {
        return Ok(());
    };
    let (absolute, relative) = (tolerance.absolute, tolerance.relative);
    Err(Disagreement {
        argument: argument.to_owned(),
        index,
        actual: show(actual, index),
        expected: show(reference, index),
        tolerance: if absolute == 0.0 && relative == 0.0 {
            "0: exact".to_owned()
        } else {
            format!("{absolute} + {relative} × |reference|")
        },
        count: parts.iter().map(|part| part.count).sum(),
        components: actual.len(),
    })
}

/// Components that differ by more than the tolerance: the first, and their number.
#[derive(Default)]
struct Differences {
    first: Option<usize>,
    count: usize,
}

fn differ(
    a: &Data,
    b: &Data,
    range: Range<usize>,
    tolerance: Tolerance,
    partly: bool,
) -> Differences {
    macro_rules! components {
        ($($variant:ident)*) => {
            match (a, b) {
                $((Data::$variant(a), Data::$variant(b)) => {
                    let pairs = a[range.clone()].iter().zip(&b[range.clone()]).zip(range);
                    let unwritten = |a, b| partly && is_unwritten(a) && is_unwritten(b);
                    let all = pairs
                        .filter(|((a, b), _)| !near(**a, **b, tolerance) && !unwritten(*a, *b));
                    all.fold(Differences::default(), |all, (_, index)| Differences {
                        first: all.first.or(Some(index)),
                        count: all.count + 1,
                    })
                })*
                _ => unreachable!("checked by `agree`"),
            }
        };
    }
    components!(Char Uchar Short Ushort Int Uint Long Ulong Half Float Double)
}

fn near<T: Component>(a: T, b: T, tolerance: Tolerance) -> bool {
    // Infinities agree with themselves only; NaN is equal to nothing and below nothing.
    a == b || {
        let (distance, size) = a.distance_and_size(b);
        distance.is_finite() && distance <= tolerance.absolute + tolerance.relative * size
    }
}

/// Whether a component still has the 0xFF bytes from before the launch.
fn is_unwritten<T: bytemuck::NoUninit>(component: &T) -> bool {
    bytemuck::bytes_of(component)
        .iter()
        .all(|byte| *byte == 0xFF)
}

trait Component: Copy + PartialEq {
    /// |a − b| and |b|.
    fn distance_and_size(self, b: Self) -> (f64, f64);
}

macro_rules! whole {
    ($($type:ty)*) => {$(
        impl Component for $type {
            fn distance_and_size(self, b: Self) -> (f64, f64) {
                // Exact before it is rounded: 64-bit neighbours differ by 1, not by 0.
                ((i128::from(self) - i128::from(b)).unsigned_abs() as f64, (b as f64).abs())
            }
        }
    )*};
}

macro_rules! real {
    ($($type:ty)*) => {$(
        impl Component for $type {
            fn distance_and_size(self, b: Self) -> (f64, f64) {
                let (a, b) = (f64::from(self), f64::from(b));
                ((a - b).abs(), b.abs())
            }
        }
    )*};
}

whole!(i8 u8 i16 u16 i32 u32 i64 u64);
real!(f16 f32 f64);

fn show(data: &Data, index: usize) -> String {
    let (text, unwritten) = data.show(index);
    if unwritten {
        format!("{text} (0xFF bytes: nothing was written there?)")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXACT: Tolerance = Tolerance {
        absolute: 0.0,
        relative: 0.0,
    };
    const LOOSE: Tolerance = Tolerance {
        absolute: 0.01,
        relative: 0.1,
    };

    #[test]
    fn the_tolerance_is_absolute_plus_relative() {
        let reference = Data::Float(vec![1.0, -10.0, f32::INFINITY]);
        let near = Data::Float(vec![1.109, -11.0, f32::INFINITY]);
        assert_eq!(agree("c", &near, &reference, LOOSE, false), Ok(()));
        let far = agree(
            "c",
            &Data::Float(vec![1.2, -10.0, 1.0]),
            &reference,
            LOOSE,
            false,
        )
        .unwrap_err();
        assert_eq!((far.index, far.count, far.components), (0, 2, 3));
        assert_eq!(
            far.to_string(),
            "c[0] is 1.2; the reference has 1.0 (tolerance 0.01 + 0.1 × |reference|; 2 of 3 \
             components disagree)"
        );
    }

    #[test]
    fn nan_never_agrees_and_what_nobody_wrote_is_seen() {
        let unwritten = Data::Double(vec![f64::from_bits(u64::MAX); 2]);
        let first = agree("c", &unwritten, &unwritten, LOOSE, false).unwrap_err();
        assert_eq!(first.index, 0);
        assert!(first.actual.contains("nothing was written"), "{first}");
    }

    #[test]
    fn what_neither_has_written_agrees_where_it_may() {
        let unwritten = f32::from_bits(u32::MAX);
        let (some, all) = (
            Data::Float(vec![1.0, unwritten]),
            Data::Float(vec![1.0, 2.0]),
        );
        assert_eq!(agree("c", &some, &some, LOOSE, true), Ok(()));
        assert!(agree("c", &some, &all, LOOSE, true).is_err());
        assert!(agree("c", &all, &some, LOOSE, true).is_err());
    }

    #[test]
    fn whole_numbers_of_64_bits_are_compared_exactly() {
        let (a, b) = (Data::Ulong(vec![u64::MAX - 1]), Data::Ulong(vec![u64::MAX]));
        assert!(agree("c", &a, &b, EXACT, false).is_err());
        assert_eq!(agree("c", &b, &b, EXACT, false), Ok(()));
    }
}
