//! Counts a warp's access by the memory that it goes to.

use std::borrow::Cow;

use super::WarpObserver;
use crate::{
    gpu_counters::{
        pipes::{request_bytes, request_count},
        sectors::{LINE, SECTOR, WORD, atomic_turns, bank_passes, collect_sectors, count_lines},
        sums::{PRIVATE, SLICE_BYTES, Sum},
    },
    run::{Access, AccessId, AccessKind, BUFFER_SHIFT, Warp},
    sampling::even_step,
};

/// Number of lines, or sectors of atomics, that L1 looks up in a pass.
const TAGS_PER_PASS: f64 = 4.0;

/// An access that a warp makes: its active lanes, and the address of each.
pub(super) struct WarpAccess<'a> {
    pub(super) warp: Warp,
    pub(super) id: AccessId,
    pub(super) access: &'a Access,
    pub(super) lanes: &'a [u16],
    pub(super) addresses: &'a [u64],
}

impl WarpAccess<'_> {
    /// Its requests: the addresses of each, and the bytes that a lane asks for.
    fn requests(&self) -> impl Iterator<Item = (Cow<'_, [u64]>, u64)> {
        let (bytes, at_once) = (self.access.bytes, request_bytes(self.access));
        let starts = (0..bytes.max(1)).step_by(usize::try_from(at_once).unwrap_or(1));
        starts.map(move |start| {
            let addresses = match start {
                0 => self.addresses.into(),
                _ => self.addresses.iter().map(|it| it + start).collect(),
            };
            (addresses, (bytes - start).min(at_once))
        })
    }
}

impl WarpObserver<'_> {
    pub(super) fn access_global(&mut self, it: &WarpAccess<'_>) {
        let count = request_count(it.access);
        let reads_result = self.reads_result[it.id.0 as usize];
        let (requests, of_sectors) = match it.access.kind {
            AccessKind::Load => (Sum::GlobalLoadRequests, Sum::GlobalLoadSectors),
            AccessKind::Store => (Sum::GlobalStoreRequests, Sum::GlobalStoreSectors),
            _ if reads_result => (Sum::AtomicRequests, Sum::AtomicSectors),
            _ => (Sum::ReductionRequests, Sum::ReductionSectors),
        };
        match it.access.kind {
            AccessKind::Load => self.add(Sum::GlobalLoads, count),
            AccessKind::Store => self.add(Sum::GlobalStores, count),
            _ => {}
        }
        self.add(requests, count);
        for (addresses, bytes) in it.requests() {
            collect_sectors(&addresses, bytes, &mut self.sectors);
            let (sectors, passes) = if it.access.kind.is_atomic() {
                let sectors = self.count_atomic_sectors(&addresses, it.id);
                (sectors, 1.0 + sectors / TAGS_PER_PASS)
            } else {
                let by_banks = bank_passes(&addresses, it.lanes, bytes, &mut self.words) as f64;
                let by_tags = (count_lines(&self.sectors) as f64 / TAGS_PER_PASS).ceil();
                (self.sectors.len() as f64, by_banks.max(by_tags))
            };
            self.add(of_sectors, sectors);
            self.add_passes(it.id, passes);
            self.accesses[it.id.0 as usize].sectors += sectors;
            self.enqueue(it.warp, it.id, bytes * addresses.len() as u64);
        }
        self.add_pattern(it);
    }

    pub(super) fn access_local(&mut self, it: &WarpAccess<'_>) {
        let mut passes = 0.0;
        for (addresses, bytes) in it.requests() {
            passes += bank_passes(&addresses, it.lanes, bytes, &mut self.words) as f64;
        }
        self.add_passes(it.id, passes);
        let requests = request_count(it.access);
        match it.access.kind {
            AccessKind::Load => {
                self.add(Sum::LocalLoads, requests);
                self.add(Sum::LocalLoadPasses, passes);
            }
            AccessKind::Store => {
                self.add(Sum::LocalStores, requests);
                self.add(Sum::LocalStorePasses, passes);
            }
            _ => self.add(Sum::LocalAtomics, requests),
        }
        self.add_pattern(it);
    }

    pub(super) fn access_private(&mut self, it: &WarpAccess<'_>) {
        self.collect_private_sectors(it);
        let (instructions, of_sectors) = if it.access.kind == AccessKind::Load {
            (Sum::PrivateLoads, Sum::PrivateLoadSectors)
        } else {
            (Sum::PrivateStores, Sum::PrivateStoreSectors)
        };
        let (requests, sectors) = (request_count(it.access), self.sectors.len() as f64);
        self.add(instructions, requests);
        self.add(of_sectors, sectors);
        let passes = requests.max((count_lines(&self.sectors) as f64 / TAGS_PER_PASS).ceil());
        self.add_passes(it.id, passes);
        self.accesses[it.id.0 as usize].sectors += sectors;
        let bytes = it.access.bytes * it.addresses.len() as u64;
        self.enqueue(it.warp, it.id, bytes);
    }

    /// Counts an access to constant memory: different places go one after the other.
    pub(super) fn access_constant(&mut self, it: &WarpAccess<'_>) {
        self.words.clear();
        self.words.extend_from_slice(it.addresses);
        self.words.sort_unstable();
        self.words.dedup();
        let passes = self.constants.passes(&self.words);
        self.add_passes(it.id, passes);
    }

    fn add_passes(&mut self, id: AccessId, passes: f64) {
        self.add(Sum::L1Passes, passes);
        self.accesses[id.0 as usize].passes += passes;
    }

    /// Counts the sectors that an atomic goes to, each as often as it does.
    fn count_atomic_sectors(&mut self, addresses: &[u64], id: AccessId) -> f64 {
        let active = if self.one_lane_goes[id.0 as usize] {
            1
        } else {
            addresses.len()
        };
        let mut sum = 0.0;
        for (sector, turns) in atomic_turns(&addresses[..active], &mut self.words) {
            let of_slice = self
                .atomics
                .entry(sector * SECTOR / SLICE_BYTES)
                .or_default();
            *of_slice += turns as f64;
            sum += turns as f64;
        }
        sum
    }

    /// Collects the sectors of a warp's private memory, which is interleaved: the same word of all lanes makes a line.
    fn collect_private_sectors(&mut self, it: &WarpAccess<'_>) {
        let lines = self.program.private_bytes.div_ceil(WORD);
        let start = (PRIVATE << BUFFER_SHIFT) / LINE + u64::from(it.warp.index) * lines;
        self.sectors.clear();
        for (lane, address) in it.lanes.iter().zip(it.addresses) {
            let words = address / WORD..=(address + it.access.bytes.max(1) - 1) / WORD;
            let sector = u64::from(lane / 8);
            let of_words = words.map(|word| (start + word) * (LINE / SECTOR) + sector);
            self.sectors.extend(of_words);
        }
        self.sectors.sort_unstable();
        self.sectors.dedup();
    }

    /// Counts the access as uniform, contiguous or gathered: neighbours ask for the same, for neighbours, or for
    /// anything.
    fn add_pattern(&mut self, it: &WarpAccess<'_>) {
        let pattern = match even_step(it.addresses) {
            Some(0) => Sum::Uniform,
            Some(step) if step == it.access.bytes => Sum::Contiguous,
            _ => Sum::Gathered,
        };
        self.add(pattern, 1.0);
    }
}
