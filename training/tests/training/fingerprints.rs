//! What makes another fit of samples.

use kerncast_training::{Candidate, Response, Samples};

use super::data::{TARGET, id, question, samples};

#[test]
fn whatever_changes_a_fit_changes_its_fingerprint() {
    let fingerprints = |samples: &Samples| -> Vec<[u8; 32]> {
        let all = Candidate::all(&question(None, Response::Time), samples);
        all.into_iter().map(|it| it.fingerprint).collect()
    };
    let own = samples(TARGET);
    let before = fingerprints(&own);
    assert_eq!(before, fingerprints(&own), "nothing changed");
    type Change = fn(&mut Samples);
    let changes: [(&str, Change); 4] = [
        ("a time", |it| it.counted[0].median_s *= 1.01),
        ("a counter", |it| {
            *it.counted[0].values.get_mut(&0).expect("there") = 999.0
        }),
        ("a family", |_| ()),
        ("another sample", |it| it.counted[0].id = id(5)),
    ];
    for (what, change) in changes {
        let mut changed = own.clone();
        change(&mut changed);
        if what == "a family" {
            for sample in changed.counted.iter_mut().take(8) {
                sample.family = Some("f".to_owned());
            }
        }
        let after = fingerprints(&changed);
        assert!(before.iter().zip(&after).all(|(a, b)| a != b), "{what}");
    }
}
