use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};

/// Where Debian puts Postgres: a folder a major version.
const VERSIONS: &str = "/usr/lib/postgresql";

/// The programs of one version.
pub(super) struct Programs(PathBuf);

impl Programs {
    /// The programs of the version that made the cluster, or the newest where there is no cluster yet.
    pub(super) fn find(cluster: &Path) -> anyhow::Result<Self> {
        let bin = |version: &str| Path::new(VERSIONS).join(version).join("bin");
        let installed = |version: &str| bin(version).join("postgres").exists();
        if let Ok(version) = fs::read_to_string(cluster.join("PG_VERSION")) {
            let version = version.trim();
            if installed(version) {
                return Ok(Self(bin(version)));
            }
            bail!(
                "{} was made by PostgreSQL {version}, and that version is not in {VERSIONS}. Install Debian's package \
                 postgresql-{version}",
                cluster.display()
            );
        }
        let versions = fs::read_dir(VERSIONS).into_iter().flatten();
        let versions = versions.filter_map(|it| it.ok()?.file_name().to_str()?.parse::<u32>().ok());
        let installed = versions.filter(|version| installed(&version.to_string()));
        let newest = installed.max().with_context(|| {
            format!(
                "no PostgreSQL programs in {VERSIONS}. Install Debian's package: apt-get install postgresql. Or name a \
                 database: --database-url postgres://USER@HOST/NAME"
            )
        })?;
        Ok(Self(bin(&newest.to_string())))
    }

    pub(super) fn path(&self, program: &str) -> PathBuf {
        self.0.join(program)
    }
}
