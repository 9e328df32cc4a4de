//! Kernels that are offered to agents: whether one is in order.

use kerncast_suite::{OfferError, unpack};
use kerncast_wire::{FieldProblem, KernelSource};

use crate::problem::{escaped, field};

/// The hash of what is to be offered under this name, read as an agent will read it.
///
/// # Errors
/// What is wrong with it.
pub fn check_offer(name: &str, source: &KernelSource) -> Result<String, FieldProblem> {
    let KernelSource { files } = source;
    let folder = tempfile::tempdir();
    let folder =
        folder.map_err(|error| field("", error, "room in the server's temporary folder"))?;
    let kernel = unpack(folder.path(), name, files);
    let error = match kernel {
        Ok(kernel) => return Ok(kernel.source_hash),
        Err(error) => error,
    };
    // Mistakes name the file where it was read: that folder is nobody's business.
    let inside = format!("{}/", folder.path().display());
    let why = error.to_string().replace(&inside, "");
    let (at, value) = match &error {
        OfferError::Name { what, name } if what.contains("kernel") => ("name".to_owned(), &**name),
        OfferError::Name { name, .. } | OfferError::Kind(name) => {
            (format!("/files/{}", escaped(name)), "…")
        }
        _ => ("/files".to_owned(), "…"),
    };
    Err(field(
        at,
        value,
        format!("what agents take as a kernel: {why}"),
    ))
}
