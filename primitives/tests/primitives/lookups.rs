//! Hash tables that fit the device, and that are taken apart.

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use kerncast_primitives::{
    Element, Number, Operation, Report, Sink, Source, StreamError, Streamer, Type, record,
};
use proptest::prelude::*;

use crate::{alone, numbers, streamer};

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Row {
    place: u32,
    words: [u16; 4],
}
record!(Row {
    place: u32,
    words: [u16; 4]
});

fn check<K: Number, V: Element + PartialEq>(
    streamer: &mut Streamer,
    keys: &[K],
    values: &[V],
    asked: &[K],
    missing: V,
) -> Report {
    let mut out = vec![V::zeroed(); asked.len()];
    let (keys_, values_) = (Source::slice(keys), Source::slice(values));
    let to = Sink::slice(&mut out);
    let report = streamer.look_up(keys_, values_, Source::slice(asked), missing, to);
    let mut first = HashMap::new();
    for (key, value) in keys.iter().zip(values) {
        first.entry(key.order()).or_insert(*value);
    }
    let expected = asked
        .iter()
        .map(|it| first.get(&it.order()).copied().unwrap_or(missing));
    assert!(
        out.into_iter().eq(expected),
        "{} of {}",
        asked.len(),
        keys.len()
    );
    report.expect("looked up")
}

/// Keys, of which about half are there, and the places as values.
fn check_places<K: Number>(streamer: &mut Streamer, keys: &[K], asked: &[K]) -> Report {
    let values: Vec<u32> = (0..keys.len() as u32).collect();
    check(streamer, keys, &values, asked, u32::MAX)
}

fn words(count: usize, below: u64) -> Vec<u32> {
    numbers(count)
        .map(|it| ((it >> 20) % below) as u32)
        .collect()
}

#[test]
fn lengths_around_tiles_and_chunks() {
    for mut streamer in alone() {
        for keys in [0, 1, 4096, 49_151, 49_153, 300_001] {
            for asked in [0, 1, 4095, 4097, 40_961, 120_000] {
                let below = 2 * keys as u64 + 2;
                let report = check_places(&mut streamer, &words(keys, below), &words(asked, below));
                assert_eq!(report.elements, asked as u64);
                // Chunks of what is asked for that are longer than a tile leave room for smaller tables; four slots have
                // as much at 4097.
                let tables = match (keys, asked) {
                    (_, 0) | (0..=49_151, _) => 0..=0,
                    (_, 1) => 1..=1,
                    (49_153, 4095) => 2..=2,
                    (49_153, 4097) => 2..=3,
                    (49_153, _) => 3..=3,
                    (_, 4095) => 7..=7,
                    (_, 4097) => 7..=13,
                    _ => 13..=13,
                };
                let trips = report.trips.len();
                let told = format!("{trips} trips, {asked} of {keys}");
                // One table, which all of what is asked for goes through.
                if *tables.end() == 0 {
                    assert_eq!(trips, if asked > 0 { 2 } else { 0 }, "{told}");
                    continue;
                }
                // Apart, tables that are built and asked, and back.
                assert_eq!(trips % 2, 1, "{told}");
                assert!(tables.contains(&((trips - 3) / 2)), "{told}");
            }
        }
    }
}

#[test]
fn any_skew() {
    let mut streamer = streamer();
    let asked = words(60_000, 70_000);
    // All equal: seven tables, and the first key is found.
    for mut streamer in alone() {
        let report = check_places(&mut streamer, &[7; 300_000], &asked);
        let trips = report.trips.len();
        let at_most = 3 + 2 * (7 + 256);
        assert!((3 + 2 * 7..at_most).contains(&trips), "{trips} trips");
    }
    check_places(&mut streamer, &[7; 300_000], &[6, 7, 8]);
    // Few keys, most of them one; in turn; multiples that share their lower bits.
    check_places(&mut streamer, &words(300_000, 5), &asked);
    let one: Vec<u32> = words(300_000, 40)
        .into_iter()
        .map(|it| if it == 39 { 4 } else { it.min(3) / 3 })
        .collect();
    check_places(&mut streamer, &one, &asked);
    let sequence: Vec<u32> = (0..300_000).collect();
    check_places(&mut streamer, &sequence, &asked);
    let upper: Vec<u32> = (0..300_000).map(|it| it << 13).collect();
    check_places(&mut streamer, &upper, &upper[..90_000]);
    let upper: Vec<u64> = (0..200_000).map(|it| it << 44).collect();
    check_places(&mut streamer, &upper, &upper[150_000..]);
    let backwards: Vec<u64> = upper.iter().rev().copied().collect();
    check_places(&mut streamer, &backwards, &[3 << 44, 1, u64::MAX, 0]);
}

#[test]
fn more_keys_than_tables_of_all_parts_have_room_for() {
    let options = kerncast_primitives::Options {
        map: false,
        ..kerncast_primitives::Options::new(250_000)
    };
    let mut little = Streamer::new(crate::device(), options).expect("a streamer");
    // 11,718 fit a table, and 256 parts have 15,625 each.
    let keys: Vec<u32> = (0..4_000_000).map(|it| it * 1000).collect();
    let asked: Vec<u32> = words(9000, 4_500_000).iter().map(|it| it * 950).collect();
    let report = check_places(&mut little, &keys, &asked);
    assert!(report.trips.len() > 3 + 2 * 256, "{}", report.trips.len());
}

#[test]
fn keys_and_values_of_any_type() {
    let mut streamer = streamer();
    let asked: Vec<i8> = numbers(50_000).map(|it| (it >> 40) as i8).collect();
    check_places(&mut streamer, &asked[..100], &asked);
    check_places(
        &mut streamer,
        &[&asked[..], &asked, &asked].concat(),
        &asked,
    );
    let short: Vec<u16> = numbers(200_000).map(|it| (it >> 40) as u16).collect();
    check_places(&mut streamer, &short, &short[..50_000]);
    let mut floats: Vec<f32> = words(150_000, 1 << 32)
        .into_iter()
        .map(f32::from_bits)
        .collect();
    floats.extend([0.0, -0.0, f32::NAN, -f32::NAN]);
    check_places(
        &mut streamer,
        &floats,
        &[
            0.0,
            -0.0,
            f32::NAN,
            -f32::NAN,
            1.0,
            floats[9],
            floats[99_999],
        ],
    );
    let long: Vec<i64> = numbers(120_000).map(|it| it as i64 % 100_000).collect();
    let rows = (0..).zip(&long).map(|(place, &it)| Row {
        place,
        words: bytemuck::cast(it),
    });
    let rows: Vec<Row> = rows.collect();
    let wanted: Vec<i64> = (-40_000..40_000).collect();
    let none = Row::zeroed();
    for keys in [30_000, 120_000] {
        check(&mut streamer, &long[..keys], &rows[..keys], &wanted, none);
    }
    let bytes: Vec<u8> = long.iter().map(|it| *it as u8).collect();
    check(&mut streamer, &long, &bytes, &wanted, 77);
}

#[test]
fn files_and_pinned_memory_and_a_plan() {
    let mut streamer = streamer();
    let (keys, asked) = (words(200_000, 400_000), words(50_000, 400_000));
    let values: Vec<u64> = keys.iter().map(|it| u64::from(*it) << 20).collect();
    let mut pinned = streamer.pinned(4 * keys.len()).expect("pinned");
    pinned.copy_from_slice(bytemuck::cast_slice(&keys));
    let file = tempfile::tempfile().expect("a file");
    let mut call = |streamer: &mut Streamer| {
        let to = Sink::file(&file, 0, Type::U64, 50_000);
        let from = Source::pinned::<u32>(&mut pinned);
        streamer.look_up(
            from,
            Source::slice(&values),
            Source::slice(&asked),
            5_u64,
            to,
        )
    };
    let planned = streamer.explain(&mut call).expect("planned");
    let done = call(&mut streamer).expect("looked up");
    let bytes = |it: &[u64]| it.iter().sum::<u64>();
    let [planned, moved] = [
        planned
            .trips
            .iter()
            .map(|it| it.bytes_in)
            .collect::<Vec<_>>(),
        done.trips.iter().map(|it| it.bytes_in).collect(),
    ];
    assert_eq!(bytes(&planned), bytes(&moved));
    // Keys and values come twice, what is asked for too, and places with answers once.
    assert_eq!(bytes(&moved), 2 * 12 * 200_000 + (2 * 4 + 12) * 50_000);
    let mut out = vec![0_u64; asked.len()];
    let same = Operation::new("return x;");
    let from = Source::file(&file, 0, Type::U64, 50_000);
    streamer
        .transform(&same, vec![from], Sink::slice(&mut out))
        .expect("read");
    let there: std::collections::HashSet<u32> = keys.iter().copied().collect();
    let expected = asked.iter().map(|it| match there.contains(it) {
        true => u64::from(*it) << 20,
        false => 5,
    });
    assert!(out.into_iter().eq(expected));
}

#[test]
fn what_does_not_go_together_is_told() {
    let mut streamer = streamer();
    let mut out = [9_u32; 2];
    let mut refused = |keys: Source<'_>, values: Source<'_>, asked: Source<'_>| {
        let done = streamer.look_up(keys, values, asked, 0_u32, Sink::slice(&mut out));
        done.expect_err("refused").to_string()
    };
    let keys = [1_u32, 2];
    let rows = [Row::zeroed(); 2];
    assert_eq!(
        refused(
            Source::slice(&rows),
            Source::slice(&keys),
            Source::slice(&rows)
        ),
        "the keys: elements of type Row; expected numbers"
    );
    assert_eq!(
        refused(
            Source::slice(&keys),
            Source::slice(&keys),
            Source::slice(&[1_i32, 2])
        ),
        "what is asked for: elements of type i32; expected u32"
    );
    assert_eq!(
        refused(
            Source::slice(&keys),
            Source::slice(&rows),
            Source::slice(&keys)
        ),
        "the values: elements of type Row; expected u32"
    );
    assert_eq!(
        refused(
            Source::slice(&keys),
            Source::slice(&keys[..1]),
            Source::slice(&keys)
        ),
        "the values: 1 elements; expected 2"
    );
    assert_eq!(
        refused(
            Source::slice(&keys),
            Source::slice(&keys),
            Source::slice(&keys[..1])
        ),
        "the output: 2 elements; expected 1"
    );
    assert_eq!(out, [9; 2]);
    let little = kerncast_primitives::Options {
        map: false,
        ..kerncast_primitives::Options::new(60_000)
    };
    let mut little = Streamer::new(crate::device(), little).expect("a streamer");
    let keys: Vec<u64> = (0..9000).collect();
    let mut out = vec![0_u64; keys.len()];
    let (keys, values) = (Source::slice(&keys), Source::slice(&keys));
    let refused = little.look_up(
        keys,
        values,
        Source::slice(&[1_u64; 9000]),
        0_u64,
        Sink::slice(&mut out),
    );
    assert!(
        matches!(refused, Err(StreamError::Memory { .. })),
        "{refused:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn whatever_the_lengths_and_keys(
        keys in 0_usize..300_000,
        asked in 0_usize..60_000,
        distinct in 1_u64..1 << 32,
        powers in 0_u32..3,
    ) {
        // Numbers of very unlike frequency, too.
        let all: Vec<u32> = words(keys + asked, distinct);
        let skewed = |it: &u32| (0..powers).fold(*it, |it, _| it >> (it % 32));
        let all: Vec<u32> = all.iter().map(skewed).collect();
        check_places(&mut streamer(), &all[..keys], &all[keys..]);
    }
}
