//! Declarations and function definitions (C99, 6.7 and 6.9).

use super::super::ast::*;
use super::super::token::{Kw, Punct, TokenKind};
use super::scope::Meaning;
use super::specs::SpecPlace;
use super::{Parsed, Parser};

impl Parser<'_> {
    // external-declaration: function-definition | declaration | ';'
    // function-definition: declaration-specifiers declarator compound-statement
    pub(super) fn external_declaration(&mut self) -> Parsed<()> {
        if self.eat(Punct::Semi) {
            return Ok(());
        }
        if self.at_kw(Kw::Asm) {
            return self.fail(self.loc(), "'asm' is not supported in OpenCL C");
        }
        if self.at_kw(Kw::StaticAssert) {
            return self.fail(self.loc(), "'_Static_assert' is not supported in OpenCL C");
        }
        let loc = self.loc();
        let specs = self.specs(SpecPlace::Declaration)?;
        if self.eat(Punct::Semi) {
            self.push_declaration(Declaration {
                loc,
                specs,
                items: Vec::new(),
            });
            return Ok(());
        }
        let declarator = self.declarator()?;
        if Self::function_loc(&declarator).is_some() {
            if self.at(Punct::LBrace) {
                return self.function_definition(specs, declarator);
            }
            // `f(a) int a; {`: the identifier list was reported.
            if self.at_specs() {
                return self.fail(
                    self.loc(),
                    "expected function body after function declarator",
                );
            }
        }
        let items = self.init_declarators(&specs, declarator)?;
        let end = self.end_of_previous();
        self.push_declaration(Declaration { loc, specs, items });
        if !self.eat(Punct::Semi) {
            return self.fail(end, "expected ';' after top level declarator");
        }
        Ok(())
    }

    fn push_declaration(&mut self, declaration: Declaration) {
        self.ast.decls.push(ExternalDecl::Declaration(declaration));
    }

    fn function_definition(&mut self, specs: DeclSpecs, declarator: Declarator) -> Parsed<()> {
        if let Some(name) = declarator.name {
            self.scopes.declare(name, Meaning::Object);
        }
        self.scopes.push();
        self.declare_params(&declarator);
        self.in_function = true;
        let body = self.compound_statement();
        self.in_function = false;
        self.scopes.pop();
        self.ast
            .decls
            .push(ExternalDecl::Function(Box::new(FunctionDef {
                specs,
                declarator,
                body: body?,
            })));
        Ok(())
    }

    // declaration: declaration-specifiers init-declarator-list? ';'
    /// A declaration in a block; `attrs` stood in front of it.
    pub(super) fn block_declaration(&mut self, mut attrs: Vec<Attribute>) -> Parsed<StmtId> {
        let mark = self.mark();
        let loc = self.loc();
        let mut specs = self.specs(SpecPlace::Declaration)?;
        attrs.append(&mut specs.attrs);
        specs.attrs = attrs;
        let items = if self.at(Punct::Semi) {
            Vec::new()
        } else {
            let declarator = self.declarator()?;
            if Self::function_loc(&declarator).is_some() && self.at(Punct::LBrace) {
                self.error(self.loc(), "function definition is not allowed here");
                self.skip_until(|k| k == TokenKind::Punct(Punct::LBrace));
                return self.nested(|p| p.compound_statement());
            }
            self.init_declarators(&specs, declarator)?
        };
        let declaration = Declaration { loc, specs, items };
        let stmt = self.decl_node(mark, declaration);
        self.semicolon(" at end of declaration");
        Ok(stmt)
    }

    // init-declarator-list: init-declarator (',' attribute* init-declarator)*
    // init-declarator: declarator ('=' initializer)?
    fn init_declarators(
        &mut self,
        specs: &DeclSpecs,
        first: Declarator,
    ) -> Parsed<Vec<InitDeclarator>> {
        let is_typedef = specs.storage == Some(Storage::Typedef);
        let mut items = Vec::new();
        let mut declarator = first;
        loop {
            // The name's scope begins behind its declarator (C99, 6.2.1 p7).
            if let Some(name) = declarator.name {
                let meaning = match is_typedef {
                    true if self.is_vector(specs, &declarator) => Meaning::VectorType,
                    true => Meaning::Type,
                    false => Meaning::Object,
                };
                self.scopes.declare(name, meaning);
            }
            let init = if self.eat(Punct::Eq) {
                Some(self.initializer()?)
            } else {
                None
            };
            items.push(InitDeclarator { declarator, init });
            if !self.eat(Punct::Comma) {
                return Ok(items);
            }
            let mut attrs = Vec::new();
            self.attributes(&mut attrs)?;
            declarator = self.declarator()?;
            declarator.attrs.append(&mut attrs);
        }
    }
}
