//! Builds a kernel's source; compiler messages name the file that the author edits.

use std::{fs, path::Path};

use kerncast_opencl::{Context, OpenClError, Program};
use kerncast_suite::Launch;

use super::RunError;

/// Reads and builds a launch's source, which lies in `folder`, with `mark` appended.
///
/// # Errors
/// The source can't be read, or the compiler refuses it; the error has its log.
pub(crate) fn build(
    context: &Context,
    launch: &Launch,
    folder: &Path,
    mark: &str,
) -> Result<Program, RunError> {
    let source = fs::read_to_string(&launch.source).map_err(|source| RunError::Source {
        path: launch.source.clone(),
        source,
    })?;
    if source.trim().is_empty() {
        return Err(RunError::Empty {
            function: launch.steps[0].function.to_string(),
            path: launch.source.clone(),
        });
    }
    let source = source + mark;
    let options = with_includes(&launch.options, folder);
    context.build(&source, &options).map_err(|error| {
        RunError::OpenCl(match error {
            OpenClError::Build(log) => OpenClError::Build(at_source(&log, &launch.source)),
            other => other,
        })
    })
}

/// Bytes of a value of one of the source's types; none where the compiler can't say.
pub(super) fn size_of(
    context: &Context,
    launch: &Launch,
    folder: &Path,
    type_name: &str,
) -> Option<usize> {
    let source = fs::read_to_string(&launch.source).ok()?;
    // What a compiler knows it tells as the size of a work-group, and nothing has to run.
    const PROBE: &str = "kerncast_size";
    let probe = format!(
        "{source}\n__kernel __attribute__((reqd_work_group_size(sizeof({type_name}), 1, 1))) void {PROBE}(void) {{}}\n"
    );
    let options = with_includes(&launch.options, folder);
    let program = context.build(&probe, &options).ok()?;
    Some(program.function(PROBE).ok()?.required_local()?[0])
}

/// Build options with which headers beside the source are found from any current folder. Compilers split options at
/// white space, so if the folder's path has some, headers are found only from that folder.
fn with_includes(options: &str, folder: &Path) -> String {
    match folder.to_str() {
        Some(folder) if !folder.contains(char::is_whitespace) => format!("{options} -I {folder}"),
        _ => options.to_owned(),
    }
}

/// A compiler's log with `source` in place of the compiler's own name for it: `<kernel>`, `input.cl`, `1` or a file of
/// its cache. Names of headers and of the compiler's files stay.
fn at_source(log: &str, source: &Path) -> String {
    let lines = log.lines().map(|line| {
        let Some((name, place)) = split_at_place(line) else {
            return line.to_owned();
        };
        let (word, name) = match name.split_once(": ") {
            Some((word, name)) => (format!("{word}: "), name),
            None => (String::new(), name),
        };
        let folder = source.parent().unwrap_or(source);
        let file = folder.join(name);
        let is_beside = file.is_file() && file.starts_with(folder);
        let is_header = [".h", ".hpp", ".clh"].iter().any(|end| name.ends_with(end));
        if is_beside || is_header || ["<built-in>", "<command line>"].contains(&name) {
            return line.to_owned();
        }
        format!("{word}{}{place}", source.display())
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Splits `error: name.cl:3:27: text` into `error: name.cl` and `:3:27: text`.
fn split_at_place(line: &str) -> Option<(&str, &str)> {
    let colons = line.match_indices(':').map(|(place, _)| place);
    let is_place = |place: &usize| {
        let mut parts = line[place + 1..].splitn(3, ':');
        let mut is_number = || {
            let part = parts.next().unwrap_or_default();
            !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit())
        };
        is_number() && is_number() && parts.next().is_some()
    };
    let place = colons.into_iter().find(is_place)?;
    Some(line.split_at(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_at_the_persons_file_whatever_the_compiler_calls_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("blur.cl");
        let header = folder.path().join("taps.h");
        fs::write(&source, "").expect("writes");
        fs::write(&header, "").expect("writes");
        let (here, beside) = (source.display(), header.display());
        for (message, expected) in [
            (
                "error: /root/.cache/pocl/kcache/tempfile_2Ev28E.cl:3:27: use of undeclared identifier".to_owned(),
                format!("error: {here}:3:27: use of undeclared identifier"),
            ),
            (
                "<kernel>:3:27: error: no `x`".to_owned(),
                format!("{here}:3:27: error: no `x`"),
            ),
            ("1:3:27: error: no".to_owned(), format!("{here}:3:27: error: no")),
            ("input.cl:3:27: error: no".to_owned(), format!("{here}:3:27: error: no")),
            (format!("{beside}:1:1: error: no"), format!("{beside}:1:1: error: no")),
            ("taps.h:1:1: error: no".to_owned(), "taps.h:1:1: error: no".to_owned()),
            (
                "/opt/common/taps.h:10:3: error: no".to_owned(),
                "/opt/common/taps.h:10:3: error: no".to_owned(),
            ),
            ("<command line>:1:9: note: no".to_owned(), "<command line>:1:9: note: no".to_owned()),
            ("Device X failed to build".to_owned(), "Device X failed to build".to_owned()),
            ("  a ? 1:2: b".to_owned(), "  a ? 1:2: b".to_owned()),
        ] {
            assert_eq!(at_source(&message, &source), expected);
        }
    }
}
