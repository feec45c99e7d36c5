//! Brings an object that LLVM made of one of our modules into this process: a linker for just these.
//!
//! Such an object has code and constants, and no variables, initialisers or thread-local storage; from outside it wants
//! the functions of [`super::helpers`] and the block of the program's variables. Objects come from the disk cache and out
//! of program binaries too, so what is not as it should be is an error, whatever it is. A general linker would do (LLVM has one in
//! JITLink), but loading is most of what a second process does with a kernel: this takes less than half of the time, and
//! leaves no session behind that the child of a fork would have to do without.
//!
//! Invariants: constants and code are in one piece of memory, constants behind the code. Behind the code stand stubs for
//! functions from outside, which may be further away than a call can reach, and behind the constants the addresses of all that is from
//! outside. Sources: System V ABI, AMD64 supplement, 4.4 "Relocation"; `object`'s names.

use std::collections::HashMap;
use std::sync::Arc;

use object::elf;
use object::{
    Architecture, File, Object, ObjectKind, ObjectSection, ObjectSymbol, Relocation,
    RelocationFlags, RelocationTarget, SectionFlags, SectionIndex, SymbolIndex, SymbolSection,
};
use once_cell::sync::OnceCell;

use super::code_memory::{CodeMemory, Draft};
use super::data::{self, Data};
use super::gdb::{self, Registered};
use super::helpers;
use super::module::GROUP_PREFIX;
use crate::ir::abi::GroupFn;

/// The group functions by their kernels' names: their offsets in the memory. LLVM leaves nothing of a function that
/// stores to null whatever happens.
type Functions = HashMap<String, Option<usize>>;

/// Machine code in this process, alive as long as this is.
pub struct Loaded {
    /// As debuggers know it: forgotten before the memory goes.
    registered: OnceCell<Registered>,
    functions: Functions,
    memory: CodeMemory,
    /// The variables that the code knows the address of.
    _data: Option<Arc<Data>>,
}

impl Loaded {
    /// The function of the kernel `name`. It may be called only while `self` lives.
    pub fn lookup(&self, name: &str) -> Result<GroupFn, String> {
        let offset = self.functions.get(name);
        let offset = offset.ok_or_else(|| format!("there is no function of a kernel '{name}'"))?;
        let offset = offset.ok_or_else(|| {
            format!("'{name}' has no code, because what it does is always undefined")
        })?;
        let address = self.memory.address() + offset;
        // SAFETY: symbols with this prefix are group functions, by `module::lower`.
        Ok(unsafe { std::mem::transmute::<usize, GroupFn>(address) })
    }

    /// Tells debuggers of the code, which was loaded from `object` and has its function of `kernel` at `entry`. Without debug
    /// information there is nothing to tell.
    pub fn announce(&self, object: &[u8], kernel: &str, entry: GroupFn) {
        if let Some(registered) = gdb::register(object, kernel, entry) {
            let _ = self.registered.set(registered);
        }
    }
}

/// Loads an object that [`super::emit`] made of a module without variables in global memory. Errors: bytes that are
/// not such an object.
pub fn load(object: &[u8]) -> Result<Loaded, String> {
    load_with(object, None)
}

/// As [`load`], with the program's variables.
pub fn load_with(object: &[u8], data: Option<Arc<Data>>) -> Result<Loaded, String> {
    let file = File::parse(object).map_err(|error| format!("no object: {error}"))?;
    let ours = file.kind() == ObjectKind::Relocatable
        && file.is_little_endian()
        && file.architecture() == Architecture::X86_64;
    if !ours || !cfg!(target_arch = "x86_64") {
        return Err("an object for another machine".into());
    }
    let plan = Plan::new(&file, data.as_ref().map(|data| data.address()))?;
    let (memory, functions) = plan.place(&file)?;
    Ok(Loaded {
        registered: OnceCell::new(),
        functions,
        memory,
        _data: data,
    })
}

/// The address of what an object wants from outside of it; `data` is that of the program's variables.
fn outside(name: &str, data: Option<usize>) -> Result<usize, String> {
    let mut helpers = helpers::all().into_iter();
    let found = match data::SYMBOL.to_str() == Ok(name) {
        true => data,
        false => helpers
            .find(|helper| helper.name.to_str() == Ok(name))
            .map(|helper| helper.address),
    };
    found.ok_or_else(|| format!("'{name}' is not defined"))
}

/// A function's stub: a jump to the address that stands in a word, `ff 25` and how far away that is.
const STUB: [u8; 2] = [0xff, 0x25];
const STUB_BYTES: usize = 8;
const WORD: usize = 8;

/// What is where.
struct Plan {
    /// Offsets of the sections, code from the start of the memory and constants from the start of the constants.
    sections: HashMap<SectionIndex, (Part, usize)>,
    /// What is from outside: its address and number.
    outside: HashMap<SymbolIndex, (usize, usize)>,
    /// Where stubs and addresses start, and where they end.
    stubs: usize,
    words: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Code,
    Constants,
}

impl Plan {
    fn new(file: &File, data: Option<usize>) -> Result<Plan, String> {
        let mut plan = Plan {
            sections: HashMap::new(),
            outside: HashMap::new(),
            stubs: 0,
            words: 0,
        };
        for section in file.sections() {
            let Some(part) = part_of(&section)? else {
                continue;
            };
            let end = plan.end(part);
            let align = section.align().max(1);
            let (size, align) = (to_usize(section.size())?, to_usize(align)?);
            // A page is aligned to no more.
            if !align.is_power_of_two() || align > 4096 {
                return Err(format!("a section is aligned to {align} bytes"));
            }
            let at = end.checked_next_multiple_of(align).ok_or(TOO_LARGE)?;
            *end = at.checked_add(size).ok_or(TOO_LARGE)?;
            plan.sections.insert(section.index(), (part, at));
            for (_, relocation) in section.relocations() {
                plan.want(file, &relocation, data)?;
            }
        }
        for end in [&mut plan.stubs, &mut plan.words] {
            *end = end.checked_next_multiple_of(WORD).ok_or(TOO_LARGE)?;
        }
        Ok(plan)
    }

    fn end(&mut self, part: Part) -> &mut usize {
        match part {
            Part::Code => &mut self.stubs,
            Part::Constants => &mut self.words,
        }
    }

    /// Notes what a relocation leads to, if that is outside of the object.
    fn want(
        &mut self,
        file: &File,
        relocation: &Relocation,
        data: Option<usize>,
    ) -> Result<(), String> {
        let RelocationTarget::Symbol(index) = relocation.target() else {
            return Ok(());
        };
        let symbol = file.symbol_by_index(index).map_err(broken)?;
        if symbol.section() == SymbolSection::Undefined && !self.outside.contains_key(&index) {
            let address = outside(symbol.name().map_err(broken)?, data)?;
            let number = self.outside.len();
            self.outside.insert(index, (address, number));
        }
        Ok(())
    }

    /// Fills memory.
    fn place(&self, file: &File) -> Result<(CodeMemory, Functions), String> {
        let count = self.outside.len();
        let code = self
            .stubs
            .checked_add(count * STUB_BYTES)
            .ok_or(TOO_LARGE)?;
        let constants = self.words.checked_add(count * WORD).ok_or(TOO_LARGE)?;
        // Distances in it have 32 bits.
        if code
            .checked_add(constants)
            .is_none_or(|all| all > i32::MAX as usize / 2)
        {
            return Err(TOO_LARGE.into());
        }
        let mut draft = Draft::new(code, constants).ok_or("there is no memory for machine code")?;
        let mut image = Image {
            plan: self,
            address: draft.address(),
            constants: draft.constants(),
            bytes: draft.bytes(),
        };
        for section in file.sections() {
            if self.sections.contains_key(&section.index()) {
                let at = image.section(section.index())?;
                let content = section.data().map_err(broken)?;
                image.write(at, content)?;
            }
        }
        for &(address, number) in self.outside.values() {
            image.put_outside(address, number)?;
        }
        for section in file.sections() {
            if self.sections.contains_key(&section.index()) {
                let at = image.section(section.index())?;
                for (offset, relocation) in section.relocations() {
                    let end = offset.checked_add(1).filter(|&end| end <= section.size());
                    end.ok_or(BEYOND)?;
                    image.relocate(file, at + to_usize(offset)?, &relocation)?;
                }
            }
        }
        let functions = image.functions(file)?;
        let memory = draft.finish();
        let memory = memory.ok_or("the system does not allow memory for machine code")?;
        Ok((memory, functions))
    }
}

/// Memory that is being filled.
struct Image<'a> {
    plan: &'a Plan,
    /// Where it is, and where the constants start in it.
    address: usize,
    constants: usize,
    bytes: &'a mut [u8],
}

impl Image<'_> {
    /// Where a section starts.
    fn section(&self, index: SectionIndex) -> Result<usize, String> {
        let place = self.plan.sections.get(&index);
        match place.ok_or("a section that is not loaded is referred to")? {
            (Part::Code, at) => Ok(*at),
            (Part::Constants, at) => Ok(self.constants + at),
        }
    }

    fn stub(&self, number: usize) -> usize {
        self.plan.stubs + number * STUB_BYTES
    }

    fn word(&self, number: usize) -> usize {
        self.constants + self.plan.words + number * WORD
    }

    fn put_outside(&mut self, address: usize, number: usize) -> Result<(), String> {
        let (stub, word) = (self.stub(number), self.word(number));
        self.write(word, &(address as u64).to_le_bytes())?;
        self.write(stub, &STUB)?;
        // Counted from the end of the instruction.
        let far = word as i64 - (stub + 6) as i64;
        self.write(stub + 2, &to_i32(far)?.to_le_bytes())
    }

    fn write(&mut self, at: usize, content: &[u8]) -> Result<(), String> {
        let end = at.checked_add(content.len());
        let place = end.and_then(|end| self.bytes.get_mut(at..end));
        place.ok_or(BEYOND)?.copy_from_slice(content);
        Ok(())
    }

    /// Puts into the place at `at` what the relocation says.
    fn relocate(&mut self, file: &File, at: usize, relocation: &Relocation) -> Result<(), String> {
        let RelocationFlags::Elf { r_type } = relocation.flags() else {
            return Err("a relocation of another format".into());
        };
        let RelocationTarget::Symbol(index) = relocation.target() else {
            return Err("a relocation without a symbol".into());
        };
        let outside = self.plan.outside.get(&index).copied();
        // As offsets in the memory, but `target`, which is an address.
        let target = match outside {
            Some((address, _)) => address,
            None => self.address.wrapping_add(self.symbol(file, index)?),
        };
        let called = match outside {
            Some((_, number)) => self.address + self.stub(number),
            None => target,
        };
        let from = |address: usize| {
            let place = self.address.wrapping_add(at);
            (address.wrapping_sub(place) as i64).wrapping_add(relocation.addend())
        };
        let value = match r_type {
            elf::R_X86_64_64 => {
                let value = (target as i64).wrapping_add(relocation.addend());
                return self.write(at, &value.to_le_bytes());
            }
            elf::R_X86_64_PC32 => from(target),
            elf::R_X86_64_PLT32 => from(called),
            elf::R_X86_64_GOTPCREL | elf::R_X86_64_GOTPCRELX | elf::R_X86_64_REX_GOTPCRELX => {
                let (_, number) = outside.ok_or("a table of addresses for what is at hand")?;
                from(self.address + self.word(number))
            }
            other => return Err(format!("a relocation of type {}", other.0)),
        };
        self.write(at, &to_i32(value)?.to_le_bytes())
    }

    /// Where a symbol of the object is.
    fn symbol(&self, file: &File, index: SymbolIndex) -> Result<usize, String> {
        let symbol = file.symbol_by_index(index).map_err(broken)?;
        let section = symbol.section_index().ok_or("a symbol is nowhere")?;
        let start = self.section(section)?;
        Ok(start.wrapping_add(to_usize(symbol.address())?))
    }

    /// The group functions, by the kernels' names.
    fn functions(&self, file: &File) -> Result<Functions, String> {
        let mut functions = HashMap::new();
        for symbol in file.symbols() {
            let Some(name) = symbol
                .name()
                .ok()
                .and_then(|n| n.strip_prefix(GROUP_PREFIX))
            else {
                continue;
            };
            let size = to_usize(symbol.size())?;
            let at = match size {
                0 => None,
                _ => Some(self.symbol(file, symbol.index())?),
            };
            let end = at.unwrap_or(0).checked_add(size);
            if end.is_none_or(|end| end > self.plan.stubs) {
                return Err(BEYOND.into());
            }
            functions.insert(name.into(), at);
        }
        Ok(functions)
    }
}

const TOO_LARGE: &str = "the object is too large";
const BEYOND: &str = "the object refers to what is outside of it";

/// Where a section belongs; none if it is not loaded.
fn part_of(section: &object::Section) -> Result<Option<Part>, String> {
    let SectionFlags::Elf { sh_flags, .. } = section.flags() else {
        return Err("a section of another format".into());
    };
    let has = |flag: elf::SectionFlags| sh_flags.0 & flag.0 != 0;
    if !has(elf::SHF_ALLOC) || section.size() == 0 {
        return Ok(None);
    }
    // Constants with addresses in them are written by a linker, and by nobody else.
    let by_linker = section
        .name()
        .is_ok_and(|name| name.starts_with(".data.rel.ro"));
    if (has(elf::SHF_WRITE) && !by_linker) || has(elf::SHF_TLS) {
        return Err("the object has variables".into());
    }
    Ok(Some(match has(elf::SHF_EXECINSTR) {
        true => Part::Code,
        false => Part::Constants,
    }))
}

fn broken(error: object::Error) -> String {
    format!("a damaged object: {error}")
}

fn to_usize(n: u64) -> Result<usize, String> {
    usize::try_from(n).map_err(|_| TOO_LARGE.into())
}

fn to_i32(n: i64) -> Result<i32, String> {
    i32::try_from(n).map_err(|_| "what is referred to is too far away".into())
}
