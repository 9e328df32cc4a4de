//! What a warp's access asks of memory: sectors of 32 bytes, lines, and passes through banks.

/// Bytes of a sector: what L1 and L2 hand over.
pub(super) const SECTOR: u64 = 32;
/// Bytes of a line of L1.
pub(super) const LINE: u64 = 128;
/// Banks of local memory, and bytes that one hands over in a pass.
const BANKS: usize = 32;
const WORD: u64 = 4;

/// The sectors that lanes ask for, each once, in order. `addresses` are those of the active lanes, which access `bytes`
/// each.
pub(super) fn sectors(addresses: &[u64], bytes: u64, found: &mut Vec<u64>) {
    found.clear();
    for &address in addresses {
        let first = address / SECTOR;
        let last = (address + bytes.max(1) - 1) / SECTOR;
        found.extend(first..=last);
    }
    found.sort_unstable();
    found.dedup();
}

/// The lines that sorted sectors lie in.
pub(super) fn lines(sectors: &[u64]) -> u64 {
    let mut lines = sectors.chunk_by(|one, other| one * SECTOR / LINE == other * SECTOR / LINE);
    lines.by_ref().count() as u64
}

/// How often atomics go to memory: lanes of one place go there one after the other, those of a sector's places
/// together. `addresses` are those of the active lanes.
pub(super) fn turns(addresses: &[u64], places: &mut Vec<u64>) -> Vec<(u64, u64)> {
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
/// share a pass. Of 8 bytes a lane the halves of a warp go one after the other, of 16 its quarters.
pub(super) fn passes(addresses: &[u64], lanes: &[u16], bytes: u64, words: &mut Vec<u64>) -> u64 {
    let at_once = match bytes {
        0..=4 => 32,
        5..=8 => 16,
        _ => 8,
    };
    let mut passes = 0;
    let mut from = 0;
    while from < lanes.len() {
        let turn = lanes[from] / at_once;
        let until = from
            + lanes[from..]
                .iter()
                .take_while(|lane| **lane / at_once == turn)
                .count();
        words.clear();
        for &address in &addresses[from..until] {
            words.extend(address / WORD..=(address + bytes.max(1) - 1) / WORD);
        }
        words.sort_unstable();
        words.dedup();
        let mut of_bank = [0_u64; BANKS];
        for word in words.iter() {
            let bank = usize::try_from(word % BANKS as u64).unwrap_or_default();
            of_bank[bank] += 1;
        }
        passes += of_bank.into_iter().max().unwrap_or_default().max(1);
        from = until;
    }
    passes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warp(stride: u64) -> Vec<u64> {
        (0..32).map(|lane| lane * stride).collect()
    }

    fn count(addresses: &[u64], bytes: u64) -> (usize, u64) {
        let mut found = Vec::new();
        sectors(addresses, bytes, &mut found);
        (found.len(), lines(&found))
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
        assert_eq!(turns(&warp(4)[..8], &mut places), [(0, 1)]);
        assert_eq!(turns(&[64; 32], &mut places), [(2, 32)]);
        assert_eq!(turns(&[0, 4, 4, 32, 4, 0], &mut places), [(0, 3), (1, 1)]);
    }

    #[test]
    fn words_of_a_bank_wait_for_each_other() {
        let lanes: Vec<u16> = (0..32).collect();
        let passes = |addresses: &[u64], bytes| {
            passes(addresses, &lanes[..addresses.len()], bytes, &mut Vec::new())
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
