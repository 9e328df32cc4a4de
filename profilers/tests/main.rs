//! Parsers, and the catalogue of counters with its page.

mod catalogue;
mod counters_page;
mod parsers;
