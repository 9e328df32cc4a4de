//! Migrations and the dashboard are compiled in, so a new file among them must rebuild the server.
#![allow(clippy::print_stdout, reason = "cargo reads it")]

fn main() {
    println!("cargo:rerun-if-changed=../migrations");
    println!("cargo:rerun-if-changed=../web/dist");
}
