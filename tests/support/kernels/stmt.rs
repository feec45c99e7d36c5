//! Random statements: declarations, assignments, and control flow of every shape.

use super::expr::wrapping;
use super::r#gen::{Around, Array, Callee, Exit, Gen, Place};
use super::tree::{Block, Expr, Stmt};
use super::types::*;

/// Nesting of control flow.
const DEPTH: usize = 4;

impl Gen {
    pub fn statements(&mut self, place: &Place, count: usize, out: &mut Block) {
        for _ in 0..count {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            let made = self.statement(place);
            out.extend(made);
        }
    }

    fn statement(&mut self, place: &Place) -> Vec<Stmt> {
        let nest = place.depth < DEPTH;
        match self.rng.below(100) {
            0..10 => self.declaration(place),
            10..34 => self.assignment(place),
            34..46 if nest => self.conditional(place),
            46..58 if nest => self.repeat(place),
            58..62 if nest => self.switch(place),
            62..65 if nest => self.labelled(place),
            65..72 => self.leave(place),
            72..86 if self.kernel => self.memory(place),
            86..94 if self.meets && place.uniform && !place.phase => self.meeting(place),
            94..96 => self.array_call(place),
            96..98 => self.private_array(),
            98 => self.pointer(),
            _ if self.kernel => {
                let ty = self.any_type();
                let value = self.expr(ty, false, 2);
                self.observe(value)
            }
            _ => self.assignment(place),
        }
    }

    /// A block of its own, inside of one more statement.
    fn block(&mut self, place: &Place, count: usize) -> Block {
        let marks = (self.vars.len(), self.arrays.len(), self.structs.len());
        let inner = Place {
            depth: place.depth + 1,
            ..place.clone()
        };
        let mut out = Vec::new();
        self.statements(&inner, count, &mut out);
        self.vars.truncate(marks.0);
        self.arrays.truncate(marks.1);
        self.structs.truncate(marks.2);
        out
    }

    fn some(&mut self) -> usize {
        1 + self.rng.below(4)
    }

    /// A variable; uniform ones only where all items come.
    pub fn declaration(&mut self, place: &Place) -> Vec<Stmt> {
        let ty = self.any_type();
        let uniform = place.uniform && self.rng.percent(35);
        let value = self.expr(ty, uniform, 3);
        let name = self.name("v");
        let volatile = match !self.tiled && self.rng.percent(4) {
            true => "volatile ",
            false => "",
        };
        self.declare(&name, ty, uniform, true);
        let text = format!("{volatile}{} {name} = $0;", ty.name());
        vec![Stmt::new(text, vec![value])]
    }

    pub fn private_array(&mut self) -> Vec<Stmt> {
        let mut elem = Ty::scalar(self.rng.pick(&ELEMS));
        if self.rng.percent(60) {
            elem = INT;
        } else if self.rng.percent(20) {
            elem.lanes = self.rng.pick(&[2, 4]);
        }
        let len = self.rng.pick(&[4usize, 8, 8, 8, 16, 64]);
        let name = self.name("arr");
        let start = self.expr(elem, false, 1);
        let t = elem.name();
        let op = if elem.is_float() { "+" } else { "^" };
        self.arrays.push(Array {
            name: name.clone(),
            elem,
            len,
        });
        let text = format!(
            "{t} {name}[{len}];\nfor (int z = 0; z < {len}; z++) {name}[z] = $0 {op} ({t})z;"
        );
        vec![Stmt::new(text, vec![start])]
    }

    pub fn private_struct(&mut self) -> Vec<Stmt> {
        let name = self.name("s");
        let mut text = format!("struct S {name};");
        let mut values = Vec::new();
        for (field, ty) in self.fields.clone() {
            text.push_str(&format!("\n{name}.{field} = ${};", values.len()));
            values.push(self.expr(ty, false, 1));
        }
        for (field, ty) in self.fields.clone() {
            self.declare(&format!("{name}.{field}"), ty, false, true);
        }
        self.structs.push(name);
        vec![Stmt::new(text, values)]
    }

    /// A pointer to one of two private arrays or variables, by item.
    fn pointer(&mut self) -> Vec<Stmt> {
        if self.tiled {
            return Vec::new();
        }
        let cond = self.condition(false, 2);
        let arrays: Vec<Array> = self.arrays.iter().filter(|a| a.len >= 4).cloned().collect();
        if arrays.len() >= 2 {
            let a = self.rng.below(arrays.len());
            let fits: Vec<&Array> = arrays.iter().filter(|b| b.elem == arrays[a].elem).collect();
            let b = fits[self.rng.below(fits.len())];
            let len = arrays[a].len.min(b.len);
            let name = self.name("q");
            let (t, elem) = (b.elem.name(), b.elem);
            let text = format!("{t} *{name} = $0 ? {} : {};", arrays[a].name, b.name);
            self.arrays.push(Array { name, elem, len });
            return vec![Stmt::new(text, vec![cond])];
        }
        let ints: Vec<String> = self
            .vars
            .iter()
            .filter(|v| v.ty == INT && v.assignable && !v.uniform && !v.name.contains('.'))
            .map(|v| v.name.clone())
            .collect();
        if ints.len() < 2 {
            return Vec::new();
        }
        let (a, b) = (self.rng.below(ints.len()), self.rng.below(ints.len()));
        let value = self.expr(INT, false, 2);
        let text = format!(
            "{{ volatile int *r = $0 ? &{} : &{}; *r = *r ^ $1; }}",
            ints[a], ints[b]
        );
        vec![Stmt::new(text, vec![cond, value])]
    }

    /// A call of a function that writes an array of the caller.
    fn array_call(&mut self, place: &Place) -> Vec<Stmt> {
        let fits = |f: &&Callee| f.array && (self.input || !f.input);
        let callee = self.callees.iter().rev().find(fits).cloned();
        let fits = |a: &&Array| a.elem == INT && a.len >= 8;
        let array = self.arrays.iter().rev().find(fits).map(|a| a.name.clone());
        let (Some(callee), Some(array)) = (callee, array) else {
            return self.assignment(place);
        };
        let mut args = Vec::new();
        if callee.input {
            args.push("in".to_string());
        }
        let mut kids = Vec::new();
        for &param in &callee.params {
            args.push(format!("${}", kids.len()));
            kids.push(self.expr(param, false, 2));
        }
        args.push(array);
        let name = self.name("v");
        self.declare(&name, callee.ret, false, true);
        let call = format!(
            "{} {name} = {}({});",
            callee.ret.name(),
            callee.name,
            args.join(", ")
        );
        vec![Stmt::new(call, kids)]
    }

    fn assignment(&mut self, place: &Place) -> Vec<Stmt> {
        if self.rng.percent(20) && !self.arrays.is_empty() {
            let array = self.arrays[self.rng.below(self.arrays.len())].clone();
            let index = self.expr(INT, false, 2);
            let value = self.expr(array.elem, false, 2);
            let text = format!("{}[$0 & {}] = $1;", array.name, array.len - 1);
            return vec![Stmt::new(text, vec![index, value])];
        }
        let fits: Vec<usize> = (0..self.vars.len())
            .filter(|&n| self.vars[n].assignable && (place.uniform || !self.vars[n].uniform))
            .collect();
        if fits.is_empty() {
            return self.declaration(place);
        }
        let var = &self.vars[fits[self.rng.below(fits.len())]];
        let (name, ty, uniform) = (var.name.clone(), var.ty, var.uniform);
        match self.rng.below(10) {
            0..3 if ty.is_vector() => {
                let lane = self.rng.below(usize::from(ty.lanes));
                let value = self.expr(ty.lane(), uniform, 3);
                vec![Stmt::new(format!("{name}.s{lane:x} = $0;"), vec![value])]
            }
            3 if ty.lanes >= 4 => {
                let value = self.expr(Ty::vector(ty.elem, 2), uniform, 2);
                let lanes = self.rng.pick(&["s02", "s31", "s10"]);
                vec![Stmt::new(format!("{name}.{lanes} = $0;"), vec![value])]
            }
            4 if !ty.is_vector() && !matches!(ty, INT | LONG) && !ty.is_float() => {
                let text = self.rng.pick(&["++", "--"]);
                vec![Stmt::new(format!("{name}{text};"), Vec::new())]
            }
            0..6 => {
                let value = self.expr(ty, uniform, 3);
                let op = self.rng.pick(&["+", "-", "*", "^", "|", "&"]);
                let text = match op {
                    "+" | "-" | "*" if ty.is_float() => format!("{name} {op}= $0;"),
                    _ if ty.is_float() => format!("{name} /= $0;"),
                    "+" | "-" | "*" => format!("{name} = {};", wrapping(ty, &name, op, "$0")),
                    _ => format!("{name} {op}= $0;"),
                };
                vec![Stmt::new(text, vec![value])]
            }
            _ => {
                let value = self.expr(ty, uniform, 3);
                vec![Stmt::new(format!("{name} = $0;"), vec![value])]
            }
        }
    }

    /// Whether what follows keeps the items together, and the place inside.
    fn inside(&mut self, place: &Place) -> (bool, Place) {
        let uniform = place.uniform && self.rng.percent(45);
        let inner = Place {
            uniform,
            ..place.clone()
        };
        (uniform, inner)
    }

    fn conditional(&mut self, place: &Place) -> Vec<Stmt> {
        let (uniform, inner) = self.inside(place);
        let cond = self.condition(uniform, 3);
        let count = self.some();
        let mut blocks = vec![self.block(&inner, count)];
        if uniform && self.meets && !place.phase && self.rng.percent(20) {
            return vec![Stmt::with_blocks(
                "if ($0 && meet()) @0",
                vec![cond],
                blocks,
            )];
        }
        let text = match self.rng.below(4) {
            0 | 1 => "if ($0) @0",
            2 => {
                let count = self.some();
                blocks.push(self.block(&inner, count));
                "if ($0) @0 else @1"
            }
            _ => {
                let other = self.condition(uniform, 2);
                for _ in 0..2 {
                    let count = self.some();
                    blocks.push(self.block(&inner, count));
                }
                let text = "if ($0) @0 else if ($1) @1 else @2";
                return vec![Stmt::with_blocks(text, vec![cond, other], blocks)];
            }
        };
        vec![Stmt::with_blocks(text, vec![cond], blocks)]
    }

    /// A loop of at most eight rounds.
    fn repeat(&mut self, place: &Place) -> Vec<Stmt> {
        let (uniform, mut inner) = self.inside(place);
        inner.around.push(Around {
            uniform,
            exit: Exit::Loop,
        });
        let i = self.name("i");
        let most = match place.depth {
            0 => self.rng.pick(&[3, 7, 7]),
            1 => self.rng.pick(&[1, 3, 7]),
            _ => self.rng.pick(&[1, 3]),
        };
        let bound = match self.rng.percent(25) {
            true => Expr::leaf(INT, (1 + self.rng.below(4)).to_string()),
            false => self.expr(INT, uniform, 2),
        };
        let marks = self.vars.len();
        let form = self.rng.below(6);
        let ty = match form {
            0 | 1 => self.rng.pick(&[
                INT,
                INT,
                UINT,
                LONG,
                Ty::scalar(Elem::U8),
                Ty::scalar(Elem::I16),
            ]),
            _ => INT,
        };
        self.declare(&i, ty, uniform, false);
        let t = ty.name();
        let mut exprs = vec![bound];
        let text = match form {
            0 => format!("for ({t} {i} = 0; {i} < ($0 & {most}); {i}++) @0"),
            1 => {
                exprs.push(self.condition(uniform, 2));
                format!("for ({t} {i} = ($0 & {most}); {i} > 0 && $1; {i}--) @0")
            }
            2 => format!("int {i} = $0 & {most};\nwhile ({i}-- > 0) @0"),
            3 => {
                exprs.push(self.condition(uniform, 2));
                format!("int {i} = 0;\ndo @0 while (++{i} < ($0 & {most}) || {i} < 3 && $1);")
            }
            4 => format!("int {i} = 0;\nfor (;;) {{\nif ({i}++ >= ($0 & {most})) break;\n@0\n}}"),
            _ => {
                let label = self.name("again");
                // No loop for break and continue.
                inner.around.pop();
                format!("int {i} = 0;\n{label}: ;\n@0\nif (++{i} < ($0 & {most})) goto {label};")
            }
        };
        let count = self.some();
        let block = self.block(&inner, count);
        self.vars.truncate(marks);
        let text = match form {
            // The counter's scope, so that a jump past it is none.
            2..=5 => format!("{{\n{text}\n}}"),
            _ => text,
        };
        vec![Stmt::with_blocks(text, exprs, vec![block])]
    }

    fn switch(&mut self, place: &Place) -> Vec<Stmt> {
        let (uniform, mut inner) = self.inside(place);
        inner.around.push(Around {
            uniform,
            exit: Exit::Switch,
        });
        let ty = self.rng.pick(&[INT, INT, UINT, Ty::scalar(Elem::I8), LONG]);
        let value = self.expr(ty, uniform, 2);
        let mut text = "switch ($0 & 7) {".to_string();
        let mut blocks = Vec::new();
        let mut at = self.rng.below(2);
        for n in 0..2 + self.rng.below(3) {
            text.push_str(&format!("\ncase {at}:"));
            at += 1 + self.rng.below(2);
            let count = self.rng.below(4);
            blocks.push(self.block(&inner, count));
            text.push_str(&format!("\n@{n}"));
            if self.rng.percent(75) {
                text.push_str("\nbreak;");
            }
        }
        if self.rng.percent(60) {
            let count = self.some();
            text.push_str(&format!("\ndefault:\n@{}\nbreak;", blocks.len()));
            blocks.push(self.block(&inner, count));
        }
        text.push_str("\n}");
        vec![Stmt::with_blocks(text, vec![value], blocks)]
    }

    /// A block that jumps to its end leave.
    fn labelled(&mut self, place: &Place) -> Vec<Stmt> {
        let (uniform, mut inner) = self.inside(place);
        let label = self.name("done");
        inner.around.push(Around {
            uniform,
            exit: Exit::Label(label.clone()),
        });
        let count = self.some() + 1;
        let block = self.block(&inner, count);
        vec![Stmt::with_blocks(
            format!("@0\n{label}: ;"),
            Vec::new(),
            vec![block],
        )]
    }

    /// Out of a loop, to its next round, to a label, or out of the function.
    fn leave(&mut self, place: &Place) -> Vec<Stmt> {
        if !self.tiled && self.rng.percent(12) && !place.phase {
            let cond = self.condition(false, 3);
            return vec![match (self.kernel, self.ret) {
                (true, _) if self.rng.percent(30) => Stmt::new("if ($0) return;", vec![cond]),
                (true, _) => Stmt::new("if ($0) { out[gid] = h; return; }", vec![cond]),
                (_, ret) => {
                    let ret = ret.expect("a function's type");
                    let value = self.expr(ret, false, 1);
                    Stmt::new("if ($0) return $1;", vec![cond, value])
                }
            }];
        }
        let mut targets = Vec::new();
        let (mut breaks, mut continues) = (true, true);
        for around in place.around.iter().rev() {
            // What keeps its items together must not be left by some.
            if around.uniform && !place.uniform {
                break;
            }
            match &around.exit {
                Exit::Label(label) => targets.push(format!("goto {label};")),
                Exit::Switch if breaks => targets.push("break;".to_string()),
                Exit::Switch => {}
                Exit::Loop => {
                    if breaks {
                        targets.push("break;".to_string());
                    }
                    if continues {
                        targets.push("continue;".to_string());
                    }
                    continues = false;
                }
            }
            breaks &= matches!(around.exit, Exit::Label(_));
        }
        if targets.is_empty() {
            return self.assignment(place);
        }
        let target = targets[self.rng.below(targets.len())].clone();
        let together = place.uniform;
        let cond = self.condition(together, 2);
        vec![Stmt::new(format!("if ($0) {target}"), vec![cond])]
    }

    /// Mixes a value into the hash.
    pub fn observe(&mut self, value: Expr) -> Vec<Stmt> {
        let ty = value.ty;
        let name = self.name("w");
        let word = |lane: String| match ty.elem {
            Elem::F32 => format!("fbits({lane})"),
            Elem::F64 => format!("dbits({lane})"),
            _ => format!("(ulong){lane}"),
        };
        if !ty.is_vector() {
            return vec![Stmt::new(
                format!("h = h * 31 + {};", word("$0".to_string())),
                vec![value],
            )];
        }
        let mut text = format!("{{\n{} {name} = $0;", ty.name());
        for _ in 0..usize::from(ty.lanes).min(4) {
            let lane = self.rng.below(usize::from(ty.lanes));
            text.push_str(&format!(
                "\nh = h * 31 + {};",
                word(format!("{name}.s{lane:x}"))
            ));
        }
        text.push_str("\n}");
        vec![Stmt::new(text, vec![value])]
    }
}
