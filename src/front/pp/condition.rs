//! `#if` and `#elif` expressions (C99 6.10.1 and 6.6): integer arithmetic in 64 bits, signed and unsigned; identifiers
//! that are left after macro replacement are 0 (and `true` is 1, OpenCL C 6.1.1).
//!
//! Invariants: operands that are not evaluated (behind `0 &&`, `1 ||`, and the other branch of `?:`) report no
//! arithmetic errors; nesting is at most [`MAX_DEPTH`] deep; after an error the expression is false.

use super::super::lex::{PpKind, PpToken};
use super::super::literal;
use super::super::num;
use super::super::token::Punct;
use super::Preprocessor;

const MAX_DEPTH: u32 = 256;

#[derive(Clone, Copy, Debug)]
struct Value {
    bits: u64,
    unsigned: bool,
}

/// The error is reported already.
struct Reported;

impl Preprocessor<'_> {
    /// Evaluates the rest of the line.
    pub(super) fn condition(&mut self) -> bool {
        let line = self.line();
        self.evaluate(&line).is_some_and(|bits| bits != 0)
    }

    /// The value of an expression, or `None` after an error.
    pub(super) fn evaluate(&mut self, tokens: &[PpToken]) -> Option<u64> {
        let outer = self.isolate(tokens);
        let token = self.next_expanded();
        let mut evaluator = Evaluator { pp: self, token };
        let value = evaluator.whole();
        self.restore(outer);
        value.ok().map(|value| value.bits)
    }
}

struct Evaluator<'p, 'a> {
    pp: &'p mut Preprocessor<'a>,
    /// The token to be read next, macro-replaced.
    token: PpToken,
}

type Result = std::result::Result<Value, Reported>;

fn int(value: i64) -> Value {
    Value {
        bits: value as u64,
        unsigned: false,
    }
}

impl Evaluator<'_, '_> {
    /// constant-expression new-line
    fn whole(&mut self) -> Result {
        if self.token.kind == PpKind::EndOfFile {
            return self.fail("expected value in expression");
        }
        let value = self.conditional(true, 0)?;
        if self.token.kind != PpKind::EndOfFile {
            let text = match self.token.kind {
                PpKind::Punct(Punct::RParen) => "missing '(' in preprocessor expression",
                PpKind::Punct(Punct::Colon) => "expected end of line in preprocessor expression",
                _ => "token is not a valid binary operator in a preprocessor subexpression",
            };
            return self.fail(text);
        }
        Ok(value)
    }

    fn advance(&mut self) {
        self.token = self.pp.next_expanded();
    }

    fn fail(&mut self, text: &str) -> Result {
        let loc = match self.token.kind {
            PpKind::EndOfFile => self.pp.directive_loc,
            _ => self.token.loc,
        };
        self.pp.session.diags.error(loc, text);
        Err(Reported)
    }

    fn check_depth(&mut self, depth: u32) -> Result {
        if depth > MAX_DEPTH {
            let text = format!("bracket nesting level exceeded maximum of {MAX_DEPTH}");
            return self.fail(&text);
        }
        Ok(int(0))
    }

    /// conditional-expression: logical-OR-expression ( ? expression : conditional-expression )_opt
    fn conditional(&mut self, live: bool, depth: u32) -> Result {
        self.check_depth(depth)?;
        let condition = self.binary(1, live, depth)?;
        if !self.token.is(Punct::Question) {
            return Ok(condition);
        }
        self.advance();
        let is_true = condition.bits != 0;
        let then = self.conditional(live && is_true, depth + 1)?;
        if !self.token.is(Punct::Colon) {
            return self.fail("expected ':' in preprocessor expression");
        }
        self.advance();
        let otherwise = self.conditional(live && !is_true, depth + 1)?;
        Ok(Value {
            bits: if is_true { then.bits } else { otherwise.bits },
            unsigned: then.unsigned || otherwise.unsigned,
        })
    }

    /// All binary operators of precedence `lowest` and higher, left to right.
    fn binary(&mut self, lowest: u32, live: bool, depth: u32) -> Result {
        let mut left = self.unary(live, depth)?;
        while let PpKind::Punct(operator) = self.token.kind {
            let precedence = precedence(operator);
            if precedence < lowest || precedence == 0 {
                break;
            }
            let loc = self.token.loc;
            self.advance();
            let right_lives = match operator {
                Punct::AmpAmp => live && left.bits != 0,
                Punct::PipePipe => live && left.bits == 0,
                _ => live,
            };
            // The depth of this recursion is bounded by the number of precedences.
            let right = self.binary(precedence + 1, right_lives, depth)?;
            left = match apply(operator, left, right) {
                Outcome::Value(value) => value,
                Outcome::Overflow(value) => {
                    if live {
                        let text = "integer overflow in preprocessor expression";
                        self.pp.session.diags.warning(loc, text);
                    }
                    value
                }
                Outcome::DivisionByZero if live => {
                    let text = "division by zero in preprocessor expression";
                    self.pp.session.diags.error(loc, text);
                    return Err(Reported);
                }
                Outcome::DivisionByZero => int(0),
            };
        }
        Ok(left)
    }

    /// unary-expression: ( + | - | ~ | ! ) unary-expression, or primary-expression
    fn unary(&mut self, live: bool, depth: u32) -> Result {
        self.check_depth(depth)?;
        let PpKind::Punct(operator) = self.token.kind else {
            return self.primary();
        };
        match operator {
            Punct::LParen => {
                let open = self.token.loc;
                self.advance();
                let value = self.conditional(live, depth + 1)?;
                if !self.token.is(Punct::RParen) {
                    let failed = self.fail("expected ')' in preprocessor expression");
                    self.pp.session.diags.note(open, "to match this '('");
                    return failed;
                }
                self.advance();
                Ok(value)
            }
            Punct::Plus | Punct::Minus | Punct::Tilde | Punct::Bang => {
                self.advance();
                let value = self.unary(live, depth + 1)?;
                Ok(match operator {
                    Punct::Minus => Value {
                        bits: value.bits.wrapping_neg(),
                        ..value
                    },
                    Punct::Tilde => Value {
                        bits: !value.bits,
                        ..value
                    },
                    Punct::Bang => int(i64::from(value.bits == 0)),
                    _ => value,
                })
            }
            _ => self.fail("invalid token at start of a preprocessor expression"),
        }
    }

    /// primary-expression: integer constant, character constant, identifier, or `defined`
    fn primary(&mut self) -> Result {
        let token = self.token;
        let spelling = self.pp.session.names.name(token.text);
        let value = match token.kind {
            PpKind::Ident if token.text == self.pp.words.defined => return self.defined(),
            PpKind::Ident => int(i64::from(token.text == self.pp.words.truth)),
            PpKind::Number => match num::parse_condition_number(spelling) {
                Ok((bits, unsigned)) => Value { bits, unsigned },
                Err(error) => {
                    let loc = token.loc.offset(error.offset);
                    self.pp.session.diags.error(loc, error.text);
                    return Err(Reported);
                }
            },
            PpKind::Char => {
                let decoded = literal::decode_char(spelling);
                if let Some(problem) = decoded.problems.iter().find(|p| p.is_error) {
                    return self.fail(&problem.text.clone());
                }
                int(i64::from(decoded.value))
            }
            PpKind::EndOfFile => return self.fail("expected value in expression"),
            _ => return self.fail("invalid token at start of a preprocessor expression"),
        };
        self.advance();
        Ok(value)
    }

    /// `defined identifier` or `defined ( identifier )`; the name is not macro-replaced.
    fn defined(&mut self) -> Result {
        let mut name = self.pp.next_token();
        let in_parens = name.is(Punct::LParen);
        if in_parens {
            name = self.pp.next_token();
        }
        if name.kind != PpKind::Ident {
            self.token = name;
            let text = if name.kind == PpKind::EndOfFile {
                "macro name missing"
            } else {
                "macro name must be an identifier"
            };
            return self.fail(text);
        }
        if in_parens {
            let close = self.pp.next_token();
            if !close.is(Punct::RParen) {
                self.token = close;
                return self.fail("missing ')' after 'defined'");
            }
        }
        let is_defined = self.pp.is_defined(name.text);
        self.advance();
        Ok(int(i64::from(is_defined)))
    }
}

/// How tightly a binary operator binds; 0 for what is none. The comma is no operator here (6.6).
fn precedence(operator: Punct) -> u32 {
    match operator {
        Punct::PipePipe => 1,
        Punct::AmpAmp => 2,
        Punct::Pipe => 3,
        Punct::Caret => 4,
        Punct::Amp => 5,
        Punct::EqEq | Punct::Ne => 6,
        Punct::Lt | Punct::Gt | Punct::Le | Punct::Ge => 7,
        Punct::Shl | Punct::Shr => 8,
        Punct::Plus | Punct::Minus => 9,
        Punct::Star | Punct::Slash | Punct::Percent => 10,
        _ => 0,
    }
}

enum Outcome {
    Value(Value),
    Overflow(Value),
    DivisionByZero,
}

fn apply(operator: Punct, left: Value, right: Value) -> Outcome {
    let truth = |value: bool| Outcome::Value(int(i64::from(value)));
    let (a, b) = (left.bits, right.bits);
    let (signed_a, signed_b) = (a as i64, b as i64);
    // 6.3.1.8: if one operand is unsigned, so is the operation.
    let unsigned = left.unsigned || right.unsigned;
    let value = |bits: u64| Outcome::Value(Value { bits, unsigned });
    let signed = |result: (i64, bool)| {
        let (bits, overflow) = (result.0 as u64, result.1);
        let value = Value { bits, unsigned };
        if overflow {
            Outcome::Overflow(value)
        } else {
            Outcome::Value(value)
        }
    };
    let is_less = if unsigned { a < b } else { signed_a < signed_b };
    match operator {
        Punct::PipePipe => truth(a != 0 || b != 0),
        Punct::AmpAmp => truth(a != 0 && b != 0),
        Punct::Pipe => value(a | b),
        Punct::Caret => value(a ^ b),
        Punct::Amp => value(a & b),
        Punct::EqEq => truth(a == b),
        Punct::Ne => truth(a != b),
        Punct::Lt => truth(is_less),
        Punct::Ge => truth(!is_less),
        Punct::Le => truth(is_less || a == b),
        Punct::Gt => truth(!is_less && a != b),
        Punct::Shl | Punct::Shr => Outcome::Value(Value {
            bits: shift(operator, left, right),
            unsigned: left.unsigned,
        }),
        Punct::Slash | Punct::Percent if b == 0 => Outcome::DivisionByZero,
        Punct::Plus if unsigned => value(a.wrapping_add(b)),
        Punct::Minus if unsigned => value(a.wrapping_sub(b)),
        Punct::Star if unsigned => value(a.wrapping_mul(b)),
        Punct::Slash if unsigned => value(a / b),
        Punct::Percent if unsigned => value(a % b),
        Punct::Plus => signed(signed_a.overflowing_add(signed_b)),
        Punct::Minus => signed(signed_a.overflowing_sub(signed_b)),
        Punct::Star => signed(signed_a.overflowing_mul(signed_b)),
        Punct::Slash => signed(signed_a.overflowing_div(signed_b)),
        _ => signed(signed_a.overflowing_rem(signed_b)),
    }
}

/// A shift by a negative count goes the other way; by more than 63 it leaves nothing (or the sign).
fn shift(operator: Punct, value: Value, count: Value) -> u64 {
    let negative = !count.unsigned && (count.bits as i64) < 0;
    let amount = if negative {
        count.bits.wrapping_neg()
    } else {
        count.bits
    };
    if (operator == Punct::Shl) != negative {
        return if amount < 64 { value.bits << amount } else { 0 };
    }
    if value.unsigned {
        if amount < 64 { value.bits >> amount } else { 0 }
    } else {
        ((value.bits as i64) >> amount.min(63)) as u64
    }
}
