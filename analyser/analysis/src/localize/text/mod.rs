//! Texts of OpenCL C: the author's own, and what is written into it.

mod edit;
mod item_loop;
pub(crate) mod occurrences;
mod render;
mod rewrite;
mod source_text;

pub use self::edit::{Edit, apply_edits};
pub(crate) use self::{
    item_loop::{ItemLoop, nested},
    render::Renderer,
    rewrite::Rewrite,
};

/// A comment on a declaration that has one element more.
pub(crate) const PADDING_COMMENT: &str =
    " // one more column, so that a column lies in different banks";
