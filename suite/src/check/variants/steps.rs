//! `[[variants.NAME.steps]]`, or the one step that `[variants.NAME]` itself is.

use toml::Spanned;

use crate::{
    Argument, Formula, Mistake, VariantStep,
    check::{Checker, is_identifier},
    file,
    launch::ROUND,
};

pub(super) fn steps(
    checker: Checker,
    arguments: &[Argument],
    name: &Spanned<String>,
    table: &file::Variant,
) -> Result<Vec<VariantStep>, Mistake> {
    let repeats = table.rounds.is_some();
    let reader = |field: String| Reader {
        checker,
        arguments,
        variant: name.get_ref(),
        field,
        repeats,
    };
    let field = format!("variants.{}", name.get_ref());
    let Some(steps) = &table.steps else {
        let missing = |key: &str, expected: &str| {
            let what = format!("variant `{}` has no {key}", name.get_ref());
            let expected = format!("{expected}, or [[{field}.steps]] of several launches");
            checker.mistake(name.span(), &what, &expected)
        };
        let sizes = "[\"EXPRESSION\"], 1 to 3 of them";
        let (function, global, local) = (&table.function, &table.global, &table.local);
        return Ok(vec![
            reader(field.clone()).step(
                function
                    .as_ref()
                    .ok_or_else(|| missing("function", "function = \"NAME\""))?,
                table.arguments.as_deref(),
                global
                    .as_ref()
                    .ok_or_else(|| missing("global", &format!("global = {sizes}")))?,
                local
                    .as_ref()
                    .ok_or_else(|| missing("local", &format!("local = {sizes}")))?,
            )?,
        ]);
    };
    let both = [
        table.function.as_ref().map(Spanned::span),
        table.global.as_ref().map(Spanned::span),
        table.local.as_ref().map(Spanned::span),
        table
            .arguments
            .as_ref()
            .and_then(|names| names.first().map(Spanned::span)),
    ];
    if let Some(span) = both.into_iter().flatten().next() {
        let what = format!("variant `{}` is one launch and has steps", name.get_ref());
        let expected = "function, arguments, global and local in its steps alone";
        return Err(checker.mistake(span, &what, expected));
    }
    if steps.get_ref().is_empty() {
        let what = format!("variant `{}` has no steps", name.get_ref());
        return Err(checker.mistake(steps.span(), &what, "one step or more"));
    }
    let steps = steps.get_ref().iter().enumerate();
    steps
        .map(|(place, step)| {
            let step = step.get_ref();
            reader(format!("{field}.steps[{place}]")).step(
                &step.function,
                step.arguments.as_deref(),
                &step.global,
                &step.local,
            )
        })
        .collect()
}

struct Reader<'a> {
    checker: Checker<'a>,
    arguments: &'a [Argument],
    variant: &'a str,
    /// As `variants.global`.
    field: String,
    repeats: bool,
}

type Sizes = Spanned<Vec<Spanned<String>>>;

impl Reader<'_> {
    fn step(
        &self,
        function: &Spanned<String>,
        arguments: Option<&[Spanned<String>]>,
        global: &Sizes,
        local: &Sizes,
    ) -> Result<VariantStep, Mistake> {
        if !is_identifier(function.get_ref()) {
            let what = format!("`{}` is no function's name", function.get_ref());
            let expected = "a name of OpenCL C";
            return Err(self.checker.mistake(function.span(), &what, expected));
        }
        let globals = self.dimensions("global", global)?;
        let locals = self.dimensions("local", local)?;
        if globals.len() != locals.len() {
            let what = format!("`local` has {} dimensions", locals.len());
            let expected = format!("{}, as many as `global`", globals.len());
            return Err(self.checker.mistake(local.span(), &what, &expected));
        }
        Ok(VariantStep {
            function: function.get_ref().clone(),
            arguments: self.arguments(arguments)?,
            global: globals,
            local: locals,
        })
    }

    /// Those that are named, else all of this variant in the launch file's order.
    fn arguments(&self, named: Option<&[Spanned<String>]>) -> Result<Vec<usize>, Mistake> {
        let of_this: Vec<usize> = (0..self.arguments.len())
            .filter(|index| self.arguments[*index].is_of(self.variant))
            .collect();
        let Some(named) = named else {
            return Ok(of_this);
        };
        let place = |name: &Spanned<String>| {
            let mut places = of_this.iter().copied();
            let place = places.find(|index| self.arguments[*index].name == *name.get_ref());
            place.ok_or_else(|| {
                let (variant, name_) = (self.variant, name.get_ref());
                let what = format!("variant `{variant}` has no argument `{name_}`");
                let names = of_this.iter().map(|index| &*self.arguments[*index].name);
                let expected = format!("one of {}", names.collect::<Vec<_>>().join(", "));
                self.checker.mistake(name.span(), &what, &expected)
            })
        };
        named.iter().map(place).collect()
    }

    fn dimensions(&self, key: &str, sizes: &Sizes) -> Result<Vec<Formula>, Mistake> {
        if !(1..=3).contains(&sizes.get_ref().len()) {
            let what = format!("`{key}` has {} dimensions", sizes.get_ref().len());
            let expected = "1 to 3 expressions";
            return Err(self.checker.mistake(sizes.span(), &what, expected));
        }
        let field = format!("{}.{key}", self.field);
        let names = if self.repeats {
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
