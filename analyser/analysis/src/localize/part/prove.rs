//! Conditions on an array for each work-group to own a part of it.

use std::{collections::BTreeSet, ops::Range};

use super::{
    Indexed, OwnedPart, PartLength, PartSearch, PointerValue,
    disjointness::{are_disjoint, reach},
    passed_length,
    pointers::{Pointer, are_set_to_begin, indexed},
};
use crate::{
    accesses::{Access, Does, Polynomial},
    localize::{Contents, Formulas, Reason, ReasonAt, Split, behind_word, refuse_if},
};

/// The places of accesses in their array.
#[derive(Default)]
struct Places {
    /// The offset that all work-items of a work-group share.
    shared: Option<Polynomial>,
    /// The first and the last element behind that offset.
    hull: Option<(i64, i64)>,
    indexed: Vec<Indexed>,
}

impl<'a> PartSearch<'a> {
    pub(super) fn prove(
        self,
        formulas: &mut Formulas,
        length: PartLength,
    ) -> Result<OwnedPart, ReasonAt> {
        let (subject, array) = (self.subject, self.array);
        let argument = &subject.accesses.arrays[array];
        let whole = |reason| (reason, None);
        let parameter = argument.parameter.ok_or(whole(Reason::Written))?;
        self.is_exchanged(parameter)?;
        let from_begin = are_set_to_begin(self, formulas, length);
        let mut places = Places::default();
        for (index, access) in self.accesses() {
            self.add_access(formulas, length, index, from_begin, &mut places)
                .map_err(|reason| (reason, Some(access.span.begin.clone())))?;
        }
        refuse_if(subject.is_volatile(array), whole(Reason::Volatile))?;
        let hull = places.hull.zip(places.shared);
        let ((low, high), shared) = hull.ok_or(whole(Reason::Written))?;
        let lowest = Polynomial::constant(low);
        let base = shared.plus(&lowest).ok_or(whole(Reason::Shape))?;
        let (passed_extent, extent) = match length {
            PartLength::Fixed => (None, high - low + 1),
            PartLength::Passed => self
                .passed_extent(formulas, parameter, &base)
                .map_err(whole)?,
        };
        let bytes = extent.unsigned_abs().saturating_mul(argument.element_bytes);
        refuse_if(bytes > self.bytes_left, whole(Reason::TooLarge))?;
        if length == PartLength::Fixed {
            for launch in subject.launches {
                are_disjoint(formulas, launch, parameter, &base, extent).map_err(whole)?;
            }
        }
        let contents = Contents::new(subject, parameter);
        let may_leave = contents.is_output && self.kernel.returns;
        refuse_if(may_leave, whole(Reason::Returns))?;
        let mut indexed = places.indexed;
        indexed.sort_by_key(|it| it.pointer.is_some());
        for one in &mut indexed {
            one.at = one.at.minus(&lowest).ok_or(whole(Reason::Shape))?;
        }
        let from = if from_begin {
            [Polynomial::default(), Polynomial::default()]
        } else {
            [shared, lowest]
        };
        let (pointer_values, pointers) = self.pointers(formulas, length, &from)?;
        let indices = indexed.iter().map(|it| it.range.clone());
        let values = pointer_values.iter().map(|(range, _)| range.clone());
        let edited: Vec<Range<usize>> = indices.chain(values).collect();
        let body = self.kernel.begin..self.kernel.end;
        let is_all = subject.is_said_only_at(&body, &argument.name, &edited);
        refuse_if(!is_all, whole(Reason::Text))?;
        Ok(OwnedPart {
            array,
            base,
            extent,
            passed_extent,
            bytes,
            contents,
            indexed,
            pointer_values,
            pointers,
        })
    }

    fn passed_extent(
        self,
        formulas: &mut Formulas,
        parameter: usize,
        base: &Polynomial,
    ) -> Result<(Option<Polynomial>, i64), Reason> {
        let own: Vec<usize> = self.accesses().map(|(index, _)| index).collect();
        let extent = passed_length::extent(self.subject, formulas, parameter, base, &own);
        extent.map(|(extent, most)| (Some(extent), most))
    }

    /// Accesses that may be to the array, with their places among all.
    fn accesses(self) -> impl Iterator<Item = (usize, &'a Access)> {
        let all = self.subject.accesses.accesses.iter().enumerate();
        all.filter(move |(_, it)| it.touches(self.array))
    }

    /// Pointers into the array: values that have its name, with their places in the part, and the ranges of `__global`
    /// in their declarations. `shared` is the part's offset in the array, `lowest` its first element behind that.
    fn pointers(
        self,
        formulas: &mut Formulas,
        length: PartLength,
        [shared, lowest]: &[Polynomial; 2],
    ) -> Result<(Vec<PointerValue>, Vec<Range<usize>>), ReasonAt> {
        let (mut values, mut spaces) = (Vec::new(), BTreeSet::new());
        let all = self.subject.accesses.pointers.iter();
        for pointing in all.filter(|it| it.arrays.contains(&self.array)) {
            let pointer = Pointer::new(self, formulas, length, pointing, shared)
                .map_err(|reason| (reason, Some(pointing.span.begin.clone())))?;
            if let Some(at) = pointer.at {
                let at = at.minus(lowest).ok_or((Reason::Shape, None))?;
                values.push((pointer.value, at));
            }
            spaces.insert((pointer.space.start, pointer.space.end));
        }
        values.sort_by_key(|(range, _)| range.start);
        values.dedup();
        let spaces = spaces.into_iter().map(|(begin, end)| begin..end);
        Ok((values, spaces.collect()))
    }

    /// Checks that work-items may exchange numbers by the array.
    ///
    /// # Errors
    /// They may not, or somebody else may access it.
    fn is_exchanged(self, parameter: usize) -> Result<(), ReasonAt> {
        let subject = self.subject;
        let all = subject.accesses;
        // It is written back by its name, behind the last line.
        if !subject.is_fixed(all.arrays[self.array].variable) {
            return Err((Reason::Name, None));
        }
        if let Some(unknown) = all.accesses.iter().find(|it| it.array.is_none()) {
            return Err((Reason::UnknownIndex, Some(unknown.span.begin.clone())));
        }
        // Without a barrier no work-item reads what another one wrote.
        if all.barriers.is_empty() || all.barriers.iter().any(|it| !it.is_uniform) {
            return Err((Reason::Written, None));
        }
        refuse_if(subject.shares_buffer(parameter), (Reason::SameBuffer, None))?;
        Ok(())
    }

    /// Adds an access to the places that the part must have.
    fn add_access(
        self,
        formulas: &mut Formulas,
        length: PartLength,
        index: usize,
        from_begin: bool,
        places: &mut Places,
    ) -> Result<(), Reason> {
        let subject = self.subject;
        let access = &subject.accesses.accesses[index];
        let argument = &subject.accesses.arrays[self.array];
        refuse_if(!access.calls.is_empty(), Reason::InFunction)?;
        refuse_if(access.does == Does::Atomic, Reason::Written)?;
        // Bounds are of elements: vectors and bytes reach further, or less far.
        if access.bytes != argument.element_bytes || access.within != 0 || !access.counts(argument)
        {
            return Err(Reason::Shape);
        }
        let (offset, bytes) = (&access.offset, argument.element_bytes);
        let splits = length.splits(formulas, offset, bytes, &access.loops)?;
        let base = &splits.first().ok_or(Reason::Shape)?.uniform;
        let (low, high) = match length {
            PartLength::Fixed => reach(subject, formulas, index, &splits)?,
            PartLength::Passed => {
                let is_alike = splits.iter().all(|it| it.uniform == *base);
                refuse_if(!is_alike, Reason::PartsOverlap)?;
                (0, 0)
            }
        };
        if places.shared.get_or_insert_with(|| base.clone()) != base {
            return Err(Reason::PartsOverlap);
        }
        let hull = places.hull.get_or_insert((low, high));
        *hull = (hull.0.min(low), hull.1.max(high));
        let range = subject.tokens(&access.span)?;
        let is_by_name =
            access.also.is_empty() && behind_word(subject.text(&range), &argument.name).is_some();
        if is_by_name || from_begin {
            places
                .indexed
                .push(self.indexed(&splits, range, is_by_name)?);
        }
        Ok(())
    }

    /// An access as it is rewritten.
    fn indexed(
        self,
        splits: &[Split],
        range: Range<usize>,
        is_by_name: bool,
    ) -> Result<Indexed, Reason> {
        let subject = self.subject;
        let [split] = splits else {
            return Err(Reason::SeveralArrays);
        };
        let (pointer, range) = if is_by_name {
            let end = subject.text(&range).rfind(']').ok_or(Reason::Text)?;
            (None, range.start..range.start + end + 1)
        } else {
            // The part begins elsewhere in the array: the index is written anew.
            let (pointer, range) = indexed(subject, &range).ok_or(Reason::Text)?;
            (Some(pointer.to_owned()), range)
        };
        let place = subject.pure_place(&range);
        let element = &subject.accesses.arrays[self.array].element;
        let is_element = place.is_some_and(|place| place.ty == *element);
        refuse_if(!is_element, Reason::Text)?;
        Ok(Indexed {
            range,
            pointer,
            at: split.within(),
        })
    }
}
