//! A parser: a position among tokens, and checks of what follows.

use super::{ReadError, lexer::Token};
use crate::llvm::Module;

/// The deepest nesting of types and of constants; real programs have a handful.
const DEEPEST: u32 = 64;

pub(super) struct Parser<'a> {
    tokens: &'a [(Token<'a>, u32)],
    at: usize,
    depth: u32,
    pub(super) module: Module,
}

impl<'a> Parser<'a> {
    /// A parser of tokens that end with [`Token::End`].
    pub(super) fn new(tokens: &'a [(Token<'a>, u32)]) -> Self {
        Self {
            tokens,
            at: 0,
            depth: 0,
            module: Module::default(),
        }
    }

    pub(super) fn peek(&self) -> Token<'a> {
        self.tokens.get(self.at).map_or(Token::End, |token| token.0)
    }

    pub(super) fn peek_second(&self) -> Token<'a> {
        self.tokens.get(self.at + 1).map_or(Token::End, |it| it.0)
    }

    pub(super) fn line(&self) -> u32 {
        let last = self.tokens.last();
        self.tokens.get(self.at).or(last).map_or(1, |token| token.1)
    }

    pub(super) fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        if token != Token::End {
            self.at += 1;
        }
        token
    }

    pub(super) fn wrong<T>(&self, expected: &str) -> Result<T, ReadError> {
        let token = match self.peek() {
            Token::Word(text) | Token::Number(text) => format!("`{text}`"),
            Token::Local(text) => format!("`%{text}`"),
            Token::Global(text) => format!("`@{text}`"),
            Token::Label(text) => format!("`{text}:`"),
            Token::Sign(byte) => format!("`{}`", char::from(byte)),
            Token::End => "the end".to_owned(),
            Token::Meta(_) | Token::MetaLine(_) => "metadata".to_owned(),
            Token::Text(_) | Token::Bytes(_) => "a text".to_owned(),
            Token::Mark => "an attribute".to_owned(),
        };
        // A word of a hostile text may be long.
        let token: String = token.chars().take(80).collect();
        self.fail(format!("{token} stands where {expected} is expected"))
    }

    pub(super) fn fail<T>(&self, problem: impl Into<String>) -> Result<T, ReadError> {
        Err(ReadError::new(self.line(), problem))
    }

    pub(super) fn is_sign(&self, sign: u8) -> bool {
        self.peek() == Token::Sign(sign)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.peek() == Token::Word(word)
    }

    pub(super) fn take_sign(&mut self, sign: u8) -> bool {
        let is = self.is_sign(sign);
        self.at += usize::from(is);
        is
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.at += usize::from(is);
        is
    }

    pub(super) fn expect_sign(&mut self, sign: u8) -> Result<(), ReadError> {
        if self.take_sign(sign) {
            return Ok(());
        }
        self.wrong(&format!("`{}`", char::from(sign)))
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<(), ReadError> {
        if self.take_word(word) {
            return Ok(());
        }
        self.wrong(&format!("`{word}`"))
    }

    pub(super) fn number<N: std::str::FromStr>(&mut self) -> Result<N, ReadError> {
        if let Token::Number(text) = self.peek()
            && let Ok(number) = text.parse()
        {
            self.at += 1;
            return Ok(number);
        }
        self.wrong("a number")
    }

    /// Runs `parse` one level further down.
    pub(super) fn deeper<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        if self.depth >= DEEPEST {
            return self.fail(format!("nested more than {DEEPEST} deep"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Skips brackets and what stands in them.
    pub(super) fn skip_brackets(&mut self) {
        let mut open = 0_u32;
        loop {
            match self.next() {
                Token::Sign(b'(' | b'[' | b'{') => open += 1,
                Token::Sign(b')' | b']' | b'}') => open = open.saturating_sub(1),
                Token::End => return,
                _ => {}
            }
            if open == 0 {
                return;
            }
        }
    }

    /// Skips a word, and brackets behind it.
    pub(super) fn skip_attribute(&mut self) {
        self.next();
        if self.is_sign(b'(') {
            self.skip_brackets();
        }
    }

    /// Skips the rest of the line. Returns the number of the debug location in it.
    pub(super) fn finish_line(&mut self, line: u32) -> Option<u32> {
        let mut location = None;
        while self.peek() != Token::End && self.line() == line {
            if self.next() == Token::Meta("dbg")
                && let Token::Meta(number) = self.peek()
            {
                location = number.parse().ok();
            }
        }
        location
    }

    /// The line of the last token that was taken.
    pub(super) fn last_line(&self) -> u32 {
        let last = self.at.checked_sub(1);
        last.and_then(|last| self.tokens.get(last))
            .map_or(1, |token| token.1)
    }
}
