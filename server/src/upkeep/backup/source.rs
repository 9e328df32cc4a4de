//! Which database, and how Postgres's own programs reach it.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use sqlx::postgres::PgConnectOptions;
use url::Url;

use super::BackupError;
use crate::upkeep::postgres;

/// A database, for sqlx and for Postgres's programs.
pub struct Source {
    /// How sqlx connects to it.
    pub options: PgConnectOptions,
    /// Its URL; none where it is the private one.
    pub url: Option<String>,
    /// The data folder, whose private Postgres it is where there is no address.
    pub folder: PathBuf,
}

impl Source {
    /// A program of Postgres, that connects to it. A password is in its environment, not on its command line, which
    /// everybody may read.
    pub(super) fn command(&self, name: &str) -> Result<Command, BackupError> {
        let cluster = self.url.is_none().then(|| self.folder.join("postgres"));
        let mut command = Command::new(postgres::program(cluster.as_deref(), name)?);
        command.env_clear().env("LC_ALL", "C.UTF-8");
        let Some(url) = &self.url else {
            let host = self.options.get_socket().map(PathBuf::as_path);
            command
                .arg("--host")
                .arg(host.unwrap_or(Path::new("/")))
                .args(["--port", &self.options.get_port().to_string()])
                .args(["--username", self.options.get_username()]);
            let name = self.options.get_database().unwrap_or("postgres");
            command.args(["--dbname", name]);
            return Ok(command);
        };
        let (url, password) = without_password(url);
        command.args(["--dbname", &url]);
        if let Some(password) = password {
            command.env("PGPASSWORD", password);
        }
        Ok(command)
    }
}

fn without_password(text: &str) -> (String, Option<String>) {
    let Ok(mut url) = Url::parse(text) else {
        return (text.to_owned(), None);
    };
    let password = url.password().map(|it| {
        let decoded = percent_encoding::percent_decode_str(it);
        decoded.decode_utf8_lossy().into_owned()
    });
    // A URL without a host has no password either.
    let _ = url.set_password(None);
    (url.into(), password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_taken_out_of_an_address() {
        let (url, password) = without_password("postgres://me:p%40ss@db:5433/lab?sslmode=require");
        assert_eq!(url, "postgres://me@db:5433/lab?sslmode=require");
        assert_eq!(password.as_deref(), Some("p@ss"));
        let socket = "postgres://postgres@localhost/postgres?host=/tmp/x";
        assert_eq!(without_password(socket), (socket.to_owned(), None));
    }
}
