//! Text with indentation.

/// The text of OpenCL C while it is written.
#[derive(Debug, Default)]
pub(super) struct Text {
    text: String,
    depth: usize,
}

impl Text {
    /// Writes a line, or an empty one.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            self.text.push_str(&"    ".repeat(self.depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// Writes `head {`, and indents what follows.
    pub(super) fn open(&mut self, head: impl AsRef<str>) {
        self.line(format!("{} {{", head.as_ref()));
        self.depth += 1;
    }

    /// Writes `{` on a line of its own, below a function's head.
    pub(super) fn body(&mut self) {
        self.line("{");
        self.depth += 1;
    }

    /// Writes `}`, or `} tail`.
    pub(super) fn close(&mut self, tail: &str) {
        self.depth -= 1;
        self.line(format!("}}{tail}"));
    }

    /// Writes lines in braces behind a head.
    pub(super) fn block<const N: usize>(&mut self, head: impl AsRef<str>, lines: [&str; N]) {
        self.open(head);
        lines.into_iter().for_each(|line| self.line(line));
        self.close("");
    }

    /// Writes a function with these lines, and an empty line.
    pub(super) fn function<const N: usize>(&mut self, head: &str, lines: [&str; N]) {
        self.line(head);
        self.body();
        lines.into_iter().for_each(|line| self.line(line));
        self.close("");
        self.line("");
    }

    /// Writes what `write` writes, in a loop of `count` iterations if that is more than one.
    pub(super) fn times(&mut self, count: u32, write: impl FnOnce(&mut Self)) {
        if count == 1 {
            return write(self);
        }
        self.open(format!("for (int again = 0; again < {count}; ++again)"));
        write(self);
        self.close("");
    }

    /// Indents what follows, after a line that ends with a brace.
    pub(super) fn deeper(&mut self) {
        self.depth += 1;
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}
