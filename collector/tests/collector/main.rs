//! The collector's tests, as one program: linking one a file took most of the time.
#![allow(clippy::unwrap_used, reason = "a test ends where it can go no further")]

mod common;

mod agent;
mod analyser;
mod ceilings;
mod commands;
mod evaluate;
mod evaluate_gpus;
mod examples;
mod generated;
mod import;
mod import_formats;
mod init;
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
mod streams;
mod surroundings;
mod times;
mod trace;
mod unlawful;
mod validations;
