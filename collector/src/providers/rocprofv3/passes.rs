//! Sets of counters that are counted together.

use std::iter;

use kerncast_profilers::catalogue::{Counter, requested};

/// The counter in every pass: it shows whether the passes saw the same launch.
pub(super) const CHECK: &str = "SQ_WAVES";

/// The most counters of each hardware block in a pass, as AMD's rocprofiler-compute plans them for MI100 to MI300 (of
/// SPI, older chips take 2 and newer ones 6). Other chips may take fewer: [`super::count`] finds out. Metrics that
/// rocprofv3 derives from several counters (FETCH_SIZE and those in percent) belong to no block and are not asked for;
/// the counters behind them are.
const MOST_OF_BLOCK: [(&str, usize); 6] = [
    ("SQ", 8),
    ("TA", 2),
    ("TCP", 4),
    ("TCC", 4),
    ("SPI", 2),
    ("GRBM", 2),
];

/// Counters that are counted together, in addition to [`CHECK`].
pub(super) type Pass = Vec<&'static Counter>;

/// The passes for the catalogue's counters.
pub(super) fn passes() -> Vec<Pass> {
    planned(requested(super::NAME))
}

/// Puts each counter into the first pass that has room for it.
pub(super) fn planned(counters: impl Iterator<Item = &'static Counter>) -> Vec<Pass> {
    let mut passes: Vec<Pass> = Vec::new();
    for counter in counters.filter(|counter| counter.name != CHECK) {
        let own = block_of(&counter.name);
        let most = MOST_OF_BLOCK.iter().find(|(block, _)| *block == own);
        let Some((block, most)) = most else {
            continue;
        };
        let counters_of_block = |pass: &Pass| {
            let names = pass.iter().map(|counter| &*counter.name).chain([CHECK]);
            names.filter(|name| block_of(name) == *block).count()
        };
        let mut pass = passes.iter_mut();
        match pass.find(|pass| counters_of_block(pass) < *most) {
            Some(pass) => pass.push(counter),
            None => passes.push(vec![counter]),
        }
    }
    passes
}

/// The names to ask for in a pass. A chip knows one of a counter's two names and ignores the other.
pub(super) fn names(pass: &Pass) -> impl Iterator<Item = &'static str> {
    iter::once(CHECK).chain(pass.iter().flat_map(|counter| counter.asked_names()))
}

fn block_of(name: &str) -> &str {
    name.split_once('_').map_or(name, |(block, _)| block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_pass_asks_more_of_a_block_than_it_has() {
        let passes = passes();
        for pass in &passes {
            for (block, room) in MOST_OF_BLOCK {
                let names = pass.iter().map(|counter| &*counter.name).chain([CHECK]);
                let count = names.filter(|name| block_of(name) == block).count();
                assert!(count <= room, "{count} of {block}");
            }
        }
        // 31 counters of SQ beside the check, seven a pass.
        assert_eq!(passes.len(), 5);
    }

    #[test]
    fn every_counter_of_a_block_is_counted_once() {
        let mut counted: Vec<&str> = passes().iter().flatten().map(|it| &*it.name).collect();
        assert!(!counted.contains(&"FETCH_SIZE") && !counted.contains(&"VALUBusy"));
        for name in [
            "SQ_INSTS_LDS",
            "TA_FLAT_READ_WAVEFRONTS_sum",
            "TCC_EA_RDREQ_sum",
        ] {
            assert!(counted.contains(&name), "{name}");
        }
        let all = counted.len();
        counted.sort_unstable();
        counted.dedup();
        assert_eq!(counted.len(), all);
    }
}
