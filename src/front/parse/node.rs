//! Making nodes of the tree, and keeping count of its depth.

use super::super::ast::*;
use super::super::source::Loc;
use super::Parser;

impl Parser<'_> {
    /// Adds an expression.
    pub(super) fn expr_node(&mut self, loc: Loc, kind: ExprKind) -> ExprId {
        let depth = 1 + self.children_depth(&kind);
        self.push_expr(loc, kind, depth)
    }

    /// Adds an expression that holds a type name; every expression made since `mark` may be inside it.
    pub(super) fn typed_node(&mut self, mark: usize, loc: Loc, kind: ExprKind) -> ExprId {
        let depth = 1 + self.depth_since(mark).max(self.children_depth(&kind));
        self.push_expr(loc, kind, depth)
    }

    fn push_expr(&mut self, loc: Loc, kind: ExprKind, depth: u32) -> ExprId {
        let (kind, depth) = if depth > MAX_DEPTH {
            self.fatal(
                loc,
                format!("expression nesting level exceeded maximum of {MAX_DEPTH}"),
            );
            (ExprKind::Error, 1)
        } else {
            (kind, depth)
        };
        self.ast.exprs.push(Expr { loc, kind });
        self.expr_depth.push(depth);
        ExprId(self.ast.exprs.len() as u32 - 1)
    }

    /// The place in the arena of expressions from which [`Parser::depth_since`] counts.
    pub(super) fn mark(&self) -> usize {
        self.expr_depth.len()
    }

    fn depth_since(&self, mark: usize) -> u32 {
        self.expr_depth[mark..].iter().copied().max().unwrap_or(0)
    }

    fn children_depth(&self, kind: &ExprKind) -> u32 {
        let expr = |id: &ExprId| self.expr_depth[id.0 as usize];
        let all = |ids: &[ExprId]| ids.iter().map(expr).max().unwrap_or(0);
        match kind {
            ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Char(_)
            | ExprKind::Bool(_)
            | ExprKind::Str(_)
            | ExprKind::Ident(_)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofType(_)
            | ExprKind::VecStepType(_)
            | ExprKind::CompoundLit { .. }
            | ExprKind::Error => 0,
            ExprKind::Paren(arg)
            | ExprKind::Member { base: arg, .. }
            | ExprKind::Unary { arg, .. }
            | ExprKind::Cast { arg, .. }
            | ExprKind::SizeofExpr(arg)
            | ExprKind::AlignofExpr(arg)
            | ExprKind::VecStepExpr(arg) => expr(arg),
            ExprKind::Call { callee, args } => expr(callee).max(all(args)),
            ExprKind::Index { base, index } => expr(base).max(expr(index)),
            ExprKind::Binary { args, .. } | ExprKind::Comma(args) => all(args),
            ExprKind::Assign { lhs, rhs, .. } => expr(lhs).max(expr(rhs)),
            ExprKind::Cond { cond, then, els } => {
                expr(cond).max(expr(els)).max(then.as_ref().map_or(0, expr))
            }
            ExprKind::VectorLit { args, .. } => all(args),
            ExprKind::Block(literal) => self.stmt_depth[literal.body.0 as usize],
            ExprKind::StmtExpr(body) => self.stmt_depth[body.0 as usize],
        }
    }

    pub(super) fn stmt_node(&mut self, loc: Loc, kind: StmtKind) -> StmtId {
        let depth = 1 + self.stmt_children_depth(&kind);
        self.push_stmt(loc, kind, depth)
    }

    /// A declaration as a statement; its expressions were made since `mark`.
    pub(super) fn decl_node(&mut self, mark: usize, declaration: Declaration) -> StmtId {
        let depth = 1 + self.depth_since(mark);
        self.push_stmt(declaration.loc, StmtKind::Decl(declaration), depth)
    }

    fn push_stmt(&mut self, loc: Loc, kind: StmtKind, depth: u32) -> StmtId {
        let (kind, depth) = if depth > MAX_DEPTH {
            self.fatal(
                loc,
                format!("statement nesting level exceeded maximum of {MAX_DEPTH}"),
            );
            (StmtKind::Error, 1)
        } else {
            (kind, depth)
        };
        self.ast.stmts.push(Stmt { loc, kind });
        self.stmt_depth.push(depth);
        StmtId(self.ast.stmts.len() as u32 - 1)
    }

    fn stmt_children_depth(&self, kind: &StmtKind) -> u32 {
        let expr = |id: ExprId| self.expr_depth[id.0 as usize];
        let stmt = |id: StmtId| self.stmt_depth[id.0 as usize];
        let opt = |id: Option<ExprId>| id.map_or(0, expr);
        match *kind {
            StmtKind::Compound { ref items, .. } => {
                items.iter().map(|&id| stmt(id)).max().unwrap_or(0)
            }
            StmtKind::Expr(value) | StmtKind::Return(value) => opt(value),
            StmtKind::If { cond, then, els } => expr(cond).max(stmt(then)).max(els.map_or(0, stmt)),
            StmtKind::Switch { cond, body }
            | StmtKind::While { cond, body, .. }
            | StmtKind::Do { body, cond, .. } => expr(cond).max(stmt(body)),
            StmtKind::Case { lo, hi, body } => expr(lo).max(opt(hi)).max(stmt(body)),
            StmtKind::Default { body } | StmtKind::Label { body, .. } => stmt(body),
            StmtKind::For {
                init,
                cond,
                step,
                body,
                ..
            } => opt(cond)
                .max(opt(step))
                .max(init.map_or(0, stmt))
                .max(stmt(body)),
            StmtKind::Decl(_)
            | StmtKind::Goto { .. }
            | StmtKind::Continue
            | StmtKind::Break
            | StmtKind::Pragma(_)
            | StmtKind::Error => 0,
        }
    }
}
