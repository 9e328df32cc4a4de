//! The collector's tests, as one program: linking one a file took most of the time.
#![allow(clippy::unwrap_used, reason = "a test ends where it can go no further")]

mod common;

mod agent;
mod analyse;
mod analyse_rows;
mod analysis;
mod analysis_of_gpu;
mod ceilings;
mod commands;
mod evaluate;
mod examples;
mod generated;
mod habits;
mod import;
mod init;
mod localize;
mod localize_choices;
mod localize_paper;
mod localize_random;
mod localize_refusals;
mod localize_texts;
mod microbenchmark;
mod ncu;
mod oclgrind;
mod outside;
mod ptx;
mod rocprofv3;
mod rows;
mod run_once;
mod spool;
mod steps;
mod stream;
mod stream_kernels;
mod surroundings;
mod times;
mod trace;
mod unlawful;
mod unlike;
mod validations;
