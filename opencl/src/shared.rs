//! Host memory that several threads write at once.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

macro_rules! shared {
    ($($name:ident: $atomic:ty;)*) => {$(
        /// Bytes as words that all threads may write at once; none where they do not begin or end where words do.
        #[expect(
            unsafe_code,
            reason = "words and atomics are laid out alike, and nobody else has the memory meanwhile"
        )]
        pub fn $name(bytes: &mut [u8]) -> Option<&[$atomic]> {
            // Any bits are a word, and an atomic.
            let (before, words, after) = unsafe { bytes.align_to_mut::<$atomic>() };
            (before.is_empty() && after.is_empty()).then_some(&*words)
        }
    )*};
}

shared! {
    shared_u8: AtomicU8;
    shared_u16: AtomicU16;
    shared_u32: AtomicU32;
    shared_u64: AtomicU64;
}

#[cfg(test)]
mod tests {
    use std::{sync::atomic::Ordering::Relaxed, thread};

    use super::*;

    #[test]
    fn threads_write_words_of_one_array() {
        // Eight bytes more, so that some word begins at a multiple of eight.
        let mut bytes = [0; 40];
        let first = bytes.as_ptr().align_offset(8);
        let bytes = &mut bytes[first..first + 32];
        assert!(shared_u32(&mut bytes[1..9]).is_none());
        assert!(shared_u32(&mut bytes[4..10]).is_none());
        assert!(shared_u8(&mut bytes[1..10]).is_some_and(|it| it.len() == 9));
        assert!(shared_u64(bytes).is_some_and(|it| it.len() == 4));
        let shared = shared_u16(&mut bytes[2..]).expect("words");
        thread::scope(|scope| {
            for half in 0..2 {
                scope.spawn(move || {
                    for at in (half..15).step_by(2) {
                        shared[at].store(0x0707, Relaxed);
                    }
                });
            }
        });
        assert!(bytes[..2] == [0; 2] && bytes[2..] == [7; 30]);
    }
}
