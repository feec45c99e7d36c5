//! Declaration specifiers and type names: everything in front of a declarator.

use super::super::ast::*;
use super::super::source::Loc;
use super::super::token::{Kw, Punct, TokenKind};
use super::{Parsed, Parser};
use crate::ir::AddrSpace;

/// Where the specifiers stand, which decides about a name that is no type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SpecPlace {
    Declaration,
    Field,
    Param,
    TypeName,
}

/// The keywords of a basic type seen so far (C99, 6.7.2).
#[derive(Default)]
struct BasicWords {
    sign: Option<Kw>,
    short: bool,
    long: u32,
    base: Option<Kw>,
}

impl Parser<'_> {
    /// Whether the current token begins declaration specifiers (attributes aside).
    pub(super) fn at_specs(&self) -> bool {
        self.begins_specs(self.tok())
    }

    pub(super) fn begins_specs(&self, kind: TokenKind) -> bool {
        match kind {
            TokenKind::Ident(name) => self.scopes.is_type(name, self.interner),
            TokenKind::Keyword(kw) => {
                is_basic_word(kw)
                    || qualifier_space(kw).is_some()
                    || matches!(
                        kw,
                        Kw::Const
                            | Kw::Volatile
                            | Kw::Restrict
                            | Kw::Typedef
                            | Kw::Extern
                            | Kw::Static
                            | Kw::Auto
                            | Kw::Register
                            | Kw::Inline
                            | Kw::Noreturn
                            | Kw::Kernel
                            | Kw::ReadOnly
                            | Kw::WriteOnly
                            | Kw::ReadWrite
                            | Kw::Pipe
                            | Kw::Struct
                            | Kw::Union
                            | Kw::Enum
                            | Kw::Typeof
                            | Kw::Alignas
                            | Kw::Atomic
                            | Kw::ThreadLocal
                            | Kw::Complex
                            | Kw::Imaginary
                    )
            }
            _ => false,
        }
    }

    // declaration-specifiers:
    //   (storage-class | type-specifier | type-qualifier | function-specifier | access-qualifier | attribute)+
    // specifier-qualifier-list: (type-specifier | type-qualifier | attribute)+
    pub(super) fn specs(&mut self, place: SpecPlace) -> Parsed<DeclSpecs> {
        let mut specs = DeclSpecs {
            loc: self.loc(),
            storage: None,
            is_inline: false,
            is_kernel: false,
            quals: Quals::default(),
            access: None,
            pipe: false,
            attrs: Vec::new(),
            ty: TypeSpec::Error,
        };
        let mut words = BasicWords::default();
        let mut ty: Option<TypeSpec> = None;
        loop {
            let loc = self.loc();
            let has_type = ty.is_some() || words.any();
            match self.tok() {
                TokenKind::Ident(name) if !has_type => {
                    if self.scopes.is_type(name, self.interner) {
                        ty = Some(TypeSpec::Named(name));
                        self.advance();
                    } else if self.is_unknown_type(place) {
                        let name = self.interner.name(name).to_string();
                        self.error(loc, format!("unknown type name '{name}'"));
                        ty = Some(TypeSpec::Error);
                        self.advance();
                    } else {
                        break;
                    }
                }
                TokenKind::Keyword(Kw::Attribute) => self.attributes(&mut specs.attrs)?,
                TokenKind::Keyword(kw) if is_basic_word(kw) => {
                    if ty.is_some() {
                        self.cannot_combine(loc, "type-name");
                    } else {
                        self.basic_word(&mut words, kw, loc);
                    }
                    self.advance();
                }
                TokenKind::Keyword(Kw::Struct | Kw::Union | Kw::Enum | Kw::Typeof) => {
                    let new = if self.at_kw(Kw::Typeof) {
                        self.typeof_specifier()?
                    } else if self.at_kw(Kw::Enum) {
                        self.enum_specifier()?
                    } else {
                        self.record_specifier()?
                    };
                    if has_type {
                        self.cannot_combine(loc, "type-name");
                    } else {
                        ty = Some(new);
                    }
                }
                TokenKind::Keyword(Kw::Alignas) => {
                    let attr = self.alignas()?;
                    specs.attrs.push(attr);
                }
                TokenKind::Keyword(Kw::Extension) => self.advance(),
                TokenKind::Keyword(
                    kw @ (Kw::Atomic | Kw::ThreadLocal | Kw::Complex | Kw::Imaginary),
                ) => {
                    let text = format!("'{}' is not supported in OpenCL C", kw.as_str());
                    self.error(loc, text);
                    self.advance();
                }
                TokenKind::Keyword(kw) => {
                    if !self.qualifier(&mut specs.quals, kw, loc)
                        && !self.storage_or_function(&mut specs, kw, loc, place)
                    {
                        break;
                    }
                    self.advance();
                }
                _ => break,
            }
        }
        specs.ty = match ty {
            Some(ty) => ty,
            None if words.any() => TypeSpec::Basic(self.basic_type(&words, specs.loc)),
            // `pipe` is only of interest with a type; `access` alone is a mistake of the same kind.
            None => self.missing_type(&specs)?,
        };
        Ok(specs)
    }

    /// `foo x`, `foo *x`: a name where a type should stand, rather than a declarator without a type.
    fn is_unknown_type(&self, place: SpecPlace) -> bool {
        match self.peek() {
            TokenKind::Ident(_) | TokenKind::Keyword(_) => true,
            TokenKind::Punct(Punct::Star) => true,
            TokenKind::Punct(Punct::RParen | Punct::Comma) => {
                matches!(place, SpecPlace::Param | SpecPlace::TypeName)
            }
            _ => false,
        }
    }

    /// Reports it; fails where there is nothing at all that could be a declaration.
    fn missing_type(&mut self, specs: &DeclSpecs) -> Parsed<TypeSpec> {
        let loc = self.loc();
        let nothing = specs.storage.is_none()
            && specs.quals == Quals::default()
            && !specs.is_inline
            && !specs.is_kernel
            && specs.attrs.is_empty();
        if nothing && !matches!(self.tok(), TokenKind::Ident(_)) {
            return self.fail(
                loc,
                if self.at(Punct::RBrace) {
                    "extraneous closing brace ('}')"
                } else {
                    "expected identifier or '('"
                },
            );
        }
        self.error(
            loc,
            "type specifier missing, defaults to 'int'; ISO C99 and later do not support implicit int",
        );
        Ok(TypeSpec::Error)
    }

    fn cannot_combine(&mut self, loc: Loc, before: &str) {
        self.error(
            loc,
            format!("cannot combine with previous '{before}' declaration specifier"),
        );
    }

    // type-qualifier: const | volatile | restrict | __global | __local | __constant | __private | __generic
    /// Notes the qualifier; false if `kw` is none.
    pub(super) fn qualifier(&mut self, quals: &mut Quals, kw: Kw, loc: Loc) -> bool {
        let flag = match kw {
            Kw::Const => &mut quals.is_const,
            Kw::Volatile => &mut quals.is_volatile,
            Kw::Restrict => &mut quals.is_restrict,
            _ => {
                let Some(space) = qualifier_space(kw) else {
                    return false;
                };
                match quals.addr_space.replace(space) {
                    Some(before) if before != space => {
                        self.error(loc, "multiple address spaces specified for type");
                    }
                    Some(_) => self
                        .diags
                        .warning(loc, "multiple identical address spaces specified for type"),
                    None => {}
                }
                return true;
            }
        };
        if std::mem::replace(flag, true) {
            let text = format!("duplicate '{}' declaration specifier", kw.as_str());
            self.diags.warning(loc, text);
        }
        true
    }

    // storage-class-specifier: typedef | extern | static | auto | register
    // function-specifier: inline | _Noreturn | __kernel
    // access-qualifier: __read_only | __write_only | __read_write
    fn storage_or_function(
        &mut self,
        specs: &mut DeclSpecs,
        kw: Kw,
        loc: Loc,
        place: SpecPlace,
    ) -> bool {
        let storage = match kw {
            Kw::Typedef => Storage::Typedef,
            Kw::Extern => Storage::Extern,
            Kw::Static => Storage::Static,
            Kw::Auto => Storage::Auto,
            Kw::Register => Storage::Register,
            Kw::Inline | Kw::Noreturn | Kw::Kernel => {
                if place != SpecPlace::Declaration {
                    let text = format!("'{}' can only appear on functions", kw.as_str());
                    self.error(loc, text);
                }
                specs.is_inline |= kw == Kw::Inline;
                specs.is_kernel |= kw == Kw::Kernel;
                return true;
            }
            Kw::ReadOnly | Kw::WriteOnly | Kw::ReadWrite => {
                let access = match kw {
                    Kw::ReadOnly => Access::ReadOnly,
                    Kw::WriteOnly => Access::WriteOnly,
                    _ => Access::ReadWrite,
                };
                if specs.access.replace(access).is_some_and(|a| a != access) {
                    self.error(loc, "multiple access qualifiers");
                }
                return true;
            }
            Kw::Pipe => {
                specs.pipe = true;
                return true;
            }
            _ => return false,
        };
        if matches!(storage, Storage::Auto | Storage::Register) {
            // OpenCL C 3.0, 6.10: the auto and register storage-class specifiers are not supported.
            let name = kw.as_str();
            let text = format!("OpenCL C does not support the '{name}' storage class specifier");
            self.error(loc, text);
        }
        if matches!(place, SpecPlace::Field | SpecPlace::TypeName) {
            self.error(
                loc,
                "type name does not allow storage class to be specified",
            );
        } else if let Some(before) = specs.storage.replace(storage) {
            if before == storage {
                let text = format!("duplicate '{}' declaration specifier", kw.as_str());
                self.diags.warning(loc, text);
            } else {
                self.cannot_combine(loc, storage_name(before));
            }
        }
        true
    }

    // type-specifier: void | char | short | int | long | half | float | double | signed | unsigned | bool
    fn basic_word(&mut self, words: &mut BasicWords, kw: Kw, loc: Loc) {
        let clash = match kw {
            Kw::Signed | Kw::Unsigned => words
                .sign
                .replace(kw)
                .filter(|&b| b != kw)
                .or(words.base.filter(|&b| !matches!(b, Kw::Char | Kw::Int))),
            Kw::Short => {
                let clash = words.base.filter(|&b| b != Kw::Int);
                let long = (words.long > 0).then_some(Kw::Long);
                words.short = true;
                clash.or(long)
            }
            Kw::Long => {
                let clash = words.base.filter(|&b| b != Kw::Int);
                words.long += 1;
                let third = (words.long > 2).then_some(Kw::Long);
                clash.or(words.short.then_some(Kw::Short)).or(third)
            }
            _ => {
                let length = if words.short {
                    Some(Kw::Short)
                } else {
                    (words.long > 0).then_some(Kw::Long)
                };
                let length = length.filter(|_| kw != Kw::Int);
                let sign = words.sign.filter(|_| !matches!(kw, Kw::Char | Kw::Int));
                words.base.replace(kw).or(length).or(sign)
            }
        };
        if let Some(before) = clash {
            self.cannot_combine(loc, before.as_str());
        }
    }

    fn basic_type(&mut self, words: &BasicWords, loc: Loc) -> BasicType {
        let unsigned = words.sign == Some(Kw::Unsigned);
        if words.long > 0 && words.base == Some(Kw::Double) {
            self.error(loc, "'long double' is not supported in OpenCL C");
        }
        let pick = |s, u| if unsigned { u } else { s };
        match words.base {
            Some(Kw::Void) => BasicType::Void,
            Some(Kw::Bool) => BasicType::Bool,
            Some(Kw::Half) => BasicType::Half,
            Some(Kw::Float) => BasicType::Float,
            Some(Kw::Double) => BasicType::Double,
            Some(Kw::Char) => pick(BasicType::Char, BasicType::UChar),
            _ if words.short => pick(BasicType::Short, BasicType::UShort),
            _ if words.long > 0 => pick(BasicType::Long, BasicType::ULong),
            _ => pick(BasicType::Int, BasicType::UInt),
        }
    }

    // typeof-specifier: typeof ( expression ) | typeof ( type-name )
    fn typeof_specifier(&mut self) -> Parsed<TypeSpec> {
        self.advance();
        let open = self.loc();
        self.expect(Punct::LParen, " after 'typeof'")?;
        let spec = self.nested(|p| {
            if p.at_specs() {
                Ok(TypeSpec::TypeofType(Box::new(p.type_name()?)))
            } else {
                Ok(TypeSpec::TypeofExpr(p.expression()?))
            }
        })?;
        self.expect_close(Punct::RParen, open)?;
        Ok(spec)
    }

    // type-name: specifier-qualifier-list abstract-declarator?
    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let loc = self.loc();
        let specs = self.specs(SpecPlace::TypeName)?;
        let declarator = self.abstract_declarator()?;
        Ok(TypeName {
            loc,
            specs,
            declarator,
        })
    }
}

impl BasicWords {
    fn any(&self) -> bool {
        self.sign.is_some() || self.short || self.long > 0 || self.base.is_some()
    }
}

fn is_basic_word(kw: Kw) -> bool {
    matches!(
        kw,
        Kw::Void
            | Kw::Bool
            | Kw::Char
            | Kw::Short
            | Kw::Int
            | Kw::Long
            | Kw::Half
            | Kw::Float
            | Kw::Double
            | Kw::Signed
            | Kw::Unsigned
    )
}

fn qualifier_space(kw: Kw) -> Option<AddrSpace> {
    Some(match kw {
        Kw::Global => AddrSpace::Global,
        Kw::Local => AddrSpace::Local,
        Kw::Constant => AddrSpace::Constant,
        Kw::Private => AddrSpace::Private,
        Kw::Generic => AddrSpace::Generic,
        _ => return None,
    })
}

fn storage_name(storage: Storage) -> &'static str {
    match storage {
        Storage::Typedef => "typedef",
        Storage::Extern => "extern",
        Storage::Static => "static",
        Storage::Auto => "auto",
        Storage::Register => "register",
    }
}
