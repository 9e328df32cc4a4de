//! Values of many keys at once, by the host's cores: one hash table of open addressing, as on a device.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bytemuck::Pod;
use rayon::prelude::*;

use super::{
    SHARE, go_on,
    held::{Held, fill},
};
use crate::{Sink, Source, StreamError, Streamer};

/// An entry that has no key.
const FREE: u32 = u32::MAX;

/// Of keys of more the table is the device's: an entry has 32 bits.
pub(crate) const MOST_KEYS: u64 = FREE as u64 - 1;

/// Places of keys.
struct Table<'k, K> {
    keys: &'k [K],
    /// Two for each key and more: so every search ends.
    entries: Vec<AtomicU32>,
    /// What is drawn for each call, odd.
    factor: u64,
}

impl Streamer {
    /// As [`look_up`](Self::look_up), of values that are numbers.
    pub(crate) fn look_up_by_cores(
        &self,
        arrays: [&Source<'_>; 3],
        missing: &[u8],
        output: &mut Sink<'_>,
        seed: u64,
    ) -> Result<(), StreamError> {
        by_width!(
            arrays[0].element.bytes(),
            self.values_of::<T>(arrays, missing, output, seed)
        )
    }

    fn values_of<K: Pod + Send + Sync + Eq + Into<u64>>(
        &self,
        [keys, values, asked]: [&Source<'_>; 3],
        missing: &[u8],
        output: &mut Sink<'_>,
        seed: u64,
    ) -> Result<(), StreamError> {
        let told = &self.told();
        let keys = Held::new::<K>(keys, told)?;
        let table = Table::new(keys.elements::<K>(), seed | 1);
        let shares = table.keys.par_chunks(SHARE).enumerate();
        shares.try_for_each(|(share, keys)| {
            let first = share * SHARE;
            (first..first + keys.len()).for_each(|place| table.insert(place));
            go_on(told.cancel)
        })?;
        let asked = Held::new::<K>(asked, told)?;
        let asked = asked.elements::<K>();
        by_width!(
            values.element.bytes(),
            self.answered::<K, T>(&table, values, asked, missing, output)
        )
    }

    fn answered<K: Pod + Send + Sync + Eq + Into<u64>, V: Pod + Send + Sync>(
        &self,
        table: &Table<'_, K>,
        values: &Source<'_>,
        asked: &[K],
        missing: &[u8],
        output: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        let told = &self.told();
        let values = Held::new::<V>(values, told)?;
        let (values, missing) = (
            values.elements::<V>(),
            bytemuck::pod_read_unaligned(missing),
        );
        fill::<V>(output, told, |output| {
            let shares = output.par_chunks_mut(SHARE).zip(asked.par_chunks(SHARE));
            shares.try_for_each(|(output, asked)| {
                go_on(told.cancel)?;
                for (to, key) in output.iter_mut().zip(asked) {
                    *to = table.find(*key).map_or(missing, |place| values[place]);
                }
                Ok(())
            })
        })
    }
}

impl<'k, K: Copy + Eq + Into<u64>> Table<'k, K> {
    fn new(keys: &'k [K], factor: u64) -> Self {
        let length = (2 * keys.len()).next_power_of_two().max(2);
        let entries = (0..length).into_par_iter().map(|_| AtomicU32::new(FREE));
        Self {
            keys,
            entries: entries.collect(),
            factor,
        }
    }

    /// Where a search for a key begins.
    fn first(&self, key: K) -> usize {
        let product: u64 = key.into().wrapping_mul(self.factor);
        super::size(product >> (u64::BITS - self.entries.len().trailing_zeros()))
    }

    /// The key of that place, unless an earlier one equals it.
    fn insert(&self, place: usize) {
        let key = self.keys[place];
        let number = u32::try_from(place).expect("as many were asked for");
        let mut at = self.first(key);
        loop {
            let entry = &self.entries[at];
            // Of a key that is there often, all but the first few only read.
            let there = match entry.load(Relaxed) {
                FREE => match entry.compare_exchange(FREE, number, Relaxed, Relaxed) {
                    Ok(_) => return,
                    Err(other) => other,
                },
                there => there,
            };
            // What is there changes to places of the same key alone.
            if self.keys[there as usize] == key {
                if number < there {
                    entry.fetch_min(number, Relaxed);
                }
                return;
            }
            at = (at + 1) & (self.entries.len() - 1);
        }
    }

    /// The first place of a key.
    fn find(&self, key: K) -> Option<usize> {
        let mut at = self.first(key);
        loop {
            match self.entries[at].load(Relaxed) {
                FREE => return None,
                place if self.keys[place as usize] == key => return Some(place as usize),
                _ => at = (at + 1) & (self.entries.len() - 1),
            }
        }
    }
}
