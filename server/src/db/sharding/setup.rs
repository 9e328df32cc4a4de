//! The file that names shards, and how they are set up.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
};

use serde::Deserialize;
use sqlx::{Connection, PgConnection, PgPool, postgres::PgConnectOptions};
use uuid::Uuid;

use super::{PATIENCE, Shard, Shards};
use crate::db::{
    on_shard::{self, Found},
    shards::{self, Known},
};

/// What the database itself, and all shards together, are called among shards.
pub const COORDINATOR: &str = "coordinator";
/// See there.
pub const ALL: &str = "all";
const RESERVED: [&str; 2] = [COORDINATOR, ALL];

/// Why shards can't be used.
#[derive(Debug, thiserror::Error)]
pub enum ShardsError {
    /// The file can't be read.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It has passwords in it.
    #[error(
        "{}: its mode is {mode:03o}; expected that nobody but its owner may read it (chmod 600): it has passwords", path.display()
    )]
    Readable {
        /// Which.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// It is not as it should be.
    #[error("{}: {why}", path.display())]
    Content {
        /// Which.
        path: PathBuf,
        /// What it says, and what was expected.
        why: String,
    },
    /// A shard that is new can't be set up.
    #[error("the shard {name}: {why}")]
    New {
        /// Its name.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// The database failed.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    #[serde(default)]
    shard: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    url: String,
}

/// Where a shard is, for sqlx and as its file says it.
pub(crate) struct Address {
    pub(crate) options: PgConnectOptions,
    pub(crate) url: String,
}

/// The names and addresses of the shards that a file names.
///
/// # Errors
/// Where the file is not as it should be.
pub(crate) fn addresses(path: &Path) -> Result<BTreeMap<String, Address>, ShardsError> {
    let unread = |source| ShardsError::File {
        path: path.to_owned(),
        source,
    };
    let mode = fs::metadata(path).map_err(unread)?.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        return Err(ShardsError::Readable {
            path: path.to_owned(),
            mode,
        });
    }
    let wrong = |why: String| ShardsError::Content {
        path: path.to_owned(),
        why,
    };
    let text = fs::read_to_string(path).map_err(unread)?;
    // What it quotes of the text may be a password.
    let content: Content =
        toml::from_str(&text).map_err(|error| wrong(error.message().to_owned()))?;
    let mut all = BTreeMap::new();
    for Entry { name, url } in content.shard {
        let letters =
            |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || "_-".contains(it);
        if !(1..=40).contains(&name.len()) || !name.chars().all(letters) {
            let expected = "expected a name of at most 40 of a-z, 0-9, _ and -";
            return Err(wrong(format!("the shard {name:?}: {expected}")));
        }
        if RESERVED.contains(&&*name) {
            let means = RESERVED.join(" and ");
            return Err(wrong(format!(
                "the shard {name:?}: expected another name; {means} mean something else where devices are moved"
            )));
        }
        let options = PgConnectOptions::from_str(&url).map_err(|_| {
            let expected = "expected an address as postgres://USER:PASSWORD@HOST:PORT/NAME";
            wrong(format!("the url of the shard {name}: {expected}"))
        })?;
        if all.insert(name.clone(), Address { options, url }).is_some() {
            return Err(wrong(format!("the shard {name} is there twice")));
        }
    }
    Ok(all)
}

impl Shards {
    /// The shards that a file names. Those that the database does not know are set up: from then on new devices go
    /// there too.
    ///
    /// # Errors
    /// [`ShardsError`]: where one that is new can't be reached, or is no empty database. One that was set up before
    /// may be away.
    pub async fn open(pool: &PgPool, path: &Path) -> Result<Self, ShardsError> {
        let shards = Self::default();
        shards.follow(pool, path).await?;
        Ok(shards)
    }

    /// Reads the file anew. Returns the names of those that were set up.
    ///
    /// # Errors
    /// As [`Shards::open`]; then they are as they were.
    pub(crate) async fn follow(
        &self,
        pool: &PgPool,
        path: &Path,
    ) -> Result<Vec<String>, ShardsError> {
        let named = addresses(path)?;
        let mut transaction = pool.begin().await?;
        shards::lock(&mut transaction).await?;
        let mut known = shards::list(&mut transaction).await?;
        let mut added = Vec::new();
        for (name, Address { options, .. }) in &named {
            if known.iter().any(|it| it.name == *name) {
                continue;
            }
            let id = set_up(name, options, &known).await?;
            let number = shards::add(&mut transaction, name, id).await?;
            known.push(Known {
                number,
                name: name.clone(),
                id,
                swept_until: chrono::Utc::now(),
                thinned_until: chrono::Utc::now(),
            });
            added.push(name.clone());
        }
        transaction.commit().await?;
        let names: BTreeSet<&String> = named.keys().collect();
        for missing in known.iter().filter(|it| !names.contains(&it.name)) {
            tracing::warn!(
                "the shard {} is not in {}: what it has can't be read",
                missing.name,
                path.display()
            );
        }
        let before = self.read().clone();
        let all = known.into_iter().filter_map(|it| {
            let Address { options, .. } = named.get(&it.name)?;
            let kept = before
                .get(&it.number)
                .filter(|kept| kept.address == address(options));
            let shard = kept.cloned().unwrap_or_else(|| {
                Arc::new(Shard::new(it.number, it.name, it.id, options.clone()))
            });
            Some((it.number, shard))
        });
        self.replace(all.collect());
        Ok(added)
    }
}

/// What tells two addresses apart.
pub(super) fn address(options: &PgConnectOptions) -> String {
    format!("{options:?}")
}

/// Makes a database a shard; returns its id.
async fn set_up(
    name: &str,
    options: &PgConnectOptions,
    known: &[Known],
) -> Result<Uuid, ShardsError> {
    let wrong = |why: String| ShardsError::New {
        name: name.to_owned(),
        why,
    };
    let connecting = tokio::time::timeout(PATIENCE, PgConnection::connect_with(options)).await;
    let mut connection = match connecting {
        Ok(Ok(connection)) => connection,
        Ok(Err(error)) => return Err(wrong(format!("it can't be reached: {error}"))),
        Err(_) => return Err(wrong("it can't be reached: it does not answer".to_owned())),
    };
    let asked = |error: sqlx::Error| wrong(format!("its tables can't be made: {error}"));
    if on_shard::is_coordinator(&mut connection)
        .await
        .map_err(asked)?
    {
        let expected = "expected an empty database, and it has tables of a server's";
        return Err(wrong(expected.to_owned()));
    }
    let id = match on_shard::find(&mut connection).await.map_err(asked)? {
        Found::Empty => Uuid::now_v7(),
        Found::Shard { id, .. } if known.iter().any(|it| it.id == id) => {
            let other = known.iter().find(|it| it.id == id);
            let other = other.map_or("", |it| &it.name);
            return Err(wrong(format!("its database is the shard {other} already")));
        }
        // Somebody was ended while it was set up.
        Found::Shard { id, empty: true } => id,
        Found::Shard { .. } => {
            let expected =
                "expected an empty database, and it has values of another server's samples";
            return Err(wrong(expected.to_owned()));
        }
    };
    on_shard::make(&mut connection, id, name)
        .await
        .map_err(asked)?;
    // It is there; how it is left does not matter.
    let _ = connection.close().await;
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str, mode: u32) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shards.toml");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let read = addresses(&path).map(|all| all.into_keys().collect());
        read.map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_of_shards_says_what_is_wrong_with_it() {
        let two = "[[shard]]\nname = \"s1\"\nurl = \"postgres://a:secret@b/c\"\n\
            [[shard]]\nname = \"s2\"\nurl = \"postgres://a:secret@b/d\"\n";
        assert_eq!(said(two, 0o600).unwrap(), ["s1", "s2"]);
        assert_eq!(said("", 0o400).unwrap(), [""; 0]);
        assert!(said(two, 0o640).unwrap_err().contains("640"));
        let wrong = [
            (two.replace("s2", "s1"), "s1 is there twice"),
            (two.replace("s2", "S 2"), "\"S 2\""),
            (two.replace("name", "title"), "title"),
            (
                two.replace("postgres://a:secret@b/d", "b/d secret"),
                "of the shard s2",
            ),
            ("[[shard]]\nname = \"s1\"\n".to_owned(), "url"),
            ("secret".to_owned(), ""),
        ];
        for (text, expected) in wrong {
            let why = said(&text, 0o600).unwrap_err();
            assert!(why.contains(expected) && !why.contains("secret"), "{why}");
        }
    }
}
