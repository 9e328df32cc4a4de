//! What is done to elements: the body of a function in OpenCL C, and values that it captures.

use std::fmt::Write as _;

use kerncast_opencl::{Function, OpenClError};

use crate::{Number, StreamError, Type};

/// The body of a function in OpenCL C, and values by name that it captures. It ends with `return`:
/// `return k * x;`. Which arguments it has is said by the primitive that it is given to.
#[derive(Clone, Debug)]
pub struct Operation {
    body: String,
    captured: Vec<Captured>,
}

/// Lines of [`Operation::source`] before the body; it is what programs begin with.
const BEFORE_BODY: usize = 5;

#[derive(Clone, Debug)]
struct Captured {
    name: String,
    element: Type,
    bytes: Vec<u8>,
}

impl Operation {
    /// With this body, and nothing captured yet.
    pub fn new(body: impl Into<String>) -> Self {
        Self {
            body: body.into(),
            captured: Vec::new(),
        }
    }

    /// As it is, with one more captured value. Values are arguments of the kernel: another value of the
    /// same name and type compiles nothing.
    ///
    /// # Errors
    /// The name is none in OpenCL C, or another captured value's.
    pub fn with<T: Number>(mut self, name: &str, value: T) -> Result<Self, StreamError> {
        let mut letters = name.chars();
        let is_name = letters
            .next()
            .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
            && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if !is_name || self.captured.iter().any(|known| known.name == name) {
            return Err(StreamError::Captured(name.to_owned()));
        }
        self.captured.push(Captured {
            name: name.to_owned(),
            element: T::TYPE,
            bytes: bytemuck::bytes_of(&value).to_vec(),
        });
        Ok(self)
    }

    /// In OpenCL C: `operation(arguments…, captured…)`, and the macros `CAPTURED` (parameters, each after a comma) and
    /// `PASSED` (the same as arguments).
    pub(crate) fn source(&self, result: Type, arguments: &[(Type, &str)]) -> String {
        let arguments = arguments.iter();
        let arguments = arguments.map(|(element, name)| format!("{} {name}", element.opencl()));
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        let result = result.opencl();
        let (mut own, mut captured, mut passed) = (String::new(), String::new(), String::new());
        for Captured { name, element, .. } in &self.captured {
            let element = element.opencl();
            let _ = write!(own, ", {element} {name}");
            // Kernels have names of their own, which may be the same.
            let _ = write!(captured, ", {element} captured_{name}");
            let _ = write!(passed, ", captured_{name}");
        }
        format!(
            "#define CAPTURED {captured}\n#define PASSED {passed}\n\
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
    pub(crate) fn captured(&self) -> impl Iterator<Item = Type> {
        self.captured.iter().map(|it| it.element)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_at_the_operations_own_lines() {
        let operation = Operation::new("float twice = 2 * x;\nreturn twise;");
        let arguments = [(Type::F32, "x"), (Type::U64, "i")];
        let source = operation.source(Type::F32, &arguments);
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
