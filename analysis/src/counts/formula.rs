//! Counts as polynomials in a launch's sizes: `2·n³`.

use std::fmt::{self, Display, Formatter};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

/// The highest degree, of all sizes together.
const DEGREE: u32 = 3;

/// A polynomial in sizes with rational coefficients, of degree 3 at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    names: Vec<String>,
    /// Coefficients that are not 0, and the power of each size, the highest first.
    terms: Vec<(BigRational, Vec<u32>)>,
}

/// Multiples of the smallest sizes at which a formula is looked for, and then those at which it is checked, each one a
/// size: those of the first kind determine a polynomial of degree 3 (principal lattice: Chung and Yao, SIAM Journal on
/// Numerical Analysis 14, 1977).
pub fn points(sizes: usize) -> (Vec<Vec<i64>>, Vec<Vec<i64>>) {
    let multiples = |powers: Vec<u32>| powers.into_iter().map(|it| i64::from(it) + 1).collect();
    let found = monomials(sizes).into_iter().map(multiples).collect();
    let mut checks = vec![vec![5; sizes]];
    for at in 0..sizes {
        let mut one = vec![2; sizes];
        one[at] = 7;
        checks.push(one);
    }
    (found, checks)
}

/// Powers of the sizes, of all monomials.
fn monomials(sizes: usize) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for _ in 0..sizes {
        let longer = |powers: &Vec<u32>| -> Vec<Vec<u32>> {
            let left = DEGREE - powers.iter().sum::<u32>();
            let next = |power| powers.iter().copied().chain([power]).collect();
            (0..=left).map(next).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.sort_by_key(|powers| std::cmp::Reverse((powers.iter().sum::<u32>(), powers.clone())));
    all
}

impl Formula {
    /// The polynomial through these counts, at the first of [`points`]; none where they do not determine one.
    #[must_use]
    pub fn through(names: &[String], counts: &[(Vec<i64>, u64)]) -> Option<Self> {
        let monomials = monomials(names.len());
        let mut rows: Vec<Vec<BigRational>> = counts
            .iter()
            .map(|(sizes, count)| {
                let values = monomials.iter().map(|powers| value(sizes, powers));
                let count = BigRational::from(BigInt::from(*count));
                values.chain([count]).collect()
            })
            .collect();
        let k = monomials.len();
        if rows.len() != k {
            return None;
        }
        // Gauss and Jordan.
        for at in 0..k {
            let pivot = (at..k).find(|row| !rows[*row][at].is_zero())?;
            rows.swap(at, pivot);
            let by = rows[at][at].recip();
            for cell in &mut rows[at] {
                *cell *= &by;
            }
            let own = rows[at].clone();
            for (other, row) in rows.iter_mut().enumerate() {
                let times = row[at].clone();
                if other != at && !times.is_zero() {
                    for (cell, own) in row.iter_mut().zip(&own) {
                        *cell -= &times * own;
                    }
                }
            }
        }
        let terms = monomials.into_iter().zip(rows);
        let terms = terms.map(|(powers, mut row)| (row.pop().unwrap_or_default(), powers));
        Some(Self {
            names: names.to_vec(),
            terms: terms.filter(|(number, _)| !number.is_zero()).collect(),
        })
    }

    /// Whether it gives this count at these sizes.
    #[must_use]
    pub fn gives(&self, sizes: &[i64], count: u64) -> bool {
        let terms = self.terms.iter();
        let sum: BigRational = terms
            .map(|(number, powers)| number * value(sizes, powers))
            .sum();
        sum == BigRational::from(BigInt::from(count))
    }
}

fn value(sizes: &[i64], powers: &[u32]) -> BigRational {
    let product = sizes
        .iter()
        .zip(powers)
        .map(|(size, power)| BigInt::from(*size).pow(*power))
        .product::<BigInt>();
    BigRational::from(product)
}

impl Display for Formula {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return f.write_str("0");
        }
        for (place, (number, powers)) in self.terms.iter().enumerate() {
            match (place, number.is_negative()) {
                (0, false) => {}
                (0, true) => f.write_str("−")?,
                (_, false) => f.write_str(" + ")?,
                (_, true) => f.write_str(" − ")?,
            }
            let size = number.abs();
            let is_constant = powers.iter().all(|power| *power == 0);
            let mut parts = Vec::new();
            if is_constant || !size.is_one() {
                parts.push(size.to_string());
            }
            for (name, power) in self.names.iter().zip(powers) {
                match power {
                    0 => {}
                    1 => parts.push(name.clone()),
                    2 => parts.push(format!("{name}²")),
                    _ => parts.push(format!("{name}³")),
                }
            }
            f.write_str(&parts.join("·"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A formula through what `of` says at multiples of 16.
    fn found(names: &[&str], of: impl Fn(&[i64]) -> i64) -> Option<Formula> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let at = |points: Vec<Vec<i64>>| -> Vec<(Vec<i64>, u64)> {
            let sizes = |point: Vec<i64>| point.iter().map(|it| 16 * it).collect::<Vec<i64>>();
            let points = points.into_iter().map(sizes);
            points
                .map(|sizes| (sizes.clone(), of(&sizes).unsigned_abs()))
                .collect()
        };
        let (points, checks) = points(names.len());
        let formula = Formula::through(&names, &at(points))?;
        let holds = |(sizes, count): &(Vec<i64>, u64)| formula.gives(sizes, *count);
        at(checks).iter().all(holds).then_some(formula)
    }

    #[test]
    fn polynomials_are_found_and_read_well() {
        let text = |names: &[&str], of: fn(&[i64]) -> i64| {
            found(names, of).map(|formula| formula.to_string())
        };
        assert_eq!(text(&["n"], |s| 2 * s[0].pow(3)).unwrap(), "2·n³");
        assert_eq!(
            text(&["n"], |s| s[0] * (s[0] - 1) / 2).unwrap(),
            "1/2·n² − 1/2·n"
        );
        assert_eq!(text(&["n"], |_| 0).unwrap(), "0");
        assert_eq!(text(&["n"], |_| 7).unwrap(), "7");
        assert_eq!(
            text(&["height", "width"], |s| 9 * s[0] * s[1] + s[1] + 3).unwrap(),
            "9·height·width + width + 3"
        );
        assert_eq!(
            text(&["a", "b", "c"], |s| s[0] * s[1] * s[2]).unwrap(),
            "a·b·c"
        );
    }

    #[test]
    fn what_is_no_polynomial_of_degree_3_has_none() {
        assert_eq!(found(&["n"], |s| s[0].pow(4)), None);
        assert_eq!(found(&["n"], |s| i64::from(s[0].ilog2())), None);
        assert_eq!(found(&["n", "m"], |s| s[0].max(s[1])), None);
    }
}
