//! What samples can answer.

use kerncast_training::{Samples, questions};

use crate::data::{COUNTED_ON, TARGET, samples};

#[test]
fn a_device_answers_for_its_times_its_variants_and_its_speedups() {
    let asked = |samples: &Samples, counted_on, provider: &str| -> Vec<(String, Option<String>)> {
        let questions = questions(samples, TARGET, counted_on, provider).into_iter();
        questions
            .map(|it| (it.response.to_string(), it.variant))
            .collect()
    };
    let of =
        |response: &str, variant: Option<&str>| (response.to_owned(), variant.map(str::to_owned));
    assert_eq!(
        asked(&samples(TARGET), None, "oclgrind"),
        [
            of("time", None),
            of("time", Some("global")),
            of("speedup", None)
        ]
    );
    assert_eq!(
        asked(&samples(COUNTED_ON), Some(COUNTED_ON), "oclgrind"),
        [of("time", None), of("speedup", None)]
    );
    // Geometry counts nothing that local memory would change.
    assert_eq!(
        asked(&samples(COUNTED_ON), Some(COUNTED_ON), "launch"),
        [of("time", None)]
    );
}
