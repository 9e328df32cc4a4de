//! The agent and command line.

fn main() {}
