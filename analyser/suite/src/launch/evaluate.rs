//! Evaluates a variant's expressions at given parameters.

use std::{collections::BTreeMap, sync::Arc};

use super::{Launch, LaunchArgument, LaunchBuffer, Step};
use crate::{
    Access, Argument, ArgumentKind, BadValue, Base, Data, Formula, Image, Kernel, Number,
    Parameters, ScalarValue, Type, Variant, VariantStep, When,
};

/// The most launches of a workload: more take long to enqueue.
const MOST_LAUNCHES: usize = 10_000;

pub(super) fn launch(
    kernel: &Kernel,
    variant: &Variant,
    parameters: &Parameters,
) -> Result<Launch, BadValue> {
    let buffers = Buffers::new(kernel, variant, parameters)?;
    let steps = steps(kernel, variant, parameters, &buffers.places)?;
    Ok(Launch {
        source: variant.source.clone(),
        options: variant.options.resolved(parameters)?,
        until: variant
            .until
            .and_then(|it| buffers.places.get(&it).copied()),
        buffers: buffers.own,
        steps,
        helpers: buffers.helpers,
    })
}

/// The buffers of a launch.
struct Buffers {
    /// The buffers that steps get.
    own: Vec<LaunchBuffer>,
    /// The place in `own` of each argument, by its place among the kernel's.
    places: BTreeMap<usize, usize>,
    /// The buffers that only fills refer to.
    helpers: Vec<LaunchBuffer>,
}

impl Buffers {
    fn new(kernel: &Kernel, variant: &Variant, parameters: &Parameters) -> Result<Self, BadValue> {
        let (mut own, mut places, mut helpers) = (Vec::new(), BTreeMap::new(), Vec::new());
        for (index, argument) in kernel.arguments.iter().enumerate() {
            if !argument.is_of(&variant.name) {
                continue;
            }
            match buffer(argument, parameters)? {
                Some(buffer) if variant.has(index) => {
                    places.insert(index, own.len());
                    own.push(buffer);
                }
                Some(buffer) if buffer.fill.is_some() => helpers.push(buffer),
                _ => {}
            }
        }
        let is_referred_to = |name: &str| {
            let mut fills = own.iter().chain(&helpers).filter_map(|it| it.fill.as_ref());
            fills.any(|fill| fill.refers_to(name))
        };
        let needed = helpers.iter().map(|it| is_referred_to(&it.name));
        let mut needed = needed.collect::<Vec<bool>>().into_iter();
        helpers.retain(|_| needed.next() == Some(true));
        Ok(Self {
            own,
            places,
            helpers,
        })
    }
}

/// All steps in their order, without those that have nothing to do. `places`: the launch's buffers by the arguments'
/// places.
fn steps(
    kernel: &Kernel,
    variant: &Variant,
    parameters: &Parameters,
    places: &BTreeMap<usize, usize>,
) -> Result<Vec<Step>, BadValue> {
    let rounds = match &variant.rounds {
        None => 1,
        Some(rounds) => count_rounds(rounds, parameters, variant.steps.len())?,
    };
    let functions = variant.steps.iter();
    let functions: Vec<Arc<str>> = functions.map(|it| it.function.as_str().into()).collect();
    let names = variant.steps.iter().map(|step| {
        let names = step.arguments.iter();
        names.map(|it| kernel.arguments[*it].name.clone()).collect()
    });
    let names: Vec<Arc<[String]>> = names.collect();
    let mut steps: Vec<Step> = Vec::new();
    for (place, round) in order(variant, rounds, parameters)? {
        let step = &variant.steps[place];
        let mut parameters = parameters.clone();
        if let Some(round) = round {
            parameters.insert(ROUND.to_owned(), i64::try_from(round).unwrap_or(i64::MAX));
        }
        if has_nothing_to_do(step, &parameters)? {
            continue;
        }
        let arguments = step.arguments.iter().map(|index| {
            let argument = &kernel.arguments[*index];
            launch_argument(argument, places.get(index).copied(), &parameters)
        });
        let arguments = arguments.collect::<Result<_, _>>()?;
        let (global, local) = geometry(step, &parameters)?;
        steps.push(Step {
            function: functions[place].clone(),
            names: names[place].clone(),
            arguments,
            global,
            local,
            round: round.filter(|_| step.when == When::Round),
            is_timed: step.is_timed,
        });
    }
    if !steps.iter().any(|it| it.is_timed) {
        let first = &variant.steps[0].global[0];
        return Err(first.bad("leaves nothing to do", parameters, "1 or more in a step"));
    }
    Ok(steps)
}

/// Places of steps, each with its round, if there are rounds: steps before, `rounds` times those of a round, steps
/// after.
fn order(
    variant: &Variant,
    rounds: usize,
    parameters: &Parameters,
) -> Result<Vec<(usize, Option<usize>)>, BadValue> {
    let mut order = Vec::new();
    let steps_when =
        |when| (0..variant.steps.len()).filter(move |it| variant.steps[*it].when == when);
    for when in [When::Before, When::Round, When::After] {
        if when == When::Round {
            let round = |round| variant.rounds.is_some().then_some(round);
            order.extend(
                (0..rounds).flat_map(|it| steps_when(when).map(move |step| (step, round(it)))),
            );
            continue;
        }
        for step in steps_when(when) {
            let Some(repeats) = &variant.steps[step].repeats else {
                order.push((step, None));
                continue;
            };
            order.extend((0..count_rounds(repeats, parameters, 1)?).map(|it| (step, Some(it))));
        }
    }
    if order.len() > MOST_LAUNCHES {
        let problem = format!("makes {} launches of the variant", order.len());
        let expected = format!("at most {MOST_LAUNCHES}");
        let first = &variant.steps[0];
        let field = variant.rounds.as_ref().or(first.repeats.as_ref());
        return Err(field
            .unwrap_or(&first.global[0])
            .bad(&problem, parameters, &expected));
    }
    Ok(order)
}

/// Number of rounds of `steps` launches each, or of repeats of one step; a mistake if they are too many.
fn count_rounds(
    rounds: &Formula,
    parameters: &Parameters,
    steps: usize,
) -> Result<usize, BadValue> {
    let (count, most) = (rounds.count(parameters)?, MOST_LAUNCHES / steps);
    if count > most {
        let problem = format!("is {count}");
        let expected = format!("at most {most}: {MOST_LAUNCHES} launches in all");
        return Err(rounds.bad(&problem, parameters, &expected));
    }
    Ok(count)
}

/// The name of the round's number, from 0, in expressions of a repeated step.
pub(crate) const ROUND: &str = "round";

/// Whether a step has no work-item, as in a last round.
fn has_nothing_to_do(step: &VariantStep, parameters: &Parameters) -> Result<bool, BadValue> {
    let sizes = step.global.iter().map(|it| it.number(parameters));
    let sizes: Vec<Number> = sizes.collect::<Result<_, _>>()?;
    Ok(sizes.contains(&Number::Whole(0)))
}

fn geometry(
    step: &VariantStep,
    parameters: &Parameters,
) -> Result<(Vec<usize>, Vec<usize>), BadValue> {
    let counts = |formulas: &[Formula]| -> Result<Vec<usize>, BadValue> {
        formulas.iter().map(|it| it.count(parameters)).collect()
    };
    let (globals, mut locals) = (counts(&step.global)?, counts(&step.local)?);
    if step.chooses_local {
        for (global, local) in globals.iter().zip(&mut locals) {
            // It is a power of two.
            *local = (*local).min(1 << global.trailing_zeros());
        }
    }
    for (dimension, (global, local)) in globals.iter().zip(&locals).enumerate() {
        if global % local != 0 {
            let size = &step.global[dimension].expression;
            let expected = format!(
                "a divisor of the global size {global}. For sizes that it does not divide give `ceil_div({size}, {local}) \
                 * {local}` as the global size, and let the kernel return where an id lies beyond"
            );
            let problem = format!("is {local}");
            return Err(step.local[dimension].bad(&problem, parameters, &expected));
        }
    }
    Ok((globals, locals))
}

/// Whether a program passes no buffer, which is only allowed for inputs.
fn is_null(length: &Formula, access: Access, parameters: &Parameters) -> Result<bool, BadValue> {
    Ok(access == Access::Read && length.number(parameters)? == Number::Whole(0))
}

fn buffer(argument: &Argument, parameters: &Parameters) -> Result<Option<LaunchBuffer>, BadValue> {
    let name = argument.name.clone();
    Ok(match &argument.kind {
        ArgumentKind::Buffer {
            ty,
            length,
            access,
            any_order,
            fill,
        } if !is_null(length, *access, parameters)? => Some(LaunchBuffer {
            name,
            ty: ty.clone(),
            elements: elements(ty, length, parameters)?,
            image: None,
            access: *access,
            any_order: *any_order,
            fill: fill.clone(),
        }),
        ArgumentKind::Image {
            format,
            width,
            height,
            access,
            fill,
        } => {
            let ty = Type::Element(format.element);
            let image = Image {
                format: *format,
                width: side(width, parameters)?,
                height: side(height, parameters)?,
            };
            Some(LaunchBuffer {
                name,
                ty,
                elements: image.pixels(),
                image: Some(image),
                access: *access,
                any_order: false,
                fill: fill.clone(),
            })
        }
        ArgumentKind::Buffer { .. }
        | ArgumentKind::Sampler(_)
        | ArgumentKind::Scalar { .. }
        | ArgumentKind::Local { .. } => None,
    })
}

/// The value of a step's argument. A buffer stands in `place` of the launch's; one without elements has none.
fn launch_argument(
    argument: &Argument,
    place: Option<usize>,
    parameters: &Parameters,
) -> Result<LaunchArgument, BadValue> {
    Ok(match &argument.kind {
        ArgumentKind::Buffer { .. } | ArgumentKind::Image { .. } => {
            place.map_or(LaunchArgument::Null, LaunchArgument::Buffer)
        }
        ArgumentKind::Sampler(sampler) => LaunchArgument::Sampler(*sampler),
        ArgumentKind::Local { ty, length } => {
            LaunchArgument::Local(elements(ty, length, parameters)? * ty.bytes())
        }
        ArgumentKind::Scalar { ty, values } => {
            LaunchArgument::Scalar(scalar(ty, values, parameters)?)
        }
    })
}

/// The longest side of an image. No device's images are near as wide or high, and their pixels' bytes can't overflow.
const LONGEST_SIDE: usize = 1 << 20;

fn side(length: &Formula, parameters: &Parameters) -> Result<usize, BadValue> {
    let pixels = length.count(parameters)?;
    if pixels > LONGEST_SIDE {
        let (problem, expected) = (format!("is {pixels}"), format!("at most {LONGEST_SIDE}"));
        return Err(length.bad(&problem, parameters, &expected));
    }
    Ok(pixels)
}

fn elements(ty: &Type, length: &Formula, parameters: &Parameters) -> Result<usize, BadValue> {
    let elements = length.count(parameters)?;
    // A tebibyte: no buffer of today's devices is near, and sums of such can't overflow.
    match elements.checked_mul(ty.bytes()) {
        Some(bytes) if bytes <= 1 << 40 => Ok(elements),
        _ => {
            let most = (1_u64 << 40) / ty.bytes() as u64;
            let expected = format!("at most {most}, which are 1 TiB");
            Err(length.bad(&format!("is {elements} elements"), parameters, &expected))
        }
    }
}

fn scalar(
    ty: &Type,
    values: &[Vec<ScalarValue>],
    parameters: &Parameters,
) -> Result<Vec<u8>, BadValue> {
    let column = |base: Base, values: &[ScalarValue]| {
        Data::generate(base, values.len(), |start| {
            let values = values[start..].iter();
            values.map(|value| component(base, value, parameters))
        })
    };
    match ty {
        Type::Element(element) => Ok(column(element.base, &values[0])?.bytes().to_vec()),
        Type::Struct(structure) => {
            let fields = structure.fields.iter().zip(values);
            let columns: Vec<Data> = fields
                .map(|(field, values)| column(field.element.base, values))
                .collect::<Result<_, _>>()?;
            Ok(structure.join(&columns, 1))
        }
    }
}

fn component(base: Base, value: &ScalarValue, parameters: &Parameters) -> Result<Number, BadValue> {
    match value {
        ScalarValue::Real(real) => Ok(Number::Real(*real)),
        ScalarValue::Formula(formula) => {
            let number = formula.number(parameters)?;
            if !base.holds(number) {
                let expected = base.numbers();
                return Err(formula.bad(&format!("is {number}"), parameters, &expected));
            }
            Ok(number)
        }
    }
}
