//! Kernels that nobody wrote: blocks put together by a space-filling design (docs/generated.md). They show
//! what devices do with kernels unlike the suite's; models learn from them and are never judged by them.

use std::collections::BTreeMap;

mod arguments;
mod choose;
mod code;
mod cost;
mod launch_file;
mod number;
mod point;
mod recipe;
mod sizes;
mod text;
mod theme;
mod words;

use point::Point;
use recipe::Recipe;
use theme::{THEME_COUNT, THEMES, Theme};

/// Revision of the generator, raised whenever a seed gives other kernels. It is part of their names, so that samples of
/// different kernels never look like samples of one.
pub const GENERATOR_VERSION: u32 = 1;
/// The most kernels of a seed.
pub const MOST_GENERATED: u32 = THEME_COUNT * (1 << 16);

/// A kernel's folder, not yet on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedFolder {
    /// The kernel's name, and the folder's.
    pub name: String,
    /// The files' texts, by name.
    pub files: BTreeMap<String, String>,
}

/// The first `count` kernels of a seed, at most [`MOST_GENERATED`]. They are the same on every machine, and the first
/// of a larger `count` are those of a smaller one. Themes take turns.
#[must_use]
pub fn generate(seed: u32, count: u32) -> Vec<GeneratedFolder> {
    (0..count.min(MOST_GENERATED))
        .map(|index| folder(seed, index))
        .collect()
}

fn folder(seed: u32, index: u32) -> GeneratedFolder {
    let turn = index % THEME_COUNT;
    let (theme, family, about) = THEMES[turn as usize];
    let point = Point {
        index: index / THEME_COUNT,
        // A sequence of its own for each theme, so that each fills the space.
        seed: seed.wrapping_mul(THEME_COUNT).wrapping_add(turn),
    };
    kernel(seed, index, (theme, family, about), point)
}

fn kernel(
    seed: u32,
    index: u32,
    (theme, family, about): (Theme, &str, &str),
    point: Point,
) -> GeneratedFolder {
    let recipe = Recipe::new(theme, point);
    let name = format!("generated_v{GENERATOR_VERSION}_s{seed}_{index:04}");
    let head = words::comment(&format!(
        "Generated (version {GENERATOR_VERSION}, seed {seed}, number {index}): {about}. {}",
        words::words(&recipe)
    ));
    let title = format!("Generated: {about}");
    let (gpu, cpu) = (sizes::on_gpu(&recipe, point), sizes::on_cpu(&recipe, point));
    let family = format!("generated_{family}");
    let launch_file = launch_file::launch_file(&recipe, &name, (&family, &title), gpu, cpu);
    let code = format!("{head}\n{}", code::code(&recipe, &name));
    GeneratedFolder {
        files: BTreeMap::from([
            (format!("{name}.cl"), code),
            ("launch.toml".to_owned(), launch_file),
        ]),
        name,
    }
}
