//! Text → expression, by recursive descent.

use super::{Expression, Function, Node};

/// What is wrong with an expression's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misspelt {
    /// Where, in bytes from the text's start.
    pub at: usize,
    /// What was expected there.
    pub expected: String,
}

// Deep enough for any formula a person writes, shallow enough for the stack.
const DEPTH: usize = 64;

impl Expression {
    /// Reads `text`; every name in it must be among `names`.
    ///
    /// # Errors
    /// The place of the first mistake and what was expected there.
    pub fn parse(text: &str, names: &[&str]) -> Result<Self, Misspelt> {
        let mut parser = Parser {
            text,
            at: 0,
            names,
            depth: 0,
        };
        let root = parser.sum()?;
        match parser.peek() {
            None => Ok(Self {
                text: text.to_owned(),
                root,
            }),
            Some(_) => Err(parser.expected("an operator or the end")),
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    names: &'a [&'a str],
    depth: usize,
}

impl<'a> Parser<'a> {
    fn sum(&mut self) -> Result<Node, Misspelt> {
        let mut left = self.product()?;
        loop {
            let function = match self.peek() {
                Some('+') => Function::Add,
                Some('-') => Function::Subtract,
                _ => return Ok(left),
            };
            self.at += 1;
            left = Node::Call(function, vec![left, self.product()?]);
        }
    }

    fn product(&mut self) -> Result<Node, Misspelt> {
        let mut left = self.factor()?;
        loop {
            let function = match self.peek() {
                Some('*') => Function::Multiply,
                Some('/') => Function::Divide,
                Some('%') => Function::Remainder,
                _ => return Ok(left),
            };
            self.at += 1;
            left = Node::Call(function, vec![left, self.factor()?]);
        }
    }

    fn factor(&mut self) -> Result<Node, Misspelt> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.expected(format!("at most {DEPTH} levels of parentheses and signs")));
        }
        let node = match self.peek() {
            Some('-') => {
                self.at += 1;
                Node::Call(Function::Negate, vec![self.factor()?])
            }
            Some('(') => {
                self.at += 1;
                let inner = self.sum()?;
                self.punctuation(')', "`)`")?;
                inner
            }
            Some('0'..='9') => self.number()?,
            Some(c) if c == '_' || c.is_ascii_alphabetic() => self.name_or_call()?,
            _ => return Err(self.expected("a number, a parameter, a function or `(`")),
        };
        self.depth -= 1;
        Ok(node)
    }

    fn number(&mut self) -> Result<Node, Misspelt> {
        let start = self.at;
        let digits = self.take(|c| c.is_ascii_digit());
        digits.parse().map(Node::Number).map_err(|_| Misspelt {
            at: start,
            expected: format!("a number up to {}", i64::MAX),
        })
    }

    fn name_or_call(&mut self) -> Result<Node, Misspelt> {
        let start = self.at;
        let name = self.take(|c| c == '_' || c.is_ascii_alphanumeric());
        if self.peek() != Some('(') {
            if self.names.contains(&name) {
                return Ok(Node::Name(name.to_owned()));
            }
            let expected = format!("one of the parameters: {}", self.names.join(", "));
            return Err(Misspelt {
                at: start,
                expected,
            });
        }
        let (function, operands) = match name {
            "min" => (Function::Min, 2),
            "max" => (Function::Max, 2),
            "ceil_div" => (Function::CeilDiv, 2),
            "pow" => (Function::Pow, 2),
            "log2" => (Function::Log2, 1),
            _ => {
                let expected = "one of the functions: min, max, ceil_div, pow, log2".to_owned();
                return Err(Misspelt {
                    at: start,
                    expected,
                });
            }
        };
        self.at += 1;
        let takes = format!(
            "{name} takes {operands} value{}",
            if operands == 1 { "" } else { "s" }
        );
        let mut values = vec![self.sum()?];
        while values.len() < operands {
            self.punctuation(',', format!("`,`: {takes}"))?;
            values.push(self.sum()?);
        }
        self.punctuation(')', format!("`)`: {takes}"))?;
        Ok(Node::Call(function, values))
    }

    fn punctuation(&mut self, c: char, expected: impl Into<String>) -> Result<(), Misspelt> {
        if self.peek() != Some(c) {
            return Err(self.expected(expected));
        }
        self.at += 1;
        Ok(())
    }

    /// The next character that is no space; `at` then stands on it.
    fn peek(&mut self) -> Option<char> {
        self.take(char::is_whitespace);
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let taken = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += taken;
        &rest[..taken]
    }

    fn expected(&self, expected: impl Into<String>) -> Misspelt {
        Misspelt {
            at: self.at,
            expected: expected.into(),
        }
    }
}
