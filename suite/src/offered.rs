//! Kernels that a server offers to agents: what such a folder may hold, and how an agent knows that the offer is its
//! server's (docs/security.md).

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use thiserror::Error;

use super::{Kernel, SuiteError, load};

/// Keeps the signature from being one of anything else by the same key.
const WHAT: &str = "kerncast offered kernels 1";
const LONGEST_NAME: usize = 100;
/// Of all files of a folder together, bytes.
const MOST_BYTES: usize = 1 << 20;

/// Why a folder is not offered, or an offer not taken.
#[derive(Debug, Error)]
pub enum OfferError {
    /// A name that could lead elsewhere.
    #[error(
        "{what} {name:?}: expected at most {LONGEST_NAME} letters, digits, `_`, `-` and `.`, beginning with no `.`"
    )]
    Name {
        /// Of a kernel or a file.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A file that is neither a launch file nor OpenCL C.
    #[error("the file {0}: expected launch.toml, or a name that ends in .cl, .clh or .h")]
    Kind(String),
    /// More than sources have.
    #[error("{0} bytes: expected at most {MOST_BYTES} in all files together")]
    TooLarge(usize),
    /// A link, which shows one thing today and another tomorrow.
    #[error("{} is a link: expected a file", .0.display())]
    Link(PathBuf),
    /// What the launch file names lies elsewhere.
    #[error("launch.toml names {}: expected a file of its own folder", .0.display())]
    Elsewhere(PathBuf),
    /// A file can't be written.
    #[error("cannot write {}: {source}", path.display())]
    Unwritable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is no kernel.
    #[error(transparent)]
    Suite(#[from] SuiteError),
}

/// The signature of a list of kernels, hexadecimal: HMAC-SHA256 by the SHA-256 of the agent's token, over what the
/// agent has made up for this once (`nonce`), and each kernel's name and source hash, by name.
pub fn sign(token_hash: &[u8; 32], nonce: &str, offered: &BTreeMap<&str, &str>) -> String {
    hex::encode(mac(token_hash, nonce, offered).finalize().into_bytes())
}

/// Whether it is the signature of that.
pub fn is_signed(
    token_hash: &[u8; 32],
    nonce: &str,
    offered: &BTreeMap<&str, &str>,
    signature: &str,
) -> bool {
    // In a time that does not tell how much of it is right.
    hex::decode(signature).is_ok_and(|it| mac(token_hash, nonce, offered).verify_slice(&it).is_ok())
}

fn mac(token_hash: &[u8; 32], nonce: &str, offered: &BTreeMap<&str, &str>) -> Hmac<Sha256> {
    // As long as a block of SHA-256: HMAC fills shorter keys up with zeros.
    let mut key = [0; 64];
    key[..32].copy_from_slice(token_hash);
    let mut mac = Hmac::<Sha256>::new(&key.into());
    mac.update(format!("{WHAT}\n{nonce}\n").as_bytes());
    for (name, hash) in offered {
        mac.update(format!("{name} {hash}\n").as_bytes());
    }
    mac
}

/// The files of a kernel's folder, to offer it.
///
/// # Errors
/// It has files of data, or others than text, or links.
pub fn to_offer(kernel: &Kernel) -> Result<&BTreeMap<String, String>, OfferError> {
    let Some(files) = &kernel.files else {
        let data = format!("{}, one of which is no UTF-8", kernel.folder.display());
        return Err(OfferError::Kind(data));
    };
    check(&kernel.name, files)?;
    for name in files.keys() {
        let path = kernel.folder.join(name);
        if path.is_symlink() {
            return Err(OfferError::Link(path));
        }
    }
    stays(kernel)?;
    Ok(files)
}

/// Writes the folder of a kernel that was offered into `folder`, which nobody else uses yet, and reads it.
///
/// # Errors
/// A name could lead out of it, or the folder is none of a kernel.
pub fn unpack(
    folder: &Path,
    name: &str,
    files: &BTreeMap<String, String>,
) -> Result<Kernel, OfferError> {
    check(name, files)?;
    let own = folder.join(name);
    fs::create_dir(&own).map_err(unwritable(&own))?;
    for (name, text) in files {
        let path = own.join(name);
        let write = || {
            // Never through something that is there already.
            let mut file = File::create_new(&path)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()
        };
        write().map_err(unwritable(&path))?;
    }
    let mut kernels = load(&own)?;
    let kernel = kernels.pop().ok_or(SuiteError::NoKernel(own))?;
    stays(&kernel)?;
    Ok(kernel)
}

/// That a kernel's name is nothing but a name.
///
/// # Errors
/// It means something to a file system.
pub fn check_name(name: &str) -> Result<(), OfferError> {
    plain("the kernel's name", name)
}

fn check(name: &str, files: &BTreeMap<String, String>) -> Result<(), OfferError> {
    check_name(name)?;
    for name in files.keys() {
        plain("the file's name", name)?;
        let extension = Path::new(name).extension().and_then(|it| it.to_str());
        if name != "launch.toml" && !matches!(extension, Some("cl" | "clh" | "h")) {
            return Err(OfferError::Kind(name.clone()));
        }
    }
    let bytes = files.values().map(String::len).sum();
    match bytes > MOST_BYTES {
        true => Err(OfferError::TooLarge(bytes)),
        false => Ok(()),
    }
}

/// Nothing that means something to a file system.
fn plain(what: &'static str, name: &str) -> Result<(), OfferError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let is_short = (1..=LONGEST_NAME).contains(&name.len());
    match is_short && !name.starts_with('.') && name.chars().all(is_plain) {
        true => Ok(()),
        false => Err(OfferError::Name {
            what,
            name: name.to_owned(),
        }),
    }
}

/// What its launch file names are files of its own.
fn stays(kernel: &Kernel) -> Result<(), OfferError> {
    let mut sources = kernel.variants.iter().map(|it| &it.source);
    match sources.find(|it| it.parent() != Some(&*kernel.folder)) {
        Some(elsewhere) => Err(OfferError::Elsewhere(elsewhere.clone())),
        None => Ok(()),
    }
}

fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> OfferError {
    let path = path.to_owned();
    move |source| OfferError::Unwritable { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAUNCH: &str = r#"
title = "Twice"
[[sizes]]
n = 64
[[arguments]]
name = "a"
buffer = "float"
length = "n"
access = "write"
[variants.global]
function = "twice"
global = ["n"]
local = ["64"]
"#;

    fn files(more: &[(&str, &str)]) -> BTreeMap<String, String> {
        let own = [
            ("launch.toml", LAUNCH),
            ("twice.cl", "kernel void twice(global float *a) {}"),
        ];
        let all = own.iter().chain(more);
        all.map(|&(name, text)| (name.to_owned(), text.to_owned()))
            .collect()
    }

    fn refused(name: &str, files: &BTreeMap<String, String>) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = folder.path().join("inside");
        fs::create_dir(&inside).expect("made");
        let error = unpack(&inside, name, files)
            .expect_err("refused")
            .to_string();
        let around = fs::read_dir(folder.path()).expect("listed").count();
        assert_eq!(around, 1, "nothing left it");
        error
    }

    #[test]
    fn a_folder_comes_out_as_it_went_in() {
        let folder = tempfile::tempdir().expect("a folder");
        let kernel = unpack(folder.path(), "twice", &files(&[("a.h", "")])).expect("a kernel");
        assert_eq!(kernel.name, "twice");
        assert_eq!(to_offer(&kernel).expect("offered"), &files(&[("a.h", "")]));
    }

    #[test]
    fn nothing_leaves_the_folder() {
        for name in ["..", "../x", "/x", "a/b", ".x", "", "a\0", "é", "a\nb"] {
            let why = refused(name, &files(&[]));
            assert!(why.starts_with("the kernel's name"), "{name:?}: {why}");
        }
        for name in ["../x.cl", "/x.cl", "a/b.cl", ".x.cl", "..\\x.cl"] {
            let why = refused("twice", &files(&[(name, "")]));
            assert!(why.starts_with("the file's name"), "{name:?}: {why}");
        }
        for name in ["x.npy", "x.so", "other.toml", "x"] {
            let why = refused("twice", &files(&[(name, "")]));
            assert!(why.starts_with("the file "), "{name:?}: {why}");
        }
        let elsewhere = LAUNCH.replace("function =", "file = \"/etc/hostname\"\nfunction =");
        let why = refused("twice", &files(&[("launch.toml", &elsewhere)]));
        assert!(
            why.starts_with("launch.toml names /etc/hostname: expected"),
            "{why}"
        );
        let large = "x".repeat(MOST_BYTES);
        assert!(refused("twice", &files(&[("x.h", &large)])).contains("at most 1048576"));
        let why = refused("twice", &files(&[("launch.toml", "title = 3")]));
        assert!(why.contains("launch.toml:1"), "{why}");
    }

    #[test]
    fn links_are_not_offered() {
        let folder = tempfile::tempdir().expect("a folder");
        let kernel = unpack(folder.path(), "twice", &files(&[])).expect("a kernel");
        std::os::unix::fs::symlink("/etc/hostname", kernel.folder.join("x.h")).expect("linked");
        let kernel = load(&kernel.folder).expect("loads").remove(0);
        let why = to_offer(&kernel).expect_err("refused").to_string();
        assert!(why.ends_with("x.h is a link: expected a file"), "{why}");
    }

    #[test]
    fn a_signature_is_of_one_list_one_question_and_one_token() {
        let (a, b) = ("a".repeat(64), "b".repeat(64));
        let list = BTreeMap::from([("one", &*a), ("two", &*b)]);
        let signature = sign(&[1; 32], "123", &list);
        assert_eq!(signature.len(), 64);
        assert!(is_signed(&[1; 32], "123", &list, &signature));
        assert!(!is_signed(&[2; 32], "123", &list, &signature));
        assert!(!is_signed(&[1; 32], "124", &list, &signature));
        let other = BTreeMap::from([("one", &*b), ("two", &*a)]);
        assert!(!is_signed(&[1; 32], "123", &other, &signature));
        assert!(!is_signed(&[1; 32], "123", &BTreeMap::new(), &signature));
        for wrong in ["", "x", "é", &signature[..62], &signature.replace('a', "z")] {
            let same = wrong == signature;
            assert_eq!(is_signed(&[1; 32], "123", &list, wrong), same, "{wrong}");
        }
    }

    /// By
    /// `printf 'kerncast offered kernels 1\n00\ntwice aa\n' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0101…01`.
    #[test]
    fn others_make_the_same_signature() {
        let list = BTreeMap::from([("twice", "aa")]);
        assert_eq!(
            sign(&[1; 32], "00", &list),
            "c1ca13534fe696bd1edacf17c9f1a2ec787f4b018a5114c8abf34ff9d49bac95"
        );
    }
}
