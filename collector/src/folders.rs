//! Where files live: the machine's folders for root, the user's (XDG) for anyone else.

use std::path::{Path, PathBuf};

use directories::ProjectDirs;

/// Counts and other things that can be made again; none where no home is known.
pub fn cache() -> Option<PathBuf> {
    ProjectDirs::from("", "", "kerncast").map(|folders| folders.cache_dir().to_owned())
}

/// The user's settings; none where no home is known.
pub fn config() -> Option<PathBuf> {
    let folders = ProjectDirs::from("", "", "kerncast");
    folders.map(|folders| folders.config_dir().join("config.toml"))
}

/// Samples that the server does not have yet.
pub fn spool() -> PathBuf {
    if is_root() {
        PathBuf::from("/var/spool/kerncast")
    } else {
        user_data().join("spool")
    }
}

/// The token's file.
pub fn token() -> PathBuf {
    if is_root() {
        PathBuf::from("/var/lib/kerncast/token")
    } else {
        user_data().join("token")
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn user_data() -> PathBuf {
    let folders = ProjectDirs::from("", "", "kerncast");
    folders.map_or_else(
        || Path::new("kerncast").to_owned(),
        |folders| folders.data_dir().to_owned(),
    )
}
