//! A generated kernel as a tree of templates: what the generator makes, the reducer shrinks and the compiler reads.
//!
//! An expression's template names its operands `$0`..`$9`; a statement's names its expressions so, and its blocks
//! `@0`..`@9`. Invariant: whatever keeps the kernel free of races and inside its memory stands in a template's own
//! text, so that any part may be cut out and the rest still means one thing.

use super::types::Ty;
use std::fmt::Write;

#[derive(Clone, Debug)]
pub struct Expr {
    pub ty: Ty,
    pub text: String,
    pub kids: Vec<Expr>,
}

impl Expr {
    pub fn leaf(ty: Ty, text: impl Into<String>) -> Self {
        Self::new(ty, text, Vec::new())
    }

    pub fn new(ty: Ty, text: impl Into<String>, kids: Vec<Expr>) -> Self {
        let text = text.into();
        let kids = only_used(&text, kids);
        Self { ty, text, kids }
    }

    pub fn zero(ty: Ty) -> Self {
        Self::leaf(ty, format!("(({})0)", ty.name()))
    }

    fn print(&self, out: &mut String) {
        fill(&self.text, out, |sign, n, out| {
            debug_assert_eq!(sign, '$');
            self.kids[n].print(out);
        });
    }
}

pub type Block = Vec<Stmt>;

#[derive(Clone, Debug)]
pub struct Stmt {
    pub text: String,
    pub exprs: Vec<Expr>,
    pub blocks: Vec<Block>,
}

impl Stmt {
    pub fn new(text: impl Into<String>, exprs: Vec<Expr>) -> Self {
        Self::with_blocks(text, exprs, Vec::new())
    }

    pub fn with_blocks(text: impl Into<String>, exprs: Vec<Expr>, blocks: Vec<Block>) -> Self {
        let text = text.into();
        let exprs = only_used(&text, exprs);
        Self {
            text,
            exprs,
            blocks,
        }
    }

    fn print(&self, indent: usize, out: &mut String) {
        for line in self.text.lines() {
            let _ = write!(out, "{:indent$}", "");
            fill(line, out, |sign, n, out| {
                if sign == '$' {
                    self.exprs[n].print(out);
                } else {
                    out.push_str("{\n");
                    print_block(&self.blocks[n], indent + 4, out);
                    let _ = write!(out, "{:indent$}}}", "");
                }
            });
            out.push('\n');
        }
    }
}

fn print_block(block: &[Stmt], indent: usize, out: &mut String) {
    block.iter().for_each(|stmt| stmt.print(indent, out));
}

/// Operands that a template does not name are not worth their making.
fn only_used(text: &str, exprs: Vec<Expr>) -> Vec<Expr> {
    let used = |n: usize| text.contains(&format!("${n}"));
    let all = exprs.into_iter().enumerate();
    all.map(|(n, e)| if used(n) { e } else { Expr::zero(e.ty) })
        .collect()
}

/// Copies `text`, and calls `part` for each `$n` and `@n`.
fn fill(text: &str, out: &mut String, mut part: impl FnMut(char, usize, &mut String)) {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek().and_then(|digit| digit.to_digit(10)) {
            Some(n) if matches!(c, '$' | '@') => {
                chars.next();
                part(c, n as usize, out);
            }
            _ => out.push(c),
        }
    }
}

/// A function or the kernel: `head` up to the opening brace, fixed first and last statements, and the body between.
#[derive(Clone, Debug)]
pub struct Func {
    pub head: String,
    pub first: Vec<String>,
    pub body: Block,
    pub last: Vec<Stmt>,
}

/// An NDRange.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    pub global: Vec<usize>,
    pub local: Vec<usize>,
    pub offset: Vec<usize>,
    /// The scalar arguments `n` and `f`.
    pub n: i64,
    pub f: String,
}

/// A run test.
#[derive(Clone, Debug)]
pub struct Program {
    pub options: String,
    pub launch: Launch,
    /// What stands before the kernel: `__kernel`, and a size that it requires, which goes when the launch changes.
    pub attribute: String,
    /// `ARG` and `EXPECT` lines.
    pub args: Vec<String>,
    /// Types and helpers before the functions.
    pub prelude: Vec<String>,
    /// The kernel is the last.
    pub funcs: Vec<Func>,
}

impl Program {
    /// As a file of `tests/run`.
    pub fn text(&self) -> String {
        let list = |sizes: &[usize]| -> String {
            let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
            sizes.join(",")
        };
        let launch = &self.launch;
        let mut out = format!(
            "// RUN: kernel=k global={} local={} offset={} options=\"{}\"\n",
            list(&launch.global),
            list(&launch.local),
            list(&launch.offset),
            self.options
        );
        for line in &self.args {
            let line = line.replace("{n}", &launch.n.to_string());
            let _ = writeln!(out, "// {}", line.replace("{f}", &launch.f));
        }
        out.push('\n');
        for text in &self.prelude {
            out.push_str(text);
            out.push('\n');
        }
        for (n, func) in self.funcs.iter().enumerate() {
            out.push('\n');
            if n + 1 == self.funcs.len() {
                out.push_str(&self.attribute);
                out.push(' ');
            }
            out.push_str(&func.head);
            out.push_str("\n{\n");
            for line in &func.first {
                let _ = writeln!(out, "    {line}");
            }
            print_block(&func.body, 4, &mut out);
            print_block(&func.last, 4, &mut out);
            out.push_str("}\n");
        }
        out
    }
}
