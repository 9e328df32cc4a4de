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

/// The arguments, in the order of the function's parameters.
pub(super) fn arguments(recipe: &Recipe) -> Vec<Argument> {
    let restrict = if recipe.restrict { "restrict " } else { "" };
    let reads = |name, element: &str, length: &str, fill: &str| Argument {
        name,
        declared: format!("__global const {element} *{restrict}"),
        keys: format!("buffer = \"{element}\"\nlength = \"{length}\"\nfill = {{ {fill} }}"),
    };
    let writes = |name, element: &str, length: &str| Argument {
        name,
        declared: format!("__global {element} *{restrict}"),
        keys: format!("buffer = \"{element}\"\nlength = \"{length}\"\naccess = \"write\""),
    };
    let changes = |name, element: &str, length: &str, fill: &str| Argument {
        name,
        declared: format!("__global {element} *"),
        keys: format!(
            "buffer = \"{element}\"\nlength = \"{length}\"\naccess = \"read_write\"\nfill = {{ {fill} }}"
        ),
    };
    let scalar = |name, kind: &str, value: &str| Argument {
        name,
        declared: format!("{kind} "),
        keys: format!("scalar = \"{kind}\"\nvalue = \"{value}\""),
    };
    let number = recipe.number.name();
    let (element, _, fill) = recipe.number.element(recipe.storage);
    let mut arguments = Vec::new();
    match recipe.path {
        Path::Next => arguments.push(reads("next", "uint", "elements", NEXT)),
        Path::RowInPlace { .. } | Path::ColumnInPlace { .. } => {
            arguments.push(changes("numbers", element, "(items + 1) * length", fill));
        }
        Path::Row | Path::Column => {
            arguments.push(reads("numbers", element, "items * length", fill))
        }
        _ => arguments.push(reads("numbers", element, "elements", fill)),
    }
    if recipe.path == Path::Places {
        arguments.push(reads(
            "places",
            "uint",
            "elements",
            "uniform = [0, 4294967295]",
        ));
    }
    match recipe.storing {
        Some(Storing::Side { last } | Storing::Row { last }) => {
            arguments.push(writes("kept", number, &format!("{last} * items")));
        }
        Some(Storing::Line) => arguments.push(writes("kept", number, "items * length")),
        Some(Storing::Few(few)) => {
            arguments.push(changes(
                "marks",
                "uint",
                &few.max(2).to_string(),
                "expression = \"i % 7\"",
            ));
        }
        Some(Storing::Scattered) => {
            arguments.push(changes("marks", "uint", "slots", "expression = \"i % 7\""));
        }
        None => {}
    }
    if let Some(atomic) = recipe.atomic {
        let length = atomic
            .few
            .map_or("slots".to_owned(), |few| few.max(2).to_string());
        arguments.push(changes("table", "uint", &length, "expression = \"i % 7\""));
    }
    arguments.push(writes("results", number, "items"));
    arguments.push(scalar("steps", "int", "steps"));
    match recipe.path.line() {
        Some(_) => arguments.push(scalar("length", "int", "length")),
        None => arguments.push(scalar("mask", "uint", "elements - 1")),
    }
    if uses_slots(recipe) {
        arguments.push(scalar("slot_mask", "uint", "slots - 1"));
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
