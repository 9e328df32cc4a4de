//! Reads expressions.

use super::{Binary, Expr, ExprKind, Unary, node::Node, types::Type, unit::Reader};

/// The deepest nesting of statements and expressions; code that people write has some dozens.
pub(super) const MOST_TREE_DEPTH: usize = 120;

/// Casts that change nothing.
const NO_CASTS: [&str; 5] = [
    "NoOp",
    "FunctionToPointerDecay",
    "BuiltinFnToFnPtr",
    "ToVoid",
    "AddressSpaceConversion",
];
/// Casts that convert a number.
const CONVERSIONS: [&str; 9] = [
    "IntegralCast",
    "IntegralToFloating",
    "FloatingToIntegral",
    "FloatingCast",
    "IntegralToBoolean",
    "FloatingToBoolean",
    "BooleanToSignedIntegral",
    "VectorSplat",
    "PointerToBoolean",
];

impl Reader<'_> {
    pub(super) fn expr(&mut self, node: &Node, depth: usize) -> Expr {
        let mut inmost = node;
        // A loop, not a recursion: the deepest chains are of these.
        while let ("ParenExpr" | "ConstantExpr" | "ImplicitCastExpr" | "CStyleCastExpr", [inner]) =
            (inmost.kind.as_str(), inmost.inner.as_slice())
        {
            let cast = inmost.text("castKind");
            if inmost.kind.ends_with("CastExpr") && !NO_CASTS.contains(&cast) {
                break;
            }
            inmost = inner;
        }
        Expr {
            kind: self.expr_kind(inmost, depth + 1),
            ty: self.names.read(inmost.type_text()).1,
            span: node.span.clone(),
        }
    }

    fn boxed_expr(&mut self, node: &Node, depth: usize) -> Box<Expr> {
        Box::new(self.expr(node, depth))
    }

    fn exprs(&mut self, nodes: &[Node], depth: usize) -> Vec<Expr> {
        let nodes = nodes.iter().filter(|it| it.kind != "ImplicitValueInitExpr");
        nodes.map(|node| self.expr(node, depth)).collect()
    }

    fn other(&mut self, reason: String, nodes: &[Node], depth: usize) -> ExprKind {
        ExprKind::Other(reason, self.exprs(nodes, depth))
    }

    fn expr_kind(&mut self, node: &Node, depth: usize) -> ExprKind {
        if depth > MOST_TREE_DEPTH {
            return ExprKind::Other("nested too deeply".to_owned(), Vec::new());
        }
        match (node.kind.as_str(), node.inner.as_slice()) {
            ("ImplicitCastExpr" | "CStyleCastExpr", [inner]) => self.cast(node, inner, depth),
            ("IntegerLiteral", _) => integer(node),
            ("CharacterLiteral", _) => {
                let value = node.value("value").and_then(serde_json::Value::as_i64);
                ExprKind::Integer(value.unwrap_or_default())
            }
            ("FloatingLiteral", _) => {
                ExprKind::Real(node.text("value").parse().unwrap_or(f64::NAN))
            }
            ("DeclRefExpr", _) => self.reference(node),
            ("UnaryOperator", [inner]) => self.unary(node, inner, depth),
            ("BinaryOperator" | "CompoundAssignOperator", [left, right]) => {
                self.binary(node, left, right, depth)
            }
            ("ConditionalOperator", [condition, yes, no]) => ExprKind::Conditional(
                self.boxed_expr(condition, depth),
                self.boxed_expr(yes, depth),
                self.boxed_expr(no, depth),
            ),
            ("CallExpr", [callee, arguments @ ..]) => {
                let arguments = self.exprs(arguments, depth);
                match callee_name(callee) {
                    Some(name) => ExprKind::Call(name.into(), arguments),
                    None => ExprKind::Other("a call of no function by name".to_owned(), arguments),
                }
            }
            ("ArraySubscriptExpr", [array, index]) => {
                let (array, index) = (self.boxed_expr(array, depth), self.boxed_expr(index, depth));
                match array.ty {
                    // `i[p]` is `p[i]`.
                    Type::Scalar(_) => ExprKind::Index(index, array),
                    _ => ExprKind::Index(array, index),
                }
            }
            ("MemberExpr", [inner]) => self.member(node, inner, depth),
            ("ExtVectorElementExpr", [inner]) => {
                let vector = match self.expr(inner, depth) {
                    // `p->x` of a pointer to a vector.
                    it if matches!(it.ty, Type::Pointer(..)) => pointee(it),
                    it => it,
                };
                let components = self.components(node, &vector.ty);
                ExprKind::Components(Box::new(vector), components)
            }
            ("CompoundLiteralExpr", [inner]) => self.expr_kind(inner, depth),
            ("InitListExpr", inner) => ExprKind::List(self.exprs(inner, depth)),
            ("AsTypeExpr", [inner]) => ExprKind::Reinterpret(Box::new(self.value(inner, depth))),
            ("ConvertVectorExpr", [inner]) => ExprKind::Convert(self.boxed_expr(inner, depth)),
            ("UnaryExprOrTypeTraitExpr", inner) => self.size_of(node, inner),
            ("ImplicitValueInitExpr", _) => ExprKind::Integer(0),
            (kind, inner) => self.other(format!("clang's {kind}"), inner, depth),
        }
    }

    fn member(&mut self, node: &Node, inner: &Node, depth: usize) -> ExprKind {
        let offset = self.offsets.get(node.text("referencedMemberDecl")).copied();
        let mut structure = self.expr(inner, depth);
        if node.is("isArrow") {
            structure = pointee(structure);
        }
        match offset {
            Some(offset) => ExprKind::Member(Box::new(structure), offset),
            None => ExprKind::Other("a field of bits".to_owned(), vec![structure]),
        }
    }

    /// `sizeof` and its like.
    fn size_of(&self, node: &Node, inner: &[Node]) -> ExprKind {
        let named_type = match (node.within("argType", "qualType"), inner) {
            ("", [inner]) => inner.type_text(),
            (type_text, _) => type_text,
        };
        let bytes = self.names.read(named_type).1.bytes();
        let bytes = bytes.and_then(|it| i64::try_from(it).ok());
        match (node.text("name"), bytes) {
            ("sizeof", Some(bytes)) => ExprKind::Integer(bytes),
            (name, _) => ExprKind::Other(format!("`{name}` of {named_type}"), Vec::new()),
        }
    }

    fn cast(&mut self, node: &Node, inner: &Node, depth: usize) -> ExprKind {
        match node.text("castKind") {
            "LValueToRValue" => self.value(inner, depth).kind,
            "ArrayToPointerDecay" => ExprKind::Decay(self.boxed_expr(inner, depth)),
            "BitCast" => ExprKind::Reinterpret(self.boxed_expr(inner, depth)),
            "NullToPointer" => ExprKind::Other("a null pointer".to_owned(), Vec::new()),
            kind if CONVERSIONS.contains(&kind) => ExprKind::Convert(self.boxed_expr(inner, depth)),
            kind => {
                let reason = format!("clang's cast {kind}");
                self.other(reason, std::slice::from_ref(inner), depth)
            }
        }
    }

    /// An expression's value; if it is a place, the value that lies there.
    fn value(&mut self, node: &Node, depth: usize) -> Expr {
        let expr = self.expr(node, depth);
        if node.text("valueCategory") != "lvalue" || matches!(expr.kind, ExprKind::List(_)) {
            return expr;
        }
        Expr {
            span: expr.span.clone(),
            ty: expr.ty.clone(),
            kind: ExprKind::Load(Box::new(expr)),
        }
    }

    fn reference(&self, node: &Node) -> ExprKind {
        let id = node.within("referencedDecl", "id");
        if let Some(variable) = self.variables.get(id) {
            return ExprKind::Variable(*variable);
        }
        if let Some(value) = self.constants.get(id) {
            return ExprKind::Integer(*value);
        }
        let name = node.within("referencedDecl", "name");
        ExprKind::Other(format!("`{name}` is no variable"), Vec::new())
    }

    fn unary(&mut self, node: &Node, inner: &Node, depth: usize) -> ExprKind {
        let operation = match node.text("opcode") {
            by @ ("++" | "--") => {
                return ExprKind::Increment {
                    by: if by == "++" { 1 } else { -1 },
                    is_postfix: node.is("isPostfix"),
                    target: self.boxed_expr(inner, depth),
                };
            }
            "+" | "__extension__" => return self.expr(inner, depth).kind,
            "-" => Unary::Minus,
            "~" => Unary::Complement,
            "!" => Unary::Not,
            "*" => Unary::Dereference,
            "&" => Unary::Address,
            other => {
                let reason = format!("the operator {other}");
                return self.other(reason, std::slice::from_ref(inner), depth);
            }
        };
        ExprKind::Unary(operation, self.boxed_expr(inner, depth))
    }

    fn binary(&mut self, node: &Node, left: &Node, right: &Node, depth: usize) -> ExprKind {
        let opcode = node.text("opcode");
        let (left, right) = (self.boxed_expr(left, depth), self.boxed_expr(right, depth));
        if opcode == "=" {
            return ExprKind::Assign(None, left, right);
        }
        if node.kind == "CompoundAssignOperator"
            && let Some(operation) = opcode.strip_suffix('=').and_then(operation)
        {
            return ExprKind::Assign(Some(operation), left, right);
        }
        match operation(opcode) {
            Some(operation) => ExprKind::Binary(operation, left, right),
            None => ExprKind::Other(format!("the operator {opcode}"), vec![*left, *right]),
        }
    }

    /// The components that `v.xy` names; only the source's text tells.
    fn components(&self, node: &Node, ty: &Type) -> Option<Vec<u8>> {
        let Type::Vector(_, lanes) = ty else {
            return None;
        };
        let last = match &node.span.spelled {
            Some(spelled) => &spelled.1,
            None => &node.span.end,
        };
        let begin = usize::try_from(last.offset).ok()?;
        let end = begin.checked_add(usize::try_from(last.length).ok()?)?;
        let name = self.sources.get(&*last.file)?.get(begin..end)?;
        components(name, *lanes)
    }
}

fn components(name: &str, lanes: u8) -> Option<Vec<u8>> {
    let all = lanes.next_power_of_two();
    let half = all / 2;
    let components: Option<Vec<u8>> = match name {
        "lo" => Some((0..half).collect()),
        "hi" => Some((half..all).collect()),
        "even" => Some((0..half).map(|it| 2 * it).collect()),
        "odd" => Some((0..half).map(|it| 2 * it + 1).collect()),
        _ => match name.strip_prefix(['s', 'S']) {
            Some(digits) => {
                let digit = |c: char| u8::try_from(c.to_digit(16)?).ok();
                digits.chars().map(digit).collect()
            }
            None => {
                let letter = |c: char| u8::try_from("xyzw".find(c)?).ok();
                name.chars().map(letter).collect()
            }
        },
    };
    components.filter(|it| !it.is_empty() && it.iter().all(|it| *it < all))
}

fn pointee(pointer: Expr) -> Expr {
    let ty = match &pointer.ty {
        Type::Pointer(_, pointee) => Type::clone(pointee),
        other => other.clone(),
    };
    Expr {
        ty,
        span: pointer.span.clone(),
        kind: ExprKind::Unary(Unary::Dereference, Box::new(pointer)),
    }
}

/// A whole number; a number of 64 bits without a sign keeps its bits.
fn integer(node: &Node) -> ExprKind {
    let text = node.text("value");
    let value = text.parse().ok();
    let unsigned = || text.parse::<u64>().ok().map(u64::cast_signed);
    match value.or_else(unsigned) {
        Some(value) => ExprKind::Integer(value),
        None => ExprKind::Other(format!("the number {text}"), Vec::new()),
    }
}

/// The name of the function that is called.
fn callee_name(callee: &Node) -> Option<&str> {
    let mut callee = callee;
    while let ("ImplicitCastExpr" | "ParenExpr", [inner]) =
        (callee.kind.as_str(), callee.inner.as_slice())
    {
        callee = inner;
    }
    let name = callee.within("referencedDecl", "name");
    (callee.kind == "DeclRefExpr" && !name.is_empty()).then_some(name)
}

fn operation(opcode: &str) -> Option<Binary> {
    Some(match opcode {
        "+" => Binary::Add,
        "-" => Binary::Subtract,
        "*" => Binary::Multiply,
        "/" => Binary::Divide,
        "%" => Binary::Remainder,
        "<<" => Binary::ShiftLeft,
        ">>" => Binary::ShiftRight,
        "&" => Binary::BitAnd,
        "|" => Binary::BitOr,
        "^" => Binary::BitXor,
        "&&" => Binary::And,
        "||" => Binary::Or,
        "<" => Binary::Less,
        "<=" => Binary::LessOrEqual,
        ">" => Binary::Greater,
        ">=" => Binary::GreaterOrEqual,
        "==" => Binary::Equal,
        "!=" => Binary::NotEqual,
        "," => Binary::Comma,
        _ => return None,
    })
}
