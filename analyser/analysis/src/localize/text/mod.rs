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

/// The declaration `__local float a_tile[16][17];`, with a comment if its rows are padded.
pub(crate) fn local_declaration(
    element: &str,
    name: &str,
    lengths: &[i64],
    is_padded: bool,
) -> String {
    let brackets: String = lengths.iter().map(|it| format!("[{it}]")).collect();
    let comment = if is_padded {
        " // one more column, so that a column lies in different banks"
    } else {
        ""
    };
    format!("__local {element} {name}{brackets};{comment}")
}

/// The text of `base` + `name`, with `constant` added or subtracted last.
pub(crate) fn sum_text(base: &str, name: &str, constant: i64) -> String {
    let begin = match (base, name) {
        ("0", name) => name.to_owned(),
        (base, "0") => base.to_owned(),
        (base, name) => format!("{base} + {name}"),
    };
    match constant {
        0 => begin,
        number if number < 0 => format!("{begin} - {}", -number),
        number => format!("{begin} + {number}"),
    }
}
