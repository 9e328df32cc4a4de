//! How far to believe a stream's forecast, in the words that forecasts of kernels have.

use kerncast_wire::{Trust, TrustWord};

use crate::by_checks::Error;

/// Beyond these factors a forecast is `fair`, and `low`: as docs/glossary.md has it.
const NARROW: f64 = 1.5;
const WIDE: f64 = 2.5;

/// Of a time within `interval`; `error` is of the checks that it comes from.
pub(crate) fn trust(interval: Option<[f64; 2]>, error: Option<Error>) -> Trust {
    let Some([low, high]) = interval else {
        let why = match error {
            Some(_) => "no array about as long was checked",
            None => "no check says how far such forecasts are off",
        };
        return said(TrustWord::None, why.to_owned());
    };
    let factor = (high / low).sqrt();
    let word = match factor {
        it if it <= NARROW => TrustWord::High,
        it if it <= WIDE => TrustWord::Fair,
        _ => TrustWord::Low,
    };
    said(word, format!("the like was off by up to ×/÷ {factor:.2}"))
}

pub(crate) fn said(word: TrustWord, why: String) -> Trust {
    Trust { word, why }
}
