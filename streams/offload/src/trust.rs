//! How far to believe a stream's forecast, in the words that forecasts of kernels have.

use kerncast_wire::{Trust, TrustWord};

use crate::ForecastError;

/// Trust in a time that lies within `interval`; `error` is how far the checks that gave the interval were off.
pub(crate) fn trust(interval: Option<[f64; 2]>, error: Option<ForecastError>) -> Trust {
    let Some([low, high]) = interval else {
        let why = match error {
            Some(_) => "no array about as long was checked",
            None => "no check says how far such forecasts are off",
        };
        return Trust {
            word: TrustWord::None,
            why: why.to_owned(),
        };
    };
    let factor = (high / low).sqrt();
    Trust {
        word: TrustWord::within(factor),
        why: format!("the like was off by up to ×/÷ {factor:.2}"),
    }
}
