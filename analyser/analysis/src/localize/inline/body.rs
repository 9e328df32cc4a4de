//! A function's body, as statements that may stand elsewhere.

use std::collections::BTreeSet;

use super::{argument, code, times};
use crate::{
    ast::{Binary, Expr, ExprKind, Function, Space, Stmt, StmtKind, Type, VariableId},
    localize::{
        Edit, Reason, Rewrite, Subject, apply_edits, exprs, is_name, kernel::returns, places_of,
        refuse_if, stmts,
    },
};

/// A function's body with names that nothing else has.
pub(super) struct Body {
    /// Declarations before the body: of its value, and of arguments.
    declared: Vec<String>,
    /// The text between its braces.
    text: String,
    /// The name of the variable that holds its value; none for `void`.
    pub(super) result: Option<String>,
}

impl Body {
    /// The body of a call with these arguments.
    ///
    /// # Errors
    /// The body has a form that would not do the same elsewhere.
    pub(super) fn new(
        subject: Subject<'_>,
        function: &Function,
        given: &[Expr],
        rewrite: &mut Rewrite,
    ) -> Result<Self, Reason> {
        let mut declared = Vec::new();
        let result = match value_type(subject, function)?.as_str() {
            "void" => None,
            ty => {
                let name = rewrite.name(subject, &format!("{}_value", function.name));
                declared.push(format!("{ty} {name};"));
                Some(name)
            }
        };
        let mut text = Text::new(subject, function)?;
        for (id, given) in function.parameters.iter().zip(given) {
            let name = text.parameter(*id, given, rewrite, &mut declared)?;
            text.rename(*id, &name)?;
        }
        for id in text.own_variables() {
            let name = rewrite.name(subject, &subject.unit.variables[id].name);
            text.declaration(id, &name)?;
            text.rename(id, &name)?;
        }
        text.check_renamed_all()?;
        let StmtKind::Block(stmts) = &function.body.kind else {
            return Err(Reason::Text);
        };
        let always = text.returns(stmts, text.end, result.as_deref())?;
        refuse_if(result.is_some() && !always, Reason::Text)?;
        Ok(Self {
            declared,
            text: text.edited()?,
            result,
        })
    }

    /// The body's lines, behind white space that stands there already.
    pub(super) fn lines(&self, indent: &str) -> String {
        let lines = self.text.lines().filter(|line| !line.trim().is_empty());
        let depth = |line: &str| line.len() - line.trim_start().len();
        let common = lines.clone().map(depth).min().unwrap_or(0);
        let own = lines.map(|line| format!("    {}", &line[common..]));
        let mut all = self.declared.clone();
        all.push("{".to_owned());
        all.extend(own);
        all.push("}".to_owned());
        all.join(&format!("\n{indent}"))
    }
}

/// The type of a function's value, in the author's words.
fn value_type(subject: Subject<'_>, function: &Function) -> Result<String, Reason> {
    let range = subject.range(&function.span)?;
    let (head, _) = subject.text(&range).split_once('(').ok_or(Reason::Text)?;
    let ty = head.trim().strip_suffix(&*function.name);
    let words = ty.ok_or(Reason::Text)?.split_whitespace();
    let meant = [
        "static",
        "inline",
        "__inline",
        "__inline__",
        "const",
        "extern",
    ];
    let words: Vec<&str> = words.filter(|word| !meant.contains(word)).collect();
    // An attribute, or a pointer.
    if words.is_empty() || !words.iter().all(|it| is_name(it)) {
        return Err(Reason::Text);
    }
    Ok(words.join(" "))
}

/// The text between a function's braces, and its changes.
struct Text<'a> {
    subject: Subject<'a>,
    function: &'a Function,
    begin: usize,
    end: usize,
    edits: Vec<Edit>,
}

impl<'a> Text<'a> {
    fn new(subject: Subject<'a>, function: &'a Function) -> Result<Self, Reason> {
        let range = subject.range(&function.body.span)?;
        refuse_if(subject.has_directive(&range), Reason::Directive)?;
        Ok(Self {
            subject,
            function,
            begin: range.start + 1,
            end: range.end - 1,
            edits: Vec::new(),
        })
    }

    /// The body's name of a parameter: the caller's argument, or a name that is declared.
    fn parameter(
        &self,
        id: VariableId,
        given: &Expr,
        rewrite: &mut Rewrite,
        declared: &mut Vec<String>,
    ) -> Result<String, Reason> {
        let (subject, parameter) = (self.subject, &self.subject.unit.variables[id]);
        let is_fixed = !subject.is_changed(&self.function.body, id);
        let text = argument(subject, given, parameter);
        refuse_if(matches!(text, Err(Reason::Volatile)), Reason::Volatile)?;
        // Where the function gets the address of a variable, the caller's name would be what it has become.
        let is_private = |id: &VariableId| {
            matches!(
                subject.unit.variables[*id].ty,
                Type::Pointer(Space::Private, _)
            )
        };
        let keeps = is_fixed && !self.function.parameters.iter().any(is_private);
        if let (true, ExprKind::Load(inner), Ok(text)) = (keeps, &given.kind, text)
            && matches!(inner.kind, ExprKind::Variable(_))
            && is_name(&text)
        {
            return Ok(text);
        }
        let range = subject.range(&parameter.span)?;
        let text = subject.text(&range);
        let before = text.strip_suffix(&*parameter.name).ok_or(Reason::Text)?;
        let name = rewrite.name(subject, &parameter.name);
        let value = subject.text(&subject.range(&given.span)?);
        let value = match (&given.kind, &parameter.ty) {
            // What an expression of several is given as is one.
            (_, Type::Record(_)) | (ExprKind::Load(_), _) => value.to_owned(),
            _ => format!("({value})"),
        };
        declared.push(format!("{before}{name} = {value};"));
        Ok(name)
    }

    /// Variables that the body declares.
    fn own_variables(&self) -> Vec<VariableId> {
        let all = stmts(self.subject.unit, &self.function.body).into_iter();
        let variables = all.filter_map(|stmt| match &stmt.kind {
            StmtKind::Declare(variables) => Some(variables),
            _ => None,
        });
        variables.flatten().copied().collect()
    }

    /// Renames a variable where it is declared.
    fn declaration(&mut self, id: VariableId, name: &str) -> Result<(), Reason> {
        let variable = &self.subject.unit.variables[id];
        let range = self.subject.range(&variable.span)?;
        let end = match &variable.initial {
            Some(initial) => self.subject.range(&initial.span)?.start,
            None => range.end,
        };
        let text = self.subject.text(&(range.start..end));
        let at = places_of(text, &variable.name).last();
        let at = range.start + at.ok_or(Reason::Text)?;
        self.edit(Edit::replace(at..at + variable.name.len(), name))
    }

    /// Renames a variable wherever it is used.
    fn rename(&mut self, id: VariableId, name: &str) -> Result<(), Reason> {
        let subject = self.subject;
        let all = exprs(subject.unit, &self.function.body).into_iter();
        for expr in all.filter(|it| matches!(it.kind, ExprKind::Variable(own) if own == id)) {
            let range = subject.range(&expr.span)?;
            // Brackets around a name are of its span.
            let own = &*subject.unit.variables[id].name;
            let at = subject.text(&range).find(own).ok_or(Reason::Text)? + range.start;
            self.edit(Edit::replace(at..at + own.len(), name))?;
        }
        Ok(())
    }

    /// Checks that all names were renamed.
    ///
    /// # Errors
    /// The body has a name where the tree has none, as in `sizeof`.
    fn check_renamed_all(&self) -> Result<(), Reason> {
        let body = code(self.subject.text(&(self.begin..self.end)));
        let parameters = self.function.parameters.iter().copied();
        let own = parameters.chain(self.own_variables());
        let names = own.map(|id| &*self.subject.unit.variables[id].name);
        let names: BTreeSet<&str> = names.collect();
        let uses: usize = names.iter().map(|it| times(&body, it)).sum();
        refuse_if(uses != self.edits.len(), Reason::Name)
    }

    fn edit(&mut self, edit: Edit) -> Result<(), Reason> {
        if edit.range.start < self.begin || self.end < edit.range.end {
            return Err(Reason::InMacro);
        }
        if !self.edits.contains(&edit) {
            self.edits.push(edit);
        }
        Ok(())
    }

    /// Rewrites statements to keep what they would return, with what stands behind a `return` in its `else`. They end
    /// before the byte `end`. Returns whether they always return.
    fn returns(
        &mut self,
        stmts: &[Stmt],
        end: usize,
        result: Option<&str>,
    ) -> Result<bool, Reason> {
        for (place, stmt) in stmts.iter().enumerate() {
            let is_last = place + 1 == stmts.len();
            match self.returns_one(stmt, result)? {
                Returns::Never => {}
                Returns::Always if is_last => return Ok(true),
                Returns::Always => return Err(Reason::Text),
                Returns::Then if is_last => return Ok(false),
                Returns::Then => {
                    let behind = self.subject.end(stmt)?;
                    self.edits.push(Edit::insert(behind, " else {"));
                    let always = self.returns(&stmts[place + 1..], end, result)?;
                    self.edits.push(Edit::insert(end, "}\n"));
                    return Ok(always);
                }
            }
        }
        Ok(false)
    }

    fn returns_one(&mut self, stmt: &Stmt, result: Option<&str>) -> Result<Returns, Reason> {
        if !returns(self.subject, stmt) {
            return Ok(Returns::Never);
        }
        match &stmt.kind {
            StmtKind::Return(value) => {
                let begin = self.subject.tokens(&stmt.span)?.start;
                let word = begin..begin + "return".len();
                if self.subject.source.get(word.clone()) != Some("return") {
                    return Err(Reason::InMacro);
                }
                let is_list = |it: &Expr| matches!(it.kind, ExprKind::Binary(Binary::Comma, ..));
                refuse_if(value.as_ref().is_some_and(is_list), Reason::Text)?;
                let instead = match (value, result) {
                    (Some(_), Some(result)) => format!("{result} ="),
                    (None, None) => String::new(),
                    _ => return Err(Reason::Text),
                };
                self.edit(Edit::replace(word, instead))?;
                Ok(Returns::Always)
            }
            StmtKind::Block(stmts) => {
                let end = self.subject.range(&stmt.span)?.end - 1;
                if self.returns(stmts, end, result)? {
                    Ok(Returns::Always)
                } else {
                    // Only some ways through it return.
                    Err(Reason::Text)
                }
            }
            StmtKind::If {
                then, otherwise, ..
            } => {
                let then = self.returns_one(then, result)?;
                let otherwise = otherwise.as_deref();
                let otherwise = otherwise.map(|it| self.returns_one(it, result));
                match (then, otherwise.transpose()?) {
                    (Returns::Always, None) => Ok(Returns::Then),
                    (Returns::Always, Some(Returns::Always)) => Ok(Returns::Always),
                    _ => Err(Reason::Text),
                }
            }
            _ => Err(Reason::Text),
        }
    }

    fn edited(self) -> Result<String, Reason> {
        let edits = self.edits.into_iter().map(|edit| Edit {
            range: edit.range.start - self.begin..edit.range.end - self.begin,
            text: edit.text,
        });
        let edits: Vec<Edit> = edits.collect();
        let text = self.subject.text(&(self.begin..self.end));
        apply_edits(text, &edits).ok_or(Reason::Text)
    }
}

/// The cases in which a statement returns.
enum Returns {
    Never,
    Always,
    /// It returns where its condition holds.
    Then,
}
