//! Where files live: the machine's folders for root, the user's (XDG) for anyone else.

use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Counts and other things that can be made again; none where no home is known.
pub fn cache() -> Option<PathBuf> {
    users("XDG_CACHE_HOME", ".cache")
}

/// The user's settings, and behind them the machine's, which the Debian package brings; in this order.
pub fn configs() -> Vec<PathBuf> {
    let users = users("XDG_CONFIG_HOME", ".config").map(|it| it.join("config.toml"));
    let machines = PathBuf::from("/etc/kerncast/config.toml");
    users.into_iter().chain([machines]).collect()
}

/// What `kerncast enroll` and `kerncast agent` remember; KERNCAST_STATE names another folder.
pub fn state() -> PathBuf {
    match env::var_os("KERNCAST_STATE") {
        Some(folder) => folder.into(),
        None if is_root() => PathBuf::from("/var/lib/kerncast"),
        None => user_data(),
    }
}

/// Writes a file that whoever reads finds whole: under a temporary name first, where only its owner reads it. Makes its
/// folder.
///
/// # Errors
/// The disk is full, or read-only.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// With which server this machine is enrolled: settings behind those of [`configs`].
pub fn enrolled() -> PathBuf {
    state().join("enrolled.toml")
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
    users("XDG_DATA_HOME", ".local/share").unwrap_or_else(|| PathBuf::from("kerncast"))
}

/// Ours in the user's folder that `variable` names, else in `by_default` of the home folder (the XDG Base Directory
/// Specification).
fn users(variable: &str, by_default: &str) -> Option<PathBuf> {
    let named = env::var_os(variable).map(PathBuf::from);
    let named = named.filter(|it| it.is_absolute());
    let folder = named.or_else(|| Some(env::home_dir()?.join(by_default)))?;
    Some(folder.join("kerncast"))
}
