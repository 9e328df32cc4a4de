//! The user's configuration file, `~/.config/kerncast/config.toml`: settings that neither the command line nor the
//! environment gives (docs/settings.md).

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use serde::Deserialize;

use crate::{UsageError, folders};

/// What the file may say: keys are called as the options are.
#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The server's address.
    pub server: Option<String>,
    /// File with the token.
    pub token_file: Option<PathBuf>,
    /// File with the certificate of the server or of who signed it.
    pub certificate: Option<PathBuf>,
    /// This agent's name.
    pub agent: Option<String>,
    /// Folder where samples wait.
    pub spool: Option<PathBuf>,
    /// Folder of kernels.
    pub kernels: Option<PathBuf>,
    /// The program `clang`.
    pub clang: Option<PathBuf>,
    /// Oclgrind's library, or its folder.
    pub oclgrind: Option<PathBuf>,
    /// The program `ncu`, or its folder.
    pub ncu: Option<PathBuf>,
    /// The program `rocprofv3`, or its folder.
    pub rocprofv3: Option<PathBuf>,
}

static CONFIG: OnceLock<Config> = OnceLock::new();

/// What the file says; nothing before it was [loaded](load).
pub fn get() -> &'static Config {
    static NOTHING: OnceLock<Config> = OnceLock::new();
    CONFIG
        .get()
        .unwrap_or_else(|| NOTHING.get_or_init(Config::default))
}

/// Reads the file where there is one, for [`get`].
///
/// # Errors
/// It can't be read, or says what is no setting: file and line.
pub fn load() -> Result<(), UsageError> {
    let Some(path) = folders::config() else {
        return Ok(());
    };
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(UsageError(format!("{}: {error}", path.display()))),
    };
    // Loaded once: a second time finds the same.
    let _ = CONFIG.set(read(&path, &text)?);
    Ok(())
}

fn read(path: &Path, text: &str) -> Result<Config, UsageError> {
    let mut config: Config = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text[..start.min(text.len())].matches('\n').count() + 1;
        let (path, what) = (path.display(), error.message());
        UsageError(format!("{path}:{line}: {what}"))
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let paths = [
        &mut config.token_file,
        &mut config.certificate,
        &mut config.spool,
        &mut config.kernels,
        &mut config.clang,
        &mut config.oclgrind,
        &mut config.ncu,
        &mut config.rocprofv3,
    ];
    for path in paths.into_iter().flatten() {
        *path = placed(folder, path);
    }
    Ok(config)
}

/// A path of the file: below the home folder after `~/`, else beside the file unless it is absolute.
fn placed(folder: &Path, path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), env::var_os("HOME")) {
        (Ok(rest), Some(home)) => Path::new(&home).join(rest),
        _ => folder.join(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_beside_the_file() {
        let text = "server = \"https://lab:7310\"\nspool = \"spool\"\nncu = \"/opt/ncu\"\n";
        let config = read(Path::new("/etc/kerncast/config.toml"), text).expect("settings");
        assert_eq!(config.server.as_deref(), Some("https://lab:7310"));
        assert_eq!(config.spool, Some("/etc/kerncast/spool".into()));
        assert_eq!(config.ncu, Some("/opt/ncu".into()));
        assert_eq!(config.kernels, None);
    }

    #[test]
    fn what_is_no_setting_is_named_by_file_and_line() {
        let path = Path::new("config.toml");
        let problem = |text| read(path, text).expect_err("a mistake").to_string();
        let unknown = problem("# mine\nspool = \"x\"\nsevrer = \"y\"\n");
        assert!(
            unknown.starts_with("config.toml:3: unknown field `sevrer`, expected one of `server`"),
            "{unknown}"
        );
        assert!(problem("server = 3\n").starts_with("config.toml:1: invalid type"));
        assert!(problem("server = \n").starts_with("config.toml:1: "));
    }
}
