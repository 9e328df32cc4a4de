//! Splits LLVM's text into tokens.

use super::ReadError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `define`, `i32`, `noundef`.
    Word(&'a str),
    /// `%name`.
    Local(&'a str),
    /// `@name`.
    Global(&'a str),
    /// `!dbg`, `!12`, or `!` alone.
    Meta(&'a str),
    /// `"…"`, as it is written.
    Text(&'a str),
    /// `c"…"`, as it is written.
    Bytes(&'a str),
    /// `12`, `-1.0e+00`, `0x3FF0000000000000`.
    Number(&'a str),
    /// `name:`.
    Label(&'a str),
    /// A mark that is skipped: `#12`, `$name`, `^1`.
    Mark,
    /// A line that begins with `!`.
    MetaLine(&'a str),
    /// Any other character.
    Sign(u8),
    End,
}

pub(super) fn tokens(text: &str) -> Result<Vec<(Token<'_>, u32)>, ReadError> {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        line: 1,
        at_line_start: true,
    };
    let mut all = Vec::new();
    while let Some(token) = lexer.next()? {
        all.push((token, lexer.line));
    }
    all.push((Token::End, lexer.line));
    Ok(all)
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    line: u32,
    at_line_start: bool,
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_') || byte >= 0x80
}

fn is_number(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.')
}

impl<'a> Lexer<'a> {
    fn next(&mut self) -> Result<Option<Token<'a>>, ReadError> {
        self.skip_blanks();
        let Some(first) = self.peek() else {
            return Ok(None);
        };
        let starts_line = std::mem::take(&mut self.at_line_start);
        Ok(Some(match first {
            b'!' if starts_line => Token::MetaLine(self.rest_of_line()),
            b'%' => Token::Local(self.name()?),
            b'@' => Token::Global(self.name()?),
            b'!' => {
                self.at += 1;
                Token::Meta(self.take_while(is_name))
            }
            b'#' | b'$' | b'^' => {
                self.name()?;
                Token::Mark
            }
            b'"' => {
                let text = self.quoted()?;
                self.label_or(Token::Text, text)
            }
            b'c' if self.bytes.get(self.at + 1) == Some(&b'"') => {
                self.at += 1;
                Token::Bytes(self.quoted()?)
            }
            b'-' | b'0'..=b'9' => {
                let number = self.take_while(is_number);
                self.label_or(Token::Number, number)
            }
            byte if is_name(byte) => {
                let word = self.take_while(is_name);
                self.label_or(Token::Word, word)
            }
            byte => {
                self.at += 1;
                Token::Sign(byte)
            }
        }))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => {
                    self.line = self.line.saturating_add(1);
                    self.at_line_start = true;
                    self.at += 1;
                }
                b';' => {
                    self.rest_of_line();
                }
                byte if byte.is_ascii_whitespace() => {
                    self.at_line_start = false;
                    self.at += 1;
                }
                _ => return,
            }
        }
    }

    fn take_while(&mut self, may: fn(u8) -> bool) -> &'a str {
        let start = self.at;
        while self.peek().is_some_and(may) {
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn rest_of_line(&mut self) -> &'a str {
        self.take_while(|byte| byte != b'\n')
    }

    /// A label if a colon follows the text, else a token.
    fn label_or(&mut self, token: fn(&'a str) -> Token<'a>, text: &'a str) -> Token<'a> {
        if self.peek() != Some(b':') {
            return token(text);
        }
        self.at += 1;
        Token::Label(text)
    }

    /// Reads the name behind `%`, `@` or `#`.
    fn name(&mut self) -> Result<&'a str, ReadError> {
        self.at += 1;
        if self.peek() == Some(b'"') {
            return self.quoted();
        }
        let name = self.take_while(is_name);
        if name.is_empty() {
            return Err(ReadError::new(self.line, "a sign without a name behind it"));
        }
        Ok(name)
    }

    fn quoted(&mut self) -> Result<&'a str, ReadError> {
        let line = self.line;
        self.at += 1;
        let start = self.at;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'"' => return Ok(self.text.get(start..self.at - 1).unwrap_or_default()),
                b'\n' => self.line = self.line.saturating_add(1),
                _ => {}
            }
        }
        Err(ReadError::new(line, "a quotation mark without its pair"))
    }
}
