//! Makes a failing kernel small: statements are cut out, blocks take the place of what is around them, operands that of
//! their expressions, and the launch shrinks, as long as it still fails (delta debugging on the tree).

use super::tree::{Block, Expr, Launch, Program, Stmt};

/// Candidates that are tried at most.
const BUDGET: usize = 1500;

struct Reducer<'f> {
    best: Program,
    left: usize,
    fails: &'f mut dyn FnMut(&Program) -> bool,
}

/// The smallest program found for which `fails` holds; it holds for `program`.
pub fn run(program: Program, fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut reducer = Reducer {
        best: program,
        left: BUDGET,
        fails,
    };
    loop {
        let before = reducer.best.text();
        reducer.statements();
        reducer.launch();
        reducer.unwrap_blocks();
        reducer.functions();
        reducer.expressions();
        if reducer.left == 0 || reducer.best.text() == before {
            return reducer.best;
        }
    }
}

impl Reducer<'_> {
    /// Whether the edited program still fails; then it is the best one.
    fn try_edit(&mut self, edit: impl FnOnce(&mut Program) -> bool) -> bool {
        if self.left == 0 {
            return false;
        }
        let mut candidate = self.best.clone();
        if !edit(&mut candidate) {
            return false;
        }
        self.left -= 1;
        let fails = (self.fails)(&candidate);
        if fails {
            self.best = candidate;
        }
        fails
    }

    fn statements(&mut self) {
        let mut n = 0;
        while let Some(len) = with_block(&mut self.best, n, |block| block.len()) {
            let mut size = len;
            while size > 0 {
                let mut start = 0;
                while let Some(len) = with_block(&mut self.best, n, |block| block.len())
                    && start < len
                {
                    let end = (start + size).min(len);
                    let cut = |p: &mut Program| {
                        with_block(p, n, |block| block.drain(start..end).count()).is_some()
                    };
                    if !self.try_edit(cut) {
                        start += size;
                    }
                }
                size /= 2;
            }
            n += 1;
        }
    }

    /// A statement gives way to one of its blocks.
    fn unwrap_blocks(&mut self) {
        let mut n = 0;
        while let Some(len) = with_block(&mut self.best, n, |block| block.len()) {
            for at in (0..len).rev() {
                for inner in 0..2 {
                    self.try_edit(|p| {
                        with_block(p, n, |block| {
                            let Some(stmt) = block.get(at) else {
                                return false;
                            };
                            let Some(body) = stmt.blocks.get(inner).cloned() else {
                                return false;
                            };
                            block.splice(at..at + 1, body);
                            true
                        }) == Some(true)
                    });
                }
            }
            n += 1;
        }
    }

    fn expressions(&mut self) {
        let mut n = 0;
        while let Some(expr) = with_expr(&mut self.best, n, |expr| expr.clone()) {
            let zero = Expr::zero(expr.ty);
            let mut others = Vec::new();
            if expr.text != zero.text && !expr.text.starts_with('!') {
                others.push(zero);
                let kids = expr.kids.iter().filter(|kid| kid.ty == expr.ty);
                others.extend(kids.cloned());
            }
            for other in others {
                if self.try_edit(|p| with_expr(p, n, |expr| *expr = other).is_some()) {
                    break;
                }
            }
            n += 1;
        }
    }

    fn functions(&mut self) {
        for n in (0..self.best.funcs.len().saturating_sub(1)).rev() {
            self.try_edit(|p| {
                p.funcs.remove(n);
                true
            });
        }
    }

    fn launch(&mut self) {
        let now = self.best.launch.clone();
        let plain = Launch {
            offset: vec![0; now.local.len()],
            ..now.clone()
        };
        self.try_launch(plain);
        for size in [1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33] {
            let now = self.best.launch.clone();
            let items: usize = now.local.iter().product();
            for groups in [1, 2] {
                if size < items || size == items && now.local.len() > 1 {
                    self.try_launch(Launch {
                        global: vec![size * groups],
                        local: vec![size],
                        offset: vec![now.offset[0]],
                        ..now.clone()
                    });
                }
            }
        }
        let now = self.best.launch.clone();
        self.try_launch(Launch {
            global: now.local.clone(),
            ..now
        });
        let now = self.best.launch.clone();
        self.try_launch(Launch {
            n: 0,
            f: "0.0".to_string(),
            ..now
        });
        self.try_edit(|p| {
            let options = p.options.replace(" -cl-opt-disable", "");
            let shorter = options != p.options;
            p.options = options;
            shorter
        });
    }

    fn try_launch(&mut self, launch: Launch) {
        if launch != self.best.launch {
            self.try_edit(|p| {
                p.launch = launch;
                p.attribute = "__kernel".to_string();
                true
            });
        }
    }
}

/// Calls `f` on the `n`th block; `None` if there are fewer.
fn with_block<T>(program: &mut Program, n: usize, f: impl FnOnce(&mut Block) -> T) -> Option<T> {
    fn find<'b>(block: &'b mut Block, n: &mut usize) -> Option<&'b mut Block> {
        if *n == 0 {
            return Some(block);
        }
        *n -= 1;
        block
            .iter_mut()
            .flat_map(|stmt| &mut stmt.blocks)
            .find_map(|inner| find(inner, n))
    }
    let mut left = n;
    let last = program.funcs.len() - 1;
    for (k, func) in program.funcs.iter_mut().enumerate() {
        if let Some(block) = find(&mut func.body, &mut left) {
            return Some(f(block));
        }
        // What a function returns is never cut; what the kernel stores can be.
        if k == last
            && let Some(block) = find(&mut func.last, &mut left)
        {
            return Some(f(block));
        }
    }
    None
}

/// Calls `f` on the `n`th expression; `None` if there are fewer.
fn with_expr<T>(program: &mut Program, n: usize, f: impl FnOnce(&mut Expr) -> T) -> Option<T> {
    fn of_expr<'e>(expr: &'e mut Expr, n: &mut usize) -> Option<&'e mut Expr> {
        if *n == 0 {
            return Some(expr);
        }
        *n -= 1;
        expr.kids.iter_mut().find_map(|kid| of_expr(kid, n))
    }
    fn of_stmt<'e>(stmt: &'e mut Stmt, n: &mut usize) -> Option<&'e mut Expr> {
        let exprs = stmt.exprs.iter_mut().find_map(|e| of_expr(e, n));
        if exprs.is_some() {
            return exprs;
        }
        let stmts = stmt.blocks.iter_mut().flatten();
        stmts.into_iter().find_map(|s| of_stmt(s, n))
    }
    let mut left = n;
    let funcs = program.funcs.iter_mut();
    let mut stmts = funcs.flat_map(|func| func.body.iter_mut().chain(&mut func.last));
    stmts.find_map(|stmt| of_stmt(stmt, &mut left)).map(f)
}
