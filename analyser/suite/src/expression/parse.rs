//! Parses expressions, by recursive descent.

use super::{
    Expression, Node,
    function::{FUNCTIONS, Function, OPERATORS},
};
use crate::Number;

/// A mistake in an expression's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misspelt {
    /// The place, in bytes from the text's start.
    pub at: usize,
    /// The text that was expected there.
    pub expected: String,
}

// Deep enough for any formula a person writes, shallow enough for the stack.
const DEEPEST: usize = 64;
// A chain of operators is as deep as it is long.
const MOST_OPERATIONS: usize = 1000;

const NUMBER: &str = "a number: 12, 0xFF, 0.5 or 1e-3";

impl Expression {
    /// Parses `text`; every name in it must be among `names`.
    ///
    /// # Errors
    /// The place of the first mistake and what was expected there.
    pub fn parse(text: &str, names: &[&str]) -> Result<Self, Misspelt> {
        Self::parse_with(text, names, None)
    }

    /// Parses `text` as [`parse`](Self::parse) does, for a fill: it may also use `random(low, high)`, and components of
    /// `buffers`.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse).
    pub(crate) fn parse_fill(
        text: &str,
        names: &[&str],
        buffers: &[&str],
    ) -> Result<Self, Misspelt> {
        Self::parse_with(text, names, Some(buffers))
    }

    fn parse_with(text: &str, names: &[&str], buffers: Option<&[&str]>) -> Result<Self, Misspelt> {
        let mut parser = Parser {
            text,
            at: 0,
            names,
            buffers,
            randoms: 0,
            depth: 0,
            operators: 0,
        };
        let root = parser.choice()?;
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
    /// Buffers whose components may be used; none outside fills.
    buffers: Option<&'a [&'a str]>,
    randoms: u64,
    depth: usize,
    operators: usize,
}

impl<'a> Parser<'a> {
    /// Parses a whole expression, down to what binds least.
    fn choice(&mut self) -> Result<Node, Misspelt> {
        self.deeper()?;
        let condition = self.or()?;
        let node = if self.operator("?")? {
            let yes = self.choice()?;
            self.punctuation(':', "`:` and what holds otherwise")?;
            Node::Choice(Box::new([condition, yes, self.choice()?]))
        } else {
            condition
        };
        self.depth -= 1;
        Ok(node)
    }

    fn or(&mut self) -> Result<Node, Misspelt> {
        let mut operand = self.and()?;
        while self.operator("||")? {
            operand = Node::Or(Box::new([operand, self.and()?]));
        }
        Ok(operand)
    }

    fn and(&mut self) -> Result<Node, Misspelt> {
        let mut operand = self.binary(0)?;
        while self.operator("&&")? {
            operand = Node::And(Box::new([operand, self.binary(0)?]));
        }
        Ok(operand)
    }

    /// Parses operators that bind more strongly than `weakest`.
    fn binary(&mut self, weakest: u8) -> Result<Node, Misspelt> {
        let mut left = self.factor()?;
        'operators: loop {
            for (operator, function, strength) in OPERATORS {
                if strength > weakest && self.operator(operator)? {
                    let right = self.binary(strength)?;
                    left = Node::Call(function, vec![left, right]);
                    continue 'operators;
                }
            }
            return Ok(left);
        }
    }

    fn factor(&mut self) -> Result<Node, Misspelt> {
        self.deeper()?;
        let sign = match self.peek() {
            Some('-') => Some(Function::Negate),
            Some('!') => Some(Function::Not),
            Some('~') => Some(Function::BitNot),
            _ => None,
        };
        let node = match self.peek() {
            Some(sign_or_bracket) if sign.is_some() || sign_or_bracket == '(' => {
                self.at += 1;
                if let Some(sign) = sign {
                    Node::Call(sign, vec![self.factor()?])
                } else {
                    let inner = self.choice()?;
                    self.punctuation(')', "`)`")?;
                    inner
                }
            }
            Some('0'..='9') => self.number()?,
            Some(c) if c == '_' || c.is_ascii_alphabetic() => self.name_or_call()?,
            _ => return Err(self.expected("a number, a parameter, a function or `(`")),
        };
        self.depth -= 1;
        Ok(node)
    }

    fn deeper(&mut self) -> Result<(), Misspelt> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.expected("fewer parentheses, signs and `?` within each other"));
        }
        Ok(())
    }

    /// Takes `operator` if it comes next, and returns whether it did. `|` does not match the beginning of `||`, nor `&`
    /// that of `&&`.
    fn operator(&mut self, operator: &str) -> Result<bool, Misspelt> {
        self.peek();
        let Some(rest) = self.text[self.at..].strip_prefix(operator) else {
            return Ok(false);
        };
        if matches!(operator, "|" | "&") && rest.starts_with(operator) {
            return Ok(false);
        }
        self.operators += 1;
        if self.operators > MOST_OPERATIONS {
            return Err(self.expected(format!("at most {MOST_OPERATIONS} operators")));
        }
        self.at += operator.len();
        Ok(true)
    }

    fn number(&mut self) -> Result<Node, Misspelt> {
        let start = self.at;
        let wrong = |expected: &str| Misspelt {
            at: start,
            expected: expected.to_owned(),
        };
        if self.text[start..].starts_with("0x") {
            self.at += 2;
            let digits = self.take(|c| c.is_ascii_hexdigit());
            return match i64::from_str_radix(digits, 16) {
                Ok(number) => Ok(Node::Number(Number::Whole(number))),
                Err(_) if digits.is_empty() => Err(wrong(NUMBER)),
                Err(_) => Err(wrong("a number that 64 bits can hold")),
            };
        }
        self.take(|c| c.is_ascii_digit());
        let mut is_real = false;
        for mark in ['.', 'e'] {
            if !self.text[self.at..].starts_with(mark) {
                continue;
            }
            is_real = true;
            self.at += 1;
            if mark == 'e' && self.text[self.at..].starts_with(['+', '-']) {
                self.at += 1;
            }
            if self.take(|c| c.is_ascii_digit()).is_empty() {
                return Err(wrong(NUMBER));
            }
        }
        let digits = &self.text[start..self.at];
        let number = if is_real {
            let real = digits.parse().ok().filter(|real: &f64| real.is_finite());
            real.map(Number::Real)
        } else {
            digits.parse().ok().map(Number::Whole)
        };
        number
            .map(Node::Number)
            .ok_or_else(|| wrong("a number that 64 bits can hold"))
    }

    fn name_or_call(&mut self) -> Result<Node, Misspelt> {
        let start = self.at;
        let wrong = |expected: String| Misspelt {
            at: start,
            expected,
        };
        let name = self.take(|c| c == '_' || c.is_ascii_alphanumeric());
        if self.peek() == Some('[')
            && let Some(buffers) = self.buffers
        {
            if !buffers.contains(&name) {
                return Err(wrong(match buffers {
                    [] => "no brackets: no argument before this one has a fill".to_owned(),
                    some => format!("one of the arguments filled before: {}", some.join(", ")),
                }));
            }
            self.at += 1;
            let place = self.choice()?;
            self.punctuation(']', "`]`")?;
            return Ok(Node::Component(name.to_owned(), Box::new(place)));
        }
        if self.peek() != Some('(') {
            if self.names.contains(&name) {
                return Ok(Node::Name(name.to_owned()));
            }
            let names = self.names.join(", ");
            return Err(wrong(format!("one of the parameters: {names}")));
        }
        if name == "random" && self.buffers.is_some() {
            self.at += 1;
            let call = self.randoms;
            self.randoms += 1;
            let low = self.choice()?;
            self.punctuation(',', "`,`: random takes 2 values")?;
            let high = self.choice()?;
            self.punctuation(')', "`)`: random takes 2 values")?;
            return Ok(Node::Random(call, Box::new([low, high])));
        }
        let Some((_, function, operands)) = FUNCTIONS.iter().find(|it| it.0 == name) else {
            let names = FUNCTIONS.map(|it| it.0).join(", ");
            return Err(wrong(format!("one of the functions: {names}")));
        };
        self.at += 1;
        let takes = format!(
            "{name} takes {operands} value{}",
            if *operands == 1 { "" } else { "s" }
        );
        let mut values = vec![self.choice()?];
        while values.len() < *operands {
            self.punctuation(',', format!("`,`: {takes}"))?;
            values.push(self.choice()?);
        }
        self.punctuation(')', format!("`)`: {takes}"))?;
        Ok(Node::Call(*function, values))
    }

    fn punctuation(&mut self, c: char, expected: impl Into<String>) -> Result<(), Misspelt> {
        if self.peek() != Some(c) {
            return Err(self.expected(expected));
        }
        self.at += 1;
        Ok(())
    }

    /// The next character that is no space; `at` is then on it.
    fn peek(&mut self) -> Option<char> {
        self.take(char::is_whitespace);
        self.text[self.at..].chars().next()
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn expected(&self, expected: impl Into<String>) -> Misspelt {
        Misspelt {
            at: self.at,
            expected: expected.into(),
        }
    }
}
