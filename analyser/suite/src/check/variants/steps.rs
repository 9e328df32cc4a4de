//! `[[variants.NAME.steps]]`, or the one step that `[variants.NAME]` itself is.

use toml::Spanned;

use crate::{
    Argument, Formula, Mistake, Number, Parameters, Size, VariantStep, When,
    check::{Checker, is_identifier},
    file,
    launch::ROUND,
};

pub(super) fn steps(
    checker: Checker,
    (sizes, arguments): (&[Size], &[Argument]),
    name: &Spanned<String>,
    table: &file::Variant,
) -> Result<Vec<VariantStep>, Mistake> {
    let reader = Reader {
        checker,
        sizes,
        arguments,
        variant: name,
        field: format!("variants.{}", name.get_ref()),
        has_round: table.rounds.is_some(),
    };
    let Some(steps) = &table.steps else {
        return Ok(vec![reader.only_step(table)?]);
    };
    let first_argument = table.arguments.as_ref().and_then(|it| it.first());
    let of_one_launch = [
        table.function.as_ref().map(Spanned::span),
        table.global.as_ref().map(Spanned::span),
        table.local.as_ref().map(Spanned::span),
        first_argument.map(Spanned::span),
    ];
    if let Some(span) = of_one_launch.into_iter().flatten().next() {
        let problem = format!("variant `{}` is one launch and has steps", name.get_ref());
        let expected = "function, arguments, global and local in its steps alone";
        return Err(checker.mistake(span, &problem, expected));
    }
    if steps.get_ref().is_empty() {
        let problem = format!("variant `{}` has no steps", name.get_ref());
        return Err(checker.mistake(steps.span(), &problem, "one step or more"));
    }
    let steps = steps.get_ref().iter().enumerate();
    steps
        .map(|(place, step)| reader.step_of_several(place, step.get_ref()))
        .collect()
}

/// The parameters with the number of the first round, if expressions may use it.
fn with_round(parameters: &Parameters) -> Parameters {
    let mut parameters = parameters.clone();
    parameters.insert(ROUND.to_owned(), 0);
    parameters
}

#[derive(Clone)]
struct Reader<'a> {
    checker: Checker<'a>,
    sizes: &'a [Size],
    arguments: &'a [Argument],
    variant: &'a Spanned<String>,
    /// The field, as `variants.global`.
    field: String,
    /// Whether expressions may use the number of the round.
    has_round: bool,
}

/// The expressions of a size in 1 to 3 dimensions.
type Dimensions = Spanned<Vec<Spanned<file::Text>>>;

impl Reader<'_> {
    /// The step that the variant itself is.
    fn only_step(&self, table: &file::Variant) -> Result<VariantStep, Mistake> {
        let missing = |key: &str, expected: &str| {
            let problem = format!("variant `{}` has no {key}", self.variant.get_ref());
            let field = &self.field;
            let expected = format!("{expected}, or [[{field}.steps]] of several launches");
            let span = self.variant.span();
            self.checker.mistake(span, &problem, &expected)
        };
        let function = table.function.as_ref();
        let function = function.ok_or_else(|| missing("function", "function = \"NAME\""))?;
        let global = table.global.as_ref();
        let global =
            global.ok_or_else(|| missing("global", "global = [\"EXPRESSION\"], 1 to 3 of them"))?;
        let arguments = table.arguments.as_deref();
        self.step(function, arguments, global, table.local.as_ref())
    }

    fn step_of_several(&self, place: usize, step: &file::Step) -> Result<VariantStep, Mistake> {
        let when = step.when.unwrap_or_default();
        let field = format!("{}.steps[{place}]", self.field);
        if let Some(repeats) = step.repeats.as_ref().filter(|_| when == When::Round) {
            let problem = "`rounds` of a step of each round";
            let expected = "when = \"before\" or \"after\" beside it; the variant's `rounds` repeat the others";
            return Err(self.checker.mistake(repeats.span(), problem, expected));
        }
        if let Some(timed) = step.timed.as_ref().filter(|_| when != When::Before) {
            let problem = "`timed` of a step that is not before";
            let expected = "when = \"before\" beside it: what is launched later is timed";
            return Err(self.checker.mistake(timed.span(), problem, expected));
        }
        let reader = Self {
            field: field.clone(),
            has_round: match when {
                When::Round => self.has_round,
                _ => step.repeats.is_some(),
            },
            ..self.clone()
        };
        let arguments = step.arguments.as_deref();
        let one = reader.step(&step.function, arguments, &step.global, step.local.as_ref())?;
        let repeats = step.repeats.as_ref();
        let repeats = repeats.map(|it| self.checker.formula(format!("{field}.rounds"), it));
        Ok(VariantStep {
            when,
            repeats: repeats.transpose()?,
            is_timed: step.timed.as_ref().is_none_or(|it| *it.get_ref()),
            ..one
        })
    }

    fn step(
        &self,
        function: &Spanned<String>,
        arguments: Option<&[Spanned<String>]>,
        global: &Dimensions,
        local: Option<&Dimensions>,
    ) -> Result<VariantStep, Mistake> {
        if !is_identifier(function.get_ref()) {
            let problem = format!("`{}` is no function's name", function.get_ref());
            let expected = "a name of OpenCL C";
            return Err(self.checker.mistake(function.span(), &problem, expected));
        }
        let globals = self.dimensions("global", global)?;
        let locals = match local {
            Some(local) => self.dimensions("local", local)?,
            None => self.default_local(&globals, global),
        };
        if let Some(local) = local.filter(|_| globals.len() != locals.len()) {
            let problem = format!("`local` has {} dimensions", locals.len());
            let expected = format!("{}, as many as `global`", globals.len());
            return Err(self.checker.mistake(local.span(), &problem, &expected));
        }
        Ok(VariantStep {
            chooses_local: local.is_none(),
            function: function.get_ref().clone(),
            arguments: self.arguments(arguments)?,
            global: globals,
            local: locals,
            when: When::Round,
            repeats: None,
            is_timed: true,
        })
    }

    /// Places of the named arguments, else of all arguments of this variant, in the launch file's order.
    fn arguments(&self, named: Option<&[Spanned<String>]>) -> Result<Vec<usize>, Mistake> {
        let of_this: Vec<usize> = (0..self.arguments.len())
            .filter(|index| self.arguments[*index].is_of(self.variant.get_ref()))
            .collect();
        let Some(named) = named else {
            return Ok(of_this);
        };
        let place = |name: &Spanned<String>| {
            let mut places = of_this.iter().copied();
            let place = places.find(|index| self.arguments[*index].name == *name.get_ref());
            place.ok_or_else(|| {
                let (variant, name_) = (self.variant.get_ref(), name.get_ref());
                let problem = format!("variant `{variant}` has no argument `{name_}`");
                let names = of_this.iter().map(|index| &*self.arguments[*index].name);
                let expected = format!("one of {}", names.collect::<Vec<_>>().join(", "));
                self.checker.mistake(name.span(), &problem, &expected)
            })
        };
        named.iter().map(place).collect()
    }

    /// A work-group size if the launch file leaves it open, as drivers choose one: for each dimension the largest power
    /// of two up to the usual one that divides every global size.
    fn default_local(&self, globals: &[Formula], text: &Dimensions) -> Vec<Formula> {
        let usual: &[i64] = match globals.len() {
            1 => &[256],
            2 => &[16, 16],
            _ => &[8, 8, 4],
        };
        let fits = |global: &Formula, size: i64| {
            let mut all = self.sizes.iter();
            all.all(|it| match global.number(&with_round(&it.parameters)) {
                Ok(Number::Whole(items)) => items % size == 0,
                _ => true,
            })
        };
        let each = globals.iter().zip(usual).map(|(global, &usual)| {
            let mut sizes = std::iter::successors(Some(usual), |it| Some(it / 2));
            let size = sizes.find(|it| *it <= 1 || fits(global, *it)).unwrap_or(1);
            let field = format!("{}.local", self.field);
            let number = Spanned::new(text.span(), size.to_string());
            self.checker.formula(field, &number)
        });
        each.collect::<Result<_, _>>()
            .expect("a number is an expression")
    }

    fn dimensions(&self, key: &str, sizes: &Dimensions) -> Result<Vec<Formula>, Mistake> {
        if !(1..=3).contains(&sizes.get_ref().len()) {
            let problem = format!("`{key}` has {} dimensions", sizes.get_ref().len());
            let expected = "1 to 3 expressions";
            return Err(self.checker.mistake(sizes.span(), &problem, expected));
        }
        let field = format!("{}.{key}", self.field);
        let names = if self.has_round {
            self.checker.with(ROUND)
        } else {
            self.checker.parameters.to_vec()
        };
        let sizes = sizes.get_ref().iter();
        sizes
            .map(|size| self.checker.formula_over(&names, field.clone(), size))
            .collect()
    }
}
