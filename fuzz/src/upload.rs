//! `POST /v1/samples`: a verdict on each sample or a problem, and the same again changes nothing.

use crate::server::post;
use serde_json::Value;

/// Tries one input; a panic is a find.
pub fn fuzz(body: &[u8]) {
    let verdict = upload(body);
    let Some(verdicts) = verdict["verdicts"].as_array() else {
        return;
    };
    let count = |kind: &str| verdict[kind].as_u64().expect("a count");
    let (stored, repeated, rejected) = (count("stored"), count("repeated"), count("rejected"));
    assert_eq!(
        stored + repeated + rejected,
        verdicts.len() as u64,
        "{verdict}"
    );
    if stored > 0 {
        let again = upload(body);
        assert_eq!(again["stored"], 0, "{again}");
        assert_eq!(again["rejected"], rejected, "{again}");
    }
}

fn upload(body: &[u8]) -> Value {
    post("/v1/samples", "application/json", body).1
}
