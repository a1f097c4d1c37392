//! Collects the paths that an item's code names, including macro calls and attributes.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, ItemUse, Macro, Meta, Path, Stmt, Token, UseTree};

/// The paths as lists of words, and the imports within functions.
#[derive(Default)]
pub(super) struct Mentions<'ast> {
    pub(super) paths: BTreeSet<Vec<String>>,
    pub(super) uses: Vec<&'ast UseTree>,
    /// Macros that are called without a path.
    pub(super) macros: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Mentions<'ast> {
    fn visit_path(&mut self, path: &'ast Path) {
        self.path(path);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.macros.extend(call.path.get_ident().map(ToString::to_string));
        self.tokens(call.tokens.clone());
        visit::visit_macro(self, call);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.tokens(list.tokens.clone());
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attributes = match item {
            ImplItem::Const(it) => &it.attrs,
            ImplItem::Fn(it) => &it.attrs,
            ImplItem::Macro(it) => &it.attrs,
            ImplItem::Type(it) => &it.attrs,
            _ => return,
        };
        if !attributes.iter().any(asks_for_tests) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        match statement {
            Stmt::Item(Item::Use(found)) => self.uses.push(&found.tree),
            Stmt::Item(item) if is_for_tests(item) => {}
            _ => visit::visit_stmt(self, statement),
        }
    }

    /// Imports of a module are read elsewhere.
    fn visit_item_use(&mut self, _: &'ast ItemUse) {}
}

impl Mentions<'_> {
    /// Collects paths from tokens that are not parsed. A string may also be a path, as in `#[serde(with = "…")]`.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        // The number of colons read so far, and whether the next word belongs to a value (`.name`) or to a type that is not visible.
        let mut colons = 0;
        let mut is_part = false;
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    if colons < 2 {
                        self.paths.insert(std::mem::take(&mut path));
                    }
                    if !is_part && (colons < 2 || !path.is_empty()) {
                        path.push(word.to_string());
                    }
                    (colons, is_part) = (0, false);
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                other => {
                    self.paths.insert(std::mem::take(&mut path));
                    colons = 0;
                    is_part = matches!(&other, TokenTree::Punct(mark) if mark.as_char() == '.');
                    match other {
                        TokenTree::Group(group) => self.tokens(group.stream()),
                        TokenTree::Literal(literal) => self.text(&literal.to_string()),
                        TokenTree::Ident(_) | TokenTree::Punct(_) => {}
                    }
                }
            }
        }
        self.paths.insert(path);
        self.paths.remove(&Vec::new());
    }

    fn text(&mut self, literal: &str) {
        if let Ok(path) = syn::parse_str::<Path>(literal.trim_matches('"')) {
            self.path(&path);
        }
    }

    fn path(&mut self, path: &Path) {
        if path.leading_colon.is_none() {
            self.paths.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
    }
}

/// All words of these tokens.
pub(super) fn words(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(word) => found.push(word.to_string()),
            TokenTree::Group(group) => found.extend(words(group.stream())),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    found
}

/// Whether an item is compiled only for tests.
pub(super) fn is_for_tests(item: &Item) -> bool {
    let attributes = match item {
        Item::Const(it) => &it.attrs,
        Item::Enum(it) => &it.attrs,
        Item::Fn(it) => &it.attrs,
        Item::Impl(it) => &it.attrs,
        Item::Macro(it) => &it.attrs,
        Item::Mod(it) => &it.attrs,
        Item::Static(it) => &it.attrs,
        Item::Struct(it) => &it.attrs,
        Item::Trait(it) => &it.attrs,
        Item::Type(it) => &it.attrs,
        Item::Use(it) => &it.attrs,
        _ => return false,
    };
    attributes.iter().any(asks_for_tests)
}

/// Whether an attribute is `#[cfg(test)]`, possibly with other conditions that must all hold.
fn asks_for_tests(attribute: &Attribute) -> bool {
    fn needs(condition: &Meta) -> bool {
        match condition {
            Meta::Path(path) => path.is_ident("test"),
            Meta::List(all) if all.path.is_ident("all") => all
                .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
                .is_ok_and(|all| all.iter().any(needs)),
            Meta::List(_) | Meta::NameValue(_) => false,
        }
    }
    attribute.path().is_ident("cfg") && attribute.parse_args::<Meta>().is_ok_and(|condition| needs(&condition))
}
