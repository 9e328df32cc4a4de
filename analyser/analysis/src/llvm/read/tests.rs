use super::*;

/// All that has been read from one text is read again in its place: no panic, whatever is cut off.
#[test]
fn cut_off_texts_are_refused_or_read_and_never_panic() {
    let text = include_str!("../../../tests/llvm/histogram.ll");
    for end in (0..text.len()).step_by(7) {
        let _ = read(&text[..end]);
    }
    assert!(read(text).is_ok());
}
