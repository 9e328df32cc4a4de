//! Where rocprofv3 is, and how it is asked.

use std::{
    ffi::OsString,
    iter,
    path::{Path, PathBuf},
};

use super::passes::{self, Pass};
use crate::providers::locate::{locate, said_version, versions};

const NAME: &str = "rocprofv3";
/// ROCm's packages link the chosen version here, and put each into a folder `rocm-VERSION` beside it.
const LINK: &str = "/opt/rocm";
/// How the files of a pass begin.
const FILES: &str = "pass";

/// rocprofv3's command line.
#[derive(Clone, Debug)]
pub struct Tool {
    /// The file.
    pub path: PathBuf,
    /// As it says: `1.0.0 (ROCm 7.0.2)`.
    pub version: String,
}

impl Tool {
    /// Looks for it: the file or folder that KERNCAST_ROCPROFV3 names, PATH, and where ROCm puts it.
    ///
    /// # Errors
    /// It is not there, or does not run; what to do.
    pub fn find() -> Result<Self, String> {
        let installed = iter::once(LINK.into()).chain(versions("/opt", "rocm"));
        let folders = installed.map(|folder| folder.join("bin"));
        let found = locate(NAME, "KERNCAST_ROCPROFV3", folders)?.ok_or_else(|| {
            format!(
                "rocprofv3 is not installed: no `{NAME}` on PATH or in {LINK}*/bin. It comes with \
                 ROCm 6.2 and later (package rocprofiler-sdk); or name its folder in \
                 KERNCAST_ROCPROFV3"
            )
        });
        Self::at(found?)
    }

    /// The file at `path`.
    ///
    /// # Errors
    /// It does not run, or does not say its version.
    pub fn at(path: PathBuf) -> Result<Self, String> {
        let version = said_version(&path, version)?;
        Ok(Self { path, version })
    }

    /// What stands before a program's own command line, for a pass's tables to be written into
    /// `folder`.
    pub(super) fn command_line(&self, pass: &Pass, folder: &Path) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec![self.path.clone().into(), "--pmc".into()];
        words.extend(passes::names(pass).map(OsString::from));
        words.extend(["--kernel-trace", "--output-format", "csv", "-d"].map(OsString::from));
        words.push(folder.into());
        words.extend(["-o", FILES, "--"].map(OsString::from));
        words
    }
}

/// Where a pass's table may be: some versions number even a single pass.
pub(super) fn tables(folder: &Path, table: &str) -> [PathBuf; 2] {
    let file = format!("{FILES}_{table}.csv");
    [folder.join(&file), folder.join("pass_1").join(file)]
}

/// From lines like `    version: 1.0.0` and `    rocm_version: 7.0.2`.
fn version(said: &str) -> Option<String> {
    let value = |key: &str| {
        let mut entries = said.lines().filter_map(|line| line.split_once(':'));
        let (_, value) = entries.find(|(found, _)| found.trim() == key)?;
        Some(value.trim()).filter(|value| !value.is_empty())
    };
    let own = value("version")?;
    Some(match value("rocm_version") {
        Some(rocm) => format!("{own} (ROCm {rocm})"),
        None => own.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_version() {
        // As the tool's source prints them.
        let said = "             version: 1.0.0\n        git_revision: 1b1610fc\n         system_name: \
                    Linux\n        rocm_version: 7.0.2\n";
        assert_eq!(version(said).as_deref(), Some("1.0.0 (ROCm 7.0.2)"));
        let older = "             version: 0.4.0\n      system_version: 6.8.0\n";
        assert_eq!(version(older).as_deref(), Some("0.4.0"));
        assert_eq!(version("usage: rocprofv3 [-h]"), None);
    }

    #[test]
    fn asks_for_a_pass() {
        let tool = Tool {
            path: "rocprofv3".into(),
            version: String::new(),
        };
        let words = tool.command_line(&Pass::new(), Path::new("out"));
        let words: Vec<_> = words.iter().filter_map(|word| word.to_str()).collect();
        assert_eq!(
            words.join(" "),
            "rocprofv3 --pmc SQ_WAVES --kernel-trace --output-format csv -d out -o pass --"
        );
    }
}
