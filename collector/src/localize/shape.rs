//! Another size of work-groups: only of kernels whose work-items do not know their work-group.

use kerncast_analysis::{
    accesses::Accesses,
    ast::{ExprKind, Part, Space, Unit},
};
use kerncast_suite::Launch;

use crate::UsageError;

/// Gives all steps of a launch work-groups of this size; 1 in dimensions that it does not name.
///
/// # Errors
/// It has more dimensions than the launch, or does not divide the launch's work-items.
pub(super) fn shaped(launch: &mut Launch, tile: &[usize]) -> Result<(), UsageError> {
    for step in &mut launch.steps {
        let words: Vec<String> = tile.iter().map(ToString::to_string).collect();
        let refused = |why: String| UsageError(format!("--tile {}: {why}", words.join("x")));
        if tile.len() != step.local.len() {
            let dimensions = step.local.len();
            return Err(refused(format!(
                "expected {dimensions} sizes, one for each dimension of the launch"
            )));
        }
        for (dimension, (global, local)) in step.global.iter().zip(tile).enumerate() {
            if global % local != 0 {
                return Err(refused(format!(
                    "{local} does not divide the {global} work-items in dimension {dimension}"
                )));
            }
        }
        step.local = tile.to_vec();
    }
    Ok(())
}

/// Whether the kernel would do the same in work-groups of any size. The one that it says it requires is changed with it.
///
/// # Errors
/// It asks for its work-group.
pub(super) fn check(unit: &Unit, accesses: &Accesses) -> Result<(), UsageError> {
    let kernel = &*accesses.function;
    let mut asks = None;
    for function in &unit.functions {
        if function.is_kernel && &*function.name != kernel {
            continue;
        }
        unit.visit(&function.body, &mut |part| {
            if let Part::Expr(expr) = part
                && let ExprKind::Call(name, _) = &expr.kind
                && ["local", "group", "barrier", "fence"]
                    .iter()
                    .any(|it| name.contains(it))
            {
                asks = Some(name.clone());
            }
        });
    }
    if let Some(name) = asks {
        return Err(UsageError(format!(
            "--tile: the kernel calls `{name}`, so what it does may depend on the work-group's size"
        )));
    }
    if accesses
        .arrays
        .iter()
        .any(|array| array.space == Space::Local)
    {
        let why = "--tile: the kernel has local memory of its own, made for its work-group's size";
        return Err(UsageError(why.to_owned()));
    }
    Ok(())
}
