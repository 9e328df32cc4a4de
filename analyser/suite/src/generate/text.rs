//! Lines with indentation.

/// OpenCL C as it is written.
#[derive(Debug, Default)]
pub(super) struct Text {
    text: String,
    depth: usize,
}

impl Text {
    /// A line, or an empty one.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            self.text.push_str(&"    ".repeat(self.depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// `head {`, and deeper from here on.
    pub(super) fn open(&mut self, head: impl AsRef<str>) {
        self.line(format!("{} {{", head.as_ref()));
        self.depth += 1;
    }

    /// `{` on a line of its own, below a function's head.
    pub(super) fn body(&mut self) {
        self.line("{");
        self.depth += 1;
    }

    /// `}`, or `} tail`.
    pub(super) fn close(&mut self, tail: &str) {
        self.depth -= 1;
        self.line(format!("}}{tail}"));
    }

    /// What `write` writes, in a loop of so many turns where it is more than one.
    pub(super) fn times(&mut self, count: u32, write: impl FnOnce(&mut Self)) {
        if count == 1 {
            return write(self);
        }
        self.open(format!("for (int again = 0; again < {count}; ++again)"));
        write(self);
        self.close("");
    }

    /// Deeper from here on, after a line that ends with a brace.
    pub(super) fn deeper(&mut self) {
        self.depth += 1;
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}
