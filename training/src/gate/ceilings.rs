//! What a device can do at most, where several say so.

use kerncast_wire::Ceilings;

use super::history::median;

/// From so many on the median tells who is wrong.
const ENOUGH: usize = 3;
/// Who differs from it by more is.
const OFF: f64 = 2.0;

/// What the gate goes by, of what each agent has found: the shortest launch, and the highest rates. A busy machine's
/// come out too long and too low; and who says that a launch takes 10 ms, by mistake or not, could otherwise make
/// every time of microseconds right, or impossible.
#[must_use]
pub fn believed(said: &[Ceilings]) -> Ceilings {
    let all = |of: fn(&Ceilings) -> Option<f64>| heard(said.iter().filter_map(of).collect());
    let highest = |of| all(of).into_iter().reduce(f64::max);
    Ceilings {
        copy_bytes_per_s: highest(|it| it.copy_bytes_per_s),
        fp32_flop_per_s: highest(|it| it.fp32_flop_per_s),
        fp64_flop_per_s: highest(|it| it.fp64_flop_per_s),
        launch_latency_s: all(|it| it.launch_latency_s).into_iter().reduce(f64::min),
        ..Ceilings::default()
    }
}

/// All but those that are far from the median.
fn heard(mut said: Vec<f64>) -> Vec<f64> {
    if said.len() >= ENOUGH {
        let middle = median(said.clone());
        said.retain(|it| (it / middle).ln().abs() <= OFF.ln());
    }
    said
}
