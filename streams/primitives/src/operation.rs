//! The operation on elements: the body of a function in OpenCL C.

use crate::ElementType;

/// The body of a function in OpenCL C. It ends with `return`: `return 2 * x;`. The primitive that runs it documents its
/// arguments.
#[derive(Clone, Debug)]
pub struct Operation {
    body: String,
}

/// Lines of [`Operation::source`] before the body. Programs begin with that source.
const LINES_BEFORE_BODY: usize = 3;

impl Operation {
    /// An operation with this body.
    pub fn new(body: impl Into<String>) -> Self {
        Self { body: body.into() }
    }

    /// The function `operation(arguments…)` in OpenCL C.
    pub(crate) fn source(&self, result: ElementType, arguments: &[(ElementType, &str)]) -> String {
        let arguments = arguments.iter();
        let arguments = arguments.map(|(element, name)| format!("{} {name}", element.opencl()));
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        let (result, body) = (result.opencl(), &self.body);
        format!(
            "{result} operation({arguments});\n{result} operation({arguments}) {{\n\
             #line 1 \"operation\"\n{body}\n}}\n"
        )
    }

    /// A compiler's log with the line numbers of the operation. NVIDIA's driver (580.159.04) ignores `#line` and counts lines
    /// of the whole source.
    pub(crate) fn renumber_lines(log: &str) -> String {
        let line = |line: &str| {
            let rest = line.strip_prefix("<kernel>:")?;
            let (number, rest) = rest.split_once(':')?;
            let number = number
                .parse::<usize>()
                .ok()?
                .checked_sub(LINES_BEFORE_BODY)?;
            Some(format!("operation:{number}:{rest}"))
        };
        let lines = log.lines();
        let lines = lines.map(|it| line(it).unwrap_or_else(|| it.to_owned()));
        lines.collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_at_the_operations_own_lines() {
        let operation = Operation::new("float twice = 2 * x;\nreturn twise;");
        let arguments = [(ElementType::F32, "x"), (ElementType::U64, "i")];
        let source = operation.source(ElementType::F32, &arguments);
        let line = source.lines().position(|it| it == "return twise;");
        let number = line.expect("the body") + 1;
        let log = format!("<kernel>:{number}:8: error: undeclared\nreturn twise;");
        let log = Operation::renumber_lines(&log);
        assert_eq!(log, "operation:2:8: error: undeclared\nreturn twise;");
        assert_eq!(
            Operation::renumber_lines("operation:2:8: error"),
            "operation:2:8: error"
        );
    }
}
