//! The contents of a buffer before a launch: all of it, or only the parts that are read.

use std::ops::Range;

use super::Launch;
use crate::{Access, Data, FillError, Parameters, data::Before, fill::Filling};

/// A buffer that is filled when somebody asks for its contents.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    launch: &'a Launch,
    kernel: &'a str,
    parameters: &'a Parameters,
    place: usize,
}

impl Launch {
    /// Inputs of buffers, by their places; none for what only the kernel writes. `kernel`: its name.
    pub fn inputs_on_demand<'a>(
        &'a self,
        kernel: &'a str,
        parameters: &'a Parameters,
    ) -> impl Fn(usize) -> Option<Input<'a>> {
        move |place| {
            let input = Input {
                launch: self,
                kernel,
                parameters,
                place,
            };
            self.buffers.get(place)?.fill.as_ref().map(|_| input)
        }
    }
}

impl Input<'_> {
    /// Bytes of the buffer.
    pub fn length(&self) -> usize {
        self.launch.buffers[self.place].bytes()
    }

    /// Whether [`part`](Self::part) may be called: no number depends on others, and the kernel only reads the buffer.
    pub fn has_parts(&self) -> bool {
        let buffer = &self.launch.buffers[self.place];
        let helpers = self.launch.helpers.iter();
        let mut earlier = helpers.chain(self.launch.buffers.iter().take(self.place));
        buffer.access == Access::Read
            && buffer.fill.as_ref().is_some_and(|fill| {
                fill.is_by_place() && !earlier.any(|other| fill.refers_to(&other.name))
            })
    }

    /// The whole contents.
    ///
    /// # Errors
    /// The fill has no value that the type can hold.
    pub fn whole(&self) -> Result<Option<Data>, FillError> {
        self.launch.input(self.kernel, self.parameters, self.place)
    }

    /// These bytes of a buffer that [`has_parts`](Self::has_parts). Both ends are multiples of 64, or the buffer's end.
    ///
    /// # Errors
    /// The fill has no value that the type can hold.
    pub fn part(&self, bytes: Range<usize>) -> Result<Option<Data>, FillError> {
        let buffer = &self.launch.buffers[self.place];
        let (base, _) = buffer.ty.storage(buffer.elements);
        let each = base.bytes();
        let filling = Filling {
            kernel: self.kernel,
            argument: &buffer.name,
            parameters: self.parameters,
            before: &Before::new(),
        };
        let places = bytes.start / each..bytes.end / each;
        let fill = buffer.fill.as_ref();
        fill.map(|fill| fill.part(base, places, filling))
            .transpose()
    }
}
