//! Reads a [`Unit`] from clang's nodes: functions, variables and types.

use std::{collections::HashMap, sync::Arc};

use super::{
    Function, Sources, StmtKind, Unit, Variable, VariableId,
    node::Node,
    types::{Field, Names, Record, Type, arrays_of},
};

/// The parts of a unit that have been read so far. Declarations are found by clang's ids.
pub(super) struct Reader<'s> {
    pub(super) sources: &'s Sources,
    pub(super) names: Names,
    pub(super) unit: Unit,
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
            _ => reader.declare_type(declared),
        }
    }
    reader.unit
}

impl Reader<'_> {
    fn function(&mut self, declared: &Node) {
        let body = declared.inner.iter().find(|it| it.kind == "CompoundStmt");
        let Some(body) = body else {
            return;
        };
        let parameters = declared.inner.iter().filter(|it| it.kind == "ParmVarDecl");
        let parameters = parameters.map(|it| self.variable(it)).collect();
        let body = self.stmt(body, 0);
        debug_assert!(matches!(body.kind, StmtKind::Block(_)));
        self.unit.functions.push(Function {
            name: declared.text("name").into(),
            is_kernel: declared
                .inner
                .iter()
                .any(|it| it.kind == "OpenCLKernelAttr"),
            parameters,
            body,
            span: declared.span.clone(),
        });
    }

    pub(super) fn variable(&mut self, declared: &Node) -> VariableId {
        let (space, ty) = self.names.read(declared.type_text());
        let id = self.unit.variables.len();
        self.variables.insert(declared.text("id").to_owned(), id);
        self.unit.variables.push(Variable {
            name: declared.text("name").into(),
            ty,
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

    /// Reads the type that a `struct`, `typedef` or `enum` declares. Other nodes declare none.
    pub(super) fn declare_type(&mut self, declared: &Node) {
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
            self.declare_type(inner);
            if inner.kind == "RecordDecl" {
                last = self.records.get(inner.text("id")).cloned();
            }
            if inner.kind == "AlignedAttr" {
                alignment = alignment.max(attribute_alignment(inner).unwrap_or(1));
            }
            if inner.kind != "FieldDecl" {
                continue;
            }
            let text = inner.type_text();
            let nameless = last.clone().and_then(|it| nameless_type(text, it));
            let ty = nameless.unwrap_or_else(|| self.names.read(text).1);
            let own = if is_packed { 1 } else { ty.alignment() };
            let offset = if is_union { 0 } else { next_multiple(end, own) };
            let bytes = ty.bytes().unwrap_or_default();
            end = end.max(offset.saturating_add(bytes));
            alignment = alignment.max(own);
            // Where a bit field lies is the compiler's choice.
            if !inner.is("isBitfield") {
                self.offsets.insert(inner.text("id").to_owned(), offset);
            }
            fields.push(Field {
                name: inner.text("name").to_owned(),
                ty,
                offset,
            });
        }
        if !declared.is("completeDefinition") {
            return;
        }
        let name = declared.text("name").to_owned();
        let depths = fields.iter().map(|field| depth(&field.ty));
        let depth = depths.max().unwrap_or_default();
        if depth >= MOST_STRUCT_DEPTH {
            return;
        }
        let ty = Type::Record(Arc::new(Record {
            name: name.clone(),
            has_array: fields.iter().any(|field| field.ty.has_array()),
            depth: depth + 1,
            fields,
            bytes: next_multiple(end, alignment),
            alignment,
        }));
        let id = declared.text("id").to_owned();
        self.records.insert(id, ty.clone());
        if !name.is_empty() {
            self.names.types.insert(name, (Default::default(), ty));
        }
    }

    fn alias(&mut self, declared: &Node) {
        let name = declared.text("name").to_owned();
        let (space, mut ty) = self.names.read(declared.type_text());
        if let (Type::Other(_), Some(Type::Record(record))) = (&ty, self.own_record(declared, 4)) {
            let mut record = Record::clone(&record);
            record.name.clone_from(&name);
            ty = Type::Record(Arc::new(record));
        }
        self.names.types.insert(name, (space, ty));
    }

    /// The structure without a name of its own that a `typedef` names.
    fn own_record(&self, node: &Node, depth: usize) -> Option<Type> {
        let depth = depth.checked_sub(1)?;
        let own = ["ownedTagDecl", "decl"];
        let record = own
            .iter()
            .find_map(|key| self.records.get(node.within(key, "id")));
        let inner = || node.inner.iter().find_map(|it| self.own_record(it, depth));
        record.cloned().or_else(inner)
    }

    fn enumeration(&mut self, declared: &Node) {
        let mut next = 0;
        for constant in &declared.inner {
            if constant.kind != "EnumConstantDecl" {
                continue;
            }
            let text = constant.inner.first().map(|it| it.text("value"));
            let value = text.and_then(|it| it.parse().ok()).unwrap_or(next);
            self.constants.insert(constant.text("id").to_owned(), value);
            next = value.wrapping_add(1);
        }
    }
}

const MOST_STRUCT_DEPTH: u8 = 6;

fn depth(ty: &Type) -> u8 {
    match ty.lengths().0 {
        Type::Record(record) => record.depth,
        _ => 0,
    }
}

/// A field's type, if it is made of the nameless structure or union before it: `box::(unnamed at box.cl:1:18)[4]`.
fn nameless_type(text: &str, record: Type) -> Option<Type> {
    let begins = ["(anonymous", "(unnamed"].into_iter();
    let at = begins.filter_map(|it| text.find(it)).min()?;
    let (_, behind) = text[at..].split_once(')')?;
    arrays_of(behind, record)
}

fn attribute_alignment(attribute: &Node) -> Option<u64> {
    attribute.inner.first()?.text("value").parse().ok()
}

fn next_multiple(value: u64, factor: u64) -> u64 {
    value.checked_next_multiple_of(factor).unwrap_or(value)
}
