//! Dynamic programming, an automaton, and codes of bits, over whole tables and plain strings.

use crate::{assert_each, for_each_variant, whole};

#[test]
fn knapsack_is_filled_best() {
    const THINGS: usize = 20;
    const CAPACITY: usize = 150;
    let best = |[weights, worths]: &[Vec<f64>; 2], i: usize| {
        let own = i / (CAPACITY + 1) * THINGS;
        // Downwards in one row, so that nothing is taken twice.
        let mut row = [0.0_f64; CAPACITY + 1];
        for thing in own..own + THINGS {
            for c in (whole(weights[thing])..=CAPACITY).rev() {
                row[c] = row[c].max(row[c - whole(weights[thing])] + worths[thing]);
            }
        }
        row[i % (CAPACITY + 1)]
    };
    assert_each(
        "knapsack",
        [("knapsacks", 2), ("things", THINGS), ("capacity", CAPACITY)],
        (["weights", "worths"], "best"),
        0.0,
        best,
    );
}

/// Scores are those of the whole table, and each is the sum along the path that its origins tell.
#[test]
fn viterbi_paths_are_the_likeliest() {
    const STATES: usize = 32;
    const STEPS: usize = 25;
    for_each_variant("viterbi", [("sequences", 3), ("steps", STEPS)], |run| {
        let [transitions, emissions] =
            ["transitions", "emissions"].map(|name| run.inputs[name].as_i32());
        let letters = run.inputs["letters"].as_u8();
        let origins = run.outputs["origins"].as_u8();
        let step_to = |letter: u8, from: usize, to: usize| {
            transitions[from * STATES + to] + emissions[usize::from(letter) * STATES + to]
        };
        for (sequence, scores) in run.outputs["scores"]
            .as_i32()
            .chunks_exact(STATES)
            .enumerate()
        {
            let letters = &letters[sequence * STEPS..][..STEPS];
            let best = letters.iter().fold(vec![0; STATES], |before, letter| {
                let reach = |to| (0..STATES).map(move |from| (from, to));
                let score = |(from, to)| before[from] + step_to(*letter, from, to);
                let best = |to| reach(to).map(score).max().expect("32 states");
                (0..STATES).map(best).collect()
            });
            assert_eq!(scores, best);
            for (end, score) in scores.iter().enumerate() {
                let (mut state, mut sum) = (end, 0);
                for (step, letter) in letters.iter().enumerate().rev() {
                    let origin = origins[(sequence * STEPS + step) * STATES + state];
                    sum += step_to(*letter, usize::from(origin), state);
                    state = usize::from(origin);
                }
                assert_eq!(sum, *score, "sequence {sequence}, state {end}");
            }
        }
    });
}

#[test]
fn time_warping_is_the_least_over_the_whole_table() {
    const PAIRS: usize = 64;
    const PATTERN: usize = 48;
    const LENGTH: usize = 30;
    let distance = |[patterns, series]: &[Vec<f64>; 2], pair: usize| {
        let mut table = vec![[f64::INFINITY; PATTERN + 1]; LENGTH + 1];
        table[0][0] = 0.0;
        for i in 0..LENGTH {
            for j in 0..PATTERN {
                let difference = (series[i * PAIRS + pair] - patterns[j * PAIRS + pair]).abs();
                let before = table[i][j].min(table[i][j + 1]).min(table[i + 1][j]);
                table[i + 1][j + 1] = difference + before;
            }
        }
        table[LENGTH][PATTERN]
    };
    assert_each(
        "time_warping",
        [("pairs", PAIRS), ("length", LENGTH)],
        (["patterns", "series"], "distances"),
        1e-4,
        distance,
    );
}

#[test]
fn automaton_ends_and_matches() {
    const LENGTH: usize = 70;
    let states = |[next, texts]: &[Vec<f64>; 2], text: usize| -> Vec<usize> {
        let letters = texts[text * LENGTH..][..LENGTH].iter();
        let states = letters.scan(0, |state, letter| {
            *state = whole(next[*state * 16 + whole(*letter)]);
            Some(*state)
        });
        states.collect()
    };
    let sizes = [("texts", 64), ("length", LENGTH)];
    let end = |inputs: &[Vec<f64>; 2], text: usize| {
        let last = states(inputs, text).last().copied();
        last.expect("a text of 70 letters") as f64
    };
    let matches = |inputs: &[Vec<f64>; 2], text: usize| {
        let states = states(inputs, text);
        states.iter().filter(|state| **state < 4).count() as f64
    };
    let inputs = ["next", "texts"];
    assert_each("automaton", sizes, (inputs, "ends"), 0.0, end);
    assert_each("automaton", sizes, (inputs, "matches"), 0.0, matches);
}

#[test]
fn rice_decode_reads_bit_by_bit() {
    const SYMBOLS: usize = 75;
    const WORDS: usize = SYMBOLS * 11 / 32 + 2;
    for_each_variant(
        "rice_decode",
        [("blocks", 64), ("symbols", SYMBOLS)],
        |run| {
            let blocks = run.inputs["bits"].as_u32().chunks_exact(WORDS);
            for (words, values) in blocks.zip(run.outputs["values"].as_u8().chunks_exact(SYMBOLS)) {
                let mut bits = words
                    .iter()
                    .flat_map(|word| (0..32).rev().map(move |bit| word >> bit & 1));
                let mut next = || bits.next().expect("bits enough for the longest codes");
                for value in values {
                    let mut ones = 0;
                    while ones < 8 && next() == 1 {
                        ones += 1;
                    }
                    let rest = (0..3).fold(0, |rest, _| 2 * rest + next());
                    assert_eq!(u32::from(*value), 8 * ones + rest);
                }
            }
        },
    );
}
