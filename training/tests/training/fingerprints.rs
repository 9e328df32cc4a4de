//! What makes another fit of samples.

use kerncast_training::{Candidate, Response, Samples};

use super::data::{COUNTED_ON, TARGET, THIRD, id, question, samples, with_an_unseen_target};

#[test]
fn whatever_changes_a_fit_changes_its_fingerprint() {
    let fingerprints = |samples: &Samples, counted_on| -> Vec<[u8; 32]> {
        let all = Candidate::all(&question(counted_on, Response::Time), samples);
        all.into_iter().map(|it| it.fingerprint).collect()
    };
    let own = samples(TARGET);
    let before = fingerprints(&own, None);
    assert_eq!(before, fingerprints(&own, None), "nothing changed");
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
        let after = fingerprints(&changed, None);
        assert!(before.iter().zip(&after).all(|(a, b)| a != b), "{what}");
    }
    // Ceilings of a third device are an input where all others are learned from.
    let unseen = with_an_unseen_target();
    let mut faster = unseen.clone();
    let third = faster.devices.get_mut(&THIRD).expect("there");
    third.ceilings.as_mut().expect("there").copy_bytes_per_s = Some(6e11);
    let from = Some(COUNTED_ON);
    assert_ne!(fingerprints(&unseen, from), fingerprints(&faster, from));
    // Where the target has run, they are none.
    let seen = samples(COUNTED_ON);
    let mut faster = seen.clone();
    let third = faster.devices.get_mut(&THIRD).expect("there");
    third.ceilings.as_mut().expect("there").copy_bytes_per_s = Some(6e11);
    assert_eq!(fingerprints(&seen, from), fingerprints(&faster, from));
}
