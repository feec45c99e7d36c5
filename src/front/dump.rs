//! The syntax tree as text: one line for each statement and declaration, expressions as S-expressions. For
//! `clothoc dump --ast` and golden files; nothing reads it back.

use super::ast::*;
use super::symbol::{Interner, Symbol};
use super::token::{FloatSuffix, IntTy, Pragma, StrId, TokenStream, Unroll};
use std::fmt::Write;

/// The whole tree, declarations in source order.
pub fn dump(ast: &Ast, tokens: &TokenStream, interner: &Interner) -> String {
    let mut dumper = Dumper {
        ast,
        tokens,
        interner,
        out: String::new(),
    };
    for decl in &ast.decls {
        match decl {
            ExternalDecl::Function(f) => {
                let head = dumper.declared(&f.specs, &f.declarator);
                dumper.line(0, &format!("function {head}"));
                dumper.stmt(1, f.body);
            }
            ExternalDecl::Declaration(d) => dumper.declaration(0, d),
            ExternalDecl::Pragma(pragma, _) => {
                let text = dumper.pragma(*pragma);
                dumper.line(0, &text);
            }
        }
    }
    dumper.out
}

struct Dumper<'a> {
    ast: &'a Ast,
    tokens: &'a TokenStream,
    interner: &'a Interner,
    out: String,
}

impl Dumper<'_> {
    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", indent * 2);
    }

    fn name(&self, name: Symbol) -> String {
        self.interner.name(name).to_string()
    }

    fn pragma(&self, pragma: Pragma) -> String {
        match pragma {
            Pragma::Extension { name, enable } => {
                format!("pragma extension {} {enable}", self.name(name))
            }
            Pragma::FpContract(state) => format!("pragma fp_contract {state:?}"),
            Pragma::Unroll(unroll) => format!("pragma{}", unroll_text(Some(unroll))),
        }
    }

    // Declarations.

    fn declaration(&mut self, indent: usize, declaration: &Declaration) {
        if declaration.items.is_empty() {
            let specs = self.specs(&declaration.specs);
            self.line(indent, &format!("declare {specs}"));
        }
        for item in &declaration.items {
            let mut text = format!(
                "declare {}",
                self.declared(&declaration.specs, &item.declarator)
            );
            if let Some(init) = &item.init {
                text += " = ";
                text += &self.init(init);
            }
            self.line(indent, &text);
        }
    }

    /// `name: declarator specifiers`, read from the name outwards.
    fn declared(&self, specs: &DeclSpecs, declarator: &Declarator) -> String {
        let name = declarator.name.map_or("_".into(), |n| self.name(n));
        let mut text = format!("{name}: ");
        for chunk in &declarator.chunks {
            text += &self.chunk(chunk);
        }
        text += &self.specs(specs);
        text + &self.attrs(&declarator.attrs)
    }

    fn chunk(&self, chunk: &DeclChunk) -> String {
        match chunk {
            DeclChunk::Pointer(quals) => format!("{}ptr ", quals_text(quals)),
            DeclChunk::Array { size, .. } => {
                format!("[{}] ", size.map_or(String::new(), |e| self.expr(e)))
            }
            DeclChunk::Function {
                params, variadic, ..
            } => {
                let mut list: Vec<String> = params
                    .iter()
                    .map(|p| self.declared(&p.specs, &p.declarator))
                    .collect();
                if *variadic {
                    list.push("...".into());
                }
                format!("fn({}) ", list.join(", "))
            }
            DeclChunk::Block(_) => "block ".into(),
        }
    }

    fn specs(&self, specs: &DeclSpecs) -> String {
        let mut text = String::new();
        if let Some(storage) = specs.storage {
            text += &format!("{storage:?} ").to_lowercase();
        }
        for (flag, word) in [
            (specs.is_inline, "inline "),
            (specs.is_kernel, "kernel "),
            (specs.pipe, "pipe "),
        ] {
            if flag {
                text += word;
            }
        }
        if let Some(access) = specs.access {
            text += &format!("{access:?} ").to_lowercase();
        }
        text += &quals_text(&specs.quals);
        text += &self.type_spec(&specs.ty);
        text + &self.attrs(&specs.attrs)
    }

    fn type_spec(&self, ty: &TypeSpec) -> String {
        match ty {
            TypeSpec::Basic(basic) => format!("{basic:?}").to_lowercase(),
            TypeSpec::Named(name) => self.name(*name),
            TypeSpec::Record(record) => {
                let mut text: String = if record.is_union { "union" } else { "struct" }.into();
                if let Some(tag) = record.tag {
                    text += " ";
                    text += &self.name(tag);
                }
                if let Some(fields) = &record.fields {
                    let list: Vec<String> = fields.iter().map(|f| self.field(f)).collect();
                    text += &format!(" {{ {} }}", list.join("; "));
                }
                text + &self.attrs(&record.attrs)
            }
            TypeSpec::Enum(spec) => {
                let mut text = String::from("enum");
                if let Some(tag) = spec.tag {
                    text += " ";
                    text += &self.name(tag);
                }
                if let Some(items) = &spec.items {
                    let list: Vec<String> = items
                        .iter()
                        .map(|item| {
                            let value = item.value.map(|v| format!(" = {}", self.expr(v)));
                            self.name(item.name) + &value.unwrap_or_default()
                        })
                        .collect();
                    text += &format!(" {{ {} }}", list.join(", "));
                }
                text
            }
            TypeSpec::TypeofExpr(id) => format!("typeof {}", self.expr(*id)),
            TypeSpec::TypeofType(ty) => format!("typeof({})", self.type_name(ty)),
            TypeSpec::Error => "<error>".into(),
        }
    }

    fn field(&self, field: &FieldDecl) -> String {
        if field.declarators.is_empty() {
            return self.specs(&field.specs);
        }
        let list: Vec<String> = field
            .declarators
            .iter()
            .map(|(declarator, width)| {
                let width = width.map(|w| format!(" : {}", self.expr(w)));
                self.declared(&field.specs, declarator) + &width.unwrap_or_default()
            })
            .collect();
        list.join("; ")
    }

    fn type_name(&self, ty: &TypeName) -> String {
        let chunks: String = ty.declarator.chunks.iter().map(|c| self.chunk(c)).collect();
        chunks + &self.specs(&ty.specs)
    }

    fn attrs(&self, attrs: &[Attribute]) -> String {
        attrs.iter().map(|a| format!(" @{}", a.text)).collect()
    }

    fn init(&self, init: &Init) -> String {
        match init {
            Init::Expr(id) => self.expr(*id),
            Init::List(list) => self.init_list(list),
        }
    }

    fn init_list(&self, list: &InitList) -> String {
        let items: Vec<String> = list
            .items
            .iter()
            .map(|(designators, init)| {
                let mut text = String::new();
                for designator in designators {
                    match designator {
                        Designator::Field(name, _) => text += &format!(".{}", self.name(*name)),
                        Designator::Index(index) => text += &format!("[{}]", self.expr(*index)),
                    }
                }
                if !text.is_empty() {
                    text += " = ";
                }
                text + &self.init(init)
            })
            .collect();
        format!("{{{}}}", items.join(", "))
    }

    // Statements.

    fn stmt(&mut self, indent: usize, id: StmtId) {
        let ast = self.ast;
        match &ast.stmt(id).kind {
            StmtKind::Compound { items, .. } => {
                self.line(indent, "block");
                for &item in items {
                    self.stmt(indent + 1, item);
                }
            }
            StmtKind::Decl(declaration) => self.declaration(indent, declaration),
            StmtKind::Expr(None) => self.line(indent, "empty"),
            StmtKind::Expr(Some(id)) => {
                let text = self.expr(*id);
                self.line(indent, &text);
            }
            StmtKind::If { .. } => self.if_chain(indent, id),
            StmtKind::Switch { cond, body } => self.head(indent, "switch", *cond, *body),
            StmtKind::Case { lo, hi, body } => {
                let hi = hi.map(|hi| format!(" ... {}", self.expr(hi)));
                let text = format!("case {}{}", self.expr(*lo), hi.unwrap_or_default());
                self.line(indent, &text);
                self.stmt(indent, *body);
            }
            StmtKind::Default { body } => {
                self.line(indent, "default");
                self.stmt(indent, *body);
            }
            StmtKind::While { cond, body, unroll } => {
                self.head(
                    indent,
                    &format!("while{}", unroll_text(*unroll)),
                    *cond,
                    *body,
                );
            }
            StmtKind::Do { body, cond, unroll } => {
                let head = format!("do{} while", unroll_text(*unroll));
                self.head(indent, &head, *cond, *body);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
                unroll,
            } => {
                let opt = |id: &Option<ExprId>| id.map_or("_".into(), |id| self.expr(id));
                let text = format!("for{} {}; {}", unroll_text(*unroll), opt(cond), opt(step));
                self.line(indent, &text);
                if let Some(init) = init {
                    self.line(indent + 1, "init");
                    self.stmt(indent + 2, *init);
                }
                self.stmt(indent + 1, *body);
            }
            StmtKind::Goto { label, .. } => {
                let text = format!("goto {}", self.name(*label));
                self.line(indent, &text);
            }
            StmtKind::Label { name, body } => {
                let text = format!("label {}", self.name(*name));
                self.line(indent, &text);
                self.stmt(indent, *body);
            }
            StmtKind::Continue => self.line(indent, "continue"),
            StmtKind::Break => self.line(indent, "break"),
            StmtKind::Return(None) => self.line(indent, "return"),
            StmtKind::Return(Some(id)) => {
                let text = format!("return {}", self.expr(*id));
                self.line(indent, &text);
            }
            StmtKind::Pragma(pragma) => {
                let text = self.pragma(*pragma);
                self.line(indent, &text);
            }
            StmtKind::Error => self.line(indent, "<error>"),
        }
    }

    fn head(&mut self, indent: usize, word: &str, cond: ExprId, body: StmtId) {
        let text = format!("{word} {}", self.expr(cond));
        self.line(indent, &text);
        self.stmt(indent + 1, body);
    }

    fn if_chain(&mut self, indent: usize, mut id: StmtId) {
        let mut word = "if";
        while let StmtKind::If { cond, then, els } = self.ast.stmt(id).kind {
            self.head(indent, word, cond, then);
            let Some(els) = els else {
                return;
            };
            (word, id) = ("else if", els);
        }
        self.line(indent, "else");
        self.stmt(indent + 1, id);
    }

    // Expressions.

    fn expr(&self, id: ExprId) -> String {
        let e = |id: &ExprId| self.expr(*id);
        match &self.ast.expr(id).kind {
            ExprKind::Int { value, ty } => {
                let suffix = match ty {
                    IntTy::Int => "",
                    IntTy::UInt => "u",
                    IntTy::Long => "l",
                    IntTy::ULong => "ul",
                };
                format!("{value}{suffix}")
            }
            ExprKind::Float {
                value,
                single,
                suffix,
            } => match suffix {
                FloatSuffix::None => format!("{value:?}"),
                FloatSuffix::F => format!("{single:?}f"),
                FloatSuffix::H => format!("{value:?}h"),
            },
            ExprKind::Char(value) => format!("char({value})"),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Str(id) => self.string(*id),
            ExprKind::Ident(name) => self.name(*name),
            ExprKind::Paren(arg) => format!("[{}]", e(arg)),
            ExprKind::Call { callee, args } => {
                format!("(call {}{})", e(callee), self.exprs(args))
            }
            ExprKind::Index { base, index } => format!("(index {} {})", e(base), e(index)),
            ExprKind::Member {
                base, name, arrow, ..
            } => {
                let op = if *arrow { "->" } else { "." };
                format!("({op} {} {})", e(base), self.name(*name))
            }
            ExprKind::Unary { op, arg } => format!("({} {})", unary_text(*op), e(arg)),
            ExprKind::Binary { op, args } => {
                format!("({} {} {})", binary_text(*op), e(&args[0]), e(&args[1]))
            }
            ExprKind::Assign { op, lhs, rhs } => {
                let op = op.map_or("", binary_text);
                format!("({op}= {} {})", e(lhs), e(rhs))
            }
            ExprKind::Cond { cond, then, els } => {
                let then = then.as_ref().map_or("_".into(), e);
                format!("(? {} {then} {})", e(cond), e(els))
            }
            ExprKind::Cast { ty, arg } => format!("(cast <{}> {})", self.type_name(ty), e(arg)),
            ExprKind::VectorLit { ty, args } => {
                format!("(vector <{}>{})", self.type_name(ty), self.exprs(args))
            }
            ExprKind::CompoundLit { ty, init } => {
                format!(
                    "(literal <{}> {})",
                    self.type_name(ty),
                    self.init_list(init)
                )
            }
            ExprKind::Block(literal) => format!("(block {})", literal.body.0),
            ExprKind::SizeofExpr(arg) => format!("(sizeof {})", e(arg)),
            ExprKind::SizeofType(ty) => format!("(sizeof <{}>)", self.type_name(ty)),
            ExprKind::AlignofExpr(arg) => format!("(alignof {})", e(arg)),
            ExprKind::AlignofType(ty) => format!("(alignof <{}>)", self.type_name(ty)),
            ExprKind::VecStepExpr(arg) => format!("(vec_step {})", e(arg)),
            ExprKind::VecStepType(ty) => format!("(vec_step <{}>)", self.type_name(ty)),
            ExprKind::Comma(args) => format!("(, {} {})", e(&args[0]), e(&args[1])),
            ExprKind::StmtExpr(body) => {
                let mut inner = Dumper {
                    out: String::new(),
                    ..*self
                };
                inner.stmt(0, *body);
                let lines: Vec<&str> = inner.out.lines().map(str::trim).collect();
                format!("(stmt {})", lines.join(" | "))
            }
            ExprKind::Error => "<error>".into(),
        }
    }

    fn exprs(&self, ids: &[ExprId]) -> String {
        ids.iter()
            .map(|&id| format!(" {}", self.expr(id)))
            .collect()
    }

    fn string(&self, id: StrId) -> String {
        format!("\"{}\"", self.tokens.string(id).escape_ascii())
    }
}

fn quals_text(quals: &Quals) -> String {
    let mut text = String::new();
    if let Some(space) = quals.addr_space {
        text += &format!("{space} ");
    }
    for (flag, word) in [
        (quals.is_const, "const "),
        (quals.is_volatile, "volatile "),
        (quals.is_restrict, "restrict "),
    ] {
        if flag {
            text += word;
        }
    }
    text
}

fn unroll_text(unroll: Option<Unroll>) -> String {
    match unroll {
        None => String::new(),
        Some(Unroll::Full) => " unroll".into(),
        Some(Unroll::Never) => " nounroll".into(),
        Some(Unroll::By(n)) => format!(" unroll({n})"),
    }
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::Not => "!",
        UnaryOp::BitNot => "~",
        UnaryOp::Deref => "*",
        UnaryOp::AddrOf => "&",
        UnaryOp::PreInc => "++_",
        UnaryOp::PreDec => "--_",
        UnaryOp::PostInc => "_++",
        UnaryOp::PostDec => "_--",
    }
}

fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::LogAnd => "&&",
        BinaryOp::LogOr => "||",
    }
}
