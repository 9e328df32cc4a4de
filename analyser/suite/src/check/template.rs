//! `options = "-DN={n}"`.

use toml::Spanned;

use super::Checker;
use crate::{
    Mistake,
    template::{Part, Template},
};

pub(super) fn template(
    checker: Checker,
    field: &str,
    text: &Spanned<String>,
) -> Result<Template, Mistake> {
    let mut parts = Vec::new();
    let mut rest = text.get_ref().as_str();
    while let Some((before, after)) = rest.split_once('{') {
        let Some((expression, after)) = after.split_once('}') else {
            let problem = format!("`{field}` has a `{{` without its `}}`");
            let expected = "an expression in braces, as -DN={n}";
            return Err(checker.mistake(text.span(), &problem, expected));
        };
        let expression = Spanned::new(text.span(), expression.to_owned());
        parts.push(Part::Text(before.to_owned()));
        parts.push(Part::Formula(
            checker.formula(field.to_owned(), &expression)?,
        ));
        rest = after;
    }
    parts.push(Part::Text(rest.to_owned()));
    Ok(Template {
        text: text.get_ref().clone(),
        parts,
    })
}
