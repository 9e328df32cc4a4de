//! The analyser on real sources: what clang, Oclgrind and the kernels themselves say of its answers.

mod analyse;
mod analyse_rows;
mod gpu_counters;
mod habits;
mod localize;
mod localize_choices;
mod localize_paper;
mod localize_random;
mod localize_refusals;
mod localize_texts;
mod localized;
mod novelty;
mod oclgrind_counters;
mod shipped;
