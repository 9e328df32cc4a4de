//! Kernels that the server offers, as the agent fetches and keeps them: a folder for each version, named by its source
//! hash, which appears whole and never changes (docs/security.md).

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use kerncast_suite::{Kernel, OfferError, check_name, load, unpack};
use thiserror::Error;

use crate::client::{Client, OfferedError, ServerError};

/// What was taken last of what the server offers.
const LIST: &str = "offered.json";

/// What came of asking.
#[derive(Debug, Default)]
pub struct Offered {
    /// Kernels that run in place of the installed ones of the same name, or beside them.
    pub kernels: Vec<Kernel>,
    /// What could not be had, and why. Of these the installed ones run.
    pub problems: Vec<String>,
}

/// Why a kernel that is offered is not taken.
#[derive(Debug, Error)]
enum Refused {
    #[error(transparent)]
    Offer(#[from] OfferError),
    #[error(transparent)]
    Server(#[from] ServerError),
    #[error("the server does not have its sources {0}")]
    Missing(String),
    #[error("its sources have the hash {found}: expected {expected}, which the server has signed")]
    Tampered { found: String, expected: String },
    #[error("{0:?} is no source hash: expected 64 hexadecimal digits")]
    NoHash(String),
    #[error("cannot write {}: {source}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
}

/// Asks what the server offers, fetches what is not in `folder` yet, and drops there what is not offered any more. Where
/// it does not answer, what it offered last goes on.
pub fn ask(server: &Client, folder: &Path) -> Offered {
    let mut offered = Offered::default();
    let list = match server.offered() {
        Ok(list) => list,
        Err(OfferedError::Server(error)) if error.is_temporary() => {
            let problem = format!("{error}. The kernels that it offered last are measured");
            offered.problems.push(problem);
            kept_list(folder)
        }
        Err(error) => {
            let problem = format!("{error}. The installed kernels are measured");
            offered.problems.push(problem);
            return offered;
        }
    };
    let mut taken = BTreeMap::new();
    for (name, hash) in list {
        match kernel(server, folder, &name, &hash) {
            Ok(kernel) => {
                offered.kernels.push(kernel);
                taken.insert(name, hash);
            }
            Err(why) => offered.problems.push(format!(
                "the kernel {name:?} that the server offers is not taken: {why}. The installed one is measured, where there \
                 is one"
            )),
        }
    }
    if let Err(error) = keep(folder, &taken) {
        let problem = format!("cannot write {}: {error}", folder.display());
        offered.problems.push(problem);
    }
    offered
}

/// Puts these in the place of kernels of the same name, and beside the others.
pub fn replace(kernels: &mut Vec<Kernel>, offered: Vec<Kernel>) {
    for kernel in offered {
        match kernels.iter_mut().find(|it| it.name == kernel.name) {
            Some(installed) => *installed = kernel,
            None => kernels.push(kernel),
        }
    }
}

/// From the folder, else from the server.
fn kernel(server: &Client, folder: &Path, name: &str, hash: &str) -> Result<Kernel, Refused> {
    check_name(name)?;
    if hash.len() != 64 || !hash.bytes().all(|it| it.is_ascii_hexdigit()) {
        return Err(Refused::NoHash(hash.to_owned()));
    }
    // Beside kernels of another name and the same files.
    let place = folder.join(hash).join(name);
    let kept = load(&place).ok().and_then(|mut it| it.pop());
    if let Some(kernel) = kept.filter(|it| it.source_hash == hash) {
        return Ok(kernel);
    }
    let source = server.source(hash)?;
    let source = source.ok_or_else(|| Refused::Missing(hash.to_owned()))?;
    let write = |error| Refused::Unwritable {
        path: place.clone(),
        source: error,
    };
    fs::create_dir_all(folder).map_err(write)?;
    let unfinished = tempfile::Builder::new()
        .prefix(".new-")
        .tempdir_in(folder)
        .map_err(write)?;
    let found = unpack(unfinished.path(), name, &source.files)?.source_hash;
    if found != hash {
        let expected = hash.to_owned();
        return Err(Refused::Tampered { found, expected });
    }
    let finish = || {
        // What is there is not of this hash: somebody has changed it.
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        let whole = unfinished.path().join(name);
        File::open(&whole)?.sync_all()?;
        fs::create_dir_all(folder.join(hash))?;
        fs::rename(whole, &place)
    };
    finish().map_err(write)?;
    let mut kernels = load(&place).map_err(OfferError::from)?;
    kernels
        .pop()
        .ok_or_else(|| Refused::Missing(hash.to_owned()))
}

/// What was taken last; nothing where that is not known.
fn kept_list(folder: &Path) -> BTreeMap<String, String> {
    let text = fs::read(folder.join(LIST)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Keeps what was taken now, and nothing else.
fn keep(folder: &Path, list: &BTreeMap<String, String>) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&serde_json::to_vec_pretty(list)?)?;
    file.persist(folder.join(LIST))?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !list.values().any(|hash| *hash == name) {
            fs::remove_dir_all(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{
        io::{BufRead, BufReader},
        net::TcpListener,
        thread,
    };

    use kerncast_suite::sign;
    use serde_json::json;
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::client::{Authority, Token};

    const LAUNCH: &str = "title = \"Twice\"\n[[sizes]]\nn = 64\n[[arguments]]\nname = \"a\"\nbuffer = \"float\"\n\
        length = \"n\"\naccess = \"write\"\n[variants.global]\nfunction = \"twice\"\nglobal = [\"n\"]\nlocal = [\"64\"]\n";

    fn files() -> BTreeMap<String, String> {
        let files = [
            ("launch.toml", LAUNCH),
            ("twice.cl", "kernel void twice() {}"),
        ];
        files
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .into()
    }

    fn source_hash() -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let kernel = unpack(folder.path(), "twice", &files()).expect("a kernel");
        kernel.source_hash
    }

    /// A server that offers this list, signed by the hash of this token, and has the same files for every hash.
    fn server(list: Vec<(String, String)>, token: &'static str) -> Client {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                let mut lines = BufReader::new(stream.try_clone().expect("cloned")).lines();
                let first = lines.next().expect("a request").expect("text");
                while lines
                    .next()
                    .is_some_and(|it| it.is_ok_and(|it| !it.is_empty()))
                {}
                let body = match first.split_once("nonce=") {
                    None => json!({ "files": files() }),
                    Some((_, rest)) => {
                        let nonce = rest.split(' ').next().unwrap_or_default();
                        let signed = list.iter().map(|(name, hash)| (&**name, &**hash)).collect();
                        let kernel = |(name, hash): &(String, String)| {
                            json!({ "name": name, "source_hash": hash, "offered_at": "2026-11-26T00:00:00Z" })
                        };
                        let kernels: Vec<_> = list.iter().map(kernel).collect();
                        let signature = sign(&Sha256::digest(token).into(), nonce, &signed);
                        json!({ "kernels": kernels, "signature": signature })
                    }
                }
                .to_string();
                let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length";
                write!(stream, "{head}: {}\r\n\r\n{body}", body.len()).expect("sent");
            }
        });
        let token = Token::find(None, Some("secret".to_owned())).expect("a token");
        Client::new(&url, token, &Authority::Web)
    }

    #[test]
    fn what_is_signed_comes_whole_and_what_is_withdrawn_goes() {
        let state = tempfile::tempdir().expect("a folder");
        let folder = state.path().join("kernels");
        let hash = source_hash();
        let offering = server(vec![("twice".to_owned(), hash.clone())], "secret");
        for _ in 0..2 {
            let offered = ask(&offering, &folder);
            assert!(offered.problems.is_empty(), "{:?}", offered.problems);
            assert_eq!(offered.kernels[0].source_hash, hash);
            assert!(offered.kernels[0].folder.ends_with(format!("{hash}/twice")));
        }
        let mut kernels = offering_replaces(&folder, &offering);
        assert_eq!(kernels.pop().expect("a kernel").source_hash, hash);

        let offered = ask(&server(Vec::new(), "secret"), &folder);
        assert!(offered.kernels.is_empty() && offered.problems.is_empty());
        assert!(!folder.join(hash).exists());
    }

    /// The installed kernels after what is offered took the place of one.
    fn offering_replaces(folder: &Path, server: &Client) -> Vec<Kernel> {
        let installed = tempfile::tempdir().expect("a folder");
        let mut older = files();
        older.insert("a.h".to_owned(), String::new());
        let mut kernels = vec![unpack(installed.path(), "twice", &older).expect("a kernel")];
        replace(&mut kernels, ask(server, folder).kernels);
        assert_eq!(kernels.len(), 1);
        kernels
    }

    #[test]
    fn nothing_is_taken_that_somebody_else_signed() {
        let state = tempfile::tempdir().expect("a folder");
        let folder = state.path().join("kernels");
        let list = vec![("twice".to_owned(), source_hash())];
        let offered = ask(&server(list, "another's"), &folder);
        assert!(offered.kernels.is_empty());
        let why = &offered.problems[0];
        assert!(why.contains("is not signed by this agent's token"), "{why}");
        assert!(why.ends_with("The installed kernels are measured"), "{why}");
        assert!(!folder.exists());
    }

    #[test]
    fn a_name_or_a_hash_that_leads_elsewhere_is_refused_though_it_is_signed() {
        let state = tempfile::tempdir().expect("a folder");
        let folder = state.path().join("kernels");
        let (good, other) = (source_hash(), "0".repeat(64));
        for (name, hash, expected) in [
            ("../twice", &*good, "the kernel's name"),
            ("/twice", &*good, "the kernel's name"),
            ("twice", "../../x", "is no source hash"),
            ("twice", &*other, "which the server has signed"),
            ("other", &*good, "other.cl is not there"),
        ] {
            let list = vec![(name.to_owned(), hash.to_owned())];
            let offered = ask(&server(list, "secret"), &folder);
            assert!(offered.kernels.is_empty());
            assert!(
                offered.problems[0].contains(expected),
                "{:?}",
                offered.problems
            );
            let left = fs::read_dir(state.path()).expect("listed").count();
            assert_eq!(left, 1, "nothing leaves the folder");
        }
    }

    #[test]
    fn what_was_offered_last_goes_on_where_the_server_is_gone() {
        let state = tempfile::tempdir().expect("a folder");
        let folder = state.path().join("kernels");
        let hash = source_hash();
        ask(
            &server(vec![("twice".to_owned(), hash.clone())], "secret"),
            &folder,
        );
        let gone = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", gone.local_addr().expect("an address"));
        drop(gone);
        let token = Token::find(None, Some("secret".to_owned())).expect("a token");
        let offered = ask(&Client::new(&url, token, &Authority::Web), &folder);
        assert_eq!(offered.kernels[0].source_hash, hash);
        assert!(offered.problems[0].ends_with("offered last are measured"));
        let far = Client::new("http://lab:7310", Token::none(), &Authority::Web);
        let offered = ask(&far, &folder);
        assert!(offered.kernels.is_empty());
        assert!(offered.problems[0].starts_with("kernels are fetched by https"));
    }
}
