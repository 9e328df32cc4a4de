//! Fits as JSON, and back bit for bit.

use kerncast_models::{Calibration, Fitted};
use serde::de::DeserializeOwned;

use crate::db::{Error, Result};

/// The fit as JSON; none where a number in it is NaN or infinite, which JSON can't say.
pub(crate) fn write(fitted: &Fitted) -> Option<String> {
    let text = serde_json::to_string(fitted).ok()?;
    // What does not come back as it went is not stored.
    (read(&text).ok()? == *fitted).then_some(text)
}

/// A fit that [`write()`] has written.
pub(crate) fn read(text: &str) -> Result<Fitted> {
    parse(text)
}

/// A calibration as JSON.
pub(crate) fn write_calibration(calibration: &Calibration) -> Result<String> {
    serde_json::to_string(calibration).map_err(Error::conversion)
}

/// A calibration that [`write_calibration`] has written.
pub(crate) fn read_calibration(text: &str) -> Result<Calibration> {
    parse(text)
}

fn parse<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(Error::conversion)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test ends where it can go no further")]

    use kerncast_models::{ColumnRange, Form, Linear};
    use sqlx::PgPool;

    use super::*;

    fn linear(intercept: f64) -> Fitted {
        Fitted {
            ranges: Vec::new(),
            dropped: Vec::new(),
            form: Form::Linear(Linear {
                intercept,
                coefficients: Vec::new(),
            }),
        }
    }

    #[sqlx::test(migrations = "../migrations")]
    async fn numbers_at_the_edges_come_back_from_the_database_bit_for_bit(pool: PgPool) {
        for number in [
            -0.0,
            f64::MIN_POSITIVE,
            5e-324,
            f64::MAX,
            0.1 + 0.2,
            1.0 / 3.0,
        ] {
            let query = "SELECT fit::text FROM (SELECT $1::text::json AS fit) AS stored";
            let stored: String = sqlx::query_scalar(query)
                .bind(write(&linear(number)).unwrap())
                .fetch_one(&pool)
                .await
                .unwrap();
            let Form::Linear(back) = read(&stored).unwrap().form else {
                panic!("another form");
            };
            assert_eq!(back.intercept.to_bits(), number.to_bits());
        }
    }

    #[test]
    fn a_fit_with_what_is_no_number_is_not_stored() {
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(write(&linear(number)), None);
            let range = ColumnRange {
                mean: number,
                min: 0.0,
                max: 0.0,
            };
            let fitted = Fitted {
                ranges: vec![range],
                ..linear(1.0)
            };
            assert_eq!(write(&fitted), None);
        }
    }
}
