//! The launch file of a recipe.

use super::{
    arguments::{arguments, uses_slots},
    recipe::Recipe,
    sizes::Size,
};

/// The text of `launch.toml` for a kernel of this name, with a size for GPUs and one for CPUs.
pub(super) fn launch_file(
    recipe: &Recipe,
    name: &str,
    (family, title): (&str, &str),
    gpu: Size,
    cpu: Size,
) -> String {
    let mut file = format!("title = \"{title}\"\nfamily = \"{family}\"\ngenerated = true\n\n");
    if gpu == cpu {
        file += &size(recipe, gpu, "");
    } else {
        file += &size(recipe, cpu, "on = [\"cpu\"]\n");
        file += &size(recipe, gpu, "on = [\"gpu\", \"accelerator\"]\n");
    }
    for argument in arguments(recipe) {
        file += &format!(
            "\n[[arguments]]\nname = \"{}\"\n{}",
            argument.name, argument.keys
        );
    }
    let variant = if recipe.local.is_some() {
        "local"
    } else {
        "global"
    };
    file += &format!(
        "\n\n[variants.{variant}]\nfunction = \"{name}\"\nglobal = [\"items\"]\nlocal = [\"{}\"]\n",
        recipe.group
    );
    if recipe.number.is_real() {
        file += "\n[tolerance]\nabsolute = 1e-3\nrelative = 1e-3\n";
    }
    file
}

fn size(recipe: &Recipe, size: Size, on: &str) -> String {
    let mut table = format!(
        "[[sizes]]\nitems = {}\nsteps = {}\n",
        size.items, size.steps
    );
    if recipe.path.line().is_some() {
        table += &format!("length = {}\n", size.length);
    } else {
        table += &format!("elements = {}\n", size.elements);
    }
    if uses_slots(recipe) {
        table += &format!("slots = {}\n", size.slots);
    }
    table + on
}
