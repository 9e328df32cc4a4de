//! Paths of files and folders: the machine's for root, the user's (XDG) for anyone else.

use std::{
    env, fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The folder of counts and other things that can be made again; none where no home is known.
pub fn cache() -> Option<PathBuf> {
    users("XDG_CACHE_HOME", ".cache")
}

/// Folders of the user's settings and of the machine's, which the Debian package brings; in this order.
pub fn configs() -> Vec<PathBuf> {
    let users = users("XDG_CONFIG_HOME", ".config").map(|it| it.join("config.toml"));
    let machines = PathBuf::from("/etc/kerncast/config.toml");
    users.into_iter().chain([machines]).collect()
}

/// The folder of what `kerncast enroll` and `kerncast agent` remember; KERNCAST_STATE names another one.
pub fn state() -> PathBuf {
    match env::var_os("KERNCAST_STATE") {
        Some(folder) => folder.into(),
        None if is_root() => PathBuf::from("/var/lib/kerncast"),
        None => user_data(),
    }
}

/// Writes a file under a temporary name and renames it, so that readers never find half a file. Only its owner can read
/// it. Makes the folder.
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

/// The paths in a folder.
///
/// # Errors
/// The folder can't be read.
pub fn paths(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    entries.map(|entry| Ok(entry?.path())).collect()
}

/// The file of the server that this machine is enrolled with: settings that rank below those of [`configs`].
pub fn enrolled() -> PathBuf {
    state().join("enrolled.toml")
}

/// The folder of samples that the server does not have yet.
pub fn spool() -> PathBuf {
    if is_root() {
        PathBuf::from("/var/spool/kerncast")
    } else {
        user_data().join("spool")
    }
}

/// The file of the token.
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

/// Kerncast's folder in the folder that `variable` names, else in `by_default` of the home folder (the XDG Base
/// Directory Specification).
fn users(variable: &str, by_default: &str) -> Option<PathBuf> {
    let named = env::var_os(variable).map(PathBuf::from);
    let named = named.filter(|it| it.is_absolute());
    let folder = named.or_else(|| Some(env::home_dir()?.join(by_default)))?;
    Some(folder.join("kerncast"))
}
