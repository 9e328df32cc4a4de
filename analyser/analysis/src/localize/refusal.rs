//! Reasons why an array is left in global memory, as a word and as a sentence.

use serde::Serialize;
use thiserror::Error;

use crate::ast::Place;

/// A reason, and its place if that is not the array's first access.
pub(super) type ReasonAt = (Reason, Option<Place>);

/// Refuses where the condition holds.
///
/// # Errors
/// The reason.
pub(super) fn refuse_if<E>(condition: bool, reason: E) -> Result<(), E> {
    if condition { Err(reason) } else { Ok(()) }
}

/// A refusal to change an array, or the whole kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The argument; absent where it is about the whole kernel.
    pub array: Option<String>,
    /// The reason.
    pub reason: Reason,
    /// The place in the source that the reason is about.
    pub place: Place,
}

/// Why `kerncast localize` leaves an array, or a whole kernel, as it is: in words, behind the array's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The analysis has not followed all of the kernel.
    #[error("not all of the kernel is followed")]
    NotFollowed,
    /// The work-group's size differs from size to size.
    #[error("the work-group's size differs from size to size")]
    GroupSizeVaries,
    /// The kernel is in another file than the variant's, or a macro makes its head.
    #[error("the kernel stands in another file, or a macro makes its head")]
    ElsewhereWritten,
    /// A store or an atomic goes through a pointer that is not followed.
    #[error("a store goes through a pointer that is not followed")]
    UnknownStore,
    /// The kernel writes the array, and its groups' parts of it are not known to be apart.
    #[error("the kernel writes it, and what it reads back may be another group's")]
    Written,
    /// Another argument is the same buffer, and one of them is written.
    #[error("another argument is the same buffer, and one of them is written")]
    SameBuffer,
    /// It is read through a function that the kernel calls.
    #[error("it is accessed in a function that the kernel calls")]
    InFunction,
    /// A macro makes the access.
    #[error("a macro makes the access")]
    InMacro,
    /// A line of the preprocessor stands among what is rewritten.
    #[error("a line of the preprocessor stands in what would be rewritten")]
    Directive,
    /// A pointer may be into several arrays.
    #[error("the pointer may be into several arrays")]
    SeveralArrays,
    /// The index depends on data.
    #[error("the index depends on data")]
    DataDependent,
    /// The index is not followed.
    #[error("the index is not followed")]
    UnknownIndex,
    /// The index is of a form that no tile has: ids multiplied with each other or with arguments.
    #[error("the index is of a form that no tile has")]
    Shape,
    /// The part that a work-group reads depends on an argument, or on the launch.
    #[error("the part that a work-group accesses depends on an argument or on the launch")]
    SizeDepends,
    /// It needs a barrier in a loop whose bounds differ from work-item to work-item, or depend on data.
    #[error("it needs a barrier in a loop that work-items run unequally often, or by data")]
    LoopDiffers,
    /// It needs a barrier in a loop that may end early.
    #[error("it needs a barrier in a loop that may end early")]
    LoopEndsEarly,
    /// It needs a barrier in a loop of another form than `for (int i = first; i < end; ++i)`.
    #[error(
        "it needs a barrier in a loop of another form than `for (int i = first; i < end; ++i)`"
    )]
    LoopForm,
    /// It needs a barrier where not all work-items of a group come.
    #[error("it needs a barrier where not all work-items of a group come")]
    Divergent,
    /// The tile takes more local memory than there is.
    #[error("the tile takes more local memory than there is")]
    TooLarge,
    /// The tile would be filled from beyond the buffer.
    #[error("the tile would be filled from beyond the buffer")]
    BeyondBuffer,
    /// Algebra and enumeration do not agree that all accesses are within the tile.
    #[error("algebra and enumeration do not agree that all accesses are within the tile")]
    OutsideTile,
    /// A name means something else where it would be written.
    #[error("a name means something else where it would be written")]
    Name,
    /// The text is of a form that is not rewritten: side effects in an index, for example.
    #[error("the text is of a form that is not rewritten")]
    Text,
    /// No work-item reads what another one does, and neighbours read side by side.
    #[error("no work-item reads what another one does, and neighbours read side by side")]
    NoReuse,
    /// Only some of the work-items' parts are read: filling the tile would read more than it saves.
    #[error("filling the tile would read as much as it saves")]
    FillCosts,
    /// The kernel only writes it.
    #[error("the kernel only writes it")]
    OnlyWritten,
    /// Groups' parts of the array overlap, or may.
    #[error("work-groups' parts of it overlap, or may")]
    PartsOverlap,
    /// The kernel may end before its last line, where the part would be written back.
    #[error("the kernel may end before its last line, where the part would be written back")]
    Returns,
    /// What an atomic found in memory is used: it would be another number.
    #[error("what an atomic found there is used")]
    OldValue,
    /// Atomics of several kinds on the same elements, or of one whose order matters.
    #[error("atomics of several kinds are made on the same elements, or one whose order matters")]
    Operations,
    /// It is read or stored to, beside the atomics.
    #[error("it is read or stored to beside the atomics")]
    AlsoAccessed,
    /// The work-group is no square: its work-items can't change places.
    #[error("the work-group is no square, so that its work-items can't change places")]
    NotSquare,
    /// The store stands in a loop.
    #[error("the store stands in a loop")]
    InLoop,
    /// It is `volatile`, or a pointer into it is: every access goes to its own memory.
    #[error("it is volatile")]
    Volatile,
}

impl Reason {
    /// Whether it could be rewritten, and is not since it would be no faster.
    #[must_use]
    pub fn is_no_gain(self) -> bool {
        matches!(self, Self::NoReuse | Self::FillCosts | Self::OnlyWritten)
    }
}
