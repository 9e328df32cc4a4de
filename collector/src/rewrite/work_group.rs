//! Other work-group sizes, for kernels whose results do not depend on them.

use kerncast_analysis::{
    accesses::Accesses,
    ast::{ExprKind, Part, Space, Unit},
};
use kerncast_suite::Launch;

/// Gives all steps of a launch this work-group size; none where it has other dimensions or does not divide the launch.
pub(super) fn reshape(launch: &mut Launch, group_size: &[usize]) -> Option<()> {
    for step in &mut launch.steps {
        let mut sizes = step.global.iter().zip(group_size);
        let divides = sizes.all(|(global, local)| global % local == 0);
        if !divides || group_size.len() != step.local.len() {
            return None;
        }
        step.local = group_size.to_vec();
    }
    Some(())
}

/// Whether the kernel would do the same in work-groups of any size: it does not ask for its size, and has no local
/// memory. (A `reqd_work_group_size` does not matter: it is changed too.)
pub(super) fn is_of_any_size(unit: &Unit, accesses: &Accesses) -> bool {
    let kernel = &*accesses.function;
    let mut asks = accesses.arrays.iter().any(|it| it.space == Space::Local);
    let functions = unit.functions.iter();
    for function in functions.filter(|it| !it.is_kernel || &*it.name == kernel) {
        unit.visit(&function.body, &mut |part| {
            if let Part::Expr(expr) = part
                && let ExprKind::Call(name, _) = &expr.kind
            {
                let words = ["local", "group", "barrier", "fence"];
                asks |= words.iter().any(|it| name.contains(it));
            }
        });
    }
    !asks
}
