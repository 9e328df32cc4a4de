//! Parts of an array that one work-group owns: what its work-items hand to each other goes to local memory, is read in
//! where it held something, and written back where somebody reads it afterwards.

use std::collections::BTreeSet;

use super::{
    edit::Edit,
    fill,
    formula::{Formulas, Scope, Split},
    kernel::Kernel,
    refusal::{Reason, Refusal},
    subject::{At, Subject, has_word},
    words::Words,
    write::element,
    written::Written,
};
use crate::{
    accesses::{Access, Atom, Condition, Does, Id, Pointing, Polynomial, Step},
    ast::{Part, Place, Space, StmtKind, Type, Variable},
};

/// Work-groups whose parts are compared at most.
const MOST_GROUPS: i64 = 1 << 23;

/// A part that a work-group owns.
pub(super) struct Owned {
    pub(super) array: usize,
    /// Where it begins, in elements: what a work-group's work-items share.
    base: Polynomial,
    pub(super) extent: i64,
    pub(super) bytes: u64,
    /// Whether it holds anything before the launch.
    is_filled: bool,
    /// Whether anybody reads it after the launch.
    is_output: bool,
    /// Accesses by the array's own name: their text, and the place in the part.
    direct: Vec<(std::ops::Range<usize>, Polynomial)>,
    /// Pointers that are set by the array's name: the text, and the place in the part.
    set: Vec<(std::ops::Range<usize>, Polynomial)>,
    /// Pointers into it: where `__global` stands in their declarations.
    pointers: Vec<std::ops::Range<usize>>,
}

/// Parts that can go to local memory; what can't is said, where the kernel reads what it has written.
pub(super) fn found(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    kernel: &Kernel,
    refusals: &mut Vec<Refusal>,
) -> Vec<Owned> {
    let all = subject.accesses;
    let mut owned = Vec::new();
    let mut bytes_left = subject.most_bytes;
    let asked = all.arrays.iter().enumerate();
    for (array, of) in asked.filter(|(_, of)| subject.is_asked(&of.name)) {
        let touches = |it: &&Access| it.array == Some(array) || it.also.contains(&array);
        let own: Vec<&Access> = all.accesses.iter().filter(touches).collect();
        let is_read = own.iter().any(|it| it.does == Does::Load);
        let stored = own.iter().find(|it| it.does == Does::Store);
        let (Some(stored), true, Space::Global, Some(_)) =
            (stored, is_read, of.space, of.parameter)
        else {
            continue;
        };
        match part(subject, formulas, kernel, array, &own, bytes_left) {
            Ok(part) => {
                bytes_left -= part.bytes;
                owned.push(part);
            }
            Err((reason, place)) => refusals.push(Refusal {
                array: Some(of.name.clone()),
                reason,
                place: place.unwrap_or_else(|| stored.span.begin.clone()),
            }),
        }
    }
    owned
}

type Why = (Reason, Option<Place>);

fn part(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    kernel: &Kernel,
    array: usize,
    own: &[&Access],
    bytes_left: u64,
) -> Result<Owned, Why> {
    let all = subject.accesses;
    let of = &all.arrays[array];
    let parameter = of.parameter.ok_or((Reason::Written, None))?;
    let whole = |reason| (reason, None);
    // It is written back by its name, behind the last line.
    if !subject.is_fixed(of.variable) {
        return Err(whole(Reason::Name));
    }
    if let Some(unknown) = all.accesses.iter().find(|it| it.array.is_none()) {
        return Err((Reason::UnknownIndex, Some(unknown.span.begin.clone())));
    }
    // Without a barrier no work-item reads what another one wrote.
    if all.barriers.is_empty() || all.barriers.iter().any(|it| !it.is_uniform) {
        return Err(whole(Reason::Written));
    }
    if (0..all.parameters.len()).any(|other| subject.is_same(parameter, other)) {
        return Err(whole(Reason::SameBuffer));
    }
    let (mut hull, mut shared): (Option<(i64, i64)>, Option<Polynomial>) = (None, None);
    let mut direct = Vec::new();
    for access in own {
        let place = Some(access.span.begin.clone());
        let at = |reason| (reason, place.clone());
        if access.array != Some(array) || !access.also.is_empty() {
            return Err(at(Reason::SeveralArrays));
        }
        if !access.calls.is_empty() {
            return Err(at(Reason::InFunction));
        }
        if access.does == Does::Atomic {
            return Err(at(Reason::Written));
        }
        // Bounds are of elements: vectors and bytes reach further, or less far.
        if access.bytes != of.element_bytes || access.within != 0 {
            return Err(at(Reason::Shape));
        }
        let index = all.accesses.iter().position(|it| std::ptr::eq(it, *access));
        let index = index.ok_or_else(|| at(Reason::Written))?;
        let (base, low, high) = bounds(subject, formulas, index, of.element_bytes).map_err(at)?;
        if shared.get_or_insert_with(|| base.clone()) != &base {
            return Err(at(Reason::PartsOverlap));
        }
        hull = Some(hull.map_or((low, high), |all| (all.0.min(low), all.1.max(high))));
        let range = subject.tokens(&access.span).map_err(at)?;
        if starts_with_word(subject.text(&range), &of.name) {
            let own =
                splits(formulas, &access.offset, of.element_bytes, &access.loops).map_err(at)?;
            let [split] = own.as_slice() else {
                return Err(at(Reason::SeveralArrays));
            };
            let end = subject
                .text(&range)
                .rfind(']')
                .ok_or_else(|| at(Reason::Text))?
                + 1;
            let named = range.start..range.start + end;
            let place = subject.pure_place(&named);
            if place.is_none_or(|place| place.of != of.element) {
                return Err(at(Reason::Text));
            }
            direct.push((named, with_constant(split)));
        }
    }
    if subject.is_volatile(array) {
        return Err(whole(Reason::Volatile));
    }
    let ((low, high), shared) = hull.zip(shared).ok_or(whole(Reason::Written))?;
    let lowest = Polynomial::constant(low);
    let base = shared.plus(&lowest).ok_or(whole(Reason::Shape))?;
    let extent = high - low + 1;
    let bytes = extent.unsigned_abs().saturating_mul(of.element_bytes);
    if bytes > bytes_left {
        return Err(whole(Reason::TooLarge));
    }
    for at in subject.launches {
        are_apart(formulas, at, parameter, &base, extent).map_err(whole)?;
    }
    let buffers = subject
        .launches
        .iter()
        .filter_map(|at| at.buffers.get(parameter)?.as_ref());
    let is_filled = buffers.clone().any(|buffer| buffer.is_filled);
    let is_output = buffers.clone().any(|buffer| buffer.is_output);
    if is_output && returns(subject) {
        return Err(whole(Reason::Returns));
    }
    let relative = |at: &Polynomial| at.minus(&lowest).ok_or(whole(Reason::Shape));
    for (_, at) in &mut direct {
        *at = relative(at)?;
    }
    let (mut set, mut pointers) = (Vec::new(), BTreeSet::new());
    for pointing in all.pointers.iter().filter(|it| it.arrays.contains(&array)) {
        let (range, at, declared) = pointer(subject, formulas, array, pointing, &shared)
            .map_err(|reason| (reason, Some(pointing.span.begin.clone())))?;
        if let Some(at) = at {
            set.push((range, relative(&at)?));
        }
        pointers.insert((declared.start, declared.end));
    }
    set.sort_by_key(|(range, _)| range.start);
    set.dedup();
    let edited = direct.iter().chain(&set).map(|(range, _)| range.clone());
    if !only_there(subject, kernel, &of.name, &edited.collect::<Vec<_>>()) {
        return Err(whole(Reason::Text));
    }
    Ok(Owned {
        array,
        base,
        extent,
        bytes,
        is_filled,
        is_output,
        direct,
        set,
        pointers: pointers
            .into_iter()
            .map(|(begin, end)| begin..end)
            .collect(),
    })
}

fn with_constant(split: &Split) -> Polynomial {
    let constant = Polynomial::constant(split.constant);
    split.varying.plus(&constant).unwrap_or_default()
}

/// What an offset in bytes may be in elements, where pointers are swapped: shared part and what differs.
fn splits(
    formulas: &mut Formulas,
    offset: &Polynomial,
    element: u64,
    nest: &[usize],
) -> Result<Vec<Split>, Reason> {
    let mut open = vec![offset.clone()];
    for _ in 0..4 {
        let mut next = Vec::new();
        for of in &open {
            let carried =
                of.atoms()
                    .into_iter()
                    .find_map(|atom| match formulas.all.atoms.get(atom) {
                        Atom::Carried(carried) => Some((atom, *carried)),
                        _ => None,
                    });
            let Some((atom, carried)) = carried else {
                next.push(of.clone());
                continue;
            };
            for value in formulas.all.swapped(carried).ok_or(Reason::UnknownIndex)? {
                next.push(replaced(of, atom, &value).ok_or(Reason::Shape)?);
            }
        }
        open = next;
    }
    let size = i64::try_from(element).map_err(|_| Reason::Shape)?;
    let mut found: Vec<Split> = Vec::new();
    for of in open {
        // Amid an element: not divided.
        let begin = of.divided(size).ok_or(Reason::Shape)?;
        let index = formulas.normal(&begin).ok_or(Reason::Shape)?;
        let split = formulas.split(&index, Scope::Kernel, nest)?;
        if !found.contains(&split) {
            found.push(split);
        }
    }
    Ok(found)
}

fn replaced(of: &Polynomial, atom: usize, by: &Polynomial) -> Option<Polynomial> {
    let mut sum = Polynomial::default();
    for (factors, number) in of.terms() {
        let mut term = Polynomial::constant(number);
        for factor in factors {
            let factor = if *factor == atom {
                by.clone()
            } else {
                Polynomial::atom(*factor)
            };
            term = term.times(&factor)?;
        }
        sum = sum.plus(&term)?;
    }
    Some(sum)
}

/// Where an access's part begins, and which of its elements it reaches: by going through all work-items and passes,
/// of which no size decides anything, so that this is all there is.
fn bounds(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    index: usize,
    element: u64,
) -> Result<(Polynomial, i64, i64), Reason> {
    let access = &subject.accesses.accesses[index];
    let splits = splits(formulas, &access.offset, element, &access.loops)?;
    let geometry = &subject
        .launches
        .first()
        .ok_or(Reason::SizeDepends)?
        .geometry;
    let mut hull: Option<(i64, i64)> = None;
    let uniform = splits.first().ok_or(Reason::Shape)?.uniform.clone();
    for split in &splits {
        if split.uniform != uniform {
            return Err(Reason::PartsOverlap);
        }
        let at = with_constant(split);
        let mut all = formulas.all.clone();
        let mut probe = all.accesses[index].clone();
        let (mut needed, mut open) = (BTreeSet::new(), at.atoms());
        probe
            .guards
            .retain(|guard| is_sizeless(formulas, &guard.condition, &probe.loops));
        for guard in &probe.guards {
            open.extend(guard.condition.atoms());
        }
        while let Some(atom) = open.pop_first() {
            for own in all.loops_of(atom) {
                if needed.insert(own) {
                    let described = &all.loops[own];
                    for bound in [&described.lower, &described.upper].into_iter().flatten() {
                        open.extend(bound.atoms());
                    }
                }
            }
        }
        if needed
            .iter()
            .any(|of| !is_sizeless_loop(formulas, *of, &probe.loops))
        {
            return Err(Reason::SizeDepends);
        }
        let dropped: Vec<usize> = (0..probe.loops.len())
            .filter(|it| !needed.contains(&probe.loops[*it]))
            .collect();
        for guard in &mut probe.guards {
            guard.depth -= dropped.iter().filter(|it| **it < guard.depth).count();
        }
        probe.loops.retain(|of| needed.contains(of));
        probe.index = at.clone();
        probe.offset = at;
        all.accesses.push(probe);
        let [x, y, z] = geometry.local;
        for item in 0..x * y * z {
            let local = [item % x, item / x % y, item / x / y];
            let gone = all.offsets_at_most(all.accesses.len() - 1, geometry, [0; 3], local);
            for at in gone.ok_or(Reason::SizeDepends)?.0 {
                hull = Some(hull.map_or((at, at), |all| (all.0.min(at), all.1.max(at))));
            }
        }
    }
    let (low, high) = hull.ok_or(Reason::Shape)?;
    Ok((uniform, low, high))
}

/// Whether numbers, local ids and such loops alone decide it.
fn is_sizeless(formulas: &Formulas, condition: &Condition, nest: &[usize]) -> bool {
    !condition.is_opaque()
        && condition
            .atoms()
            .iter()
            .all(|atom| is_sizeless_atom(formulas, *atom, nest, 8))
}

fn is_sizeless_atom(formulas: &Formulas, atom: usize, nest: &[usize], left: usize) -> bool {
    let Some(left) = left.checked_sub(1) else {
        return false;
    };
    match formulas.all.atoms.get(atom) {
        Atom::Id(Id::Local | Id::LocalSize, _) => true,
        Atom::Loop(of) => nest.contains(of) && is_sizeless_loop(formulas, *of, nest),
        Atom::Operation(_, of) => {
            let mut atoms = of.iter().flat_map(Polynomial::atoms);
            atoms.all(|it| is_sizeless_atom(formulas, it, nest, left))
        }
        _ => false,
    }
}

fn is_sizeless_loop(formulas: &Formulas, of: usize, nest: &[usize]) -> bool {
    let described = &formulas.all.loops[of];
    let (Step::Add(step) | Step::Multiply(step) | Step::By(_, step)) = &described.step;
    let parts = [
        described.lower.as_ref(),
        described.upper.as_ref(),
        Some(step),
    ];
    let is_sizeless = |part: &Polynomial| {
        part.atoms().iter().all(|atom| {
            // Loops are numbered as they begin: bounds are of loops outside.
            let mut loops = formulas.all.loops_of(*atom).into_iter();
            loops.all(|outer| outer < of) && is_sizeless_atom(formulas, *atom, nest, 6)
        })
    };
    nest.contains(&of) && parts.iter().all(|it| it.is_some_and(is_sizeless))
}

/// Whether no two work-groups' parts overlap, and all lie within the buffer.
fn are_apart(
    formulas: &Formulas,
    at: &At,
    parameter: usize,
    base: &Polynomial,
    extent: i64,
) -> Result<(), Reason> {
    let elements = at
        .buffers
        .get(parameter)
        .and_then(Option::as_ref)
        .ok_or(Reason::BeyondBuffer)?
        .elements;
    let [x, y, z] = at.geometry.groups();
    if x.saturating_mul(y).saturating_mul(z) > MOST_GROUPS {
        return Err(Reason::PartsOverlap);
    }
    let mut begins = Vec::new();
    for group in 0..x * y * z {
        let group = [group % x, group / x % y, group / x / y];
        begins.push(value(formulas, at, base, group).ok_or(Reason::PartsOverlap)?);
    }
    begins.sort_unstable();
    if begins.windows(2).any(|pair| pair[1] - pair[0] < extent) {
        return Err(Reason::PartsOverlap);
    }
    let last = begins.last().and_then(|last| last.checked_add(extent));
    let is_within = begins.first().is_some_and(|first| *first >= 0)
        && last.is_some_and(|last| u64::try_from(last).is_ok_and(|last| last <= elements));
    if is_within {
        Ok(())
    } else {
        Err(Reason::BeyondBuffer)
    }
}

fn value(formulas: &Formulas, at: &At, of: &Polynomial, group: [i64; 3]) -> Option<i64> {
    of.terms().try_fold(0_i64, |sum, (factors, number)| {
        let product = factors.iter().try_fold(number, |product, atom| {
            let value = match formulas.all.atoms.get(*atom) {
                Atom::Id(Id::Group, dimension) => *group.get(usize::from(*dimension))?,
                known => at.geometry.fixed(known)?,
            };
            product.checked_mul(value)
        })?;
        sum.checked_add(product)
    })
}

fn returns(subject: Subject<'_>) -> bool {
    let mut returns = false;
    if let Some(function) = subject.function() {
        subject.unit.visit(&function.body, &mut |part| {
            returns |= matches!(part, Part::Stmt(stmt) if matches!(stmt.kind, StmtKind::Return(_)));
        });
    }
    returns
}

/// What a pointer is set to, its place where the array's name says it, and where its memory is declared. All are set
/// into the part that begins where the work-group's `shared` offset says: what is added to them is the same in it.
#[expect(
    clippy::type_complexity,
    reason = "the second is a place only where there is one"
)]
fn pointer(
    subject: Subject<'_>,
    formulas: &mut Formulas,
    array: usize,
    pointing: &Pointing,
    shared: &Polynomial,
) -> Result<
    (
        std::ops::Range<usize>,
        Option<Polynomial>,
        std::ops::Range<usize>,
    ),
    Reason,
> {
    if pointing.arrays.len() != 1 {
        return Err(Reason::SeveralArrays);
    }
    if !pointing.is_own {
        return Err(Reason::InFunction);
    }
    let of = &subject.accesses.arrays[array];
    let range = subject.range(&pointing.span)?;
    let variable = &subject.unit.variables[pointing.variable];
    let Type::Pointer(_, pointee) = &variable.of else {
        return Err(Reason::Text);
    };
    if **pointee != of.element {
        return Err(Reason::Shape);
    }
    let nest: Vec<usize> = (0..formulas.all.loops.len()).collect();
    let own = splits(formulas, &pointing.offset, of.element_bytes, &nest)?;
    if own.iter().any(|split| split.uniform != *shared) {
        return Err(Reason::PartsOverlap);
    }
    let at = match (has_word(subject.text(&range), &of.name), own.as_slice()) {
        (false, _) => None,
        (true, [split]) => Some(with_constant(split)),
        (true, _) => return Err(Reason::SeveralArrays),
    };
    let begin = subject.tokens(&variable.span)?.start;
    let variables = subject.unit.variables.iter();
    let is_declared_there = |it: &&Variable| it.span.begin == variable.span.begin;
    if variables.filter(is_declared_there).count() > 1 {
        return Err(Reason::Text);
    }
    // The space stands before the type, and nothing else does: a type's name may hide it.
    let declared = subject.source.get(begin..).ok_or(Reason::Text)?;
    let end = declared.find('*').ok_or(Reason::Text)?;
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c.is_whitespace();
    if !declared[..end].chars().all(is_word) {
        return Err(Reason::Text);
    }
    let space = ["__global", "global"].iter().find_map(|word| {
        let found = declared[..end].find(word)?;
        Some(begin + found..begin + found + word.len())
    });
    Ok((range, at, space.ok_or(Reason::Text)?))
}

fn starts_with_word(text: &str, word: &str) -> bool {
    let rest = text.strip_prefix(word);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// Whether the kernel's text has a name nowhere but in these ranges and in comments.
fn only_there(
    subject: Subject<'_>,
    kernel: &Kernel,
    name: &str,
    edited: &[std::ops::Range<usize>],
) -> bool {
    let body = &subject.source[kernel.begin..kernel.end];
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    body.match_indices(name).all(|(at, _)| {
        let line = body[..at].rfind('\n').map_or(0, |it| it + 1);
        let is_word =
            !body[..at].ends_with(is_part) && !body[at + name.len()..].starts_with(is_part);
        let at = kernel.begin + at;
        !is_word
            || body[line..at - kernel.begin].contains("//")
            || edited.iter().any(|range| range.contains(&at))
    })
}

impl Owned {
    /// Writes it down: declaration, pointers, barriers, and what is read in and written back.
    ///
    /// # Errors
    /// A formula has no text here.
    pub(super) fn write(&self, words: &Words<'_>, written: &mut Written) -> Result<(), Reason> {
        let (subject, formulas) = (words.subject, words.formulas);
        let array = &formulas.all.arrays[self.array].name;
        let name = written.name(subject, &format!("{array}_part"));
        let of = element(subject, formulas, self.array)?;
        written
            .declared
            .push(format!("__local {of} {name}[{}];", self.extent));
        for (range, at) in &self.direct {
            written.replace(range.clone(), format!("{name}[{}]", words.sum(at)?));
        }
        for (range, at) in &self.set {
            let text = match at.as_constant() {
                Some(0) => name.clone(),
                _ => format!("{name} + {}", words.sum(at)?),
            };
            written.edits.push(Edit::replace(range.clone(), text));
        }
        for range in &self.pointers {
            written.replace(range.clone(), "__local");
        }
        let place = written.name(subject, "i");
        let begin = match words.sum(&self.base)?.as_str() {
            "0" => place.clone(),
            base => format!("{base} + {place}"),
        };
        let head = format!(
            "for (int {place} = {}; {place} < {}; {place} += {})",
            fill::flat(words),
            self.extent,
            fill::group(words)
        );
        if self.is_filled {
            let copy = format!("{name}[{place}] = {array}[{begin}];");
            written
                .begun
                .extend(fill::nested(vec![head.clone()], vec![copy]));
        }
        if self.is_output {
            let copy = format!("{array}[{begin}] = {name}[{place}];");
            written.ended.extend(fill::nested(vec![head], vec![copy]));
        }
        Ok(())
    }

    /// Whether nobody needs the argument any more.
    pub(super) fn is_dropped(&self) -> bool {
        !self.is_filled && !self.is_output
    }
}

/// Fences of the memory that work-items now exchange by: local, and global where they still do there, too.
///
/// # Errors
/// A barrier stands in a macro, or says it in another way.
pub(super) fn fences(
    subject: Subject<'_>,
    owned: &[Owned],
    written: &mut Written,
) -> Result<(), Reason> {
    let all = subject.accesses;
    // Whatever else is written and read in global memory: arguments may share a buffer.
    let is_left = |access: &&Access| {
        let mut into = access.array.iter().chain(&access.also);
        access.array.is_none()
            || into.any(|array| {
                !matches!(all.arrays[*array].space, Space::Local | Space::Private)
                    && !owned.iter().any(|it| it.array == *array)
            })
    };
    let left: Vec<&Access> = all.accesses.iter().filter(is_left).collect();
    let does = |does: Does| left.iter().any(|it| it.does == does);
    let also_global = does(Does::Atomic) || does(Does::Store) && does(Does::Load);
    let fence = match also_global {
        true => "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE",
        false => "CLK_LOCAL_MEM_FENCE",
    };
    for barrier in &all.barriers {
        if *barrier.place.file != *subject.file {
            return Err(Reason::ElsewhereWritten);
        }
        let begin = barrier.place.offset as usize;
        let rest = subject.source.get(begin..).ok_or(Reason::InMacro)?;
        let end = rest.find(')').ok_or(Reason::InMacro)?;
        let Some((before, flags)) = rest[..end].split_once('(') else {
            return Err(Reason::InMacro);
        };
        if before.trim() != "barrier" {
            return Err(Reason::InMacro);
        }
        if flags.contains("CLK_LOCAL_MEM_FENCE") {
            continue;
        }
        let at = begin + before.len() + 1;
        written.replace(at..begin + end, fence);
    }
    Ok(())
}

impl Subject<'_> {
    /// Whether the array, or a pointer into it, may be `volatile`: the word stands elsewhere than in declarations of
    /// other variables.
    pub(super) fn is_volatile(&self, array: usize) -> bool {
        let own = |id: usize| {
            let mut pointers = self.accesses.pointers.iter();
            self.accesses.arrays[array].variable == id
                || pointers.any(|it| it.variable == id && it.arrays.contains(&array))
        };
        let variables = self.unit.variables.iter().enumerate();
        let others: Vec<std::ops::Range<usize>> = variables
            .filter(|(id, _)| !own(*id))
            .filter_map(|(_, variable)| self.range(&variable.span).ok())
            .collect();
        let mut found = self.source.match_indices("volatile");
        found.any(|(at, _)| !others.iter().any(|range| range.contains(&at)))
    }
}

/// Takes a parameter out of the kernel's head.
///
/// # Errors
/// It stands alone, or a macro makes it.
pub(super) fn drop_parameter(subject: Subject<'_>, parameter: usize) -> Result<Edit, Reason> {
    let function = subject.function().ok_or(Reason::ElsewhereWritten)?;
    let range = |place: usize| {
        let id = function.parameters.get(place).ok_or(Reason::Text)?;
        subject.range(&subject.unit.variables[*id].span)
    };
    let own = range(parameter)?;
    Ok(match parameter {
        0 => Edit::replace(own.start..range(1)?.start, ""),
        _ => Edit::replace(range(parameter - 1)?.end..own.end, ""),
    })
}
