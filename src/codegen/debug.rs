//! Which line of the source machine code comes from, and where variables are, as DWARF.
//!
//! Invariants: a position that is not known is line 0, never that of a neighbour, so that no instruction is told to come from
//! where it does not. Without optimisation instructions stand in the order of the source: there one without a position of its
//! own belongs to what stands before it in its block, else to what follows in it, else to the head of its function. Functions of
//! the library have no debug information: what LLVM inlines of them belongs to the call.
//!
//! What a work-item asks of its place in the NDRange, a debugger asks of artificial variables (`ir::debug::ITEM`), by macros
//! with the names of the functions: it need not run anything, and a core file answers as well.

use std::cell::RefCell;
use std::collections::HashMap;

use super::Options;
use super::llvm::{Bb, DebugBuilder, Llvm, Md, Val};
use crate::ir::debug::{FunctionDebug as Told, ITEM};
use crate::ir::{self, FuncId, Function, LIBRARY_FILE, SrcLoc};

mod place;
mod types;

/// The functions that a debugger knows (OpenCL C 3.0, 6.15.1: beyond three dimensions ids are 0 and sizes 1).
const MACROS: [(&str, &str); 10] = [
    ("get_work_dim()", "__work_dim"),
    ("get_global_id(d)", "((d) < 3 ? __global_id[d] : 0)"),
    ("get_local_id(d)", "((d) < 3 ? __local_id[d] : 0)"),
    ("get_group_id(d)", "((d) < 3 ? __group_id[d] : 0)"),
    ("get_global_offset(d)", "((d) < 3 ? __global_offset[d] : 0)"),
    ("get_global_size(d)", "((d) < 3 ? __global_size[d] : 1)"),
    ("get_local_size(d)", "((d) < 3 ? __local_size[d] : 1)"),
    ("get_num_groups(d)", "((d) < 3 ? __num_groups[d] : 1)"),
    (
        "get_local_linear_id()",
        "((__local_id[2] * __local_size[1] + __local_id[1]) * __local_size[0] + __local_id[0])",
    ),
    (
        "get_global_linear_id()",
        "(((__global_id[2] - __global_offset[2]) * __global_size[1] + __global_id[1] - __global_offset[1]) * __global_size[0] + __global_id[0] - __global_offset[0])",
    ),
];

/// Bytes of a word of an item.
const WORD: u64 = 8;

/// Of a module.
pub struct Debug {
    builder: DebugBuilder,
    /// By `SrcLoc::file`.
    files: Vec<Md>,
    optimized: bool,
    /// By the number of the type.
    types: RefCell<Vec<Option<Md>>>,
    /// Functions that were inlined, by name and line.
    inlined: RefCell<HashMap<(String, u32), Md>>,
}

/// Of one function.
pub struct FunctionDebug {
    /// By scope.
    scopes: Vec<Scope>,
    /// Scopes with the files in which there is something of them that does not begin there.
    in_file: HashMap<(u16, u16), Md>,
    known: HashMap<(u16, u32, u16), Md>,
    /// Where the source names the function, and no line.
    head: Md,
    nowhere: Md,
    /// What an instruction belongs to that says nothing, without optimisation.
    before: Md,
    optimized: bool,
}

#[derive(Clone, Copy)]
struct Scope {
    md: Md,
    file: u16,
    /// The call that it was inlined for.
    call: Option<Md>,
    /// The whole of a function.
    whole: bool,
}

impl Debug {
    /// The unit has the name of the file in which its first kernel stands: a program may have several, and headers.
    pub fn new(
        llvm: &Llvm,
        module: &ir::Module,
        groups: &[FuncId],
        options: &Options,
    ) -> Option<Debug> {
        if !options.debug {
            return None;
        }
        let folder = std::env::current_dir().unwrap_or_default();
        let folder = folder.to_string_lossy();
        let builder = DebugBuilder::new(llvm);
        let files = module.files.iter();
        let files: Vec<Md> = files.map(|name| builder.file(name, &folder)).collect();
        let kernel = module.body(*groups.first()?)?;
        let main = *files.get(usize::from(kernel.loc.file)).or(files.first())?;
        builder.unit(main, options.optimize);
        if !options.optimize {
            builder.macros(main, &files, &MACROS);
        }
        Some(Debug {
            builder,
            files,
            optimized: options.optimize,
            types: RefCell::new(vec![None; module.debug_types.len()]),
            inlined: RefCell::default(),
        })
    }

    /// That of a function of the program; `None` for one of the library.
    pub fn function(&self, llvm: &Llvm, function: Val, body: &Function) -> Option<FunctionDebug> {
        let loc = body.loc;
        let file = *self.files.get(usize::from(loc.file))?;
        if loc.line == 0 {
            return None;
        }
        let name = name_in_source(&body.name);
        let subprogram = self.builder.function(name, file, loc.line, self.optimized);
        llvm.set_subprogram(function, subprogram);
        let head = llvm.debug_location(loc.line, 0, subprogram, None);
        let mut this = FunctionDebug {
            scopes: vec![Scope {
                md: subprogram,
                file: loc.file,
                call: None,
                whole: true,
            }],
            in_file: HashMap::new(),
            known: HashMap::new(),
            head,
            nowhere: llvm.debug_location(0, 0, subprogram, None),
            before: head,
            optimized: self.optimized,
        };
        if let Some(told) = &body.debug {
            this.add_scopes(self, llvm, told);
        }
        Some(this)
    }

    pub fn finish(&self) {
        self.builder.finish();
    }

    fn file(&self, loc: SrcLoc) -> Option<Md> {
        self.files.get(usize::from(loc.file)).copied()
    }

    fn inlined(&self, name: &str, file: Md, line: u32) -> Md {
        let key = (name.to_string(), line);
        let make = || {
            let name = name_in_source(name);
            self.builder.function(name, file, line, self.optimized)
        };
        *self.inlined.borrow_mut().entry(key).or_insert_with(make)
    }
}

/// What the source calls a function. Those that only one of several units knows have its number behind a dot
/// (`compiler/link.rs`).
fn name_in_source(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((known, number)) if !known.is_empty() && number.parse::<usize>().is_ok() => known,
        _ => name,
    }
}

impl FunctionDebug {
    /// Code before the first block.
    pub fn at_head(&self) -> Md {
        self.head
    }

    /// A block begins, in which this is the first position that is known.
    pub fn begin_block(&mut self, debug: &Debug, llvm: &Llvm, first: SrcLoc) {
        self.before = self.head;
        self.locate(debug, llvm, first);
    }

    /// Where the next instructions stand.
    pub fn locate(&mut self, debug: &Debug, llvm: &Llvm, loc: SrcLoc) -> Md {
        let found = match loc.line {
            0 => None,
            _ if loc.file == LIBRARY_FILE => None,
            _ => self.known(debug, llvm, loc),
        };
        match found {
            Some(found) => {
                self.before = found;
                found
            }
            None if self.optimized => self.nowhere,
            None => self.before,
        }
    }

    fn known(&mut self, debug: &Debug, llvm: &Llvm, loc: SrcLoc) -> Option<Md> {
        let key = (loc.file, loc.line, loc.scope);
        if let Some(&found) = self.known.get(&key) {
            return Some(found);
        }
        let (scope, call) = self.scope(debug, loc)?;
        let made = llvm.debug_location(loc.line, 0, scope, call);
        self.known.insert(key, made);
        Some(made)
    }

    /// The scope of a position, in its file, and the call that it was inlined for.
    fn scope(&mut self, debug: &Debug, loc: SrcLoc) -> Option<(Md, Option<Md>)> {
        let scope = *self.scopes.get(usize::from(loc.scope))?;
        let file = debug.file(loc)?;
        if loc.file == scope.file {
            return Some((scope.md, scope.call));
        }
        let key = (loc.scope, loc.file);
        let make = || debug.builder.in_file(scope.md, file);
        Some((*self.in_file.entry(key).or_insert_with(make), scope.call))
    }

    fn add_scopes(&mut self, debug: &Debug, llvm: &Llvm, told: &Told) {
        for scope in &told.scopes {
            let loc = scope.loc;
            let outer = self.scopes[usize::from(loc.scope)];
            let made = match &scope.inlined {
                Some((name, named)) => {
                    let around = self.scope(debug, loc);
                    let file = debug.file(*named);
                    around.zip(file).map(|((around, call), file)| Scope {
                        md: debug.inlined(name, file, named.line),
                        file: named.file,
                        // With the column: another call in the line is another one.
                        call: Some(llvm.debug_location(loc.line, loc.col.into(), around, call)),
                        whole: true,
                    })
                }
                None => debug.file(loc).map(|file| Scope {
                    md: debug
                        .builder
                        .block(outer.md, file, loc.line, loc.col.into()),
                    file: loc.file,
                    call: outer.call,
                    whole: false,
                }),
            };
            self.scopes.push(made.unwrap_or(outer));
        }
    }

    /// Says where the variables are. `address` gives an alloca, and whether that holds the address rather than being the
    /// place; none for what is not there in the whole function.
    pub fn declare(
        &self,
        (debug, llvm): (&Debug, &Llvm),
        (module, func): (&ir::Module, &Function),
        block: Bb,
        address: impl Fn(ir::Value) -> Option<(Val, bool)>,
    ) {
        let Some(told) = &func.debug else {
            return;
        };
        let declare = |variable, place, (line, scope): (u32, Scope)| {
            let location = llvm.debug_location(line, 0, scope.md, scope.call);
            debug.builder.declare(variable, place, location, block);
        };
        for variable in &told.variables {
            let loc = variable.loc;
            let (Some(&scope), Some(file)) =
                (self.scopes.get(usize::from(loc.scope)), debug.file(loc))
            else {
                continue;
            };
            let place = variable.place;
            let (Some(ty), Some((base, held))) =
                (debug.ty(module, variable.ty), address(place.base))
            else {
                continue;
            };
            let param = variable.param.filter(|_| scope.whole);
            let md = debug.builder.variable(
                (&variable.name, ty),
                (scope.md, file, loc.line),
                param.map(|n| u32::from(n) + 1),
            );
            debug_assert!(!held || !place.indirect);
            let place = (base, place.offset, place.indirect || held);
            declare(md, place, (loc.line, scope));
        }
        let Some((item, false)) = told.item.and_then(&address) else {
            return;
        };
        let word = debug.word();
        for &scope in self.scopes.iter().filter(|scope| scope.whole) {
            let file = debug.files[usize::from(scope.file)];
            for part in ITEM {
                let ty = match part.words {
                    1 => word,
                    n => debug.builder.array_type(word, n, n * WORD),
                };
                let variable = (part.name, ty);
                let md = debug.builder.variable(variable, (scope.md, file, 0), None);
                declare(md, (item, part.at * WORD, false), (0, scope));
            }
        }
    }
}
