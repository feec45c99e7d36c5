//! Barriers, and other functions that all work-items of a group must reach together, under conditions that work-items
//! may see differently (OpenCL C 3.0, 6.15.8: "must be encountered by all work-items in the work-group").
//!
//! What varies is found by a fixed point over the whole program: ids of work-items and results of atomics vary, and
//! what is computed from them, loaded through them, or assigned where they decide. Memory that a group shares holds
//! what is the same for all who read it at one address. Order of assignments is not looked at, early returns neither:
//! a warning means that the condition names something that varies, silence proves nothing. The compiler's own
//! uniformity analysis is exact and runs on IR, where names are gone.

use crate::builtins;
use crate::front::diag::Diagnostics;
use crate::front::hir::{
    self, Expr, ExprKind, FuncId, PipeKind, Place, PlaceKind, Stmt, StmtKind, VarId,
};
use crate::front::source::Loc;
use crate::front::walk::{Part, Parts};
use crate::front::warn::Warning;
use crate::ir::{AddrSpace, Team};

/// What makes a value vary.
#[derive(Clone, Copy)]
struct Cause {
    /// The function that a varying value comes from first: `get_local_id`.
    source: &'static str,
    /// The variable that stands in the condition, and its function.
    var: Option<(FuncId, VarId)>,
}

/// A condition that varies.
#[derive(Clone, Copy)]
struct Control {
    cause: Cause,
    loc: Loc,
}

/// Rounds of the fixed point; what needs more is not found.
const MAX_ROUNDS: usize = 8;

/// `calls` are (caller, callee, where).
pub(super) fn check(
    program: &hir::Program,
    calls: &[(FuncId, FuncId, Loc)],
    diags: &mut Diagnostics,
) {
    let collective = collective_functions(program, calls);
    let guards = |f: &hir::Function| {
        f.body
            .iter()
            .flatten()
            .any(|s| has_guarded(program, s, &collective))
    };
    if !program.functions.iter().any(guards) {
        return;
    }
    let mut walk = Walk {
        program,
        collective,
        vars: program
            .functions
            .iter()
            .map(|f| vec![None; f.vars.len()])
            .collect(),
        returns: vec![None; program.functions.len()],
        changed: true,
        func: FuncId(0),
        control: None,
        jumps: None,
        found: Vec::new(),
        reports: false,
    };
    for _ in 0..MAX_ROUNDS {
        if !std::mem::replace(&mut walk.changed, false) {
            break;
        }
        walk.functions();
    }
    walk.reports = true;
    walk.functions();
    let found = std::mem::take(&mut walk.found);
    for (loc, name, control) in found {
        report(program, diags, loc, &name, control);
    }
}

fn report(
    program: &hir::Program,
    diags: &mut Diagnostics,
    loc: Loc,
    name: &str,
    Control { cause, loc: at }: Control,
) {
    let source = cause.source;
    let var = cause
        .var
        .map(|(f, v)| &program.functions[f.0 as usize].vars[v.0 as usize]);
    let what = match var {
        Some(var) => format!("'{}', which varies between work-items", var.name),
        None => format!("'{source}', which varies between work-items"),
    };
    let text = format!(
        "'{name}' must be reached by all work-items of a group or by none, but whether it is depends on {what}"
    );
    diags.warn(Warning::DivergentBarrier, loc, text);
    diags.note(at, "this condition decides");
    if let Some(var) = var {
        let text = format!("'{}' has its value from '{source}'", var.name);
        diags.note(var.loc, text);
    }
}

/// For each function, whether it reaches a barrier or the like.
fn collective_functions(program: &hir::Program, calls: &[(FuncId, FuncId, Loc)]) -> Vec<bool> {
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); program.functions.len()];
    for (caller, callee, _) in calls {
        callers[callee.0 as usize].push(caller.0 as usize);
    }
    let mut known = vec![false; program.functions.len()];
    let mut work = Vec::new();
    let mut is_collective =
        |part: Part| matches!(part, Part::Expr(e) if collective_name(program, e, &[]).is_some());
    for (i, func) in program.functions.iter().enumerate() {
        if func
            .body
            .iter()
            .flatten()
            .any(|s| Part::Stmt(s).any(&mut is_collective))
        {
            work.push(i);
        }
    }
    while let Some(func) = work.pop() {
        if !std::mem::replace(&mut known[func], true) {
            work.append(&mut callers[func]);
        }
    }
    known
}

/// The name of the function that an expression calls, if all work-items must call it.
fn collective_name(program: &hir::Program, expr: &Expr, known: &[bool]) -> Option<String> {
    match expr.kind {
        ExprKind::Builtin { id, .. } => {
            let name = builtins::get(id).name.as_str();
            let is_collective = name == "barrier"
                || name.starts_with("work_group_")
                || name.starts_with("async_work_group_")
                || name == "wait_group_events";
            is_collective.then(|| name.to_string())
        }
        ExprKind::Pipe { op, .. } if op.team() == Some(Team::Group) => Some(op.name().to_string()),
        ExprKind::Call { func, .. } if known.get(func.0 as usize) == Some(&true) => {
            Some(program.functions[func.0 as usize].name.clone())
        }
        _ => None,
    }
}

/// Whether there is a collective inside a statement that decides something.
fn has_guarded(program: &hir::Program, stmt: &Stmt, known: &[bool]) -> bool {
    let mut is_collective =
        |part: Part| matches!(part, Part::Expr(e) if collective_name(program, e, known).is_some());
    match &stmt.kind {
        StmtKind::Block(stmts) => stmts.iter().any(|s| has_guarded(program, s, known)),
        StmtKind::Expr(_) | StmtKind::Decl { .. } | StmtKind::Return(_) => {
            let mut decides = |part: Part| {
                matches!(part, Part::Expr(e)
                    if matches!(e.kind, ExprKind::Cond { .. } | ExprKind::LogAnd(..) | ExprKind::LogOr(..) | ExprKind::StmtExpr { .. }))
            };
            Part::Stmt(stmt).any(&mut decides) && Part::Stmt(stmt).any(&mut is_collective)
        }
        _ => Part::Stmt(stmt).any(&mut is_collective),
    }
}

struct Walk<'a> {
    program: &'a hir::Program,
    collective: Vec<bool>,
    /// For each function, why a variable varies.
    vars: Vec<Vec<Option<&'static str>>>,
    /// Why a function's result varies.
    returns: Vec<Option<&'static str>>,
    changed: bool,
    func: FuncId,
    control: Option<Control>,
    /// Why some work-items have left the innermost loop, or go to its next iteration.
    jumps: Option<Control>,
    found: Vec<(Loc, String, Control)>,
    /// The last round: what is wrong is noted down.
    reports: bool,
}

impl<'a> Walk<'a> {
    fn functions(&mut self) {
        let program = self.program;
        for (i, func) in program.functions.iter().enumerate() {
            self.func = FuncId(i as u32);
            self.control = None;
            self.jumps = None;
            let one_item = func
                .kernel
                .as_ref()
                .is_some_and(|k| k.reqd_work_group_size == Some([1; 3]));
            if !one_item {
                self.list(func.body.as_deref().unwrap_or_default());
            }
        }
    }

    /// Statements one after the other; behind a jump that some work-items take, fewer go on.
    fn list(&mut self, stmts: &'a [Stmt]) {
        let outer = self.control;
        for stmt in stmts {
            self.stmt(stmt);
            self.control = self.control.or(self.jumps);
        }
        self.control = outer;
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        match &stmt.kind {
            StmtKind::Block(stmts) => self.list(stmts),
            StmtKind::Decl { var, init } => {
                let cause = init.as_ref().and_then(|init| self.parts(init.parts()));
                self.assign(*var, cause);
            }
            StmtKind::If { cond, then, els } => {
                let cause = self.expr(cond);
                self.under(cause, cond.loc, |walk| {
                    walk.stmt(then);
                    if let Some(els) = els {
                        walk.stmt(els);
                    }
                });
            }
            StmtKind::Switch { value, body, .. } => {
                let cause = self.expr(value);
                let jumps = self.jumps.take();
                self.under(cause, value.loc, |walk| walk.stmt(body));
                self.jumps = jumps;
            }
            StmtKind::While { cond, body, .. } | StmtKind::Do { body, cond, .. } => {
                self.looped(Some(cond), None, body);
            }
            StmtKind::For {
                cond, step, body, ..
            } => self.looped(cond.as_ref(), step.as_ref(), body),
            StmtKind::Break | StmtKind::Continue => self.jumps = self.jumps.or(self.control),
            StmtKind::Return(Some(value)) => {
                let cause = self.expr(value).or(self.control.map(|c| c.cause));
                let known = &mut self.returns[self.func.0 as usize];
                if let Some(cause) = cause
                    && known.is_none()
                {
                    *known = Some(cause.source);
                    self.changed = true;
                }
            }
            StmtKind::Expr(expr) => {
                self.expr(expr);
            }
            StmtKind::Label(_) | StmtKind::Goto(_) | StmtKind::Return(None) => {}
        }
    }

    /// A loop runs as often as its condition says, and jumps out of it.
    fn looped(&mut self, cond: Option<&'a Expr>, step: Option<&'a Expr>, body: &'a Stmt) {
        let outer_jumps = self.jumps.take();
        let cause = cond.and_then(|cond| self.expr(cond));
        self.under(cause, cond.map_or(body.loc, |c| c.loc), |walk| {
            walk.stmt(body);
            if let Some(step) = step {
                walk.expr(step);
            }
        });
        self.jumps = outer_jumps;
    }

    fn under(&mut self, cause: Option<Cause>, loc: Loc, walk: impl FnOnce(&mut Self)) {
        let outer = self.control;
        self.control = cause.map(|cause| Control { cause, loc }).or(outer);
        walk(self);
        self.control = outer;
    }

    fn parts(&mut self, parts: Parts<'a>) -> Option<Cause> {
        let mut cause = None;
        for part in parts {
            let found = match part {
                Part::Expr(expr) => self.expr(expr),
                Part::Place(place) => self.place(place),
                Part::Init(init) => self.parts(init.parts()),
                Part::Stmt(stmt) => {
                    self.stmt(stmt);
                    None
                }
            };
            cause = cause.or(found);
        }
        cause
    }

    /// Why the value that stands at a place varies.
    fn place(&mut self, place: &'a Place) -> Option<Cause> {
        let address = self.parts(place.parts());
        let var = match place.kind {
            PlaceKind::Var(var) | PlaceKind::Literal { var, .. } => var,
            _ => return address,
        };
        let source = self.vars[self.func.0 as usize][var.0 as usize];
        address.or(source.map(|source| Cause {
            source,
            var: Some((self.func, var)),
        }))
    }

    fn expr(&mut self, expr: &'a Expr) -> Option<Cause> {
        match &expr.kind {
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                let first = self.expr(a);
                let mut second = None;
                self.under(first, a.loc, |walk| second = walk.expr(b));
                first.or(second)
            }
            ExprKind::Cond { cond, then, els } => {
                let cause = self.expr(cond);
                let mut arms = None;
                self.under(cause, cond.loc, |walk| {
                    let then = walk.expr(then);
                    arms = then.or(walk.expr(els));
                });
                cause.or(arms)
            }
            ExprKind::Assign { place, .. } | ExprKind::CompoundAssign { place, .. } => {
                let cause = self.parts(expr.parts());
                if let Some(var) = assigned(place) {
                    self.assign(var, cause);
                }
                cause
            }
            ExprKind::Call { func, args } => {
                self.reach(expr);
                for (i, arg) in args.iter().enumerate() {
                    let cause = self.expr(arg);
                    let callee = &self.program.functions[func.0 as usize];
                    if let (Some(cause), Some(&param)) = (cause, callee.params.get(i)) {
                        self.taint(*func, param, cause.source);
                    }
                }
                self.returns[func.0 as usize].map(|source| Cause { source, var: None })
            }
            ExprKind::Builtin { id, .. } => {
                self.reach(expr);
                let name = builtins::get(*id).name.as_str();
                let args = self.parts(expr.parts());
                match name {
                    "get_global_id"
                    | "get_local_id"
                    | "get_global_linear_id"
                    | "get_local_linear_id"
                    | "get_sub_group_id"
                    | "get_sub_group_local_id" => Some(Cause {
                        source: name,
                        var: None,
                    }),
                    _ if name.starts_with("work_group_") => None,
                    _ if name.starts_with("atomic_") || name.starts_with("atom_") => {
                        // What others write is read at the same time by all.
                        let is_load = name.starts_with("atomic_load");
                        if is_load {
                            args
                        } else {
                            Some(Cause {
                                source: name,
                                var: None,
                            })
                        }
                    }
                    _ => args,
                }
            }
            ExprKind::Pipe { op, .. } => {
                self.reach(expr);
                let args = self.parts(expr.parts());
                match op.kind {
                    PipeKind::Reserve(Some(Team::Group)) => None,
                    PipeKind::Reserve(_) | PipeKind::Packet => Some(Cause {
                        source: op.name(),
                        var: None,
                    }),
                    _ => args,
                }
            }
            _ => self.parts(expr.parts()),
        }
    }

    fn assign(&mut self, var: VarId, cause: Option<Cause>) {
        let func = &self.program.functions[self.func.0 as usize];
        let is_private = func.vars[var.0 as usize].ty.space == AddrSpace::Private;
        if let Some(cause) = cause.or(self.control.map(|c| c.cause))
            && is_private
        {
            self.taint(self.func, var, cause.source);
        }
    }

    fn taint(&mut self, func: FuncId, var: VarId, source: &'static str) {
        let known = &mut self.vars[func.0 as usize][var.0 as usize];
        if known.is_none() {
            *known = Some(source);
            self.changed = true;
        }
    }

    /// A call that all work-items must make.
    fn reach(&mut self, call: &Expr) {
        if let Some(control) = self.control
            && self.reports
            && let Some(name) = collective_name(self.program, call, &self.collective)
        {
            self.found.push((call.loc, name, control));
        }
    }
}

/// The private variable that an assignment to the place changes: also an element of an array.
fn assigned(place: &Place) -> Option<VarId> {
    if let Some(var) = place.root() {
        return Some(var);
    }
    let mut place = place;
    loop {
        match &place.kind {
            PlaceKind::Field { base, .. } | PlaceKind::Swizzle { base, .. } => place = base,
            PlaceKind::Deref(pointer) => {
                let mut pointer = pointer;
                while let ExprKind::PtrAdd { ptr, .. } = &pointer.kind {
                    pointer = ptr;
                }
                let ExprKind::AddrOf(object) = &pointer.kind else {
                    return None;
                };
                if let Some(var) = object.root() {
                    return Some(var);
                }
                place = object;
            }
            _ => return None,
        }
    }
}
