//! Sectors of 32 bytes, lines, and passes through banks that a warp's access needs.

/// Bytes of a sector: what L1 and L2 hand over.
pub(super) const SECTOR: u64 = 32;
/// Bytes of a line of L1.
pub(super) const LINE: u64 = 128;
/// Bytes that a bank of local memory hands over in a pass; lanes' private memory is interleaved by as many.
pub(super) const WORD: u64 = 4;
/// Banks of local memory.
const BANKS: usize = 32;

/// Collects the sectors that lanes ask for, each once, in order. `addresses`: those of the active lanes, which access
/// `bytes` each.
pub(super) fn collect_sectors(addresses: &[u64], bytes: u64, sectors: &mut Vec<u64>) {
    distinct_units::<SECTOR>(addresses, bytes, sectors);
}

/// Collects the units of memory that are asked for, each once, in order: neighbours mostly ask for neighbours.
fn distinct_units<const UNIT: u64>(addresses: &[u64], bytes: u64, sectors: &mut Vec<u64>) {
    sectors.clear();
    let mut before = u64::MAX;
    let mut sorted = true;
    for &address in addresses {
        let (first, last) = (address / UNIT, (address + bytes.max(1) - 1) / UNIT);
        if last != before {
            sorted &= before == u64::MAX || before < first;
            sectors.extend(first..=last);
            before = last;
        }
    }
    if !sorted {
        sectors.sort_unstable();
        sectors.dedup();
    }
}

/// Number of lines that sorted sectors lie in.
pub(super) fn count_lines(sectors: &[u64]) -> u64 {
    let mut lines = sectors.chunk_by(|one, other| one * SECTOR / LINE == other * SECTOR / LINE);
    lines.by_ref().count() as u64
}

/// Turns of an atomic by sector: lanes on one place go to memory one after the other, those on a sector's different
/// places together. `addresses`: those of the active lanes.
pub(super) fn atomic_turns(addresses: &[u64], places: &mut Vec<u64>) -> Vec<(u64, u64)> {
    places.clear();
    places.extend_from_slice(addresses);
    places.sort_unstable();
    let mut turns: Vec<(u64, u64)> = Vec::new();
    for alike in places.chunk_by(|one, other| one == other) {
        let (sector, lanes) = (alike[0] / SECTOR, alike.len() as u64);
        match turns.last_mut().filter(|it| it.0 == sector) {
            Some(last) => last.1 = last.1.max(lanes),
            None => turns.push((sector, lanes)),
        }
    }
    turns
}

/// Passes through the banks of local memory: words of one bank wait for each other, lanes that ask for the same word
/// share a pass. With 8 bytes a lane the halves of a warp go one after the other, with 16 its quarters; two of them go
/// together if all ask for one place (an H200's by ncu: two passes if a warp reads the same 16 bytes).
pub(super) fn bank_passes(
    addresses: &[u64],
    lanes: &[u16],
    bytes: u64,
    words: &mut Vec<u64>,
) -> u64 {
    let at_once = match bytes {
        0..=4 => 32,
        5..=8 => 16,
        _ => 8,
    };
    let mut passes = 0;
    let mut from = 0;
    while from < lanes.len() {
        let until = |at_once: u16| {
            let turn = lanes[from] / at_once;
            let with = lanes[from..].iter();
            from + with.take_while(|lane| **lane / at_once == turn).count()
        };
        let (one, both) = (until(at_once), until(2 * at_once));
        let in_turn = &addresses[from..one];
        if addresses[from..both].iter().all(|it| *it == in_turn[0]) {
            passes += 1;
            from = both;
            continue;
        }
        passes += if is_one_pass(in_turn, bytes) {
            1
        } else {
            most_of_a_bank(in_turn, bytes, words)
        };
        from = one;
    }
    passes
}

fn bank(word: u64) -> usize {
    usize::try_from(word % BANKS as u64).unwrap_or_default()
}

/// Whether no bank has two words that are asked for. Most accesses are like that, and this check is fast.
fn is_one_pass(addresses: &[u64], bytes: u64) -> bool {
    let mut of_bank = [u64::MAX; BANKS];
    addresses.iter().all(|address| {
        let (first, last) = (address / WORD, (address + bytes.max(1) - 1) / WORD);
        (first..=last).all(|word| {
            let entry = &mut of_bank[bank(word)];
            let is_free = *entry == u64::MAX || *entry == word;
            *entry = word;
            is_free
        })
    })
}

fn most_of_a_bank(addresses: &[u64], bytes: u64, words: &mut Vec<u64>) -> u64 {
    distinct_units::<WORD>(addresses, bytes, words);
    let mut of_bank = [0; BANKS];
    for word in words {
        of_bank[bank(*word)] += 1;
    }
    of_bank.into_iter().max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warp(stride: u64) -> Vec<u64> {
        (0..32).map(|lane| lane * stride).collect()
    }

    fn count(addresses: &[u64], bytes: u64) -> (usize, u64) {
        let mut all = Vec::new();
        collect_sectors(addresses, bytes, &mut all);
        (all.len(), count_lines(&all))
    }

    #[test]
    fn neighbours_share_sectors() {
        assert_eq!(count(&warp(4), 4), (4, 1));
        assert_eq!(count(&warp(16), 16), (16, 4));
        assert_eq!(count(&warp(128), 4), (32, 32));
        assert_eq!(count(&warp(0), 4), (1, 1));
        // One that begins in the middle of a sector.
        let shifted: Vec<u64> = warp(4).iter().map(|it| it + 16).collect();
        assert_eq!(count(&shifted, 4), (5, 2));
        assert_eq!(count(&[], 4), (0, 0));
    }

    #[test]
    fn atomics_of_one_place_take_turns() {
        let mut places = Vec::new();
        assert_eq!(atomic_turns(&warp(4)[..8], &mut places), [(0, 1)]);
        assert_eq!(atomic_turns(&[64; 32], &mut places), [(2, 32)]);
        assert_eq!(
            atomic_turns(&[0, 4, 4, 32, 4, 0], &mut places),
            [(0, 3), (1, 1)]
        );
    }

    #[test]
    fn words_of_a_bank_wait_for_each_other() {
        let lanes: Vec<u16> = (0..32).collect();
        let passes = |addresses: &[u64], bytes| {
            bank_passes(addresses, &lanes[..addresses.len()], bytes, &mut Vec::new())
        };
        assert_eq!(passes(&warp(4), 4), 1);
        assert_eq!(passes(&warp(0), 4), 1);
        assert_eq!(passes(&warp(8), 4), 2);
        assert_eq!(passes(&warp(128), 4), 32);
        assert_eq!(passes(&warp(132), 4), 1);
        assert_eq!(passes(&warp(8), 8), 2);
        assert_eq!(passes(&warp(16), 16), 4);
        assert_eq!(passes(&warp(4)[..16], 4), 1);
    }
}
