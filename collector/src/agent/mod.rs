//! A machine's agent between its runs: whether one is under way, what it measured when, and who
//! else computes here. `kerncast agent` is its command line.

mod machine;
mod record;
mod rounds;
mod state;

pub use machine::{Machine, Since, host};
pub use rounds::{Manners, Rounds};
pub use state::{Held, LastRun, Lock, Standing, State, StateError};
