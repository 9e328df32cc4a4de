//! Formulas as OpenCL C.

use crate::{
    accesses::{Atom, AtomId, Condition, Id, Operation, Polynomial, signed_sum},
    ast::{Kind, Type, VariableId},
    localize::{ForLoop, Formulas, LengthFormula, Reason, Scope, Subject, refuse_if},
};

/// Words of a declaration that are no part of the type.
const QUALIFIERS: [&str; 8] = [
    "__global",
    "global",
    "__constant",
    "constant",
    "const",
    "restrict",
    "volatile",
    "__restrict",
];
/// The deepest nesting of formulas in formulas.
const MOST_TEXT_DEPTH: usize = 8;

/// Renders formulas as text.
#[derive(Clone)]
pub(crate) struct Renderer<'a> {
    pub(crate) subject: Subject<'a>,
    pub(crate) formulas: &'a Formulas,
    /// Names of the work-group's sizes in the source, if it has some.
    pub(crate) sizes: [Option<String>; 3],
    /// Strips, and the names of their first iterations.
    pub(crate) strips: Vec<(Scope, String)>,
}

/// A summand.
struct Term {
    is_negative: bool,
    text: String,
}

impl Renderer<'_> {
    /// A formula as text. Additions stand before subtractions: no part of the sum is below 0 unless the whole is.
    ///
    /// # Errors
    /// The formula has no text here.
    pub(crate) fn sum(&self, formula: &Polynomial) -> Result<String, Reason> {
        Ok(joined(&self.terms(formula, MOST_TEXT_DEPTH)?))
    }

    /// A formula of numbers with a sign as text; it may be below 0.
    pub(crate) fn signed(&self, formula: &Polynomial) -> Result<String, Reason> {
        for atom in formula.atoms() {
            let is_signed = match self.formulas.all.atoms.get(atom) {
                Atom::Scalar(.., bytes, signed) => *signed && *bytes <= 4,
                Atom::Id(..) => true,
                // What they are made of is looked at where it is written.
                Atom::Operation(
                    Operation::Minimum | Operation::Maximum | Operation::Wrap(4, true),
                    _,
                )
                | Atom::Select(..) => true,
                Atom::Loop(loop_) => self.loop_variable(*loop_).is_ok_and(|(_, id)| {
                    let scalar = self.subject.unit.variables[id].ty.scalar();
                    scalar.is_some_and(|it| it.kind == Kind::Signed && it.bytes <= 4)
                }),
                _ => false,
            };
            refuse_if(!is_signed, Reason::Shape)?;
        }
        let text = self.sum(formula)?;
        Ok(text.replace("get_", "(int)get_"))
    }

    /// A formula as a factor of a product.
    pub(crate) fn factor(&self, formula: &Polynomial) -> Result<String, Reason> {
        let terms = self.terms(formula, MOST_TEXT_DEPTH)?;
        let text = joined(&terms);
        Ok(if terms.len() > 1 {
            format!("({text})")
        } else {
            text
        })
    }

    fn terms(&self, formula: &Polynomial, depth: usize) -> Result<Vec<Term>, Reason> {
        let depth = depth.checked_sub(1).ok_or(Reason::Shape)?;
        let mut terms = Vec::new();
        for (factors, number) in formula.terms() {
            if let [only] = factors
                && let Some(iteration) = self.strip_iteration(*only)
            {
                let (name, first) = iteration?;
                for (is_negative, name) in [(number < 0, name), (number > 0, first)] {
                    let text = times(&name, number.unsigned_abs());
                    terms.push((factors.is_empty(), Term { is_negative, text }));
                }
                continue;
            }
            let texts: Result<Vec<String>, Reason> =
                factors.iter().map(|atom| self.atom(*atom, depth)).collect();
            let text = texts?.join(" * ");
            let size = match factors {
                [atom] => self.size(*atom, number),
                _ => None,
            };
            let text = match size {
                _ if factors.is_empty() => number.unsigned_abs().to_string(),
                Some(size) => format!("{text} * {size}"),
                None => times(&text, number.unsigned_abs()),
            };
            let is_negative = number < 0;
            terms.push((factors.is_empty(), Term { is_negative, text }));
        }
        terms.sort_by_key(|(is_number, term)| (term.is_negative, *is_number));
        Ok(terms.into_iter().map(|(_, term)| term).collect())
    }

    /// The source's name of the work-group's size, if a group id is multiplied by that.
    fn size(&self, atom: AtomId, number: i64) -> Option<&str> {
        let Atom::Id(Id::Group, dimension) = self.formulas.all.atoms.get(atom) else {
            return None;
        };
        let at = usize::from(*dimension);
        let is_size = number > 1 && self.formulas.local.get(at) == Some(&number);
        self.sizes.get(at)?.as_deref().filter(|_| is_size)
    }

    /// A strip's iteration as the loop's variable and the name of the strip's first iteration; none for another atom.
    fn strip_iteration(&self, atom: AtomId) -> Option<Result<(String, String), Reason>> {
        let Atom::Loop(own) = self.formulas.all.atoms.get(atom) else {
            return None;
        };
        let (original, first) = self.strips.iter().find_map(|(scope, name)| match scope {
            Scope::Strip(strip) if strip.inner == *own => Some((strip.original, name)),
            _ => None,
        })?;
        let variable = self.loop_variable(original);
        Some(variable.map(|(name, _)| (name, first.clone())))
    }

    fn atom(&self, atom: AtomId, depth: usize) -> Result<String, Reason> {
        let all = &self.formulas.all;
        match all.atoms.get(atom) {
            Atom::Id(id, dimension) => {
                let function = match id {
                    Id::Global => "get_global_id",
                    Id::Local => "get_local_id",
                    Id::Group => "get_group_id",
                    Id::GlobalSize => "get_global_size",
                    Id::LocalSize => "get_local_size",
                    Id::Groups => "get_num_groups",
                    Id::Dimensions => return Ok("get_work_dim()".to_owned()),
                };
                Ok(format!("{function}({dimension})"))
            }
            Atom::Scalar(parameter, at, ..) => self.number(*parameter, *at),
            Atom::Loop(own) => {
                let strip = self.strips.iter().find_map(|(scope, name)| match scope {
                    Scope::Strip(strip) if strip.outer == *own => Some(name.clone()),
                    _ => None,
                });
                match strip {
                    Some(name) => Ok(name),
                    None => self.loop_variable(*own).map(|(name, _)| name),
                }
            }
            Atom::Operation(operation @ (Operation::Minimum | Operation::Maximum), operands) => {
                let operands: Result<Vec<String>, Reason> =
                    operands.iter().map(|it| self.signed(it)).collect();
                let name = match operation {
                    Operation::Minimum => "min",
                    _ => "max",
                };
                Ok(format!("{name}({})", operands?.join(", ")))
            }
            // C cuts it the same way.
            Atom::Operation(Operation::Wrap(4, signed), operands) => {
                let value = operands.first().ok_or(Reason::Shape)?;
                let name = if *signed { "int" } else { "uint" };
                Ok(format!("({name})({})", joined(&self.terms(value, depth)?)))
            }
            Atom::Operation(operation, operands) => self.operation(*operation, operands, depth),
            Atom::Select(condition, yes, no) => Ok(format!(
                "({} ? {} : {})",
                self.condition(condition, depth)?,
                self.signed(yes)?,
                self.signed(no)?
            )),
            _ => Err(Reason::Shape),
        }
    }

    /// A condition on whole numbers with a sign, as text.
    pub(crate) fn condition(&self, condition: &Condition, depth: usize) -> Result<String, Reason> {
        let depth = depth.checked_sub(1).ok_or(Reason::Shape)?;
        let all = |conditions: &[Condition], by: &str| -> Result<String, Reason> {
            let each: Result<Vec<String>, Reason> = conditions
                .iter()
                .map(|it| self.condition(it, depth))
                .collect();
            Ok(format!("({})", each?.join(by)))
        };
        Ok(match condition {
            Condition::AtLeastZero(formula) => format!("{} >= 0", self.signed(formula)?),
            Condition::Zero(formula) => format!("{} == 0", self.signed(formula)?),
            Condition::NotZero(formula) => format!("{} != 0", self.signed(formula)?),
            Condition::All(each) => all(each, " && ")?,
            Condition::Any(each) => all(each, " || ")?,
            Condition::Opaque(_) => return Err(Reason::Shape),
        })
    }

    fn operation(
        &self,
        operation: Operation,
        operands: &[Polynomial],
        depth: usize,
    ) -> Result<String, Reason> {
        let sign = match operation {
            Operation::Divide => "/",
            Operation::Remainder => "%",
            Operation::And => "&",
            Operation::ShiftRight => ">>",
            _ => return Err(Reason::Shape),
        };
        let [one, other] = operands else {
            return Err(Reason::Shape);
        };
        // Below 0 the types decide what comes out.
        let is_whole = |formula: &Polynomial| {
            let launches = self.subject.launches;
            launches.iter().all(|at| {
                let bounds = self.formulas.bounds(formula, Some(&at.geometry));
                bounds.is_some_and(|(least, _)| least >= 0)
            })
        };
        refuse_if(!is_whole(one) || !is_whole(other), Reason::Shape)?;
        let side = |formula: &Polynomial| -> Result<String, Reason> {
            let terms = self.terms(formula, depth)?;
            let is_simple = terms.len() == 1 && !terms[0].text.contains(' ');
            let text = joined(&terms);
            Ok(if is_simple { text } else { format!("({text})") })
        };
        Ok(format!("({} {sign} {})", side(one)?, side(other)?))
    }

    /// The text of an atom by itself: the source's name of a number that launches have in common.
    pub(crate) fn name(&self, atom: AtomId) -> Result<String, Reason> {
        self.atom(atom, MOST_TEXT_DEPTH)
    }

    pub(crate) fn scalar(&self, parameter: usize) -> Result<String, Reason> {
        self.number(parameter, 0)
    }

    /// A buffer's length as text, computed with 64 bits.
    pub(crate) fn length(&self, length: &LengthFormula) -> Result<String, Reason> {
        let mut factors = Vec::new();
        for argument in &length.arguments {
            let name = self.number(argument.parameter, argument.offset)?;
            factors.push(match argument.plus {
                0 => name,
                plus @ 1.. => format!("({name} + {plus})"),
                plus => format!("({name} - {})", -plus),
            });
        }
        if length.factor != 1 {
            factors.push(length.factor.to_string());
        }
        let plus = match length.plus {
            0 => String::new(),
            plus => format!(" + {plus}"),
        };
        Ok(format!("(size_t){}{plus}", factors.join(" * ")))
    }

    /// The author's name of the type of an array's elements.
    ///
    /// # Errors
    /// The array's declaration has another form, or a macro of it may be more than a type.
    pub(crate) fn element(&self, array: usize) -> Result<String, Reason> {
        let (subject, argument) = (self.subject, &self.formulas.all.arrays[array]);
        let range = subject.tokens(&argument.span)?;
        let (declared, _) = subject.text(&range).split_once('*').ok_or(Reason::Text)?;
        let words = declared.split_whitespace();
        let words: Vec<&str> = words.filter(|word| !QUALIFIERS.contains(word)).collect();
        refuse_if(words.is_empty(), Reason::Text)?;
        // A macro may be more than a type, and what the source does not say, nobody knows.
        let is_type = |word: &&str| {
            let bodies = subject.definitions(word);
            bodies.iter().all(|body| {
                let mut words = body.split_whitespace();
                !body.contains(['*', '(']) && words.all(|word| !QUALIFIERS.contains(&word))
            })
        };
        match &argument.element {
            _ if words.iter().all(is_type) => Ok(words.join(" ")),
            Type::Scalar(_) | Type::Vector(..) => Ok(argument.element.to_string()),
            _ => Err(Reason::InMacro),
        }
    }

    /// The text of an argument, or of what lies `at` bytes into a structure that is one.
    fn number(&self, parameter: usize, at: u64) -> Result<String, Reason> {
        let function = self.subject.function().ok_or(Reason::Name)?;
        let id = *function.parameters.get(parameter).ok_or(Reason::Name)?;
        let variable = &self.subject.unit.variables[id];
        let is_macro = !self.subject.definitions(&variable.name).is_empty();
        refuse_if(!self.subject.is_fixed(id) || is_macro, Reason::Name)?;
        let part = self.subject.part_of(parameter, at);
        part.map(|(text, _)| text).ok_or(Reason::Name)
    }

    /// The text and the variable of a loop, if the name means this variable anywhere in the loop.
    pub(crate) fn loop_variable(&self, loop_index: usize) -> Result<(String, VariableId), Reason> {
        let around = &self.formulas.all.loops[loop_index];
        let stmt = self.subject.loop_at(&around.span).ok_or(Reason::Name)?;
        let for_loop = ForLoop::from_stmt(self.subject.unit, stmt).ok_or(Reason::LoopForm)?;
        let (id, body) = (for_loop.variable, for_loop.body);
        let variable = &self.subject.unit.variables[id];
        let is_it = around.name.as_deref() == Some(&*variable.name);
        let is_macro = !self.subject.definitions(&variable.name).is_empty();
        let has_namesake = self.subject.has_namesake(id, &stmt.span);
        let is_changed = self.subject.is_changed(body, id);
        refuse_if(
            !is_it || has_namesake || is_changed || is_macro,
            Reason::Name,
        )?;
        Ok((variable.name.to_string(), id))
    }
}

fn times(text: &str, number: u64) -> String {
    match number {
        1 => text.to_owned(),
        number => format!("{text} * {number}"),
    }
}

fn joined(terms: &[Term]) -> String {
    signed_sum(terms.iter().map(|it| (it.is_negative, &*it.text)))
}
