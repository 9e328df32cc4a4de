//! Tables on standard output.

use std::io::{self, Write};

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets::UTF8_BORDERS_ONLY};
use kerncast_wire::DeviceKind;

use super::terminal::harmless;

/// A table with these columns, as wide as the terminal at most.
pub(super) fn new<const N: usize>(columns: [&str; N]) -> Table {
    let mut table = Table::new();
    table
        .load_style(UTF8_BORDERS_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(columns);
    table
}

/// A number's cell.
pub(super) fn number(text: impl Into<String>) -> Cell {
    Cell::new(text.into()).set_alignment(CellAlignment::Right)
}

/// OpenCL's word for a kind of device.
pub(super) fn kind(kind: DeviceKind) -> &'static str {
    match kind {
        DeviceKind::Cpu => "cpu",
        DeviceKind::Gpu => "gpu",
        DeviceKind::Accelerator => "accelerator",
    }
}

/// Prints to standard output; a reader that went away (`| head`) is no error.
pub(super) fn print(text: &str) -> io::Result<()> {
    match writeln!(io::stdout().lock(), "{}", harmless(text)) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
