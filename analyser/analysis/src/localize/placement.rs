//! Arrays in local memory. Each mechanism is tried argument by argument: it proves that an array may go there, renders
//! the text that this takes, and the text is written once all names are known.

use super::{
    Edit, Formulas, Kernel, Length, LocalArgument, LocalArray, Mechanism, Reason, ReasonAt,
    Refusal, Renderer, Rewrite, Subject, local_declaration,
};
use crate::{
    accesses::{Access, Array, Polynomial, Step},
    ast::Place,
};

/// The least stride between neighbours, in elements, for which reading side by side is a gain by itself.
pub(super) const LEAST_FAR_STRIDE: i64 = 8;

/// An array that may go to local memory, before it has a text.
pub(super) trait Proved {
    /// Bytes of local memory at the size that takes most.
    fn bytes(&self) -> u64;

    /// The array's text, in which only new names are still open.
    ///
    /// # Errors
    /// A formula or a type has no text here.
    fn render(self, renderer: &Renderer<'_>) -> Result<Placement, Reason>;
}

/// Stands in a placement's texts for the memory's name, which is new.
pub(super) const NAME: &str = "\u{1}";
/// Stands there for the variable of a loop over elements, which is new too.
pub(super) const PLACE: &str = "\u{2}";

/// An array in local memory, with its text.
pub(super) struct Placement {
    /// The array's place among the kernel's arrays.
    pub(super) array: usize,
    pub(super) summary: LocalArray,
    /// The parameter that nobody needs any more, and the edit that removes it from the kernel's head.
    pub(super) dropped: Option<(usize, Edit)>,
    /// The memory's name, if that is free.
    pub(super) name: String,
    /// The author's name of an element's type.
    pub(super) element: String,
    pub(super) memory: Memory,
    pub(super) edits: Vec<Edit>,
    /// Lines at the kernel's beginning; of columns, each work-item runs them for itself alone.
    pub(super) prologue: Vec<String>,
    /// Lines at its end.
    pub(super) epilogue: Vec<String>,
}

impl Placement {
    /// Claims names, writes the text, and removes the parameter that nobody needs any more.
    pub(super) fn write(&self, subject: Subject<'_>, rewrite: &mut Rewrite) {
        let name = rewrite.name(subject, &self.name);
        self.memory.declare(&self.element, &name, rewrite);
        let place = match self.summary.mechanism {
            Mechanism::Staged => String::new(),
            _ => rewrite.name(subject, "i"),
        };
        let named = |text: &String| text.replace(NAME, &name).replace(PLACE, &place);
        for Edit { range, text } in &self.edits {
            rewrite.replace(range.clone(), named(text));
        }
        let (prologue, epilogue) = match self.summary.mechanism {
            Mechanism::Columns => (&mut rewrite.own_prologue, &mut rewrite.own_epilogue),
            _ => (&mut rewrite.prologue, &mut rewrite.epilogue),
        };
        prologue.extend(self.prologue.iter().map(named));
        epilogue.extend(self.epilogue.iter().map(named));
        let dropped = self.dropped.iter().map(|it| it.1.clone());
        rewrite.edits.extend(dropped);
    }
}

/// Whether an array holds anything before the launch, and whether anybody reads it afterwards.
#[derive(Clone, Copy)]
pub(super) struct Contents {
    pub(super) is_filled: bool,
    pub(super) is_output: bool,
}

impl Contents {
    pub(super) fn new(subject: Subject<'_>, parameter: usize) -> Self {
        let buffers = || {
            subject
                .launches
                .iter()
                .filter_map(|it| it.buffer(parameter))
        };
        Self {
            is_filled: buffers().any(|it| it.is_filled),
            is_output: buffers().any(|it| it.is_output),
        }
    }

    /// The loop with this head that reads all elements in, and the one that writes them back, as far as needed.
    pub(super) fn copies(self, head: &str, local: &str, global: &str) -> [Vec<String>; 2] {
        let copy = |is_needed: bool, to: &str, from: &str| {
            let lines = [head.to_owned(), format!("    {to} = {from};")];
            lines.into_iter().filter(|_| is_needed).collect()
        };
        [
            copy(self.is_filled, local, global),
            copy(self.is_output, global, local),
        ]
    }

    /// The array's parameter, if nobody needs it any more, and the edit that removes it from the kernel's head.
    ///
    /// # Errors
    /// The parameter stands alone, or a macro makes it.
    pub(super) fn dropped(
        self,
        subject: Subject<'_>,
        array: &Array,
    ) -> Result<Option<(usize, Edit)>, Reason> {
        let is_dropped = !self.is_filled && !self.is_output;
        let parameter = array.parameter.filter(|_| is_dropped);
        let dropped = parameter.map(|it| Ok((it, subject.drop_parameter(it)?)));
        dropped.transpose()
    }
}

/// The source of local memory.
pub(super) enum Memory {
    /// An array of these lengths that the kernel declares, and whether its rows are padded.
    Declared(Vec<i64>, bool),
    /// An argument, which a launch makes as long as needed: the kernel's own argument that has such elements, bytes of
    /// an element, and the number of elements.
    Argument(usize, u64, Length),
}

impl Memory {
    /// An argument with the elements of an array.
    pub(super) fn argument(like: &Array, length: Length) -> Result<Self, Reason> {
        let parameter = like.parameter.ok_or(Reason::Written)?;
        Ok(Self::Argument(parameter, like.element_bytes, length))
    }

    /// Declares the memory. `element`: the author's name of an element's type.
    fn declare(&self, element: &str, name: &str, rewrite: &mut Rewrite) {
        match self {
            Self::Declared(lengths, is_padded) => {
                let declaration = local_declaration(element, name, lengths, *is_padded);
                rewrite.declarations.push(declaration);
            }
            Self::Argument(like, element_bytes, length) => {
                rewrite.local_arguments.push(LocalArgument {
                    name: name.to_owned(),
                    like: *like,
                    element_bytes: *element_bytes,
                    length: length.clone(),
                    declaration: format!("__local {element} *{name}"),
                });
            }
        }
    }
}

/// An argument in global memory that may go to local memory.
pub(super) struct ArrayUse<'a> {
    pub(super) subject: Subject<'a>,
    pub(super) kernel: &'a Kernel,
    pub(super) array: usize,
    pub(super) argument: &'a Array,
    pub(super) parameter: usize,
    /// Its accesses; at least one.
    pub(super) accesses: Vec<&'a Access>,
    /// Whether another mechanism was refused.
    pub(super) is_refused: bool,
    pub(super) bytes_left: u64,
}

/// The mechanisms that are tried, and their results so far.
pub(super) struct ArraySearch<'a, 's> {
    pub(super) subject: Subject<'a>,
    pub(super) kernel: &'s Kernel,
    pub(super) bytes_left: u64,
    pub(super) refusals: &'s mut Vec<Refusal>,
    pub(super) placements: Vec<Placement>,
    /// Barriers with the fences that the placements need.
    pub(super) fences: Vec<Edit>,
}

impl ArraySearch<'_, '_> {
    /// Tries a mechanism on each argument by itself.
    pub(super) fn by_array<T: Proved>(
        &mut self,
        formulas: &mut Formulas,
        find: impl Fn(&ArrayUse<'_>, &mut Formulas) -> Option<Result<Vec<T>, ReasonAt>>,
    ) {
        let (subject, kernel) = (self.subject, self.kernel);
        let all = subject.accesses;
        for (array, argument) in all.arrays.iter().enumerate() {
            let accesses = all.accesses.iter().filter(|it| it.touches(array));
            let accesses: Vec<&Access> = accesses.collect();
            // What is read by another type has indices of other elements.
            let is_counted = accesses.iter().all(|it| it.counts(argument));
            let parameter = argument.parameter.filter(|_| subject.may_place(argument));
            let Some(parameter) = parameter.filter(|_| is_counted && !accesses.is_empty()) else {
                continue;
            };
            let array_use = ArrayUse {
                subject,
                kernel,
                array,
                argument,
                parameter,
                accesses,
                is_refused: self.is_refused(&argument.name),
                bytes_left: self.bytes_left,
            };
            match find(&array_use, formulas) {
                None => {}
                Some(Ok(proved)) => {
                    self.bytes_left -= proved.iter().map(Proved::bytes).sum::<u64>();
                    let renderer = kernel.renderer(subject, formulas);
                    let texts = proved.into_iter().map(|it| it.render(&renderer));
                    match texts.collect::<Result<Vec<_>, _>>() {
                        Ok(placements) => self.placements.extend(placements),
                        Err(reason) => self.refuse(array, (reason, None)),
                    }
                }
                Some(Err((reason, place))) => {
                    let place = place.unwrap_or_else(|| array_use.accesses[0].span.begin.clone());
                    self.refuse(array, (reason, Some(place)));
                }
            }
        }
    }

    pub(super) fn is_refused(&self, name: &String) -> bool {
        let mut refusals = self.refusals.iter();
        refusals.any(|it| it.array.as_ref() == Some(name))
    }

    pub(super) fn refuse(&mut self, array: usize, reason: ReasonAt) {
        self.refusals.push(self.subject.refusal(array, reason));
    }

    /// Arrays that are in local memory already.
    pub(super) fn placed_arrays(&self) -> Vec<usize> {
        self.placements.iter().map(|it| it.array).collect()
    }
}

impl Subject<'_> {
    /// A refusal of an array; its place is by default the array's first access.
    pub(super) fn refusal(
        &self,
        array: usize,
        (reason, place): (Reason, Option<Place>),
    ) -> Refusal {
        let all = self.accesses;
        let first_access = || {
            let access = all.accesses.iter().find(|it| it.array == Some(array));
            let span = access.map_or(&all.arrays[array].span, |it| &it.span);
            span.begin.clone()
        };
        Refusal {
            array: Some(all.arrays[array].name.clone()),
            reason,
            place: place.unwrap_or_else(first_access),
        }
    }
}

/// Number of times that a work-group's work-items make an access at the smallest size; a loop of unknown length counts
/// once.
pub(super) fn accesses_of_group(subject: Subject<'_>, formulas: &Formulas, access: &Access) -> u64 {
    let items: i64 = formulas.local.iter().product();
    let geometry = subject.launches.first().map(|at| &at.geometry);
    let trips = access.loops.iter().map(|loop_index| {
        let around = &formulas.all.loops[*loop_index];
        let bounds = |formula: &Polynomial| formulas.bounds(formula, geometry);
        let trips = around.trips.as_ref().and_then(bounds);
        let trips = trips.map(|(_, most)| most).or_else(|| {
            // Steps as long as the launch has work-items.
            let Step::Add(step) = &around.step else {
                return None;
            };
            let first = bounds(around.lower.as_ref()?)?.0;
            let end = bounds(around.upper.as_ref()?)?.1;
            let step = bounds(step)?.0;
            (step > 0).then(|| (end - first) / step)
        });
        u64::try_from(trips.unwrap_or(1).max(1)).unwrap_or(u64::MAX)
    });
    trips.fold(items.unsigned_abs(), u64::saturating_mul)
}
