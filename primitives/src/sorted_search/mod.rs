//! Where many needles belong in a sorted array.

use std::time::Instant;

use crate::{
    Operation, Report, Sink, Source, StreamError, Streamer, Type, element::keys, lookup::Lookup,
};

/// Which place of those where a needle would leave the array sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first: elements that equal it come behind it.
    Lower,
    /// The last: elements that equal it come before it.
    Upper,
}

impl Streamer {
    /// `output[i]` becomes how many elements of `sorted` are less than `needles[i]`, or on the upper side at most it; floats
    /// as `total_cmp` orders them. The output is of `u64`.
    ///
    /// A sorted array that three quarters of the device's memory have room for stays there while needles stream by. Of a
    /// longer one, windows of the needles stay with their part of the output, and the array streams by once a window. That
    /// it is sorted is not checked; what comes of one that is not is of no use. On an error some of the output may have been
    /// written.
    ///
    /// # Errors
    /// Types or lengths differ, or the device or a file fails.
    pub fn sorted_search(
        &mut self,
        needles: Source<'_>,
        sorted: Source<'_>,
        side: Side,
        mut output: Sink<'_>,
    ) -> Result<Report, StreamError> {
        let start = Instant::now();
        let (element, length) = (sorted.element, needles.length);
        if needles.element != element {
            return Err(StreamError::types("the needles", needles.element, element));
        }
        output.check(Type::U64, length)?;
        let number = element.number("the sorted array")?;
        if self.is_left_further(&[element]) {
            if !self.planning {
                by_type!(
                    number,
                    self.search_by_cores::<T>(&needles, &sorted, side, &mut output)?
                );
            }
            let name = "sorted_search";
            return Ok(Report::of_cores(name, element, length, start, None));
        }
        let trips = match sorted.length {
            // Of nothing nothing is less.
            0 => {
                let none = Operation::new("return 0;");
                self.transform(&none, vec![needles], output)?.trips
            }
            _ => {
                let before = match side {
                    Side::Lower => "<",
                    Side::Upper => "<=",
                };
                let source = format!(
                    "{}#define BEFORE {before}\n#line 1 \"stream_sorted_search.cl\"\n{}",
                    keys(number),
                    include_str!("../../kernels/stream_sorted_search/stream_sorted_search.cl")
                );
                let function = self.program(source.clone())?.function("stream_search")?;
                self.answer_each(Lookup {
                    what: "a search",
                    queries: needles,
                    table: sorted,
                    answers: output,
                    source,
                    function,
                })?
            }
        };
        Ok(Report::new("sorted_search", element, length, start, trips))
    }
}
