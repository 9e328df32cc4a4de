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
#[expect(missing_docs, reason = "each says what it means")]
pub enum Reason {
    #[error("not all of the kernel is followed")]
    NotFollowed,
    #[error("the work-group's size differs from size to size")]
    GroupSizeVaries,
    #[error("the kernel stands in another file, or a macro makes its head")]
    ElsewhereWritten,
    #[error("a store goes through a pointer that is not followed")]
    UnknownStore,
    #[error("the kernel writes it, and what it reads back may be another group's")]
    Written,
    #[error("another argument is the same buffer, and one of them is written")]
    SameBuffer,
    #[error("it is accessed in a function that the kernel calls")]
    InFunction,
    #[error("a macro makes the access")]
    InMacro,
    #[error("a line of the preprocessor stands in what would be rewritten")]
    Directive,
    #[error("the pointer may be into several arrays")]
    SeveralArrays,
    #[error("the index depends on data")]
    DataDependent,
    #[error("the index is not followed")]
    UnknownIndex,
    /// Ids are multiplied with each other or with arguments, for example.
    #[error("the index is of a form that no tile has")]
    Shape,
    #[error("the part that a work-group accesses depends on an argument or on the launch")]
    SizeDepends,
    #[error("it needs a barrier in a loop that work-items run unequally often, or by data")]
    LoopDiffers,
    #[error("it needs a barrier in a loop that may end early")]
    LoopEndsEarly,
    #[error(
        "it needs a barrier in a loop of another form than `for (int i = first; i < end; ++i)`"
    )]
    LoopForm,
    #[error("it needs a barrier where not all work-items of a group come")]
    Divergent,
    #[error("the tile takes more local memory than there is")]
    TooLarge,
    #[error("the tile would be filled from beyond the buffer")]
    BeyondBuffer,
    #[error("algebra and enumeration do not agree that all accesses are within the tile")]
    OutsideTile,
    #[error("a name means something else where it would be written")]
    Name,
    /// An index has side effects, for example.
    #[error("the text is of a form that is not rewritten")]
    Text,
    #[error("no work-item reads what another one does, and neighbours read side by side")]
    NoReuse,
    /// Only some of the work-items' parts are read, for example.
    #[error("filling the tile would read as much as it saves")]
    FillCosts,
    #[error("the kernel only writes it")]
    OnlyWritten,
    #[error("work-groups' parts of it overlap, or may")]
    PartsOverlap,
    #[error("the kernel may end before its last line, where the part would be written back")]
    Returns,
    /// It would be another number.
    #[error("what an atomic found there is used")]
    OldValue,
    #[error("atomics of several kinds are made on the same elements, or one whose order matters")]
    Operations,
    #[error("it is read or stored to beside the atomics")]
    AlsoAccessed,
    #[error("the work-group is no square, so that its work-items can't change places")]
    NotSquare,
    #[error("the store stands in a loop")]
    InLoop,
    /// Or a pointer into it is: every access goes to its own memory.
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
