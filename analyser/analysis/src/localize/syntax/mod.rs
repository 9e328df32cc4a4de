//! The syntax tree and words of OpenCL C.

mod for_loop;
mod spelling;
mod tree;

pub use self::spelling::{is_name, words};
pub(crate) use self::{
    for_loop::{ForLoop, counted},
    spelling::{behind_word, has_word, line_start, places_of},
    tree::{exprs, mentions, stmts, subexprs},
};
