//! Random expressions of a wanted type.

use super::r#gen::Gen;
use super::tree::Expr;
use super::types::*;
use Elem::*;

impl Gen {
    /// An expression of the type; equal for the whole group if that is asked.
    pub fn expr(&mut self, ty: Ty, uniform: bool, depth: usize) -> Expr {
        if depth == 0 || self.rng.percent(28) {
            return self.leaf(ty, uniform);
        }
        if !uniform
            && self.rng.percent(6)
            && let Some(call) = self.call(ty, depth)
        {
            return call;
        }
        if ty.is_vector() {
            return self.vector(ty, uniform, depth);
        }
        match self.rng.below(100) {
            0..12 if self.input => self.load(ty, uniform, depth),
            12..20 => self.converted(ty, uniform, depth),
            20..27 => {
                let cond = self.condition(uniform, depth - 1);
                let a = self.expr(ty, uniform, depth - 1);
                let b = self.expr(ty, uniform, depth - 1);
                Expr::new(
                    ty,
                    format!("(({})($0 ? $1 : $2))", ty.name()),
                    vec![cond, a, b],
                )
            }
            27..32 => {
                let lanes = self.rng.pick(&[2, 3, 4, 8, 16]);
                let vector = self.expr(Ty::vector(ty.elem, lanes), uniform, depth - 1);
                let lane = self.rng.below(usize::from(lanes));
                Expr::new(ty, format!("($0).s{lane:x}"), vec![vector])
            }
            32..40 if ty == INT => self.condition(uniform, depth),
            _ if ty.is_float() => self.float(ty, uniform, depth),
            _ => self.integer(ty, uniform, depth),
        }
    }

    /// A variable, or a constant.
    pub fn leaf(&mut self, ty: Ty, uniform: bool) -> Expr {
        let fits: Vec<usize> = (0..self.vars.len())
            .filter(|&n| self.vars[n].ty == ty && (self.vars[n].uniform || !uniform))
            .collect();
        if !fits.is_empty() && !self.rng.percent(20) {
            // The newest are taken more often.
            let n = self.rng.below(fits.len()).max(self.rng.below(fits.len()));
            return Expr::leaf(ty, self.vars[fits[n]].name.clone());
        }
        if !uniform
            && self.rng.percent(30)
            && let Some(cell) = self.array_element(ty)
        {
            return cell;
        }
        let ids = self.kernel || !uniform && self.rng.percent(20);
        if ids && !ty.is_vector() && self.rng.percent(35) {
            let dim = self.rng.below(3);
            let id = if uniform && self.tiled {
                self.rng.pick(&["get_local_size", "get_num_groups"])
            } else if uniform {
                self.rng
                    .pick(&["get_group_id", "get_local_size", "get_num_groups"])
            } else if self.tiled {
                self.rng
                    .pick(&["get_global_id", "get_local_id", "get_group_id"])
            } else {
                self.rng.pick(&["get_global_id", "get_local_id"])
            };
            return Expr::leaf(ty, format!("(({}){id}({dim}))", ty.name()));
        }
        // Something that varies, converted.
        let others: Vec<usize> = (0..self.vars.len())
            .filter(|&n| !self.vars[n].ty.is_vector() && (self.vars[n].uniform || !uniform))
            .collect();
        if !others.is_empty() && self.rng.percent(60) {
            let var = &self.vars[others[self.rng.below(others.len())]];
            let (from, to) = (var.ty, ty.lane());
            let var = Expr::leaf(from, var.name.clone());
            let text = match from.is_float() && !to.is_float() {
                true => format!("convert_{}_sat($0)", to.name()),
                false => format!("({})$0", to.name()),
            };
            let text = match ty.is_vector() {
                true => format!("(({})({text}))", ty.name()),
                false => format!("({text})"),
            };
            return Expr::new(ty, text, vec![var]);
        }
        let text = self.constant(ty.elem);
        let text = match ty.is_vector() {
            true => format!("(({})({text}))", ty.name()),
            false => text,
        };
        Expr::leaf(ty, text)
    }

    fn array_element(&mut self, ty: Ty) -> Option<Expr> {
        let fits: Vec<usize> = (0..self.arrays.len())
            .filter(|&n| self.arrays[n].elem == ty)
            .collect();
        let array = self.arrays[*fits.first()?].clone();
        let index = self.leaf(INT, false);
        let text = format!("{}[$0 & {}]", array.name, array.len - 1);
        Some(Expr::new(ty, text, vec![index]))
    }

    pub fn constant(&mut self, elem: Elem) -> String {
        if elem.is_float() {
            let text = self.rng.pick(&[
                "0.0", "1.0", "-2.5", "1.0e10", "0.1", "-0.0", "3.0e38", "1.0e-40", "7.0", "0.5",
            ]);
            return match (elem, self.rng.below(40)) {
                (_, 0) => format!("(({})INFINITY)", elem.name()),
                (_, 1) => format!("(({})NAN)", elem.name()),
                (F32, _) => format!("({text}f)"),
                _ => format!("({text})"),
            };
        }
        let n = match self.rng.below(4) {
            0 => self.rng.below(4) as i64,
            1 => self.rng.below(33) as i64,
            2 => 1i64 << self.rng.below(63),
            _ => self.rng.next() as i64 >> self.rng.below(64),
        };
        match elem {
            I8 => format!("((char){})", n as i8),
            U8 => format!("((uchar){})", n as u8),
            I16 => format!("((short){})", n as i16),
            U16 => format!("((ushort){})", n as u16),
            I32 => format!("((int){})", n as i32),
            U32 => format!("{}u", n as u32),
            I64 => format!("((long)0x{n:x}ul)"),
            _ => format!("0x{n:x}ul"),
        }
    }

    /// An `int` that is mostly 0 or 1.
    pub fn condition(&mut self, uniform: bool, depth: usize) -> Expr {
        let deeper = depth.saturating_sub(1);
        match self.rng.below(10) {
            0 => {
                let a = self.expr(INT, uniform, deeper);
                Expr::new(INT, "!$0", vec![a])
            }
            1 if depth > 0 => {
                let a = self.condition(uniform, deeper);
                let b = self.condition(uniform, deeper);
                let op = self.rng.pick(&["&&", "||"]);
                Expr::new(INT, format!("($0 {op} $1)"), vec![a, b])
            }
            2 => {
                let a = self.expr(INT, uniform, deeper);
                let bit = 1 << self.rng.below(4);
                Expr::new(INT, format!("(($0 & {bit}) != 0)"), vec![a])
            }
            3 => {
                let elem = self.rng.pick(&[F32, F64]);
                let a = self.expr(Ty::scalar(elem), uniform, deeper);
                let test = self.rng.pick(&["isnan", "isinf", "isfinite", "isnormal"]);
                Expr::new(INT, format!("{test}($0)"), vec![a])
            }
            4 if depth > 0 => {
                let lanes = self.rng.pick(&[2, 3, 4, 8]);
                let elem = self.rng.pick(&[I32, I8, I64, I16]);
                let a = self.expr(Ty::vector(elem, lanes), uniform, deeper);
                let test = self.rng.pick(&["any", "all"]);
                Expr::new(INT, format!("{test}($0)"), vec![a])
            }
            _ => {
                let ty = Ty::scalar(self.rng.pick(&ELEMS));
                let a = self.expr(ty, uniform, deeper);
                let b = self.expr(ty, uniform, deeper);
                let op = self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
                Expr::new(INT, format!("($0 {op} $1)"), vec![a, b])
            }
        }
    }

    /// Integer arithmetic, scalar or element-wise. Signed sums and products don't overflow, which would be undefined:
    /// they are made of unsigned or of small operands.
    fn integer(&mut self, ty: Ty, uniform: bool, depth: usize) -> Expr {
        let signed = ty.elem == ty.elem.mask();
        let t = format!("({})", ty.name());
        let a = self.expr(ty, uniform, depth - 1);
        if self.rng.percent(15) {
            let op = self.rng.pick(&[
                "~$0",
                "clz($0)",
                "popcount($0)",
                "($0 << (T)1)",
                "ctz($0)",
                "($0 >> (T)3)",
                "hadd($0, (T)3)",
                "rotate($0, (T)5)",
            ]);
            let op = format!("{t}({})", op.replace("(T)", &t));
            return Expr::new(ty, format!("({op})"), vec![a]);
        }
        let b = self.expr(ty, uniform, depth - 1);
        if self.rng.percent(25) {
            let name = self.rng.pick(&[
                "min", "max", "add_sat", "sub_sat", "hadd", "rhadd", "rotate", "mul_hi", "min",
                "max",
            ]);
            return Expr::new(ty, format!("{name}($0, $1)"), vec![a, b]);
        }
        if self.rng.percent(5) {
            let c = self.expr(ty, uniform, depth - 1);
            let name = self.rng.pick(&["mad_hi", "mad_sat"]);
            return Expr::new(ty, format!("{name}($0, $1, $2)"), vec![a, b, c]);
        }
        if self.rng.percent(40) {
            let op = self.rng.pick(&[
                "$0 & $1",
                "$0 | $1",
                "$0 ^ $1",
                "$0 << $1",
                "$0 >> $1",
                "$0 / (($1 & (T)63) | (T)1)",
                "$0 % (($1 & (T)31) | (T)1)",
            ]);
            let op = format!("({t}({}))", op.replace("(T)", &t));
            return Expr::new(ty, op, vec![a, b]);
        }
        let op = self.rng.pick(&["+", "-", "*", "+", "-"]);
        let text = if signed && ty.elem.bits() >= 16 && self.rng.percent(40) {
            // Small enough.
            let mask = if ty.elem == I16 { 0x7f } else { 0x7ff };
            format!("({t}(($0 & {t}{mask}) {op} ($1 & {t}{mask})))")
        } else if ty.elem == I8 || ty.elem == U8 {
            format!("({t}($0 {op} $1))")
        } else {
            wrapping(ty, "$0", op, "$1")
        };
        Expr::new(ty, text, vec![a, b])
    }

    /// Floating-point arithmetic that is the same everywhere, scalar or element-wise.
    fn float(&mut self, ty: Ty, uniform: bool, depth: usize) -> Expr {
        let t = format!("({})", ty.name());
        let a = self.expr(ty, uniform, depth - 1);
        if self.rng.percent(25) {
            let op = self.rng.pick(&[
                "(-$0)",
                "fabs($0)",
                "floor($0)",
                "ceil($0)",
                "rint($0)",
                "trunc($0)",
                "sqrt(fabs($0))",
                "round($0)",
                "ldexp($0, 3)",
            ]);
            return Expr::new(ty, op, vec![a]);
        }
        if self.rng.percent(4) {
            let name = self
                .rng
                .pick(&["exp", "sin", "cos", "log", "tanh", "cbrt", "atan", "exp2"]);
            return Expr::new(ty, format!("{name}($0)"), vec![a]);
        }
        let b = self.expr(ty, uniform, depth - 1);
        if self.rng.percent(10) {
            // The sign of a zero that these give is open.
            let name = self.rng.pick(&["fmin", "fmax"]);
            return Expr::new(ty, format!("({name}($0, $1) + {t}0)"), vec![a, b]);
        }
        if self.rng.percent(10) {
            let c = self.expr(ty, uniform, depth - 1);
            return Expr::new(ty, "fma($0, $1, $2)", vec![a, b, c]);
        }
        let op = self.rng.pick(&["+", "-", "*", "/", "+", "-", "*"]);
        Expr::new(ty, format!("($0 {op} $1)"), vec![a, b])
    }

    /// From another scalar type.
    fn converted(&mut self, ty: Ty, uniform: bool, depth: usize) -> Expr {
        let from = Ty::scalar(self.rng.pick(&ELEMS));
        let a = self.expr(from, uniform, depth - 1);
        let t = ty.name();
        let text = match (from.is_float(), ty.is_float()) {
            _ if from == ty => "$0".to_string(),
            (true, false) if from == FLOAT && ty == UINT => "fbits($0)".to_string(),
            (true, false) if from == DOUBLE && ty == ULONG => "dbits($0)".to_string(),
            (true, false) => format!("convert_{t}_sat($0)"),
            // Never NaN or infinite.
            (false, true) if from.bits() == ty.bits() && self.rng.percent(30) => match ty {
                FLOAT => "as_float($0 & 0x7f7fffff)".to_string(),
                _ => "as_double($0 & 0x7fdffffffffffffful)".to_string(),
            },
            (false, false) if self.rng.percent(30) => format!("convert_{t}_sat($0)"),
            _ => format!("(({t})$0)"),
        };
        Expr::new(ty, text, vec![a])
    }

    fn vector(&mut self, ty: Ty, uniform: bool, depth: usize) -> Expr {
        let t = ty.name();
        match self.rng.below(100) {
            0..14 => {
                let mut parts = Vec::new();
                let mut lanes = ty.lanes;
                while lanes > 0 {
                    let n = match lanes {
                        2.. if self.rng.percent(30) => 2,
                        _ => 1,
                    };
                    lanes -= n;
                    parts.push(Ty::vector(ty.elem, n));
                    if parts.len() == 9 {
                        // No more operands than digits; one more fills up as a splat would not.
                        return self.leaf(ty, uniform);
                    }
                }
                let kids: Vec<Expr> = parts
                    .iter()
                    .map(|&p| self.expr(p, uniform, (depth - 1).min(1)))
                    .collect();
                let holes: Vec<String> = (0..kids.len()).map(|n| format!("${n}")).collect();
                Expr::new(ty, format!("(({t})({}))", holes.join(", ")), kids)
            }
            14..22 => {
                let a = self.expr(ty.lane(), uniform, depth - 1);
                Expr::new(ty, format!("(({t})($0))"), vec![a])
            }
            22..36 => {
                let from = self.rng.pick(&[2u8, 3, 4, 8, 16]);
                let a = self.expr(Ty::vector(ty.elem, from), uniform, depth - 1);
                let mut lanes = String::new();
                for _ in 0..ty.lanes {
                    lanes.push_str(&format!("{:x}", self.rng.below(usize::from(from))));
                }
                Expr::new(ty, format!("($0).s{lanes}"), vec![a])
            }
            36..40 if ty.lanes <= 8 && ty.lanes != 3 => {
                let a = self.expr(Ty::vector(ty.elem, ty.lanes * 2), uniform, depth - 1);
                let half = self.rng.pick(&["lo", "hi", "even", "odd"]);
                Expr::new(ty, format!("($0).{half}"), vec![a])
            }
            40..48 => {
                let from = Ty::vector(self.rng.pick(&ELEMS), ty.lanes);
                let a = self.expr(from, uniform, depth - 1);
                let sat =
                    from.is_float() && !ty.is_float() || !ty.is_float() && self.rng.percent(20);
                let sat = if sat { "_sat" } else { "" };
                Expr::new(ty, format!("convert_{t}{sat}($0)"), vec![a])
            }
            48..56 if ty.elem == ty.elem.mask() => {
                let elem = match (ty.elem, self.rng.below(3)) {
                    (I32, 0) => F32,
                    (I32, 1) => U32,
                    (I64, 0) => F64,
                    (I8, 0) => U8,
                    (I16, 0) => U16,
                    (elem, _) => elem,
                };
                let from = Ty::vector(elem, ty.lanes);
                let a = self.expr(from, uniform, depth - 1);
                let b = self.expr(from, uniform, depth - 1);
                let op = self.rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
                Expr::new(ty, format!("($0 {op} $1)"), vec![a, b])
            }
            56..64 => {
                let mask = Ty::vector(ty.elem.mask(), ty.lanes);
                let a = self.expr(ty, uniform, depth - 1);
                let b = self.expr(ty, uniform, depth - 1);
                let c = self.expr(mask, uniform, depth - 1);
                let text = self.rng.pick(&["select($0, $1, $2)", "($2 ? $0 : $1)"]);
                Expr::new(ty, text, vec![a, b, c])
            }
            64..72 if self.input => self.load(ty, uniform, depth),
            72..76 => {
                let mask = Ty::vector(unsigned(ty.elem), ty.lanes);
                if ty.lanes == 3 {
                    return self.leaf(ty, uniform);
                }
                let a = self.expr(ty, uniform, depth - 1);
                let b = self.expr(mask, uniform, depth - 1);
                Expr::new(ty, "shuffle($0, $1)", vec![a, b])
            }
            _ if ty.is_float() => self.float(ty, uniform, depth),
            _ => self.integer(ty, uniform, depth),
        }
    }

    fn call(&mut self, ty: Ty, depth: usize) -> Option<Expr> {
        let fits: Vec<usize> = (0..self.callees.len())
            .filter(|&n| {
                let f = &self.callees[n];
                f.ret == ty && !f.array && (self.input || !f.input)
            })
            .collect();
        let callee = self.callees[*fits.last()?].clone();
        let mut args = Vec::new();
        if callee.input {
            args.push("in".to_string());
        }
        let mut kids = Vec::new();
        for &param in &callee.params {
            args.push(format!("${}", kids.len()));
            kids.push(self.expr(param, false, depth - 1));
        }
        Some(Expr::new(
            ty,
            format!("{}({})", callee.name, args.join(", ")),
            kids,
        ))
    }

    /// From the read-only buffers.
    pub fn load(&mut self, ty: Ty, uniform: bool, depth: usize) -> Expr {
        let (name, elem) = match self.rng.below(8) {
            0 if self.kernel => ("fin", F32),
            1 if self.kernel => ("bin", U8),
            2 if self.kernel => ("lin", I64),
            3 if self.kernel => ("con", I16),
            _ => ("in", I32),
        };
        if ty.is_vector() {
            let ints = self.expr(UINT, uniform, depth - 1);
            let lanes = ty.lanes;
            let text = match self.rng.below(3) {
                0 if lanes != 3 && elem != I16 => {
                    let v = format!("__global const {}{lanes}", elem.name());
                    format!("((({v} *){name})[$0 & 15])")
                }
                1 if self.kernel && !uniform && lanes <= 4 => format!("vload{lanes}(gid, {name})"),
                _ => format!("vload{lanes}($0 & 15, {name})"),
            };
            return converted_load(Ty::vector(elem, lanes), ty, Expr::new(ty, text, vec![ints]));
        }
        if self.rng.percent(6) {
            let index = self.expr(UINT, uniform, depth - 1);
            let text = "table[$0 & 7u]";
            return converted_load(INT, ty, Expr::new(ty, text, vec![index]));
        }
        let c = self.rng.below(60);
        let strided = self.kernel && !uniform;
        let index = match self.rng.below(14) {
            0 if strided => Expr::leaf(INT, format!("gid * {} + {c}", self.rng.below(4))),
            1 if strided => Expr::leaf(INT, format!("G - 1 - gid + {c}")),
            2 if strided => Expr::leaf(INT, format!("(uchar)(gid * 3 + {c})")),
            3 if strided => Expr::leaf(INT, format!("(ushort)(gid + {}) & 255", 65500 + c % 40)),
            4 if strided => Expr::leaf(INT, format!("(long)gid * 2 + {c}")),
            5 if strided => Expr::leaf(INT, format!("(int)gid - {c} + {c}")),
            6 if strided => Expr::leaf(INT, format!("get_local_id(0) + {c}")),
            7 if strided => Expr::leaf(INT, format!("gid ^ {}", c % 4)),
            8 if strided => {
                let a = self.expr(UINT, true, depth - 1);
                Expr::new(INT, "gid + ($0 & 127)", vec![a])
            }
            9 => {
                let ty = self.rng.pick(&[LONG, ULONG, INT]);
                let a = self.expr(ty, uniform, depth - 1);
                Expr::new(INT, "$0 & 255", vec![a])
            }
            10 => {
                let a = self.expr(Ty::scalar(U8), uniform, depth - 1);
                Expr::new(INT, "$0", vec![a])
            }
            _ => {
                let a = self.expr(UINT, uniform, depth - 1);
                Expr::new(INT, "$0 & 63u", vec![a])
            }
        };
        let text = format!("{name}[$0]");
        converted_load(Ty::scalar(elem), ty, Expr::new(ty, text, vec![index]))
    }
}

fn unsigned(elem: Elem) -> Elem {
    match elem.bits() {
        8 => U8,
        16 => U16,
        32 => U32,
        _ => U64,
    }
}

/// `value`, whose text has the type `from`, as `to`.
fn converted_load(from: Ty, to: Ty, mut value: Expr) -> Expr {
    if from == to {
        return value;
    }
    value.ty = from;
    let sat = if from.is_float() && !to.is_float() {
        "_sat"
    } else {
        ""
    };
    Expr::new(to, format!("convert_{}{sat}($0)", to.name()), vec![value])
}

/// `a op b` for integers of a type, by unsigned arithmetic.
pub fn wrapping(ty: Ty, a: &str, op: &str, b: &str) -> String {
    let t = ty.name();
    let by = match (ty.is_vector(), ty.elem.bits()) {
        // Shorter ones are promoted to `int`, which has no room for each product.
        (false, 8 | 16) => UINT,
        _ => Ty::vector(unsigned(ty.elem), ty.lanes),
    };
    let u = by.name();
    match ty.is_vector() {
        true => format!("as_{t}(as_{u}({a}) {op} as_{u}({b}))"),
        false => format!("(({t})(({u}){a} {op} ({u}){b}))"),
    }
}
