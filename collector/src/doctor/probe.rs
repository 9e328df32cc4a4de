//! A workload to try a profiler on.

use std::{fs, io, path::PathBuf};

use kerncast_suite::Parameters;

use crate::{child::Children, workload::Target};

/// The probe, where a child can read it.
pub(super) fn target(children: &Children) -> io::Result<Target> {
    let folder: PathBuf = children.scratch().join("probe");
    fs::create_dir_all(&folder)?;
    fs::write(
        folder.join("launch.toml"),
        include_str!("probe/launch.toml"),
    )?;
    fs::write(folder.join("probe.cl"), include_str!("probe/probe.cl"))?;
    Ok(Target {
        folder,
        variant: "local".to_owned(),
        parameters: Parameters::from([("n".to_owned(), 256)]),
    })
}
