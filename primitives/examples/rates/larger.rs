//! Arrays that are larger than a device's memory, and the half of which, sorted, still is: `--bytes 180GiB` takes 225 GiB of
//! the host.

use std::time::Instant;

use kerncast_primitives::{Operation, Report, Sink, Source, Streamer};
use rayon::prelude::*;
use serde_json::json;

use crate::{
    Arguments, Done,
    arrays::{Array, Order, checksum, fill, order},
    measured, peers, say,
};

/// A sum, the upper bytes of all numbers, and a sort of the first half with the second one as its other array. Verified.
pub(crate) fn measure(streamer: &mut Streamer, arguments: &Arguments) -> Done<()> {
    let bytes = usize::try_from(arguments.bytes)? / 64 * 64;
    let start = Instant::now();
    let [mut a, mut b] = [Array::pageable(bytes), Array::pageable(bytes / 4)];
    let seconds = start.elapsed().as_secs_f64();
    say(&json!({"what": "allocating", "bytes": bytes / 4 * 5, "seconds": seconds}))?;
    let told = |what: &str, bytes: usize, report: &Report| {
        let mut line = measured(what, "pageable", bytes as u64, vec![report.seconds]);
        line["verified"] = json!(true);
        line["report"] = json!(report);
        say(&line)
    };
    fill(a.slice_mut::<u32>());
    let add = Operation::new("return a + b;");
    let all = a.slice::<u32>();
    let (sum, report) = streamer.reduce(&add, Source::slice(all))?;
    if sum != Some(peers::sum(all)) {
        return Err("the sum is wrong".into());
    }
    told("reduce", bytes, &report)?;

    let upper = Operation::new("return (uchar)(x >> 24);");
    let out = b.slice_mut::<u8>();
    let report = streamer.transform(&upper, vec![Source::slice(all)], Sink::slice(out))?;
    let is_upper = |(x, out): (&u32, &u8)| x >> 24 == u32::from(*out);
    if !all.par_iter().zip(&*out).all(is_upper) {
        return Err("a byte is wrong".into());
    }
    told("upper bytes", bytes, &report)?;

    let all = a.slice_mut::<u32>();
    let (half, scratch) = all.split_at_mut(bytes / 8);
    let before = checksum(half);
    let report = streamer.sort(Sink::slice(half), Some(Sink::slice(scratch)))?;
    if order(half) != Order::Sorted || checksum(half) != before {
        return Err("the half is not sorted".into());
    }
    told("sort", bytes / 2, &report)?;
    Ok(())
}
