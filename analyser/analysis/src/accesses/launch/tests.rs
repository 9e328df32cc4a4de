//! Random nests: footprints by algebra against those by enumeration.

use proptest::{collection::vec, prelude::*};

use super::*;
use crate::{
    accesses::{Array, Atom, Class, Condition, Does, Guard, Id, Loop, Polynomial, Step},
    ast::{Kind, Place, Scalar, Span, Type},
};

/// A nest of loops with bounds and steps, each also by what stands around it, and a guard.
#[derive(Clone, Debug)]
struct Nest {
    /// First value, span and step of each loop.
    loops: Vec<(i64, i64, i64)>,
    /// Whether a bound depends on the first dimension's local id.
    depends: bool,
    /// Factors of two local ids, two group ids and the loops' variables.
    index: Vec<i64>,
    /// A condition on one of these being at least 0.
    guard: Option<(usize, i64, i64)>,
    width: u64,
}

fn nest() -> impl Strategy<Value = Nest> {
    let coefficient = prop_oneof![Just(0), Just(1), -3_i64..4, Just(4), Just(16), Just(64)];
    let step = prop_oneof![Just(1_i64), Just(2), Just(3), Just(-1)];
    let guard = proptest::option::of((0_usize..6, prop_oneof![Just(1_i64), Just(-1)], -3_i64..6));
    (
        vec((-2_i64..4, 0_i64..5, step), 0..3),
        prop::bool::weighted(0.2),
        vec(coefficient, 6),
        guard,
        1_u64..5,
    )
        .prop_map(|(loops, depends, index, guard, width)| Nest {
            loops,
            depends,
            index,
            guard,
            width,
        })
}

fn accesses(nest: &Nest) -> Accesses {
    let mut all = Accesses::default();
    let mut variables: Vec<Polynomial> = [
        (Id::Local, 0),
        (Id::Local, 1),
        (Id::Group, 0),
        (Id::Group, 1),
    ]
    .map(|(id, dimension)| all.atoms.formula(Atom::Id(id, dimension)))
    .into();
    for (number, (lower, trips, step)) in nest.loops.iter().enumerate() {
        let constant = Polynomial::constant;
        let upper = constant(lower + trips * step);
        let upper = if nest.depends {
            upper.plus(&variables[0]).expect("small")
        } else {
            upper
        };
        all.loops.push(Loop {
            name: None,
            span: Span::default(),
            lower: Some(constant(*lower)),
            upper: Some(upper),
            rises: *step > 0,
            until_equal: false,
            step: Step::Add(constant(*step)),
            trips: None,
            body_first: false,
            ends_early: None,
        });
        variables.push(all.atoms.formula(Atom::Loop(number)));
    }
    let sum = |by: &[i64]| {
        let terms = variables
            .iter()
            .zip(by)
            .map(|(variable, by)| variable.scaled(*by).expect("small"));
        terms.fold(Polynomial::default(), |sum, term| {
            sum.plus(&term).expect("small")
        })
    };
    let index = sum(&nest.index);
    let guards = nest.guard.iter().filter_map(|(variable, by, constant)| {
        let variable = variables.get(*variable)?;
        let formula = variable
            .scaled(*by)?
            .plus(&Polynomial::constant(*constant))?;
        Some(Guard {
            condition: Condition::AtLeastZero(formula),
            depth: nest.loops.len(),
            place: Place::default(),
        })
    });
    let float = Type::Scalar(Scalar {
        kind: Kind::Float,
        bytes: 4,
    });
    all.arrays.push(Array {
        name: "a".to_owned(),
        space: Space::Global,
        element: float,
        element_bytes: 4,
        lengths: Vec::new(),
        parameter: Some(0),
        variable: 0,
        span: Span::default(),
    });
    all.accesses.push(Access {
        array: Some(0),
        also: Vec::new(),
        does: Does::Load,
        bytes: 4 * nest.width,
        offset: index.scaled(4).expect("small"),
        subscripts: vec![index.clone()],
        index,
        element_bytes: 4,
        within: 0,
        fields: Vec::new(),
        strides: vec![Polynomial::constant(1)],
        loops: (0..nest.loops.len()).collect(),
        guards: guards.collect(),
        span: Span::default(),
        calls: Vec::new(),
        class: Class::Affine,
        reasons: Vec::new(),
        depends_on: BTreeSet::new(),
        happens_by: BTreeSet::new(),
    });
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn footprints_of_random_nests_are_those_of_enumeration(nest in nest()) {
        let all = accesses(&nest);
        let geometry = Geometry {
            global: [24, 6, 1],
            local: [8, 2, 1],
            dimensions: 2,
            scalars: Vec::new(),
        };
        let [algebra, enumerated] = all.footprints(0, &geometry);
        let enumerated = enumerated.expect("few points");
        if let Some(algebra) = algebra {
            prop_assert_eq!(algebra, enumerated);
        }
    }
}
