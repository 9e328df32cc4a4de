//! What is done to elements: the body of a function in OpenCL C, and values that it captures.

use std::fmt::Write as _;

use kerncast_opencl::{Function, OpenClError};

use crate::{
    Element, Kind, StreamError, on_host::OnHost, record::declarations, reserved::is_reserved,
};

/// The body of a function in OpenCL C, and values by name that it captures. It ends with `return`:
/// `return k * x;`. Which arguments it has is said by the primitive that it is given to.
#[derive(Clone, Debug)]
pub struct Operation {
    body: String,
    captured: Vec<Captured>,
    pub(crate) on_host: Option<OnHost>,
}

/// Lines of [`Operation::source`] before the body; it is what programs begin with.
const BEFORE_BODY: usize = 6;

#[derive(Clone, Debug)]
struct Captured {
    name: String,
    kind: Kind,
    bytes: Vec<u8>,
}

impl Operation {
    /// With this body, and nothing captured yet.
    pub fn new(body: impl Into<String>) -> Self {
        Self {
            body: body.into(),
            captured: Vec::new(),
            on_host: None,
        }
    }

    /// The same in Rust, of a transform of one input: of an element and its place. Where a streamer
    /// [shares with the host](crate::Streamer::share_with_host), the host's cores take chunks too. That both do the same is
    /// the caller's word.
    #[must_use]
    pub fn map_on_host<X: Element, Y: Element>(
        self,
        each: impl Fn(X, u64) -> Y + Send + Sync + 'static,
    ) -> Self {
        Self {
            on_host: Some(OnHost::map(each)),
            ..self
        }
    }

    /// As [`map_on_host`](Self::map_on_host), of a reduction: of two elements.
    #[must_use]
    pub fn fold_on_host<T: Element>(
        self,
        both: impl Fn(T, T) -> T + Send + Sync + 'static,
    ) -> Self {
        Self {
            on_host: Some(OnHost::fold(both)),
            ..self
        }
    }

    /// As it is, with one more captured value. Values are arguments of the kernel: another value of the
    /// same name and type compiles nothing.
    ///
    /// # Errors
    /// The name is none in OpenCL C, or another captured value's.
    pub fn with<T: Element>(mut self, name: &str, value: T) -> Result<Self, StreamError> {
        let mut letters = name.chars();
        let is_name = letters
            .next()
            .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
            && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if !is_name || is_reserved(name) || self.captured.iter().any(|known| known.name == name) {
            return Err(StreamError::Captured(name.to_owned()));
        }
        self.captured.push(Captured {
            name: name.to_owned(),
            kind: T::KIND,
            bytes: bytemuck::bytes_of(&value).to_vec(),
        });
        Ok(self)
    }

    /// In OpenCL C: the records that it knows, `operation(arguments…, captured…)`, and the macros `CAPTURED` (parameters,
    /// each after a comma) and `PASSED` (the same as arguments).
    pub(crate) fn source(&self, result: Kind, arguments: &[(Kind, &str)]) -> String {
        let kinds = arguments.iter().map(|it| it.0);
        let declarations = declarations(kinds.chain([result]).chain(self.captured()));
        let arguments = arguments.iter();
        let arguments = arguments.map(|(kind, name)| format!("{} {name}", kind.opencl()));
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        let result = result.opencl();
        let (mut own, mut captured, mut passed) = (String::new(), String::new(), String::new());
        for Captured { name, kind, .. } in &self.captured {
            let kind = kind.opencl();
            let _ = write!(own, ", {kind} {name}");
            // Kernels have names of their own, which may be the same.
            let _ = write!(captured, ", {kind} captured_{name}");
            let _ = write!(passed, ", captured_{name}");
        }
        format!(
            "{declarations}\n#define CAPTURED {captured}\n#define PASSED {passed}\n\
             {result} operation({arguments}{own});\n\
             {result} operation({arguments}{own}) {{\n\
             #line 1 \"operation\"\n{}\n}}\n",
            self.body
        )
    }

    /// A compiler's log with an operation's own lines: NVIDIA's (580.159.04) counts those of the whole source, whatever `#line`
    /// says.
    pub(crate) fn placed(log: &str) -> String {
        let line = |line: &str| {
            let rest = line.strip_prefix("<kernel>:")?;
            let (number, rest) = rest.split_once(':')?;
            let number = number.parse::<usize>().ok()?.checked_sub(BEFORE_BODY)?;
            Some(format!("operation:{number}:{rest}"))
        };
        let lines = log.lines();
        let lines = lines.map(|it| line(it).unwrap_or_else(|| it.to_owned()));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Sets a kernel's arguments from `first` on to what is captured.
    pub(crate) fn pass(&self, function: &mut Function, first: u32) -> Result<(), OpenClError> {
        for (index, captured) in (first..).zip(&self.captured) {
            function.set_scalar(index, &captured.bytes)?;
        }
        Ok(())
    }

    /// What the captured values are.
    pub(crate) fn captured(&self) -> impl Iterator<Item = Kind> {
        self.captured.iter().map(|it| it.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Type;

    #[test]
    fn mistakes_are_at_the_operations_own_lines() {
        let operation = Operation::new("float twice = 2 * x;\nreturn twise;");
        let [float, place] = [Type::F32, Type::U64].map(Kind::from);
        let source = operation.source(float, &[(float, "x"), (place, "i")]);
        let line = source.lines().position(|it| it == "return twise;");
        let number = line.expect("the body") + 1;
        let log = format!("<kernel>:{number}:8: error: undeclared\nreturn twise;");
        let placed = Operation::placed(&log);
        assert_eq!(placed, "operation:2:8: error: undeclared\nreturn twise;");
        assert_eq!(
            Operation::placed("operation:2:8: error"),
            "operation:2:8: error"
        );
    }
}
