//! Programs that this one starts: finding them, folders for their files, and waiting for their end.

mod group;
mod scratch;
mod tool;

pub(crate) use group::wait_for_group;
pub(crate) use scratch::Scratch;
pub use tool::oclgrind_library;
pub(crate) use tool::{Tool, configured_file, find_on_path, versioned_folders};
