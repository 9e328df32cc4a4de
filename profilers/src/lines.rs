//! Lines of a file, with their numbers; header lines.

/// Number of line ends in `bytes`.
pub(crate) fn lines_in(bytes: &[u8]) -> u64 {
    bytes.iter().map(|byte| u64::from(*byte == b'\n')).sum()
}

/// The lines of a file with their numbers, from 1, and their byte offsets.
pub(crate) fn numbered_lines(text: &str) -> impl Iterator<Item = (u64, usize, &str)> {
    (1..)
        .zip(text.split_inclusive('\n'))
        .scan(0, |offset, (line, content)| {
            let start = *offset;
            *offset += content.len();
            Some((line, start, content.trim_end_matches(['\n', '\r'])))
        })
}

/// The cells of a header line, split well enough to recognise it.
pub(crate) fn header_cells(line: &str) -> Vec<&str> {
    line.split(',')
        .map(|cell| cell.trim().trim_matches('"'))
        .collect()
}

/// The byte where a header begins in a line: the start, or the first quotation mark behind a program's output. None
/// where there is no header.
pub(crate) fn header_start(line: &str, is_header: impl Fn(&[&str]) -> bool) -> Option<usize> {
    let quoted = line.find('"').filter(|at| *at > 0);
    let mut starts = [Some(0), quoted].into_iter().flatten();
    starts.find(|at| is_header(&header_cells(&line[*at..])))
}
