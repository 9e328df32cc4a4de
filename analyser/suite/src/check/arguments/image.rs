//! `image = "rgba_float"` and `sampler = { .. }`.

use toml::Spanned;

use super::Table;
use crate::{ArgumentKind, Formula, ImageFormat, Mistake, Sampler, Type, file};

impl Table<'_> {
    pub(super) fn image(&self, format: &Spanned<String>) -> Result<ArgumentKind, Mistake> {
        let parsed: Result<ImageFormat, String> = format.get_ref().parse();
        let parsed = parsed.map_err(|expected| {
            let problem = format!("`{}` is no image format", format.get_ref());
            self.checker.mistake(format.span(), &problem, &expected)
        })?;
        let side = |key: &str, text: &Option<Spanned<file::Text>>| -> Result<Formula, Mistake> {
            match text {
                Some(text) => self.checker.formula(self.field(key), text),
                None => Err(self.mistake(
                    &format!("has no {key}"),
                    &format!("{key} = \"EXPRESSION\" (pixels)"),
                )),
            }
        };
        Ok(ArgumentKind::Image {
            format: parsed,
            width: side("width", &self.table.width)?,
            height: side("height", &self.table.height)?,
            access: self.access(),
            fill: self.fill(&Type::Element(parsed.element))?,
        })
    }

    pub(super) fn sampler(&self, sampler: &Spanned<Sampler>) -> Result<ArgumentKind, Mistake> {
        if !sampler.get_ref().exists() {
            let problem = format!("sampler `{}` repeats the image", self.name());
            let expected = "normalized = true, where an image repeats";
            return Err(self.checker.mistake(sampler.span(), &problem, expected));
        }
        Ok(ArgumentKind::Sampler(*sampler.get_ref()))
    }
}
