//! The kernel that a sample was measured of, as it was then: from the folders here, else from the server.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use kerncast_collector::client::Client;
use kerncast_suite::{Kernel, load};
use kerncast_wire::NewSample;
use tempfile::TempDir;

/// Where the kernel's files are; those that a server sent go away with it.
pub(super) struct Source {
    pub(super) kernel: Kernel,
    _fetched: Option<TempDir>,
}

/// None where nobody has exactly these sources. Of files of data a server keeps a line, so that kernels with such are
/// only found among `here`.
///
/// # Errors
/// The server's; no place for its files.
pub(super) fn of(sample: &NewSample, here: &[Kernel], server: &Client) -> Result<Option<Source>> {
    let Some(hash) = &sample.provenance.source_hash else {
        return Ok(None);
    };
    if let Some(kernel) = here.iter().find(|it| it.source_hash == *hash) {
        return Ok(Some(Source {
            kernel: kernel.clone(),
            _fetched: None,
        }));
    }
    let Some(source) = server.source(hash)? else {
        return Ok(None);
    };
    let fetched = tempfile::tempdir().context("no place for the sample's sources")?;
    // Its name is the folder's.
    let folder = fetched.path().join(plain(&sample.workload.kernel)?);
    fs::create_dir(&folder)?;
    for (name, text) in &source.files {
        fs::write(folder.join(plain(name)?), text)?;
    }
    let kernels = load(&folder).unwrap_or_default();
    let kernel = kernels.into_iter().find(|it| it.source_hash == *hash);
    Ok(kernel.map(|kernel| Source {
        kernel,
        _fetched: Some(fetched),
    }))
}

/// A name that leads nowhere else.
fn plain(name: &str) -> Result<&str> {
    let is_plain = Path::new(name).file_name().is_some_and(|it| it == name);
    is_plain.then_some(name).with_context(|| {
        format!("the server names a file {name:?}; expected a name without folders")
    })
}
