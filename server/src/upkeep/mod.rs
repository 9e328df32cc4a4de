//! The server's own affairs: its data folder and disk, the private Postgres, backups, and old fits that are dropped.

pub mod backup;
pub mod data_folder;
pub mod disk;
mod old_fits;
pub mod postgres;

pub use crate::db::models::fits::drop_superseded as drop_fits;
pub use old_fits::look_after;
