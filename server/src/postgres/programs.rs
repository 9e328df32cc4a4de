use std::{
    fs,
    path::{Path, PathBuf},
};

use super::PostgresError;

/// Where Debian puts Postgres: a folder a major version.
const VERSIONS: &str = "/usr/lib/postgresql";

/// The programs of one version.
pub(super) struct Programs(PathBuf);

impl Programs {
    /// Those of the version that made the cluster, or the newest where there is no cluster yet.
    pub(super) fn find(cluster: &Path) -> Result<Self, PostgresError> {
        let bin = |version: &str| Path::new(VERSIONS).join(version).join("bin");
        let installed = |version: &str| bin(version).join("postgres").exists();
        if let Ok(version) = fs::read_to_string(cluster.join("PG_VERSION")) {
            let version = version.trim();
            if installed(version) {
                return Ok(Self(bin(version)));
            }
            let (cluster, version) = (cluster.to_owned(), version.to_owned());
            return Err(PostgresError::OtherVersion { cluster, version });
        }
        let names = fs::read_dir(VERSIONS).map_err(|_| PostgresError::NotInstalled)?;
        let newest = names
            .filter_map(|entry| {
                entry
                    .ok()?
                    .file_name()
                    .into_string()
                    .ok()?
                    .parse::<u32>()
                    .ok()
            })
            .filter(|version| installed(&version.to_string()))
            .max()
            .ok_or(PostgresError::NotInstalled)?;
        Ok(Self(bin(&newest.to_string())))
    }

    pub(super) fn path(&self, program: &str) -> PathBuf {
        self.0.join(program)
    }
}
