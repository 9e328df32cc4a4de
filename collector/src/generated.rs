//! Generated kernels as folders, for people and for runs.

use std::{fs, io, path::Path};

use anyhow::{Result, anyhow};
use chrono::{DateTime, Utc};
use kerncast_suite::{Kernel, generate, load};

/// The seed of every run that names none, so that devices run the same kernels.
const SEED: u32 = 1;

/// The first `count` kernels of [`SEED`], each in a folder of its own in `folder`.
///
/// # Errors
/// A kernel can't be written, or not be read again.
pub fn kernels(folder: &Path, count: u32) -> Result<Vec<Kernel>> {
    let write = || -> io::Result<()> {
        for kernel in generate(SEED, count) {
            let own = folder.join(&kernel.name);
            fs::create_dir_all(&own)?;
            for (name, text) in &kernel.files {
                fs::write(own.join(name), text)?;
            }
        }
        Ok(())
    };
    write().map_err(|error| {
        let folder = folder.display();
        anyhow!("cannot write generated kernels to {folder}: {error}")
    })?;
    Ok(load(folder)?)
}

/// Rotates the kernels so that each day starts with another one. Runs that end early then cover all kernels within some
/// days.
pub fn rotate(kernels: &mut [Kernel], today: DateTime<Utc>) {
    let days = today.timestamp().div_euclid(24 * 60 * 60);
    kernels.rotate_left(first_of_day(days, kernels.len()));
}

/// The first kernel of a day. Days lie apart by the golden section: after any number of days there is no large gap
/// (Sós, 1958).
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a place below `count`"
)]
fn first_of_day(days: i64, count: usize) -> usize {
    let section = (5.0_f64.sqrt() - 1.0) / 2.0;
    ((days as f64 * section).rem_euclid(1.0) * count as f64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifth_every_night_is_all_within_eight() {
        let (count, fifth) = (500, 100);
        let mut measured = vec![false; count];
        for days in 20_000..20_008 {
            let first = first_of_day(days, count);
            (first..first + fifth).for_each(|place| measured[place % count] = true);
        }
        assert!(measured.iter().all(|it| *it));
    }
}
