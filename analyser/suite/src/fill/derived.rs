//! Fills that are made of other fills, and those whose numbers can't be made one by one.

use std::{iter, ops::Range};

use super::{Base, Data, Fill, FillError, Filling, Formula, Number, random_from, seed, whole};

/// Random numbers between bounds that depend on the sizes.
pub(super) fn between(
    bounds: &[Formula; 2],
    base: Base,
    places: Range<usize>,
    filling: Filling<'_>,
) -> Result<Data, FillError> {
    let ends = bounds.each_ref().map(|bound| {
        let number = bound.number(filling.parameters)?;
        if base.holds(number) {
            return Ok(number);
        }
        let problem = format!("is {number}");
        Err(bound.bad(&problem, filling.parameters, &base.numbers()))
    });
    let [low, high] = ends;
    let (low, high) = (low?, high?);
    if low.real() >= high.real() {
        let expected = format!("more than {low}, the lower bound");
        let problem = format!("is {high}");
        return Err(bounds[1]
            .bad(&problem, filling.parameters, &expected)
            .into());
    }
    let ends = if base.is_float() {
        [low, high].map(|end| Number::Real(end.real()))
    } else {
        [low, high]
    };
    Fill::Uniform(ends).part(base, places, filling)
}

/// A random permutation, by Fisher and Yates.
pub(super) fn permutation(
    base: Base,
    components: usize,
    filling: Filling<'_>,
) -> Result<Data, FillError> {
    let last = i64::try_from(components).unwrap_or(i64::MAX) - 1;
    if !base.holds(Number::Whole(last)) {
        let problem = format!("has numbers up to {last}; expected {}", base.numbers());
        return Err(FillError::new(filling.argument, problem));
    }
    let mut order: Vec<i64> = (0..=last).collect();
    let mut random = random_from(seed(filling.kernel, filling.argument), 0);
    for place in (1..components).rev() {
        let highest = i64::try_from(place).unwrap_or(i64::MAX);
        let other = whole(random.next().unwrap_or_default(), 0, highest);
        order.swap(place, usize::try_from(other).unwrap_or_default());
    }
    Data::generate(base, components, |start| {
        order[start..].iter().map(|it| Ok(Number::Whole(*it)))
    })
}

/// An exclusive prefix sum: offsets of rows whose lengths are the other fill's.
pub(super) fn prefix_sum(
    fill: &Fill,
    base: Base,
    components: usize,
    filling: Filling<'_>,
) -> Result<Data, FillError> {
    let numbers = fill.data(base, components, filling)?;
    let mut sum = Number::Whole(0);
    let mut sums = Vec::with_capacity(components);
    for number in (0..components).map_while(|place| numbers.number(place)) {
        sums.push(sum);
        sum = match (sum, number) {
            (Number::Whole(sum), Number::Whole(number)) => {
                Number::Whole(sum.saturating_add(number))
            }
            (sum, number) => Number::Real(sum.real() + number.real()),
        };
    }
    if let Some(place) = sums.iter().position(|sum| !base.holds(*sum)) {
        let problem = format!(
            "is {} at i = {place}; expected {}",
            sums[place],
            base.numbers()
        );
        return Err(FillError::new(filling.argument, problem));
    }
    Data::generate(base, components, |start| {
        sums[start..].iter().map(|sum| Ok(*sum))
    })
}

/// Several fills, each by itself: its random numbers are its own, and its `i` begins at 0.
pub(super) fn sections(
    sections: &[(Option<Formula>, Fill)],
    base: Base,
    components: usize,
    filling: Filling<'_>,
) -> Result<Data, FillError> {
    let mut parts = Vec::new();
    let mut rest = components;
    for (place, (length, fill)) in sections.iter().enumerate() {
        let length = match length {
            Some(length) => length.count(filling.parameters)?,
            None => rest,
        };
        if length > rest {
            let problem = format!(
                "has sections longer than the {components} components that there are; expected \
                 lengths that add up to fewer, and a last section without"
            );
            return Err(FillError::new(filling.argument, problem));
        }
        rest -= length;
        let argument = format!("{}[{place}]", filling.argument);
        let argument = &argument;
        parts.push(fill.data(
            base,
            length,
            Filling {
                argument,
                ..filling
            },
        )?);
    }
    let numbers: Vec<Number> = parts
        .iter()
        .flat_map(|part| {
            iter::successors(Some(0), |place| Some(place + 1)).map_while(|it| part.number(it))
        })
        .collect();
    Data::generate(base, components, |start| {
        numbers[start..].iter().map(|number| Ok(*number))
    })
}
