//! Functions and blocks of the text form, and the tables that are made of them.
//!
//! Invariant: values and blocks get the ids that the text gives them.

use std::collections::HashMap;

use super::Parse;
use super::cursor::Cursor;
use super::inst::{Line, line};
use super::lex::Tok;
use crate::ir::entities::{Block, Value};
use crate::ir::function::{Function, KernelAttrs, LocalVar, ParamAttrs, SrcLoc, Unroll};
use crate::ir::inst::{BlockCall, InstData, Terminator};
use crate::ir::types::{I8, Type};

/// A block as it is written.
struct Body {
    block: Block,
    params: Vec<TypedValue>,
    insts: Vec<ParsedInst>,
    term: Option<Terminator>,
    term_loc: SrcLoc,
    unroll: Option<Unroll>,
    /// Where each use stands, for messages: values, then blocks.
    uses: Vec<(Value, (u32, u32))>,
    targets: Vec<(Block, (u32, u32))>,
}

struct ParsedInst {
    result: Option<TypedValue>,
    data: InstData,
    loc: SrcLoc,
}

type TypedValue = (Value, Type);

/// How a value is defined.
#[derive(Clone, Copy)]
enum Def {
    Param(usize),
    Inst(usize, usize),
}

/// `function = ( "kernel" | "func" ) fnN name "(" params ")" [ "->" type ] { attr } [ loc ] "{" { local } [ debug ]
/// { block } "}" ;`
pub fn function(c: &mut Cursor, kernel: bool) -> Parse<Function> {
    let name = c.name()?;
    let mut func = Function::new(&name, None);
    let mut values = Vec::new();
    c.punct('(')?;
    for (value, attrs) in c.list(')', param)? {
        values.extend(value);
        func.params.extend(attrs);
    }
    if c.accept_arrow() {
        func.ret = Some(c.ty()?);
    }
    attrs(c, kernel, &mut func)?;
    func.loc = c.loc()?;
    c.punct('{')?;
    while c.accept_keyword("local") {
        c.counted("l", func.locals.len())?;
        c.punct(':')?;
        let size = c.int()?;
        c.keyword("align")?;
        let align = c.int()?;
        let name = c.text()?;
        func.add_local(LocalVar { name, size, align });
    }
    func.debug = super::debug::function_debug(c)?;
    let mut bodies: Vec<Body> = Vec::new();
    while !c.accept('}') {
        let mut body = block(c)?;
        if bodies.is_empty() {
            if !body.params.is_empty() {
                return c.error("the entry block's parameters stand in the function's head");
            }
            body.params = std::mem::take(&mut values);
        }
        bodies.push(body);
    }
    if bodies.is_empty() {
        return c.error_before("a function has at least one block");
    }
    build(c, func, bodies)
}

/// `param = ( vN ":" type | "_" ) { "noalias" | "readonly" | "by_value" "(" size "," align ")" | "noattrs" } [ string ] ;`
fn param(c: &mut Cursor) -> Parse<(Option<TypedValue>, Option<ParamAttrs>)> {
    let value = if c.accept_keyword("_") {
        None
    } else {
        Some(typed_value(c)?)
    };
    if c.accept_keyword("noattrs") {
        return Ok((value, None));
    }
    let mut attrs = ParamAttrs {
        name: String::new(),
        noalias: false,
        readonly: false,
        by_value: None,
    };
    loop {
        if c.accept_keyword("noalias") {
            attrs.noalias = true;
        } else if c.accept_keyword("readonly") {
            attrs.readonly = true;
        } else if c.accept_keyword("by_value") {
            c.punct('(')?;
            let size = c.int()?;
            c.punct(',')?;
            attrs.by_value = Some((size, c.int()?));
            c.punct(')')?;
        } else {
            break;
        }
    }
    if let Tok::Str(_) = c.peek() {
        attrs.name = c.text()?;
    }
    Ok((value, Some(attrs)))
}

/// `attr = "always_inline" | "noinline" | "group" | ( "reqd_size" | "size_hint" ) "(" x "," y "," z ")"`
/// `     | ( "number_bits" | "sub_group" ) n ;`
fn attrs(c: &mut Cursor, kernel: bool, func: &mut Function) -> Parse<()> {
    let mut of_kernel = KernelAttrs::default();
    loop {
        if c.accept_keyword("always_inline") {
            func.always_inline = true;
        } else if c.accept_keyword("noinline") {
            func.noinline = true;
        } else if c.accept_keyword("group") {
            func.group = true;
        } else if kernel && c.accept_keyword("reqd_size") {
            of_kernel.reqd_work_group_size = Some(size3(c)?);
        } else if kernel && c.accept_keyword("size_hint") {
            of_kernel.work_group_size_hint = Some(size3(c)?);
        } else if kernel && c.accept_keyword("number_bits") {
            of_kernel.number_bits = Some(c.int()?);
        } else if kernel && c.accept_keyword("sub_group") {
            of_kernel.sub_group_size = Some(c.int()?);
        } else {
            break;
        }
    }
    func.kernel = kernel.then_some(of_kernel);
    Ok(())
}

/// `"(" x "," y "," z ")"`
fn size3(c: &mut Cursor) -> Parse<[u32; 3]> {
    c.punct('(')?;
    let list = c.list(')', Cursor::int::<u32>)?;
    match <[u32; 3]>::try_from(list) {
        Ok(size) => Ok(size),
        Err(_) => c.error_before("expected three sizes"),
    }
}

/// `vN ":" type`
fn typed_value(c: &mut Cursor) -> Parse<TypedValue> {
    let value = c.id("v")?;
    c.punct(':')?;
    Ok((value, c.ty()?))
}

/// `block = blockN [ "(" vN ":" type { "," vN ":" type } ")" ] [ unroll ] ":" { inst } terminator ;`
fn block(c: &mut Cursor) -> Parse<Body> {
    let mut body = Body {
        block: c.id("block")?,
        params: Vec::new(),
        insts: Vec::new(),
        term: None,
        term_loc: SrcLoc::default(),
        unroll: None,
        uses: Vec::new(),
        targets: Vec::new(),
    };
    if c.accept('(') {
        body.params = c.list(')', typed_value)?;
    }
    body.unroll = unroll(c)?;
    c.punct(':')?;
    loop {
        let at = c.position();
        let result = if c.is_id(0, "v") {
            let result = typed_value(c)?;
            c.punct('=')?;
            Some(result)
        } else {
            None
        };
        let parsed = line(c, result.map(|(_, ty)| ty))?;
        let loc = c.loc()?;
        match parsed {
            Line::Inst(data) => {
                data.for_each_use(|v| body.uses.push((v, at)));
                body.insts.push(ParsedInst { result, data, loc });
            }
            Line::Term(_) if result.is_some() => {
                return c.error_at(at, "a terminator has no result");
            }
            Line::Term(term) => {
                if let Some(term) = &term {
                    term.for_each_use(|v| body.uses.push((v, at)));
                    term.for_each_call(|call: &BlockCall| body.targets.push((call.block, at)));
                }
                body.term = term;
                body.term_loc = loc;
                return Ok(body);
            }
        }
    }
}

/// `[ unroll ]`, where `unroll = "unroll" ( "full" | "never" | number ) ;`
fn unroll(c: &mut Cursor) -> Parse<Option<Unroll>> {
    if !c.accept_keyword("unroll") {
        return Ok(None);
    }
    Ok(Some(if c.accept_keyword("full") {
        Unroll::Full
    } else if c.accept_keyword("never") {
        Unroll::Never
    } else {
        let at = c.position();
        match c.int()? {
            0 => return c.error_at(at, "a loop is not unrolled 0 times"),
            n => Unroll::By(n),
        }
    }))
}

/// Makes the function's tables: first the blocks and the values in the order of their ids, then the contents.
fn build(c: &Cursor, mut func: Function, mut bodies: Vec<Body>) -> Parse<Function> {
    let defs = definitions(c, &bodies)?;
    let num_blocks = bodies.iter().map(|b| b.block.index() + 1).max();
    for _ in 0..num_blocks.unwrap_or(0) {
        func.add_block();
    }
    func.set_layout(bodies.iter().map(|b| b.block).collect());

    let mut made = vec![Vec::new(); bodies.len()];
    let num_values = defs.keys().map(|v| v.index() + 1).max();
    for n in 0..num_values.unwrap_or(0) {
        match defs.get(&Value::new(n)) {
            Some(&(Def::Param(block), ty)) => {
                func.add_param(bodies[block].block, ty);
            }
            Some(&(Def::Inst(block, at), ty)) => {
                let inst = &mut bodies[block].insts[at];
                let data = std::mem::replace(&mut inst.data, InstData::ScratchBase);
                made[block].push((at, func.make_inst(data, Some(ty), inst.loc)));
            }
            None => {
                func.make_inst(InstData::Undef { ty: I8 }, Some(I8), SrcLoc::default());
            }
        }
    }
    for (body, mut insts) in bodies.into_iter().zip(made) {
        let block = body.block;
        func.block_mut(block).params = body.params.iter().map(|&(v, _)| v).collect();
        // Numbers the parameters anew, in the order of the text.
        func.retain_params(block, |_| true);
        for (at, inst) in body.insts.into_iter().enumerate() {
            if inst.result.is_none() {
                insts.push((at, func.make_inst(inst.data, None, inst.loc)));
            }
        }
        insts.sort_unstable_by_key(|&(at, _)| at);
        for (_, inst) in insts {
            func.append_inst(block, inst);
        }
        let term = body.term.map(|term| trim_cases(&func, term));
        let data = func.block_mut(block);
        data.term = term;
        data.term_loc = body.term_loc;
        data.unroll = body.unroll;
    }
    Ok(func)
}

/// Where every value is defined: once each, and every value and block that is used is defined.
fn definitions(c: &Cursor, bodies: &[Body]) -> Parse<HashMap<Value, (Def, Type)>> {
    let mut defs = HashMap::new();
    let mut blocks = HashMap::new();
    for (n, body) in bodies.iter().enumerate() {
        if blocks.insert(body.block, n).is_some() {
            return c.error_before(format!("{} is defined twice", body.block));
        }
        let params = body.params.iter().map(|&(v, ty)| (v, ty, Def::Param(n)));
        let results = body.insts.iter().enumerate();
        let results =
            results.filter_map(|(at, i)| i.result.map(|(v, ty)| (v, ty, Def::Inst(n, at))));
        for (value, ty, def) in params.chain(results) {
            if defs.insert(value, (def, ty)).is_some() {
                return c.error_before(format!("{value} is defined twice in this function"));
            }
        }
    }
    for body in bodies {
        for &(value, at) in &body.uses {
            if !defs.contains_key(&value) {
                return c.error_at(at, format!("{value} is not defined"));
            }
        }
        for &(block, at) in &body.targets {
            if !blocks.contains_key(&block) {
                return c.error_at(at, format!("{block} is not defined"));
            }
        }
    }
    Ok(defs)
}

/// Case values are written as signed numbers; here the type is known and they become bits of its width.
fn trim_cases(func: &Function, mut term: Terminator) -> Terminator {
    if let Terminator::Switch { value, cases, .. } = &mut term {
        let width = func.ty(*value).elem.bits();
        for (bits, _) in cases {
            if width < 64 && (*bits as i64) < 0 {
                *bits &= (1 << width) - 1;
            }
        }
    }
    term
}
