//! `POST /v1/predictions`, of JSON and of profilers' files: forecasts by stored models, refusals, or a problem.

use std::sync::Once;

use crate::server::{fit, post};

/// Two devices' samples, with models of each and across.
static SAMPLES: &[u8] = include_bytes!("../two_devices.json");

static MODELS: Once = Once::new();

/// Tries one input; a panic is a find.
pub fn fuzz(body: &[u8]) {
    MODELS.call_once(|| {
        let (status, verdict) = post("/v1/samples", "application/json", SAMPLES);
        assert!(status.is_success(), "{verdict}");
        fit();
    });
    let media_type = match body.first() {
        Some(b'{') => "application/json",
        _ => "text/csv",
    };
    let (status, answer) = post("/v1/predictions", media_type, body);
    if status.is_success() {
        assert!(answer["predictions"].is_array(), "{answer}");
    }
}
