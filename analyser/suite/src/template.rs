//! Text with expressions in it: `-DTILE=16 -DN={n}`.

use std::fmt;

use super::{BadValue, Formula, Parameters};

/// Build options, with expressions over the parameters in braces.
#[derive(Clone, Debug, Default)]
pub struct Template {
    pub(crate) text: String,
    pub(crate) parts: Vec<Part>,
}

#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(String),
    Formula(Formula),
}

impl Template {
    /// The text with numbers in place of expressions. A number with a decimal point is written with one, or with an
    /// exponent, so that it is a `double` in C.
    ///
    /// # Errors
    /// An expression without a value.
    pub fn resolved(&self, parameters: &Parameters) -> Result<String, BadValue> {
        let mut resolved = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => resolved += text,
                Part::Formula(formula) => resolved += &formula.number(parameters)?.to_string(),
            }
        }
        Ok(resolved)
    }
}

/// The text as in the launch file.
impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
