//! Reads statements.

use super::{Stmt, StmtKind, VariableId, expr::MOST_TREE_DEPTH, node::Node, unit::Reader};

impl Reader<'_> {
    pub(super) fn stmt(&mut self, node: &Node, depth: usize) -> Stmt {
        Stmt {
            kind: self.stmt_kind(node, depth + 1),
            span: node.span.clone(),
        }
    }

    fn boxed_stmt(&mut self, node: &Node, depth: usize) -> Box<Stmt> {
        Box::new(self.stmt(node, depth))
    }

    /// The variables that are declared. Types are noted.
    fn declarations(&mut self, declared: &[Node]) -> Vec<VariableId> {
        let mut variables = Vec::new();
        for one in declared {
            match one.kind.as_str() {
                "VarDecl" => variables.push(self.variable(one)),
                _ => self.declare_type(one),
            }
        }
        variables
    }

    fn stmt_kind(&mut self, node: &Node, depth: usize) -> StmtKind {
        if depth > MOST_TREE_DEPTH {
            return StmtKind::Other("nested too deeply".to_owned(), Vec::new());
        }
        match (node.kind.as_str(), node.inner.as_slice()) {
            ("CompoundStmt", inner) => {
                StmtKind::Block(inner.iter().map(|it| self.stmt(it, depth)).collect())
            }
            ("NullStmt", _) => StmtKind::Block(Vec::new()),
            ("AttributedStmt", [.., last]) => self.stmt_kind(last, depth),
            ("DeclStmt", inner) => StmtKind::Declare(self.declarations(inner)),
            ("IfStmt", [condition, then, otherwise @ ..]) if otherwise.len() <= 1 => StmtKind::If {
                condition: self.expr(condition, depth),
                then: self.boxed_stmt(then, depth),
                otherwise: otherwise.first().map(|it| self.boxed_stmt(it, depth)),
            },
            ("ForStmt", [first, _, condition, step, body]) => StmtKind::Loop {
                first: (!first.is_absent()).then(|| self.boxed_stmt(first, depth)),
                condition: (!condition.is_absent()).then(|| self.expr(condition, depth)),
                step: (!step.is_absent()).then(|| self.expr(step, depth)),
                body: self.boxed_stmt(body, depth),
                body_first: false,
            },
            ("WhileStmt", [condition, body]) => StmtKind::Loop {
                first: None,
                condition: Some(self.expr(condition, depth)),
                step: None,
                body: self.boxed_stmt(body, depth),
                body_first: false,
            },
            ("DoStmt", [body, condition]) => StmtKind::Loop {
                first: None,
                body: self.boxed_stmt(body, depth),
                condition: Some(self.expr(condition, depth)),
                step: None,
                body_first: true,
            },
            ("SwitchStmt", [on, body]) => StmtKind::Switch {
                on: self.expr(on, depth),
                body: self.boxed_stmt(body, depth),
            },
            ("CaseStmt", [constant, behind]) => {
                let constant = self.expr(constant, depth);
                StmtKind::Case(Some(constant), self.boxed_stmt(behind, depth))
            }
            ("DefaultStmt", [behind]) => StmtKind::Case(None, self.boxed_stmt(behind, depth)),
            ("ReturnStmt", []) => StmtKind::Return(None),
            ("ReturnStmt", [value]) => StmtKind::Return(Some(self.expr(value, depth))),
            ("BreakStmt", _) => StmtKind::Break,
            ("ContinueStmt", _) => StmtKind::Continue,
            (kind, inner) if kind.ends_with("Stmt") => {
                let inner = inner.iter().map(|it| self.stmt(it, depth)).collect();
                StmtKind::Other(format!("clang's {kind}"), inner)
            }
            _ => StmtKind::Expr(self.expr(node, depth)),
        }
    }
}
