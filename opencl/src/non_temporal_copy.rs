//! Copies by non-temporal stores, which leave the caches as they are.

use super::Pinned;

impl Pinned {
    /// Copies the first bytes to `into`. If the processor has stores that bypass the caches, these are used: memory
    /// that is written once and not read soon need not be fetched first.
    ///
    /// # Panics
    /// `into` is longer than this memory.
    pub fn copy_past_caches(&self, into: &mut [u8]) {
        copy(&self[..into.len()], into);
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "loads and stores are within slices of one length; any bits are an __m128i, and the fence orders its stores"
)]
fn copy(from: &[u8], into: &mut [u8]) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};

    let (head, middle, tail) = unsafe { into.align_to_mut::<__m128i>() };
    let (from_head, rest) = from.split_at(head.len());
    let (from_middle, from_tail) = rest.split_at(size_of_val(middle));
    head.copy_from_slice(from_head);
    tail.copy_from_slice(from_tail);
    for (place, bytes) in middle.iter_mut().zip(from_middle.chunks_exact(16)) {
        unsafe { _mm_stream_si128(place, _mm_loadu_si128(bytes.as_ptr().cast())) };
    }
    // Before anybody is told that they are there.
    unsafe { _mm_sfence() };
}

#[cfg(not(target_arch = "x86_64"))]
fn copy(from: &[u8], into: &mut [u8]) {
    into.copy_from_slice(from);
}

#[cfg(test)]
mod tests {
    use super::copy;

    #[test]
    fn whatever_the_alignment_and_the_length() {
        let from: Vec<u8> = (0..200_u8).collect();
        for start in 0..20 {
            for end in start..start + 70 {
                let mut into = [255_u8; 120];
                copy(&from[3..3 + end - start], &mut into[start..end]);
                assert_eq!(into[start..end], from[3..3 + end - start]);
                let others = into[..start].iter().chain(&into[end..]);
                assert!(others.into_iter().all(|it| *it == 255), "{start}..{end}");
            }
        }
    }
}
