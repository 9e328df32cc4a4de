//! Programs that this one starts: where they are, the folder for their files, and the wait for their end.

mod group;
mod scratch;
mod tool;

pub(crate) use group::wait_for_group;
pub(crate) use scratch::Scratch;
pub use tool::oclgrind_library;
pub(crate) use tool::{Tool, configured_file, find_on_path, versioned_folders};
