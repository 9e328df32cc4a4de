//! From samples to models, and attacks on what is learned.

mod attacks;
mod training;
