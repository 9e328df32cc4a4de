//! Finds the programs that this one starts, and their versions.

use std::{
    cmp::Reverse,
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::config;

const OCLGRIND: &str = "liboclgrind-rt.so";
const OCLGRIND_FOLDERS: [&str; 4] = [
    "/usr/lib/oclgrind",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/local/lib",
];

/// A profiler's program.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    pub(crate) path: PathBuf,
    /// The version that it prints with `--version`.
    pub(crate) version: String,
}

impl Tool {
    /// Finds the program `name`: the file, or the folder of it, that the environment variable `variable` names; else
    /// the first on PATH or in `folders`.
    ///
    /// # Errors
    /// The program is not there, as `missing` says, or prints no version.
    pub(crate) fn find(
        name: &str,
        variable: &str,
        folders: impl IntoIterator<Item = PathBuf>,
        missing: &str,
        version: fn(&str) -> Option<String>,
    ) -> Result<Self, String> {
        let file = configured_file(name, variable)?.or_else(|| find_on_path(name, folders));
        let path = file.ok_or_else(|| {
            format!("{name} is not installed: {missing}; or name its folder in {variable}")
        })?;
        Self::at(path, version)
    }

    /// The program at `path`; `version` finds its version in the output of `--version`.
    ///
    /// # Errors
    /// The program does not run, or prints no version.
    pub(crate) fn at(path: PathBuf, version: fn(&str) -> Option<String>) -> Result<Self, String> {
        let output = Command::new(&path).arg("--version").output();
        let output = output.map_err(|error| format!("{} does not run: {error}", path.display()))?;
        let version = version(&String::from_utf8_lossy(&output.stdout))
            .ok_or_else(|| format!("{} does not say its version", path.display()))?;
        Ok(Self { path, version })
    }
}

/// The first file `name` on PATH or in `folders`.
pub(crate) fn find_on_path(
    name: &str,
    folders: impl IntoIterator<Item = PathBuf>,
) -> Option<PathBuf> {
    let on_path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&on_path).chain(folders);
    let mut files = folders.map(|folder| folder.join(name));
    files.find(|file| file.is_file())
}

/// The file `name` at the path that the environment variable `variable` or else the configuration file gives: the file
/// itself or its folder.
///
/// # Errors
/// The named file is not there.
pub(crate) fn configured_file(name: &str, variable: &str) -> Result<Option<PathBuf>, String> {
    if let Some(named) = env::var_os(variable) {
        return file_named_by(variable, Path::new(&named), name).map(Some);
    }
    let config = config::get();
    let (key, named) = match variable {
        "KERNCAST_CLANG" => ("clang", &config.clang),
        "KERNCAST_OCLGRIND" => ("oclgrind", &config.oclgrind),
        "KERNCAST_NCU" => ("ncu", &config.ncu),
        "KERNCAST_ROCPROFV3" => ("rocprofv3", &config.rocprofv3),
        _ => return Ok(None),
    };
    let file = named.as_ref().map(|named| {
        let key = format!("`{key}` of the configuration file");
        file_named_by(&key, named, name)
    });
    file.transpose()
}

fn file_named_by(variable: &str, named: &Path, name: &str) -> Result<PathBuf, String> {
    let file = if named.is_dir() {
        named.join(name)
    } else {
        named.to_owned()
    };
    if file.is_file() {
        return Ok(file);
    }
    Err(format!("{variable}: there is no file {}", file.display()))
}

/// The folders in `parent` whose names begin with `prefix`, newest version first.
pub(crate) fn versioned_folders(parent: &str, prefix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    let begins = |folder: &PathBuf| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(prefix)
    };
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(begins).collect();
    folders.sort_by_cached_key(|folder| Reverse(numbers(&folder.to_string_lossy())));
    folders
}

/// The numbers in a folder's name: `rocm-7.10.0` → 7, 10, 0.
fn numbers(name: &str) -> Vec<u64> {
    let parts = name.split(|c: char| !c.is_ascii_digit());
    parts.filter_map(|part| part.parse().ok()).collect()
}

/// Finds Oclgrind's library, which takes the place of OpenCL.
///
/// # Errors
/// Oclgrind is not installed, or not where it is said to be.
pub fn oclgrind_library() -> Result<PathBuf, String> {
    if let Some(file) = configured_file(OCLGRIND, "KERNCAST_OCLGRIND")? {
        return Ok(file);
    }
    let files = OCLGRIND_FOLDERS.map(|folder| Path::new(folder).join(OCLGRIND));
    let library = files.into_iter().find(|file| file.is_file());
    library.ok_or_else(|| {
        format!(
            "Oclgrind is not installed: no {OCLGRIND} in {}. Install Debian's oclgrind, or name its \
             folder in KERNCAST_OCLGRIND",
            OCLGRIND_FOLDERS.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_may_be_named_by_its_folder() {
        let place = tempfile::tempdir().expect("a folder");
        let named = |path: &Path| file_named_by("WHERE", path, "tool");
        let problem = named(place.path()).expect_err("nothing is there yet");
        assert!(problem.starts_with("WHERE: there is no file"), "{problem}");
        let tool = place.path().join("tool");
        fs::write(&tool, "").expect("writes");
        assert_eq!(named(place.path()), Ok(tool.clone()));
        assert_eq!(named(&tool), Ok(tool));
    }

    #[test]
    fn the_newest_version_comes_first() {
        let place = tempfile::tempdir().expect("a folder");
        for name in ["rocm-6.4.0", "rocm-7.9.2", "rocm-7.10.0", "cuda-13"] {
            fs::create_dir(place.path().join(name)).expect("folder");
        }
        let folders = versioned_folders(place.path().to_str().expect("UTF-8"), "rocm");
        let names: Vec<_> = folders.iter().filter_map(|path| path.file_name()).collect();
        assert_eq!(names, ["rocm-7.10.0", "rocm-7.9.2", "rocm-6.4.0"]);
    }
}
