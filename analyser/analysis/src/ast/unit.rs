//! From clang's nodes to a [`Unit`]: what is declared at file scope.

use std::{collections::HashMap, sync::Arc};

use super::{
    Sources, Unit, Variable, VariableId,
    node::Node,
    types::{Field, Names, Record, Type, arrays_of},
};

/// What has been read so far.
pub(super) struct Reader<'s> {
    pub(super) sources: &'s Sources,
    pub(super) names: Names,
    pub(super) unit: Unit,
    /// By clang's numbers.
    pub(super) variables: HashMap<String, VariableId>,
    pub(super) constants: HashMap<String, i64>,
    pub(super) offsets: HashMap<String, u64>,
    records: HashMap<String, Type>,
}

pub(super) fn read(root: &Node, sources: &Sources) -> Unit {
    let mut reader = Reader {
        sources,
        names: Names::default(),
        unit: Unit::default(),
        variables: HashMap::new(),
        constants: HashMap::new(),
        offsets: HashMap::new(),
        records: HashMap::new(),
    };
    for declared in &root.inner {
        match declared.kind.as_str() {
            "FunctionDecl" => reader.function(declared),
            "VarDecl" => {
                reader.variable(declared);
            }
            _ => reader.declares_type(declared),
        }
    }
    reader.unit
}

impl Reader<'_> {
    /// A variable or a parameter.
    pub(super) fn variable(&mut self, declared: &Node) -> VariableId {
        let (space, of) = self.names.read(declared.type_text());
        let id = self.unit.variables.len();
        self.variables.insert(declared.text("id").to_owned(), id);
        self.unit.variables.push(Variable {
            name: declared.text("name").into(),
            of,
            space,
            is_volatile: ["qualType", "desugaredQualType"]
                .iter()
                .any(|key| declared.within("type", key).contains("volatile")),
            initial: None,
            span: declared.span.clone(),
        });
        let initial = declared.inner.iter().find(|it| !it.kind.ends_with("Attr"));
        if let Some(initial) = initial.filter(|_| declared.value("init").is_some()) {
            let initial = self.expr(initial, 0);
            self.unit.variables[id].initial = Some(initial);
        }
        id
    }

    /// `struct`, `typedef`, `enum`; anything else declares none.
    pub(super) fn declares_type(&mut self, declared: &Node) {
        match declared.kind.as_str() {
            "RecordDecl" => self.record(declared),
            "TypedefDecl" => self.alias(declared),
            "EnumDecl" => self.enumeration(declared),
            _ => {}
        }
    }

    fn record(&mut self, declared: &Node) {
        let is_packed = declared.inner.iter().any(|it| it.kind == "PackedAttr");
        let is_union = declared.text("tagUsed") == "union";
        let (mut fields, mut end, mut alignment) = (Vec::new(), 0_u64, 1_u64);
        let mut last = None;
        for inner in &declared.inner {
            self.declares_type(inner);
            if inner.kind == "RecordDecl" {
                last = self.records.get(inner.text("id")).cloned();
            }
            if inner.kind == "AlignedAttr" {
                alignment = alignment.max(aligned(inner).unwrap_or(1));
            }
            if inner.kind != "FieldDecl" {
                continue;
            }
            let text = inner.type_text();
            let nameless = last.clone().and_then(|record| of_nameless(text, record));
            let of = nameless.unwrap_or_else(|| self.names.read(text).1);
            let own = if is_packed { 1 } else { of.alignment() };
            let offset = if is_union { 0 } else { next_multiple(end, own) };
            let bytes = of.bytes().unwrap_or_default();
            end = end.max(offset.saturating_add(bytes));
            alignment = alignment.max(own);
            // Where a field of bits lies is the compiler's to say.
            if !inner.is("isBitfield") {
                self.offsets.insert(inner.text("id").to_owned(), offset);
            }
            fields.push(Field {
                name: inner.text("name").to_owned(),
                of,
                offset,
            });
        }
        if !declared.is("completeDefinition") {
            return;
        }
        let name = declared.text("name").to_owned();
        let depth = fields
            .iter()
            .map(|field| depth(&field.of))
            .max()
            .unwrap_or_default();
        if depth >= DEEPEST {
            return;
        }
        let of = Type::Record(Arc::new(Record {
            name: name.clone(),
            has_array: fields.iter().any(|field| field.of.has_array()),
            depth: depth + 1,
            fields,
            bytes: next_multiple(end, alignment),
            alignment,
        }));
        let id = declared.text("id").to_owned();
        self.records.insert(id, of.clone());
        if !name.is_empty() {
            self.names.types.insert(name, (Default::default(), of));
        }
    }

    fn alias(&mut self, declared: &Node) {
        let name = declared.text("name").to_owned();
        let (space, mut of) = self.names.read(declared.type_text());
        if let (Type::Other(_), Some(Type::Record(record))) = (&of, self.own_record(declared, 4)) {
            let mut record = Record::clone(&record);
            record.name.clone_from(&name);
            of = Type::Record(Arc::new(record));
        }
        self.names.types.insert(name, (space, of));
    }

    /// The structure without a name of its own that a `typedef` names.
    fn own_record(&self, node: &Node, left: usize) -> Option<Type> {
        let left = left.checked_sub(1)?;
        let own = ["ownedTagDecl", "decl"];
        let found = own
            .iter()
            .find_map(|key| self.records.get(node.within(key, "id")));
        let inner = || node.inner.iter().find_map(|it| self.own_record(it, left));
        found.cloned().or_else(inner)
    }

    fn enumeration(&mut self, declared: &Node) {
        let mut next = 0;
        for constant in &declared.inner {
            if constant.kind != "EnumConstantDecl" {
                continue;
            }
            let said = constant.inner.first().map(|it| it.text("value"));
            let value = said.and_then(|it| it.parse().ok()).unwrap_or(next);
            self.constants.insert(constant.text("id").to_owned(), value);
            next = value.wrapping_add(1);
        }
    }
}

/// Structures in each other.
const DEEPEST: u8 = 6;

fn depth(of: &Type) -> u8 {
    match of.lengths().0 {
        Type::Record(record) => record.depth,
        _ => 0,
    }
}

/// What a field is whose structure or union stands before it, without a name: `box::(unnamed at box.cl:1:18)[4]`.
fn of_nameless(text: &str, record: Type) -> Option<Type> {
    let begins = ["(anonymous", "(unnamed"].into_iter();
    let at = begins.filter_map(|it| text.find(it)).min()?;
    let (_, behind) = text[at..].split_once(')')?;
    arrays_of(behind, record)
}

fn aligned(attribute: &Node) -> Option<u64> {
    attribute.inner.first()?.text("value").parse().ok()
}

fn next_multiple(value: u64, of: u64) -> u64 {
    value.checked_next_multiple_of(of).unwrap_or(value)
}
