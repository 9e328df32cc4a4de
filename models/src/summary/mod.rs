//! What least squares needs to know of samples, however many there are: small parts that more rows can be
//! added to and that can be merged, so that leaving a kernel out is merging the others.

mod factor;
mod leave_out;
mod moments;

pub use factor::Factor;
pub use leave_out::Merge;
pub(crate) use leave_out::without_each;
pub use moments::Moments;
