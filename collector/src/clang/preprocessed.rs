//! Sources as text: without macros, or with the files that they include.

use std::{fs, path::Path};

use super::{Clang, ClangError, flags, io_error};

/// Columns of a line; longer lines of a source without macros are split.
const MOST_COLUMNS: usize = 110;

impl Clang {
    /// The lines of any file, and of files of its folder that it includes, with macros expanded. Comments and OpenCL's
    /// own macros stay.
    ///
    /// # Errors
    /// See [`Self::read`].
    pub fn without_macros(
        &self,
        source: &Path,
        options: &str,
        folder: &Path,
    ) -> Result<String, ClangError> {
        let all = self.command(source, options, folder, &flags("-E -C -w -cl-no-stdinc"))?;
        let name = source.strip_prefix(folder).unwrap_or(source);
        let all = self.output_of(all, name, source)?;
        let (mut text, mut is_own) = (String::new(), false);
        for line in all.lines() {
            // `# 12 "name" 1`
            let marker = line.strip_prefix("# ");
            let marker = marker.filter(|it| it.starts_with(|c: char| c.is_ascii_digit()));
            match marker.and_then(|it| it.split('"').nth(1)) {
                Some(file) => is_own = !file.starts_with(['<', '/']),
                None if is_own && !(line.is_empty() && text.ends_with("\n\n")) => {
                    text += &one_statement_a_line(line);
                    text += "\n";
                }
                None => {}
            }
        }
        Ok(text)
    }

    /// A source with its included files inserted; they are found from `folder`, or by the options.
    ///
    /// # Errors
    /// See [`Self::read`].
    pub fn with_includes(
        &self,
        source: &Path,
        options: &str,
        folder: &Path,
    ) -> Result<String, ClangError> {
        let text = fs::read_to_string(source).map_err(io_error("cannot read the source"))?;
        if !text.contains("include") {
            return Ok(text);
        }
        let once = flags("-E -P -frewrite-includes -w -cl-no-stdinc");
        let command = self.command(source, options, folder, &once)?;
        self.output_of(command, source, source)
    }
}

/// Splits a line that a macro has made of several statements into one line for each.
fn one_statement_a_line(line: &str) -> String {
    let is_text = line.contains(['"', '#']) || line.contains("//") || line.contains("/*");
    if line.len() <= MOST_COLUMNS || is_text {
        return line.to_owned();
    }
    let indent = &line[..line.len() - line.trim_start().len()];
    let (mut text, mut own, mut depth, mut brackets) = (String::new(), String::new(), 0_usize, 0);
    for sign in line.trim_start().chars() {
        if own.is_empty() && sign == ' ' {
            continue;
        }
        if sign == '}' && brackets == 0 {
            depth = depth.saturating_sub(1);
        }
        if own.is_empty() {
            let more = "    ".repeat(depth);
            text += &format!("{}{indent}{more}", if text.is_empty() { "" } else { "\n" });
        }
        own.push(sign);
        text.push(sign);
        match sign {
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets -= 1,
            '{' if brackets == 0 => depth += 1,
            _ => {}
        }
        if brackets == 0 && matches!(sign, ';' | '{' | '}') {
            own.clear();
        }
    }
    text
}
