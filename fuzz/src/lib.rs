//! What libFuzzer's targets do with their input. Part of the workspace, so that it compiles with what it fuzzes; the targets
//! themselves (`targets/`, one line each) are built by `scripts/fuzz` alone.

#![allow(
    clippy::unwrap_used,
    reason = "a target panics where something is wrong"
)]

pub mod ast;
pub mod files;
pub mod launch;
pub mod llvm;
pub mod predictions;
pub mod ptx;
mod server;
pub mod upload;
