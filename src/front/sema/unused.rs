//! What is written for nothing: variables, parameters, labels and functions that nobody names, values that nobody reads;
//! and names that hide others.

use super::scope::Entity;
use super::{FuncState, Sema, ast, hir};
use crate::front::source::Loc;
use crate::front::symbol::Symbol;
use crate::front::warn::Warning;
use std::collections::HashSet;

impl Sema<'_> {
    pub(super) fn mark_used(&mut self, var: hir::VarId) {
        if let Some(func) = &mut self.func {
            func.used.insert(var);
        }
    }

    /// At the end of a body: its variables, of which the first `num_params` are parameters, and its labels.
    pub(super) fn check_unused(&mut self, func: &FuncState, num_params: usize) {
        for (i, var) in func.vars.iter().enumerate() {
            // Objects without a name are the compiler's.
            if func.used.contains(&hir::VarId(i as u32)) || var.name.starts_with('.') {
                continue;
            }
            let (warning, what) = match i < num_params {
                true => (Warning::UnusedParameter, "parameter"),
                false => (Warning::UnusedVariable, "variable"),
            };
            let text = format!("unused {what} '{}'", var.name);
            self.warn(warning, var.loc, text);
        }
        let labels = func.labels.iter().filter(|(_, l)| l.defined && !l.used);
        let mut labels: Vec<(Loc, Symbol)> = labels.map(|(&name, l)| (l.loc, name)).collect();
        labels.sort_by_key(|l| l.0);
        for (loc, name) in labels {
            let text = format!("unused label '{}'", self.name(name));
            self.warn(Warning::UnusedLabel, loc, text);
        }
    }

    pub(super) fn check_unused_functions(&mut self) {
        if !self.diags.wants(Warning::UnusedFunction) {
            return;
        }
        let called: HashSet<hir::FuncId> = self.calls.iter().map(|c| c.1).collect();
        for i in 0..self.signatures.len() {
            let signature = &self.signatures[i];
            let is_defined = self.program.functions[i].body.is_some();
            if signature.is_for_here && is_defined && !called.contains(&hir::FuncId(i as u32)) {
                let (loc, text) = (
                    signature.loc,
                    format!("unused function '{}'", self.name(signature.name)),
                );
                self.warn(Warning::UnusedFunction, loc, text);
            }
        }
    }

    /// An expression statement whose value goes nowhere and that does nothing else.
    pub(super) fn check_unused_value(&mut self, value: &hir::Expr, source: ast::ExprId) {
        use hir::ExprKind as E;
        let is_idle = matches!(
            value.kind,
            E::Int(_)
                | E::Float(_)
                | E::Load(_)
                | E::AddrOf(_)
                | E::Neg(_)
                | E::BitNot(_)
                | E::Not(_)
                | E::Binary { .. }
                | E::Compare { .. }
                | E::PtrAdd { .. }
                | E::PtrDiff { .. }
                | E::Splat(_)
                | E::VectorLit(_)
                | E::Swizzle { .. }
        );
        let is_name = matches!(
            self.ast.expr(source).kind,
            ast::ExprKind::Call { .. } | ast::ExprKind::Error
        );
        if is_idle && !is_name && !self.types.is_error(value.ty) && !self.types.is_void(value.ty) {
            self.warn(Warning::UnusedValue, value.loc, "expression result unused");
        }
    }

    /// A new variable that has an outer one's name.
    pub(super) fn check_shadow(&mut self, name: Symbol, loc: Loc) {
        if !self.diags.wants(Warning::Shadow) {
            return;
        }
        if let Some((Entity::Var(_) | Entity::Global(_), outer)) = self.scopes.lookup(name) {
            let outer = *outer;
            let text = format!("declaration of '{}' hides an outer one", self.name(name));
            self.warn(Warning::Shadow, loc, text);
            self.note(outer, "the outer one is declared here");
        }
    }
}
