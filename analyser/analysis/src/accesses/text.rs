//! Formulas as text for people.

use std::cmp::Reverse;

use super::{
    Accesses, Calculation, Real,
    atom::{Atom, Condition, Id, Operation},
    class::operation_word,
    polynomial::{AtomId, Polynomial},
};

/// The deepest nesting of formulas in formulas that is written out.
const MOST_TEXT_DEPTH: usize = 6;

/// A term of a sum as text. They are sorted by their fields: plain numbers last, the most factors first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Term {
    is_number: bool,
    factors: Reverse<usize>,
    text: String,
    is_negative: bool,
}

impl Accesses {
    /// A formula, as `gid1*n + k`: ids are `gid`, `lid` and `group` with their dimension, sizes `gsize`, `lsize` and
    /// `groups`.
    pub(crate) fn text(&self, formula: &Polynomial) -> String {
        self.sum(formula, MOST_TEXT_DEPTH)
    }

    fn sum(&self, sum: &Polynomial, depth: usize) -> String {
        let mut terms: Vec<Term> = sum
            .terms()
            .map(|(factors, number)| Term {
                is_number: factors.is_empty(),
                factors: Reverse(factors.len()),
                text: self.term(factors, number.unsigned_abs(), depth),
                is_negative: number < 0,
            })
            .collect();
        terms.sort();
        // A sum does not begin with a minus where it need not.
        let positive = terms.iter().position(|it| !it.is_negative && !it.is_number);
        if let Some(first) = positive
            && terms[0].is_negative
        {
            let first = terms.remove(first);
            terms.insert(0, first);
        }
        signed_sum(terms.iter().map(|it| (it.is_negative, &*it.text)))
    }

    fn term(&self, factors: &[AtomId], number: u64, depth: usize) -> String {
        let mut words: Vec<(bool, String)> = factors
            .iter()
            .map(|atom| {
                let is_size = matches!(
                    self.atoms.get(*atom),
                    Atom::Scalar(..) | Atom::Id(Id::GlobalSize | Id::LocalSize | Id::Groups, _)
                );
                (is_size, self.atom(self.atoms.get(*atom), depth))
            })
            .collect();
        words.sort();
        let mut words: Vec<String> = words.into_iter().map(|(_, word)| word).collect();
        if number != 1 || words.is_empty() {
            words.insert(0, number.to_string());
        }
        words.join("*")
    }

    fn atom(&self, atom: &Atom, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return "…".to_owned();
        };
        match atom {
            Atom::Id(id, dimension) => format!("{}{dimension}", id_name(*id)),
            Atom::Scalar(parameter, at, ..) => self.argument(*parameter, *at),
            Atom::Cut(real @ Real::Step(step, _), ..) if step.rounds() => self.real(real, depth),
            Atom::Cut(real, ..) => format!("int({})", self.real(real, depth)),
            Atom::Loop(number) => {
                let name = self.loops[*number].name.as_deref();
                name.unwrap_or("pass").to_owned()
            }
            Atom::Operation(operation, operands) => self.operation(*operation, operands, depth),
            Atom::Select(condition, yes, no) => {
                let (yes, no) = (self.sum(yes, depth), self.sum(no, depth));
                format!("({} ? {yes} : {no})", self.condition(condition, depth))
            }
            Atom::Loaded(access, _) => {
                let access = &self.accesses[*access];
                let name = access.array.map_or("?", |array| &self.arrays[array].name);
                if access.fields.iter().all(String::is_empty) {
                    return format!("{name}[{}]", self.sum(&access.index, depth));
                }
                let both = access.fields.iter().zip(&access.subscripts);
                let each = both.map(|(field, it)| format!("{field}[{}]", self.sum(it, depth)));
                format!("{name}{}", each.collect::<String>())
            }
            Atom::Carried(carried) => self.atoms.carried[*carried].name.clone(),
            Atom::Computed(_) => "?".to_owned(),
        }
    }

    /// The text of a parameter, or of the part of it that lies `at` bytes into it.
    fn argument(&self, parameter: usize, at: u64) -> String {
        let name = &self.parameters[parameter];
        match at {
            0 => name.clone(),
            at => format!("{name}@{at}"),
        }
    }

    fn operation(&self, operation: Operation, operands: &[Polynomial], depth: usize) -> String {
        let operands: Vec<String> = operands.iter().map(|it| self.sum(it, depth)).collect();
        match (operation, operands.as_slice()) {
            (Operation::Minimum | Operation::Maximum, operands) => {
                format!("{}({})", operation_word(operation), operands.join(", "))
            }
            (Operation::Wrap(bytes, signed), [value]) => {
                let name = if signed { "int" } else { "uint" };
                format!("{name}{}({value})", 8 * u32::from(bytes))
            }
            (_, operands) => {
                let operands: Vec<String> = operands.iter().map(|it| in_parentheses(it)).collect();
                let between = format!(" {} ", operation_word(operation));
                format!("({})", operands.join(&between))
            }
        }
    }

    fn real(&self, real: &Real, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return "…".to_owned();
        };
        match real {
            Real::Number(bits) => f64::from_bits(*bits).to_string(),
            Real::Argument(parameter, at, _) => self.argument(*parameter, *at),
            Real::Whole(atom) => self.atom(atom, depth),
            Real::Step(step, operands) => {
                let operands: Vec<String> =
                    operands.iter().map(|it| self.real(it, depth)).collect();
                match step {
                    Calculation::Add => format!("({})", operands.join(" + ")),
                    Calculation::Subtract => format!("({})", operands.join(" - ")),
                    Calculation::Multiply => operands.join("*"),
                    Calculation::Divide => format!("({})", operands.join(" / ")),
                    Calculation::Narrow => operands.concat(),
                    rounding => format!("{rounding:?}({})", operands.concat()).to_lowercase(),
                }
            }
        }
    }

    fn condition(&self, condition: &Condition, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return "…".to_owned();
        };
        let joined = |all: &[Condition], between: &str| {
            let each: Vec<String> = all.iter().map(|it| self.condition(it, depth)).collect();
            match each.as_slice() {
                [one] => one.clone(),
                _ => format!("({})", each.join(between)),
            }
        };
        match condition {
            Condition::AtLeastZero(it) => self.sides(it, ">=", depth),
            Condition::Zero(it) => self.sides(it, "==", depth),
            Condition::NotZero(it) => self.sides(it, "!=", depth),
            Condition::All(each) if each.is_empty() => "always".to_owned(),
            Condition::Any(each) if each.is_empty() => "never".to_owned(),
            Condition::All(each) => joined(each, " && "),
            Condition::Any(each) => joined(each, " || "),
            Condition::Opaque(_) => "?".to_owned(),
        }
    }

    /// The text of a comparison of a sum with 0, as two sides: `n - gid0 - 1 >= 0` is `n > gid0`. What is subtracted
    /// goes to the right.
    fn sides(&self, sum: &Polynomial, sign: &str, depth: usize) -> String {
        let side = |negative: bool| {
            let terms = sum
                .terms()
                .filter(|(factors, number)| !factors.is_empty() && (*number < 0) == negative);
            let terms =
                terms.map(|(factors, number)| Some((factors.to_vec(), number.checked_abs()?)));
            Polynomial::from_terms(terms.collect::<Option<Vec<_>>>()?)
        };
        let (Some(more), Some(less)) = (side(false), side(true)) else {
            return format!("{} {sign} 0", self.sum(sum, depth));
        };
        let number = sum.constant_term();
        let (sign, number) = match (sign, number) {
            (">=", -1) => (">", 0),
            other => other,
        };
        let number = Polynomial::constant(number);
        let (more, less) = match number.constant_term() {
            0 => (Some(more), Some(less)),
            positive if positive > 0 => (more.plus(&number), Some(less)),
            _ => (Some(more), number.scaled(-1).and_then(|it| less.plus(&it))),
        };
        let text = |side: Option<Polynomial>| {
            side.map_or_else(|| "…".to_owned(), |it| self.sum(&it, depth))
        };
        format!("{} {sign} {}", text(more), text(less))
    }
}

/// A sum of terms, each without its sign, and whether that is a minus.
pub(crate) fn signed_sum<'t>(terms: impl Iterator<Item = (bool, &'t str)>) -> String {
    let mut text = String::new();
    for (is_negative, term) in terms {
        text += match (text.is_empty(), is_negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        text += term;
    }
    if text.is_empty() {
        "0".to_owned()
    } else {
        text
    }
}

fn in_parentheses(formula: &str) -> String {
    if formula.contains(' ') && !formula.starts_with('(') {
        format!("({formula})")
    } else {
        formula.to_owned()
    }
}

fn id_name(id: Id) -> &'static str {
    match id {
        Id::Global => "gid",
        Id::Local => "lid",
        Id::Group => "group",
        Id::GlobalSize => "gsize",
        Id::LocalSize => "lsize",
        Id::Groups => "groups",
        Id::Dimensions => "dimensions",
    }
}
