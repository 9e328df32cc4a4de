//! Arguments of a generated kernel, in OpenCL C and in the launch file.

use super::recipe::{Path, Recipe, Storing};

/// A parameter of the kernel.
pub(super) struct Argument {
    pub(super) name: &'static str,
    /// The parameter's type in OpenCL C, without the name.
    pub(super) declared: String,
    /// Its lines in the launch file, but for the name.
    pub(super) keys: String,
}

impl Argument {
    /// A buffer that is declared so, and its further keys in the launch file.
    fn buffer(
        name: &'static str,
        declared: String,
        (element, length): (&str, &str),
        keys: &str,
    ) -> Self {
        Self {
            name,
            declared,
            keys: format!("buffer = \"{element}\"\nlength = \"{length}\"\n{keys}"),
        }
    }

    fn changed(name: &'static str, element: &str, length: &str, fill: &str) -> Self {
        let keys = format!("access = \"read_write\"\nfill = {{ {fill} }}");
        let declared = format!("__global {element} *");
        Self::buffer(name, declared, (element, length), &keys)
    }

    /// A table of counts, or of marks.
    fn table(name: &'static str, length: Option<u32>) -> Self {
        let length = length.map_or("slots".to_owned(), |few| few.max(2).to_string());
        Self::changed(name, "uint", &length, "expression = \"i % 7\"")
    }

    fn scalar(name: &'static str, kind: &str, value: &str) -> Self {
        Self {
            name,
            declared: format!("{kind} "),
            keys: format!("scalar = \"{kind}\"\nvalue = \"{value}\""),
        }
    }
}

/// The arguments, in the order of the function's parameters.
pub(super) fn arguments(recipe: &Recipe) -> Vec<Argument> {
    let restrict = if recipe.restrict { "restrict " } else { "" };
    let read = |name, element: &str, length: &str, fill: &str| {
        let declared = format!("__global const {element} *{restrict}");
        Argument::buffer(
            name,
            declared,
            (element, length),
            &format!("fill = {{ {fill} }}"),
        )
    };
    let number = recipe.number.name();
    let written = |name, length: &str| {
        let declared = format!("__global {number} *{restrict}");
        Argument::buffer(name, declared, (number, length), "access = \"write\"")
    };
    let (element, _, fill) = recipe.number.element(recipe.storage);
    let mut arguments = vec![match recipe.path {
        Path::Next => read("next", "uint", "elements", NEXT),
        Path::RowInPlace { .. } | Path::ColumnInPlace { .. } => {
            Argument::changed("numbers", element, "(items + 1) * length", fill)
        }
        Path::Row | Path::Column => read("numbers", element, "items * length", fill),
        _ => read("numbers", element, "elements", fill),
    }];
    if recipe.path == Path::Places {
        arguments.push(read(
            "places",
            "uint",
            "elements",
            "uniform = [0, 4294967295]",
        ));
    }
    arguments.extend(recipe.storing.map(|storing| match storing {
        Storing::Side { last } | Storing::Row { last } => {
            written("kept", &format!("{last} * items"))
        }
        Storing::Line => written("kept", "items * length"),
        Storing::Few(few) => Argument::table("marks", Some(few)),
        Storing::Scattered => Argument::table("marks", None),
    }));
    arguments.extend(
        recipe
            .atomic
            .map(|atomic| Argument::table("table", atomic.few)),
    );
    arguments.push(written("results", "items"));
    arguments.push(Argument::scalar("steps", "int", "steps"));
    arguments.push(match recipe.path.line() {
        Some(_) => Argument::scalar("length", "int", "length"),
        None => Argument::scalar("mask", "uint", "elements - 1"),
    });
    if uses_slots(recipe) {
        arguments.push(Argument::scalar("slot_mask", "uint", "slots - 1"));
    }
    arguments
}

/// Whether stores or atomics go to as many addresses as the size's `slots`.
pub(super) fn uses_slots(recipe: &Recipe) -> bool {
    recipe.storing == Some(Storing::Scattered)
        || recipe.atomic.is_some_and(|atomic| atomic.few.is_none())
}

/// A fill that is a permutation of one cycle (Hull and Dobell, 1962), since the length is a power of two.
const NEXT: &str = "expression = \"(i * 1664525 + 1013904223) % elements\"";
