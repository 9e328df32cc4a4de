//! Formulas for people.

use super::{
    Accesses, Calculation, Real,
    atom::{Atom, Condition, Id, Operation},
    class::word,
    polynomial::{AtomId, Polynomial},
};

/// Formulas in formulas.
const DEEPEST: usize = 6;

impl Accesses {
    /// `gid1*n + k`: ids are `gid`, `lid` and `group` with their dimension, sizes `gsize`, `lsize` and `groups`.
    pub fn text(&self, of: &Polynomial) -> String {
        self.sum(of, DEEPEST)
    }

    fn sum(&self, of: &Polynomial, left: usize) -> String {
        let mut terms: Vec<(bool, usize, String, bool)> = of
            .terms()
            .map(|(factors, number)| {
                let text = self.term(factors, number.unsigned_abs(), left);
                (
                    factors.is_empty(),
                    usize::MAX - factors.len(),
                    text,
                    number < 0,
                )
            })
            .collect();
        terms.sort();
        // A sum does not begin with a minus where it need not.
        if let Some(first) = terms
            .iter()
            .position(|(is_number, .., negative)| !negative && !is_number)
            && terms[0].3
        {
            let first = terms.remove(first);
            terms.insert(0, first);
        }
        let mut text = String::new();
        for (.., term, negative) in &terms {
            text += match (text.is_empty(), negative) {
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

    fn term(&self, factors: &[AtomId], number: u64, left: usize) -> String {
        let mut words: Vec<(bool, String)> = factors
            .iter()
            .map(|atom| {
                let is_size = matches!(
                    self.atoms.get(*atom),
                    Atom::Scalar(..) | Atom::Id(Id::GlobalSize | Id::LocalSize | Id::Groups, _)
                );
                (is_size, self.atom(*atom, left))
            })
            .collect();
        words.sort();
        let mut words: Vec<String> = words.into_iter().map(|(_, word)| word).collect();
        if number != 1 || words.is_empty() {
            words.insert(0, number.to_string());
        }
        words.join("*")
    }

    /// An atom for people.
    fn atom(&self, atom: AtomId, left: usize) -> String {
        self.of_atom(self.atoms.get(atom), left)
    }

    fn of_atom(&self, atom: &Atom, left: usize) -> String {
        let Some(left) = left.checked_sub(1) else {
            return "…".to_owned();
        };
        match atom {
            Atom::Id(id, dimension) => {
                let name = match id {
                    Id::Global => "gid",
                    Id::Local => "lid",
                    Id::Group => "group",
                    Id::GlobalSize => "gsize",
                    Id::LocalSize => "lsize",
                    Id::Groups => "groups",
                    Id::Dimensions => "dimensions",
                };
                format!("{name}{dimension}")
            }
            Atom::Scalar(parameter, 0, ..) => self.parameters[*parameter].clone(),
            Atom::Scalar(parameter, at, ..) => format!("{}@{at}", self.parameters[*parameter]),
            Atom::Cut(real, ..) => match real {
                Real::Step(step, _) if step.rounds() => self.real(real, left),
                _ => format!("int({})", self.real(real, left)),
            },
            Atom::Loop(of) => match &self.loops[*of].name {
                Some(name) => name.clone(),
                None => "pass".to_owned(),
            },
            Atom::Operation(operation, of) => {
                let of: Vec<String> = of.iter().map(|it| self.sum(it, left)).collect();
                match (operation, of.as_slice()) {
                    (Operation::Minimum | Operation::Maximum, of) => {
                        format!("{}({})", word(*operation), of.join(", "))
                    }
                    (Operation::Wrap(bytes, signed), [of]) => {
                        let name = if *signed { "int" } else { "uint" };
                        format!("{name}{}({of})", 8 * u32::from(*bytes))
                    }
                    (_, of) => {
                        let of: Vec<String> = of.iter().map(|it| in_parentheses(it)).collect();
                        format!("({})", of.join(&format!(" {} ", word(*operation))))
                    }
                }
            }
            Atom::Select(condition, yes, no) => {
                let (yes, no) = (self.sum(yes, left), self.sum(no, left));
                format!("({} ? {yes} : {no})", self.condition(condition, left))
            }
            Atom::Loaded(access, _) => {
                let access = &self.accesses[*access];
                let name = access.array.map_or("?", |array| &self.arrays[array].name);
                if access.fields.iter().all(String::is_empty) {
                    return format!("{name}[{}]", self.sum(&access.index, left));
                }
                let both = access.fields.iter().zip(&access.subscripts);
                let each = both.map(|(field, it)| format!("{field}[{}]", self.sum(it, left)));
                format!("{name}{}", each.collect::<String>())
            }
            Atom::Carried(carried) => self.atoms.carried[*carried].name.clone(),
            Atom::Computed(_) => "?".to_owned(),
        }
    }

    fn real(&self, of: &Real, left: usize) -> String {
        let Some(left) = left.checked_sub(1) else {
            return "…".to_owned();
        };
        match of {
            Real::Number(bits) => f64::from_bits(*bits).to_string(),
            Real::Argument(parameter, 0, _) => self.parameters[*parameter].clone(),
            Real::Argument(parameter, at, _) => format!("{}@{at}", self.parameters[*parameter]),
            Real::Whole(atom) => self.of_atom(atom, left),
            Real::Step(step, of) => {
                let of: Vec<String> = of.iter().map(|it| self.real(it, left)).collect();
                match step {
                    Calculation::Add => format!("({})", of.join(" + ")),
                    Calculation::Subtract => format!("({})", of.join(" - ")),
                    Calculation::Multiply => of.join("*"),
                    Calculation::Divide => format!("({})", of.join(" / ")),
                    Calculation::Narrow => of.concat(),
                    rounding => format!("{rounding:?}({})", of.concat()).to_lowercase(),
                }
            }
        }
    }

    fn condition(&self, of: &Condition, left: usize) -> String {
        let Some(left) = left.checked_sub(1) else {
            return "…".to_owned();
        };
        let all = |of: &[Condition], between: &str| {
            let each: Vec<String> = of.iter().map(|it| self.condition(it, left)).collect();
            match each.as_slice() {
                [one] => one.clone(),
                _ => format!("({})", each.join(between)),
            }
        };
        match of {
            Condition::AtLeastZero(it) => self.sides(it, ">=", left),
            Condition::Zero(it) => self.sides(it, "==", left),
            Condition::NotZero(it) => self.sides(it, "!=", left),
            Condition::All(each) if each.is_empty() => "always".to_owned(),
            Condition::Any(each) if each.is_empty() => "never".to_owned(),
            Condition::All(each) => all(each, " && "),
            Condition::Any(each) => all(each, " || "),
            Condition::Opaque(_) => "?".to_owned(),
        }
    }

    /// `n - gid0 - 1 >= 0` as `n > gid0`: what is subtracted goes to the other side.
    fn sides(&self, of: &Polynomial, sign: &str, left: usize) -> String {
        let side = |negative: bool| {
            let terms = of
                .terms()
                .filter(|(factors, number)| !factors.is_empty() && (*number < 0) == negative);
            let terms =
                terms.map(|(factors, number)| Some((factors.to_vec(), number.checked_abs()?)));
            Polynomial::from_terms(terms.collect::<Option<Vec<_>>>()?)
        };
        let (Some(more), Some(less)) = (side(false), side(true)) else {
            return format!("{} {sign} 0", self.sum(of, left));
        };
        let number = of.constant_term();
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
        let side =
            |of: Option<Polynomial>| of.map_or_else(|| "…".to_owned(), |it| self.sum(&it, left));
        format!("{} {sign} {}", side(more), side(less))
    }
}

fn in_parentheses(formula: &str) -> String {
    match formula.contains(' ') && !formula.starts_with('(') {
        true => format!("({formula})"),
        false => formula.to_owned(),
    }
}
