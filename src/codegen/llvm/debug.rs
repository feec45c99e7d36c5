//! Debug information of a module, by LLVM's builder for it, and the source position of what is built.
//!
//! Invariants: as in [`super`]; the builder lives as long as its module is being made, and is finished before the module is
//! checked. Positions have no columns: a row of the line table for each line is enough. Source: llvm-c/DebugInfo.h.

use inkwell::llvm_sys::LLVMModuleFlagBehavior;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::{LLVMDIBuilderRef, LLVMMetadataRef};
use std::collections::HashSet;
use std::ffi::CStr;
use std::ptr;

use super::{Bb, Llvm, Md, Val};

/// The version in which tables are written: the last one whose line table stands by itself, without a section of strings.
const DWARF_VERSION: u64 = 4;

/// DWARF 4, 7.7.1 and 7.8.
const DW_OP_DEREF: u64 = 0x06;
const DW_OP_PLUS_UCONST: u64 = 0x23;
pub const DW_ATE_BOOLEAN: u32 = 0x02;
pub const DW_ATE_FLOAT: u32 = 0x04;
pub const DW_ATE_SIGNED: u32 = 0x05;
pub const DW_ATE_SIGNED_CHAR: u32 = 0x06;
pub const DW_ATE_UNSIGNED: u32 = 0x07;
pub const DW_ATE_UNSIGNED_CHAR: u32 = 0x08;

pub struct DebugBuilder(LLVMDIBuilderRef);

impl DebugBuilder {
    pub fn new(llvm: &Llvm) -> DebugBuilder {
        // SAFETY: head of file.
        unsafe {
            let flag = |name: &CStr, value: u64| {
                let value = LLVMValueAsMetadata(llvm.const_int(llvm.int(32), value).0);
                let name = name.to_bytes();
                let behaviour = LLVMModuleFlagBehavior::LLVMModuleFlagBehaviorWarning;
                LLVMAddModuleFlag(
                    llvm.module,
                    behaviour,
                    name.as_ptr().cast(),
                    name.len(),
                    value,
                );
            };
            flag(c"Dwarf Version", DWARF_VERSION);
            flag(c"Debug Info Version", LLVMDebugMetadataVersion().into());
            DebugBuilder(LLVMCreateDIBuilder(llvm.module))
        }
    }

    /// Completes what was made.
    pub fn finish(&self) {
        // SAFETY: head of file.
        unsafe { LLVMDIBuilderFinalize(self.0) }
    }

    pub fn file(&self, name: &str, folder: &str) -> Md {
        // SAFETY: head of file; LLVM copies the strings.
        Md(unsafe {
            LLVMDIBuilderCreateFile(
                self.0,
                name.as_ptr().cast(),
                name.len(),
                folder.as_ptr().cast(),
                folder.len(),
            )
        })
    }

    /// The module's one unit.
    pub fn unit(&self, file: Md, optimized: bool) -> Md {
        let kind = LLVMDWARFEmissionKind::LLVMDWARFEmissionKindFull;
        let producer = "clotho";
        // SAFETY: head of file; LLVM copies the strings.
        Md(unsafe {
            LLVMDIBuilderCreateCompileUnit(
                self.0,
                LLVMDWARFSourceLanguage::LLVMDWARFSourceLanguageC99,
                file.0,
                producer.as_ptr().cast(),
                producer.len(),
                i32::from(optimized),
                ptr::null(),
                0,
                0,
                ptr::null(),
                0,
                kind,
                0,
                0,
                0,
                ptr::null(),
                0,
                ptr::null(),
                0,
            )
        })
    }

    /// Macros of the unit, as if a command line had defined them; `main` is the unit's of its files.
    pub fn macros(&self, main: Md, files: &[Md], macros: &[(&str, &str)]) {
        // SAFETY: head of file; LLVM copies the strings. Null stands for the unit.
        unsafe {
            for (name, value) in macros {
                LLVMDIBuilderCreateMacro(
                    self.0,
                    ptr::null_mut(),
                    0,
                    LLVMDWARFMacinfoRecordType::LLVMDWARFMacinfoRecordTypeDefine,
                    name.as_ptr().cast(),
                    name.len(),
                    value.as_ptr().cast(),
                    value.len(),
                );
            }
            // Debuggers want to see where the command line ends and the file begins.
            let of_main = LLVMDIBuilderCreateTempMacroFile(self.0, ptr::null_mut(), 0, main.0);
            // They know macros in files that the unit's own includes. Which line does, none is told.
            let mut told = HashSet::from([main.0]);
            for file in files.iter().filter(|file| told.insert(file.0)) {
                LLVMDIBuilderCreateTempMacroFile(self.0, of_main, 1, file.0);
            }
        }
    }

    /// A function, of which nobody asks the type.
    pub fn function(&self, name: &str, file: Md, line: u32, optimized: bool) -> Md {
        // SAFETY: head of file; LLVM copies the strings.
        Md(unsafe {
            let ty = LLVMDIBuilderCreateSubroutineType(self.0, file.0, ptr::null_mut(), 0, 0);
            LLVMDIBuilderCreateFunction(
                self.0,
                file.0,
                name.as_ptr().cast(),
                name.len(),
                ptr::null(),
                0,
                file.0,
                line,
                ty,
                0,
                1,
                line,
                0,
                i32::from(optimized),
            )
        })
    }

    /// The same scope, where its text is in another file.
    pub fn in_file(&self, scope: Md, file: Md) -> Md {
        // SAFETY: head of file.
        Md(unsafe { LLVMDIBuilderCreateLexicalBlockFile(self.0, scope.0, file.0, 0) })
    }

    /// A block of the source, from a line and a column on.
    pub fn block(&self, scope: Md, file: Md, line: u32, column: u32) -> Md {
        // SAFETY: head of file.
        Md(unsafe { LLVMDIBuilderCreateLexicalBlock(self.0, scope.0, file.0, line, column) })
    }

    // Types. Sizes are in bytes.

    pub fn base_type(&self, name: &str, bytes: u64, encoding: u32) -> Md {
        let (text, length) = (name.as_ptr().cast(), name.len());
        // SAFETY: head of file; LLVM copies the string.
        Md(unsafe { LLVMDIBuilderCreateBasicType(self.0, text, length, 8 * bytes, encoding, 0) })
    }

    /// `None` leads to something unknown.
    pub fn pointer_type(&self, to: Option<Md>) -> Md {
        let to = to.map_or(ptr::null_mut(), |to| to.0);
        // SAFETY: head of file; null is C's void.
        Md(unsafe { LLVMDIBuilderCreatePointerType(self.0, to, 64, 0, 0, ptr::null(), 0) })
    }

    pub fn vector_type(&self, elem: Md, lanes: u64, bytes: u64) -> Md {
        // SAFETY: head of file; LLVM copies the list.
        Md(unsafe {
            let mut range = LLVMDIBuilderGetOrCreateSubrange(self.0, 0, lanes as i64);
            LLVMDIBuilderCreateVectorType(self.0, 8 * bytes, 0, elem.0, &mut range, 1)
        })
    }

    pub fn array_type(&self, elem: Md, count: u64, bytes: u64) -> Md {
        // SAFETY: head of file; LLVM copies the list.
        Md(unsafe {
            let mut range = LLVMDIBuilderGetOrCreateSubrange(self.0, 0, count as i64);
            LLVMDIBuilderCreateArrayType(self.0, 8 * bytes, 0, elem.0, &mut range, 1)
        })
    }

    /// Each member is its name, its type, and where it begins and how long it is.
    pub fn record_type(
        &self,
        (name, file, bytes): (&str, Md, u64),
        is_union: bool,
        members: &[(&str, Md, u64, u64)],
    ) -> Md {
        let (text, length) = (name.as_ptr().cast(), name.len());
        let member = |&(name, ty, offset, bytes): &(&str, Md, u64, u64)| {
            // SAFETY: head of file; LLVM copies the string.
            unsafe {
                LLVMDIBuilderCreateMemberType(
                    self.0,
                    file.0,
                    name.as_ptr().cast(),
                    name.len(),
                    file.0,
                    0,
                    8 * bytes,
                    0,
                    8 * offset,
                    0,
                    ty.0,
                )
            }
        };
        let mut list: Vec<LLVMMetadataRef> = members.iter().map(member).collect();
        let (list, count) = (list.as_mut_ptr(), list.len() as u32);
        let none = ptr::null_mut();
        // SAFETY: head of file; LLVM copies the list and the strings.
        Md(unsafe {
            match is_union {
                true => LLVMDIBuilderCreateUnionType(
                    self.0,
                    file.0,
                    text,
                    length,
                    file.0,
                    0,
                    8 * bytes,
                    0,
                    0,
                    list,
                    count,
                    0,
                    ptr::null(),
                    0,
                ),
                false => LLVMDIBuilderCreateStructType(
                    self.0,
                    file.0,
                    text,
                    length,
                    file.0,
                    0,
                    8 * bytes,
                    0,
                    0,
                    none,
                    list,
                    count,
                    0,
                    none,
                    ptr::null(),
                    0,
                ),
            }
        })
    }

    // Variables.

    /// A variable of a scope; `param` is its number among the parameters, from 1 on.
    pub fn variable(
        &self,
        (name, ty): (&str, Md),
        (scope, file, line): (Md, Md, u32),
        param: Option<u32>,
    ) -> Md {
        let (text, length) = (name.as_ptr().cast(), name.len());
        // SAFETY: head of file; LLVM copies the string.
        Md(unsafe {
            match param {
                Some(n) => LLVMDIBuilderCreateParameterVariable(
                    self.0, scope.0, text, length, n, file.0, line, ty.0, 1, 0,
                ),
                None => LLVMDIBuilderCreateAutoVariable(
                    self.0, scope.0, text, length, file.0, line, ty.0, 1, 0, 0,
                ),
            }
        })
    }

    /// The variable stands `offset` bytes behind an alloca, or where the pointer leads to that stands there; said at the end of `block`.
    pub fn declare(
        &self,
        variable: Md,
        (alloca, offset, indirect): (Val, u64, bool),
        location: Md,
        block: Bb,
    ) {
        let mut steps = Vec::new();
        if offset > 0 {
            steps.extend([DW_OP_PLUS_UCONST, offset]);
        }
        if indirect {
            steps.push(DW_OP_DEREF);
        }
        // SAFETY: head of file; LLVM copies the list.
        unsafe {
            let path = LLVMDIBuilderCreateExpression(self.0, steps.as_mut_ptr(), steps.len());
            LLVMDIBuilderInsertDeclareRecordAtEnd(
                self.0, alloca.0, variable.0, path, location.0, block.0,
            );
        }
    }
}

impl Drop for DebugBuilder {
    fn drop(&mut self) {
        // SAFETY: live, and used no more; what it made belongs to the context.
        unsafe { LLVMDisposeDIBuilder(self.0) }
    }
}

impl Llvm {
    /// A line of a scope, 0 for none; of a scope that was inlined, with the place of the call.
    pub fn debug_location(&self, line: u32, column: u32, scope: Md, call: Option<Md>) -> Md {
        let call = call.map_or(ptr::null_mut(), |call| call.0);
        // SAFETY: head of file.
        Md(unsafe { LLVMDIBuilderCreateDebugLocation(self.context, line, column, scope.0, call) })
    }

    /// Where the last that was set is.
    pub fn current_debug_location(&self) -> Option<Md> {
        // SAFETY: head of file.
        let location = unsafe { LLVMGetCurrentDebugLocation2(self.builder) };
        (!location.is_null()).then_some(Md(location))
    }

    /// What is built from now on stands there.
    pub fn set_debug_location(&self, location: Option<Md>) {
        let location = location.map_or(ptr::null_mut(), |location| location.0);
        // SAFETY: head of file; null is for no position.
        unsafe { LLVMSetCurrentDebugLocation2(self.builder, location) }
    }

    pub fn set_subprogram(&self, function: Val, subprogram: Md) {
        // SAFETY: head of file.
        unsafe { LLVMSetSubprogram(function.0, subprogram.0) }
    }
}
