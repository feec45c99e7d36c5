//! The expressions of run tests: C's operators over integers (128 bits, wrapping) and doubles.
//!
//! ```text
//! expr    := or ('?' expr ':' expr)?
//! or..mul := the binary operators of C with C's precedence: || && | ^ & == != < <= > >= << >> + - * / %
//! unary   := ('-' | '~' | '!')* primary
//! primary := number | name | name '(' expr {',' expr} ')' | 'a'K '[' expr ']' | '(' expr ')'
//!          | 'sum' '(' name ',' expr ',' expr ',' expr ')'
//! ```
//!
//! Invariant: names are resolved while parsing, so an expression that parsed fails to evaluate only by a division
//! by zero or an index out of range.

use super::runfile::Elem;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Int(i128),
    Float(f64),
}

impl Value {
    pub fn float(self) -> f64 {
        match self {
            Value::Int(x) => x as f64,
            Value::Float(x) => x,
        }
    }

    /// Truncates towards zero, as a C cast does.
    pub fn int(self) -> i128 {
        match self {
            Value::Int(x) => x,
            Value::Float(x) => x as i128,
        }
    }

    fn truth(self) -> bool {
        match self {
            Value::Int(x) => x != 0,
            Value::Float(x) => x != 0.0,
        }
    }
}

/// The names that every expression may use, in the order of [`Env::vars`].
pub const NAMES: [&str; 17] = [
    "i", "N", "G", "L", "NG", "GX", "GY", "GZ", "LX", "LY", "LZ", "NGX", "NGY", "NGZ", "OX", "OY",
    "OZ",
];

/// What an expression is evaluated in.
pub struct Env<'a> {
    pub vars: [i128; NAMES.len()],
    /// The initial contents of each argument (empty for what is no buffer).
    pub args: Vec<&'a [Value]>,
    bound: Vec<Value>,
}

impl<'a> Env<'a> {
    pub fn new(vars: [i128; NAMES.len()], args: Vec<&'a [Value]>) -> Env<'a> {
        Env {
            vars,
            args,
            bound: Vec::new(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Expr(Node);

#[derive(Clone, Debug)]
enum Node {
    Const(Value),
    Var(usize),
    Bound(usize),
    Arg(usize, Box<Node>),
    Unary(u8, Box<Node>),
    Binary(&'static str, Box<Node>, Box<Node>),
    Choose(Box<[Node; 3]>),
    Cast(Elem, Box<Node>),
    Call(Function, Vec<Node>),
    Sum(Box<[Node; 3]>),
}

impl Expr {
    pub fn parse(text: &str) -> Result<Expr, String> {
        let mut parser = Parser {
            text,
            at: 0,
            bound: Vec::new(),
        };
        let node = parser.expr()?;
        parser.space();
        match parser.rest() {
            "" => Ok(Expr(node)),
            rest => Err(format!("unexpected `{rest}` in `{text}`")),
        }
    }

    pub fn eval(&self, env: &mut Env) -> Result<Value, String> {
        eval(&self.0, env)
    }
}

fn eval(node: &Node, env: &mut Env) -> Result<Value, String> {
    Ok(match node {
        Node::Const(value) => *value,
        Node::Var(slot) => Value::Int(env.vars[*slot]),
        Node::Bound(slot) => env.bound[*slot],
        Node::Arg(arg, index) => {
            let index = eval(index, env)?.int();
            let data = env.args.get(*arg).copied().unwrap_or(&[]);
            *usize::try_from(index)
                .ok()
                .and_then(|at| data.get(at))
                .ok_or_else(|| {
                    format!(
                        "a{arg}[{index}] is out of range: it has {} elements",
                        data.len()
                    )
                })?
        }
        Node::Unary(op, inner) => match (op, eval(inner, env)?) {
            (b'-', Value::Int(x)) => Value::Int(x.wrapping_neg()),
            (b'-', Value::Float(x)) => Value::Float(-x),
            (b'~', x) => Value::Int(!x.int()),
            (_, x) => Value::Int(!x.truth() as i128),
        },
        Node::Binary("&&", a, b) => {
            Value::Int((eval(a, env)?.truth() && eval(b, env)?.truth()) as i128)
        }
        Node::Binary("||", a, b) => {
            Value::Int((eval(a, env)?.truth() || eval(b, env)?.truth()) as i128)
        }
        Node::Binary(op, a, b) => binary(op, eval(a, env)?, eval(b, env)?)?,
        Node::Choose(parts) => {
            let taken = if eval(&parts[0], env)?.truth() {
                &parts[1]
            } else {
                &parts[2]
            };
            eval(taken, env)?
        }
        Node::Cast(to, inner) => to.convert(eval(inner, env)?),
        Node::Call(function, args) => {
            let args: Vec<Value> = args
                .iter()
                .map(|arg| eval(arg, env))
                .collect::<Result<_, _>>()?;
            function(&args)
        }
        Node::Sum(parts) => {
            let (from, to) = (eval(&parts[0], env)?.int(), eval(&parts[1], env)?.int());
            let mut total = Value::Int(0);
            for k in from..to {
                env.bound.push(Value::Int(k));
                let term = eval(&parts[2], env);
                env.bound.pop();
                total = binary("+", total, term?)?;
            }
            total
        }
    })
}

fn binary(op: &str, a: Value, b: Value) -> Result<Value, String> {
    let (Value::Int(x), Value::Int(y)) = (a, b) else {
        let (x, y) = (a.float(), b.float());
        return Ok(match op {
            "+" => Value::Float(x + y),
            "-" => Value::Float(x - y),
            "*" => Value::Float(x * y),
            "/" => Value::Float(x / y),
            "%" => Value::Float(x % y),
            "==" => Value::Int((x == y) as i128),
            "!=" => Value::Int((x != y) as i128),
            "<" => Value::Int((x < y) as i128),
            "<=" => Value::Int((x <= y) as i128),
            ">" => Value::Int((x > y) as i128),
            ">=" => Value::Int((x >= y) as i128),
            _ => return Err(format!("`{op}` takes integers")),
        });
    };
    if y == 0 && matches!(op, "/" | "%") {
        return Err("division by zero".into());
    }
    Ok(Value::Int(match op {
        "+" => x.wrapping_add(y),
        "-" => x.wrapping_sub(y),
        "*" => x.wrapping_mul(y),
        "/" => x.wrapping_div(y),
        "%" => x.wrapping_rem(y),
        "<<" => x.wrapping_shl(y as u32),
        ">>" => x.wrapping_shr(y as u32),
        "&" => x & y,
        "|" => x | y,
        "^" => x ^ y,
        "==" => (x == y) as i128,
        "!=" => (x != y) as i128,
        "<" => (x < y) as i128,
        "<=" => (x <= y) as i128,
        ">" => (x > y) as i128,
        _ => (x >= y) as i128,
    }))
}

type Function = fn(&[Value]) -> Value;

/// The functions, by name and number of arguments.
const FUNCTIONS: &[(&str, usize, Function)] = &[
    ("abs", 1, |v| match v[0] {
        Value::Int(x) => Value::Int(x.wrapping_abs()),
        Value::Float(x) => Value::Float(x.abs()),
    }),
    ("min", 2, |v| {
        if v[1].float() < v[0].float() {
            v[1]
        } else {
            v[0]
        }
    }),
    ("max", 2, |v| {
        if v[1].float() > v[0].float() {
            v[1]
        } else {
            v[0]
        }
    }),
    ("popcount", 1, |v| {
        Value::Int(v[0].int().count_ones() as i128)
    }),
    ("floatbits", 1, |v| {
        Value::Int((v[0].float() as f32).to_bits() as i128)
    }),
    ("asfloat", 1, |v| {
        Value::Float(f32::from_bits(v[0].int() as u32) as f64)
    }),
    ("fma", 3, |v| {
        Value::Float(v[0].float().mul_add(v[1].float(), v[2].float()))
    }),
    ("pow", 2, |v| Value::Float(v[0].float().powf(v[1].float()))),
    ("atan2", 2, |v| {
        Value::Float(v[0].float().atan2(v[1].float()))
    }),
    ("hypot", 2, |v| {
        Value::Float(v[0].float().hypot(v[1].float()))
    }),
    ("sqrt", 1, |v| Value::Float(v[0].float().sqrt())),
    ("cbrt", 1, |v| Value::Float(v[0].float().cbrt())),
    ("exp", 1, |v| Value::Float(v[0].float().exp())),
    ("exp2", 1, |v| Value::Float(v[0].float().exp2())),
    ("expm1", 1, |v| Value::Float(v[0].float().exp_m1())),
    ("log", 1, |v| Value::Float(v[0].float().ln())),
    ("log2", 1, |v| Value::Float(v[0].float().log2())),
    ("log10", 1, |v| Value::Float(v[0].float().log10())),
    ("log1p", 1, |v| Value::Float(v[0].float().ln_1p())),
    ("sin", 1, |v| Value::Float(v[0].float().sin())),
    ("cos", 1, |v| Value::Float(v[0].float().cos())),
    ("tan", 1, |v| Value::Float(v[0].float().tan())),
    ("asin", 1, |v| Value::Float(v[0].float().asin())),
    ("acos", 1, |v| Value::Float(v[0].float().acos())),
    ("atan", 1, |v| Value::Float(v[0].float().atan())),
    ("sinh", 1, |v| Value::Float(v[0].float().sinh())),
    ("cosh", 1, |v| Value::Float(v[0].float().cosh())),
    ("tanh", 1, |v| Value::Float(v[0].float().tanh())),
    ("floor", 1, |v| Value::Float(v[0].float().floor())),
    ("ceil", 1, |v| Value::Float(v[0].float().ceil())),
    ("trunc", 1, |v| Value::Float(v[0].float().trunc())),
    ("rint", 1, |v| Value::Float(v[0].float().round_ties_even())),
    ("round", 1, |v| Value::Float(v[0].float().round())),
];

/// Binary operators by level, loosest first; longer spellings stand before their prefixes.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

struct Parser<'a> {
    text: &'a str,
    at: usize,
    bound: Vec<&'a str>,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn need(&mut self, token: &str) -> Result<(), String> {
        if self.eat(token) {
            Ok(())
        } else {
            Err(format!("`{token}` expected at `{}`", self.rest()))
        }
    }

    // expr := or ('?' expr ':' expr)?
    fn expr(&mut self) -> Result<Node, String> {
        let condition = self.level(0)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let yes = self.expr()?;
        self.need(":")?;
        Ok(Node::Choose(Box::new([condition, yes, self.expr()?])))
    }

    // level(n) := level(n + 1) {operator of level n, level(n + 1)}
    fn level(&mut self, level: usize) -> Result<Node, String> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.level(level + 1)?;
        while let Some(op) = self.operator(operators) {
            left = Node::Binary(op, Box::new(left), Box::new(self.level(level + 1)?));
        }
        Ok(left)
    }

    fn operator(&mut self, operators: &[&'static str]) -> Option<&'static str> {
        self.space();
        let rest = self.rest();
        let op = operators.iter().find(|op| rest.starts_with(**op))?;
        // `<` is not the head of `<<`, nor `|` of `||`; `+-` starts a tolerance.
        let next = rest[op.len()..].chars().next();
        if (op.len() == 1 && "<>|&".contains(*op) && next == op.chars().next())
            || rest.starts_with("+-")
        {
            return None;
        }
        self.at += op.len();
        Some(op)
    }

    // unary := ('-' | '~' | '!')* primary
    fn unary(&mut self) -> Result<Node, String> {
        for op in *b"-~!" {
            if self.eat(std::str::from_utf8(&[op]).expect("ASCII")) {
                return Ok(Node::Unary(op, Box::new(self.unary()?)));
            }
        }
        self.primary()
    }

    // primary := number | name | call | 'a'K '[' expr ']' | '(' expr ')'
    fn primary(&mut self) -> Result<Node, String> {
        if self.eat("(") {
            let inner = self.expr()?;
            self.need(")")?;
            return Ok(inner);
        }
        self.space();
        let rest = self.rest();
        if rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return self.number();
        }
        let length = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let name = &rest[..length];
        if name.is_empty() {
            return Err(format!(
                "an operand was expected at `{rest}` in `{}`",
                self.text
            ));
        }
        self.at += length;
        if let Some(slot) = self.bound.iter().rposition(|bound| *bound == name) {
            return Ok(Node::Bound(slot));
        }
        if let Some(slot) = NAMES.iter().position(|known| *known == name) {
            return Ok(Node::Var(slot));
        }
        match name {
            "pi" => return Ok(Node::Const(Value::Float(std::f64::consts::PI))),
            "inf" => return Ok(Node::Const(Value::Float(f64::INFINITY))),
            "nan" => return Ok(Node::Const(Value::Float(f64::NAN))),
            "sum" => return self.sum(),
            _ => {}
        }
        if let Some(arg) = name
            .strip_prefix('a')
            .and_then(|digits| digits.parse().ok())
        {
            self.need("[")?;
            let index = self.expr()?;
            self.need("]")?;
            return Ok(Node::Arg(arg, Box::new(index)));
        }
        self.call(name)
    }

    // call := name '(' expr {',' expr} ')'
    fn call(&mut self, name: &str) -> Result<Node, String> {
        self.need("(")?;
        let mut args = vec![self.expr()?];
        while self.eat(",") {
            args.push(self.expr()?);
        }
        self.need(")")?;
        if let (Ok(elem), 1) = (Elem::parse(name), args.len()) {
            return Ok(Node::Cast(elem, Box::new(args.remove(0))));
        }
        match FUNCTIONS
            .iter()
            .find(|(known, count, _)| *known == name && *count == args.len())
        {
            Some((_, _, function)) => Ok(Node::Call(*function, args)),
            None => Err(format!(
                "no function `{name}` with {} arguments",
                args.len()
            )),
        }
    }

    // sum := 'sum' '(' name ',' expr ',' expr ',' expr ')'
    fn sum(&mut self) -> Result<Node, String> {
        self.need("(")?;
        self.space();
        let rest = self.rest();
        let length = rest
            .find(|c: char| !c.is_ascii_alphanumeric())
            .unwrap_or(rest.len());
        self.at += length;
        self.need(",")?;
        let from = self.expr()?;
        self.need(",")?;
        let to = self.expr()?;
        self.need(",")?;
        self.bound.push(&rest[..length]);
        let term = self.expr();
        self.bound.pop();
        self.need(")")?;
        Ok(Node::Sum(Box::new([from, to, term?])))
    }

    // number := decimal or 0x integer | decimal floating point
    fn number(&mut self) -> Result<Node, String> {
        let rest = self.rest();
        if let Some(digits) = rest.strip_prefix("0x") {
            let length = digits
                .find(|c: char| !c.is_ascii_hexdigit())
                .unwrap_or(digits.len());
            self.at += 2 + length;
            return i128::from_str_radix(&digits[..length], 16)
                .map(|x| Node::Const(Value::Int(x)))
                .map_err(|_| format!("malformed number at `{rest}`"));
        }
        let mut length = 0;
        let mut previous = ' ';
        for c in rest.chars() {
            let exponent_sign = (c == '-' || c == '+') && previous == 'e';
            if !(c.is_ascii_digit() || c == '.' || c == 'e' || exponent_sign) {
                break;
            }
            previous = c;
            length += 1;
        }
        self.at += length;
        let text = &rest[..length];
        let value = match text.parse::<i128>() {
            Ok(x) => Value::Int(x),
            Err(_) => Value::Float(
                text.parse()
                    .map_err(|_| format!("malformed number `{text}`"))?,
            ),
        };
        Ok(Node::Const(value))
    }
}
