//! Functions with a body.

use super::{Function, StmtKind, node::Node, unit::Reader};

impl Reader<'_> {
    pub(super) fn function(&mut self, declared: &Node) {
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
}
