//! One of each run of equal elements, by the host's cores.

use bytemuck::Pod;
use rayon::prelude::*;

use super::{
    SHARE, go_on,
    held::{Held, fill},
};
use crate::{Sink, Source, StreamError, Streamer};

impl Streamer {
    /// As [`unique`](Self::unique); how many runs there are.
    pub(crate) fn unique_by_cores<'o>(
        &self,
        input: &Source<'_>,
        make: impl FnOnce(u64) -> Result<Sink<'o>, StreamError>,
    ) -> Result<u64, StreamError> {
        by_width!(input.element.bytes(), self.firsts::<T>(input, make))
    }

    fn firsts<'o, T: Pod + Send + Sync + PartialEq>(
        &self,
        input: &Source<'_>,
        make: impl FnOnce(u64) -> Result<Sink<'o>, StreamError>,
    ) -> Result<u64, StreamError> {
        let told = &self.told();
        let held = Held::new::<T>(input, told)?;
        let all = held.elements::<T>();
        let is_first = |at: usize| at == 0 || all[at] != all[at - 1];
        let share = |start: &usize| *start..(*start + SHARE).min(all.len());
        let starts: Vec<usize> = (0..all.len()).step_by(SHARE).collect();
        let counts = starts.par_iter().map(|start| {
            go_on(told.cancel)?;
            Ok(share(start).filter(|it| is_first(*it)).count())
        });
        let counts: Vec<usize> = counts.collect::<Result<_, StreamError>>()?;
        let count = counts.iter().sum::<usize>() as u64;
        let mut output = make(count)?;
        output.check(input.element, count)?;
        fill::<T>(&mut output, told, |mut rest| {
            let mut parts = Vec::with_capacity(counts.len());
            for count in counts {
                let (part, behind) = rest.split_at_mut(count);
                parts.push(part);
                rest = behind;
            }
            let shares = parts.into_par_iter().zip(&starts);
            shares.try_for_each(|(part, start)| {
                go_on(told.cancel)?;
                let firsts = share(start).filter(|it| is_first(*it));
                part.iter_mut()
                    .zip(firsts)
                    .for_each(|(to, at)| *to = all[at]);
                Ok(())
            })
        })?;
        Ok(count)
    }
}
