//! Settings that neither the command line nor the environment gives (docs/settings.md): from the user's configuration
//! file, `~/.config/kerncast/config.toml`, else the machine's, else what `kerncast enroll` stored.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    sync::{LazyLock, OnceLock},
};

use kerncast_wire::words::with_the_likely_one;
use serde::{Deserialize, Serialize};

use crate::{UsageError, folders};

/// The content of a configuration file; keys are named like the options.
#[expect(missing_docs, reason = "their names say it")]
#[derive(Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The server's address.
    pub server: Option<String>,
    pub token_file: Option<PathBuf>,
    /// File with the certificate of the server or of who signed it.
    pub certificate: Option<PathBuf>,
    /// This agent's name.
    pub agent: Option<String>,
    /// Folder where samples wait.
    pub spool: Option<PathBuf>,
    /// Folder of kernels.
    pub kernels: Option<PathBuf>,
    pub clang: Option<PathBuf>,
    /// Oclgrind's library, or its folder.
    pub oclgrind: Option<PathBuf>,
    /// The program `ncu`, or its folder.
    pub ncu: Option<PathBuf>,
    /// The program `rocprofv3`, or its folder.
    pub rocprofv3: Option<PathBuf>,
}

static CONFIG: OnceLock<Config> = OnceLock::new();

/// The settings; empty before [`load`].
pub fn get() -> &'static Config {
    static NOTHING: LazyLock<Config> = LazyLock::new(Config::default);
    CONFIG.get().unwrap_or(&NOTHING)
}

/// Reads the first configuration file that exists, and the enrolment's, for [`get`].
///
/// # Errors
/// A file can't be read, or has an unknown or wrong setting; the message names file and line.
pub fn load() -> Result<(), UsageError> {
    let mut config = Config::default();
    for path in folders::configs() {
        if let Some(settings) = read_if_there(&path)? {
            config = settings;
            break;
        }
    }
    if let Some(enrolled) = read_if_there(&folders::enrolled())? {
        config = config.or(enrolled);
    }
    // Loaded once: a second time finds the same.
    let _ = CONFIG.set(config);
    Ok(())
}

fn read_if_there(path: &Path) -> Result<Option<Config>, UsageError> {
    match fs::read_to_string(path) {
        Ok(text) => read(path, &text).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        // Another user's folder is none of ours.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(None),
        Err(error) => Err(UsageError(format!("{}: {error}", path.display()))),
    }
}

impl Config {
    /// These settings; server, token, certificate and agent come from the enrolment where they are missing, unless
    /// another server is named.
    fn or(self, enrolled: Self) -> Self {
        // Another server's token and certificate are not this one's.
        if self.server.is_some() && self.server != enrolled.server {
            return self;
        }
        Self {
            server: self.server.or(enrolled.server),
            token_file: self.token_file.or(enrolled.token_file),
            certificate: self.certificate.or(enrolled.certificate),
            agent: self.agent.or(enrolled.agent),
            ..self
        }
    }
}

/// Writes settings to a file that only its owner reads.
///
/// # Errors
/// The disk is full, or read-only.
pub fn write(path: &Path, config: &Config) -> Result<(), UsageError> {
    let text = toml::to_string(config).map_err(io::Error::other);
    let result = text.and_then(|text| folders::write(path, text.as_bytes()));
    result.map_err(|error| {
        let path = path.display();
        UsageError(format!(
            "cannot write {path}: {error}; KERNCAST_STATE names another folder"
        ))
    })
}

fn read(path: &Path, text: &str) -> Result<Config, UsageError> {
    let mut config: Config = toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text[..start.min(text.len())].matches('\n').count() + 1;
        let (path, what) = (path.display(), with_the_likely_one(error.message()));
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
        *path = resolve(folder, path);
    }
    Ok(config)
}

/// Resolves a path of the file: below the home folder after `~/`, else beside the file unless it is absolute.
fn resolve(folder: &Path, path: &Path) -> PathBuf {
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
    fn an_enrolment_stands_behind_the_file_where_it_is_of_the_same_server() {
        let read = |text| read(Path::new("/f/config.toml"), text).expect("settings");
        let enrolled = || read("server = 'https://a'\nagent = 'lab-3'\ntoken-file = '/t'\n");
        let alone = Config::default().or(enrolled());
        assert_eq!(alone, enrolled());
        let beside = read("spool = '/s'\nagent = 'mine'\n").or(enrolled());
        assert_eq!(beside.server.as_deref(), Some("https://a"));
        assert_eq!(beside.agent.as_deref(), Some("mine"));
        assert_eq!(beside.spool, Some("/s".into()));
        let other = read("server = 'https://b'\n").or(enrolled());
        assert_eq!((other.agent, other.token_file), (None, None));
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
        assert!(unknown.ends_with("Did you mean `server`?"), "{unknown}");
        assert!(problem("server = 3\n").starts_with("config.toml:1: invalid type"));
        assert!(problem("server = \n").starts_with("config.toml:1: "));
    }
}
