//! What the ways of an array into local memory have in common: each is looked for argument by argument, has a text by
//! itself, and says what lies there.

use super::{
    Mechanism, Placed,
    formula::Formulas,
    kernel::Kernel,
    refusal::{Reason, Refusal, Why},
    subject::Subject,
    words::Words,
    written::Written,
};
use crate::{
    accesses::Access,
    ast::{Place, Space},
};

/// An array, or some of it, in local memory.
pub(super) trait Placement {
    /// Which array, how, and its bytes at the size that takes most.
    fn what(&self) -> (usize, Mechanism, u64);

    /// Elements by dimension, outermost first.
    fn extents(&self, formulas: &Formulas) -> Vec<i64>;

    /// Reads of a work-group, and elements that are brought for them; none of what it writes itself.
    fn reads_and_fills(&self) -> Option<(u64, u64)> {
        None
    }

    /// Whether nobody needs the argument any more.
    fn is_dropped(&self) -> bool {
        false
    }

    /// Writes it down.
    ///
    /// # Errors
    /// A formula has no text here.
    fn write(&self, words: &Words<'_>, written: &mut Written) -> Result<(), Reason>;
}

impl dyn Placement + '_ {
    /// Writes it down, and takes away the argument that nobody needs any more.
    pub(super) fn replace(&self, words: &Words<'_>, written: &mut Written) -> Result<(), Reason> {
        self.write(words, written)?;
        let parameter = words.formulas.all.arrays[self.what().0].parameter;
        if let Some(parameter) = parameter.filter(|_| self.is_dropped()) {
            written.edits.push(words.subject.drop_parameter(parameter)?);
        }
        Ok(())
    }

    pub(super) fn placed(&self, formulas: &Formulas) -> Placed {
        let (array, mechanism, bytes) = self.what();
        let of = &formulas.all.arrays[array];
        let extents = self.extents(formulas);
        let moved = self.reads_and_fills();
        Placed {
            array: of.name.clone(),
            mechanism,
            extents,
            element_bytes: of.element_bytes,
            bytes,
            reads: moved.map(|it| it.0),
            fills: moved.map(|it| it.1),
        }
    }
}

/// An argument in global memory that may go there.
pub(super) struct Candidate<'a> {
    pub(super) array: usize,
    /// What accesses it; at least one.
    pub(super) own: Vec<&'a Access>,
    /// Whether another way was refused.
    pub(super) is_refused: bool,
    pub(super) bytes_left: u64,
}

/// What is looked through, and what came of it so far.
pub(super) struct Search<'a, 's> {
    pub(super) subject: Subject<'a>,
    pub(super) kernel: &'s Kernel,
    pub(super) bytes_left: u64,
    pub(super) refusals: &'s mut Vec<Refusal>,
    pub(super) found: Vec<Box<dyn Placement>>,
}

impl<'a> Search<'a, '_> {
    /// Looks at each argument by itself: what is proved and has a text goes there.
    pub(super) fn by_array<T: Placement + 'static>(
        &mut self,
        formulas: &mut Formulas,
        find: impl Fn(
            Subject<'a>,
            &mut Formulas,
            &Kernel,
            &Candidate<'a>,
        ) -> Option<Result<Vec<T>, Why>>,
    ) {
        let all = self.subject.accesses;
        for (array, of) in all.arrays.iter().enumerate() {
            let own = all.accesses.iter().filter(|it| it.touches(array));
            let own: Vec<&Access> = own.collect();
            let is_argument = of.parameter.is_some() && of.space == Space::Global;
            if !is_argument || !self.subject.is_asked(&of.name) || own.is_empty() {
                continue;
            }
            // What is read by another type has indices of other elements.
            if !own.iter().all(|it| it.counts(of)) {
                continue;
            }
            let candidate = Candidate {
                array,
                own,
                is_refused: self.is_refused(&of.name),
                bytes_left: self.bytes_left,
            };
            let Some(done) = find(self.subject, formulas, self.kernel, &candidate) else {
                continue;
            };
            match done {
                Ok(done) => {
                    self.bytes_left -= done.iter().map(|one| one.what().2).sum::<u64>();
                    let written = done.iter().try_for_each(|one| {
                        let words = self.kernel.words(self.subject, formulas);
                        (one as &dyn Placement).replace(&words, &mut Written::default())
                    });
                    if self.is_done(array, written) {
                        let done = done.into_iter();
                        self.found
                            .extend(done.map(|it| Box::new(it) as Box<dyn Placement>));
                    }
                }
                Err((reason, place)) => {
                    let place = place.unwrap_or_else(|| candidate.own[0].span.begin.clone());
                    self.refuse(array, reason, place);
                }
            }
        }
    }

    pub(super) fn is_refused(&self, name: &String) -> bool {
        let mut refusals = self.refusals.iter();
        refusals.any(|it| it.array.as_ref() == Some(name))
    }

    pub(super) fn refuse(&mut self, array: usize, reason: Reason, place: Place) {
        self.refusals.push(Refusal {
            array: Some(self.subject.accesses.arrays[array].name.clone()),
            reason,
            place,
        });
    }

    /// Whether it is done; else it is said why not.
    pub(super) fn is_done(&mut self, array: usize, done: Result<(), Reason>) -> bool {
        let Err(reason) = done else {
            return true;
        };
        let all = self.subject.accesses;
        let own = all.accesses.iter().find(|it| it.array == Some(array));
        let place = own.map_or(&all.arrays[array].span.begin, |it| &it.span.begin);
        self.refuse(array, reason, place.clone());
        false
    }

    /// Arrays that are not only read.
    pub(super) fn taken(&self) -> Vec<usize> {
        self.found.iter().map(|one| one.what().0).collect()
    }
}
