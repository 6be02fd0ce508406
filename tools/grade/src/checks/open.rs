//! Reads Rust as the compiler does, and opens what is private in it.
//!
//! The checks are a crate of their own, which sees of the learner's crate only what is public. So `grade` compiles the
//! learner's text with `pub` before each item, field and method. No line is moved by that.

use std::{collections::BTreeSet, ops::Range};

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    AttrStyle, Attribute, Block, Expr, Field, Fields, File, ImplItem, Item, ItemImpl, ItemMacro,
    ItemUse, UseTree, Visibility, visit::Visit,
};

/// A text that was understood.
pub(crate) struct Source<'a> {
    text: &'a str,
    items: Vec<Item>,
}

/// One name that a `use` brings into scope, with the path to it.
pub(crate) struct Import {
    /// The path, without the name that it ends in.
    pub path: Vec<String>,
    /// What is imported. `None`: all that is there.
    pub name: Option<String>,
    /// What it is called here.
    pub bound: Option<String>,
}

impl<'a> Source<'a> {
    /// Understands a text. `None`: the compiler won't either, and it says why in better words.
    pub fn read(text: &'a str) -> Option<Source<'a>> {
        let items = syn::parse_str::<File>(text).ok()?.items;
        Some(Source { text, items })
    }

    /// The names of the items at the root, without those that a `use` brings there, and whether each is a trait.
    pub fn items(&self) -> Vec<(String, bool)> {
        let mut names = Vec::new();
        named(&self.items, &mut names);
        names
    }

    /// What the uses at the root bring there.
    pub fn imports(&self) -> Vec<Import> {
        let mut imports = Vec::new();
        for item in &self.items {
            if let Item::Use(ItemUse { tree, .. }) = item {
                flatten(tree, &mut Vec::new(), &mut imports);
            }
        }
        imports
    }

    /// Whether there may be something of this name at the root.
    pub fn may_have(&self, name: &str) -> bool {
        // A macro may have made anything.
        let is_opaque = |item: &Item| match item {
            Item::Macro(it) => it.ident.is_none() && within(it).is_none(),
            _ => false,
        };
        let imports = self.imports();
        let mut bound = imports.iter().map(|import| import.bound.as_deref());
        self.has_item(name)
            || bound.any(|bound| bound.is_none_or(|bound| bound == name))
            || self.items.iter().any(is_opaque)
    }

    fn has_item(&self, name: &str) -> bool {
        self.items().iter().any(|(item, _)| item == name)
    }

    /// The functions at the root that are tests.
    pub fn tests(&self) -> Vec<String> {
        let functions = self.items.iter().filter_map(|item| match item {
            Item::Fn(it) => Some(it),
            _ => None,
        });
        let tests = functions.filter(|function| function.attrs.iter().any(is_test));
        tests.map(|test| test.sig.ident.to_string()).collect()
    }

    /// The text with all of it public, and without the attributes that make tests. A `use` stays as it is, because not
    /// all that it imports may be public, unless it may bring one of these names to the root, which has no item of that name.
    pub fn open(&self, names: &BTreeSet<String>) -> String {
        let missing: BTreeSet<_> = names.iter().filter(|name| !self.has_item(name)).collect();
        let mut opener = Opener {
            edits: Vec::new(),
            own_macros: self.items.iter().filter_map(own_macro).collect(),
        };
        for item in &self.items {
            opener.visit_item(item);
            if let Item::Use(it) = item {
                let mut imports = Vec::new();
                flatten(&it.tree, &mut Vec::new(), &mut imports);
                let brings = |import: &Import| match &import.bound {
                    Some(name) => missing.contains(name),
                    None => !missing.is_empty(),
                };
                if imports.iter().any(brings) {
                    opener.open(&it.vis, &it.attrs, it);
                }
            }
        }
        let mut text = self.text.to_owned();
        opener.edits.sort_by_key(|(range, _)| range.start);
        for (range, new) in opener.edits.into_iter().rev() {
            text.replace_range(range, new);
        }
        text
    }
}

/// All names in a text, whatever they stand for.
pub(crate) fn identifiers(text: &str) -> BTreeSet<String> {
    fn collect(tokens: TokenStream, names: &mut BTreeSet<String>) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => drop(names.insert(name.to_string())),
                TokenTree::Group(group) => collect(group.stream(), names),
                _ => {}
            }
        }
    }
    let mut names = BTreeSet::new();
    collect(text.parse().unwrap_or_default(), &mut names);
    names
}

fn is_test(attribute: &Attribute) -> bool {
    attribute.path().is_ident("test")
}

/// The name of a macro that is defined here.
fn own_macro(item: &Item) -> Option<String> {
    match item {
        Item::Macro(it) => Some(it.ident.as_ref()?.to_string()),
        _ => None,
    }
}

/// The items that a macro is called with, such as those of `thread_local!` and `pin_project!`.
fn within(item: &ItemMacro) -> Option<Vec<Item>> {
    let tokens = &item.mac.tokens;
    // In `thread_local!`, the last item may do without its semicolon.
    let texts = [tokens.clone(), quote!(#tokens ;)];
    let mut files = texts.into_iter().map(syn::parse2::<File>);
    Some(files.find_map(Result::ok)?.items)
}

fn named(items: &[Item], names: &mut Vec<(String, bool)>) {
    for item in items {
        let name = match item {
            Item::Const(it) => &it.ident,
            Item::Enum(it) => &it.ident,
            Item::Fn(it) => &it.sig.ident,
            Item::Mod(it) => &it.ident,
            Item::Static(it) => &it.ident,
            Item::Struct(it) => &it.ident,
            Item::Trait(it) => &it.ident,
            Item::Type(it) => &it.ident,
            Item::Union(it) => &it.ident,
            Item::Macro(it) => {
                named(&within(it).unwrap_or_default(), names);
                continue;
            }
            _ => continue,
        };
        names.push((name.to_string(), matches!(item, Item::Trait(_))));
    }
}

fn flatten(tree: &UseTree, path: &mut Vec<String>, imports: &mut Vec<Import>) {
    let mut add = |path: &[String], name: &str, bound: Option<&str>| {
        let (path, name) = match (name, path.split_last()) {
            // As in `use std::io::{self, Write}`.
            ("self", Some((last, path))) => (path, last.as_str()),
            _ => (path, name),
        };
        let bound = Some(bound.unwrap_or(name).to_owned());
        let (path, name) = (path.to_vec(), Some(name.to_owned()));
        imports.push(Import { path, name, bound });
    };
    match tree {
        UseTree::Path(it) => {
            path.push(it.ident.to_string());
            flatten(&it.tree, path, imports);
            path.pop();
        }
        UseTree::Name(it) => add(path, &it.ident.to_string(), None),
        UseTree::Rename(it) => {
            add(path, &it.ident.to_string(), Some(&it.rename.to_string()));
        }
        UseTree::Glob(_) => imports.push(Import {
            path: path.clone(),
            name: None,
            bound: None,
        }),
        UseTree::Group(it) => {
            for tree in &it.items {
                flatten(tree, path, imports);
            }
        }
    }
}

struct Opener {
    edits: Vec<(Range<usize>, &'static str)>,
    own_macros: BTreeSet<String>,
}

impl Opener {
    /// Makes `whole` public, which has this visibility and these attributes.
    fn open(&mut self, visibility: &Visibility, attributes: &[Attribute], whole: &impl ToTokens) {
        match visibility {
            Visibility::Restricted(it) => {
                let (start, end) = (it.pub_token.span, it.paren_token.span.close());
                let range = start.byte_range().start..end.byte_range().end;
                self.edits.push((range, "pub"));
            }
            Visibility::Inherited => {
                let is_outer = |one: &&Attribute| matches!(one.style, AttrStyle::Outer);
                // An attribute is two tokens: `#`, and what is in brackets.
                let before = 2 * attributes.iter().filter(is_outer).count();
                let first = whole.to_token_stream().into_iter().nth(before);
                if let Some(first) = first {
                    let start = first.span().byte_range().start;
                    self.edits.push((start..start, "pub "));
                }
            }
            _ => {}
        }
    }

    fn open_fields(&mut self, fields: &Fields) {
        for field in fields {
            let Field { vis, attrs, .. } = field;
            self.open(vis, attrs, field);
        }
    }
}

impl<'ast> Visit<'ast> for Opener {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Const(it) => self.open(&it.vis, &it.attrs, it),
            Item::Enum(it) => self.open(&it.vis, &it.attrs, it),
            Item::Fn(it) => {
                self.open(&it.vis, &it.attrs, it);
                for test in it.attrs.iter().filter(|one| is_test(one)) {
                    let (start, end) = (test.pound_token.span, test.bracket_token.span.close());
                    let range = start.byte_range().start..end.byte_range().end;
                    self.edits.push((range, ""));
                }
            }
            Item::Mod(it) => self.open(&it.vis, &it.attrs, it),
            Item::Static(it) => self.open(&it.vis, &it.attrs, it),
            Item::Struct(it) => {
                self.open(&it.vis, &it.attrs, it);
                self.open_fields(&it.fields);
            }
            Item::Trait(it) => self.open(&it.vis, &it.attrs, it),
            Item::Type(it) => self.open(&it.vis, &it.attrs, it),
            Item::Union(it) => {
                self.open(&it.vis, &it.attrs, it);
                self.open_fields(&Fields::Named(it.fields.clone()));
            }
            _ => {}
        }
        syn::visit::visit_item(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        // What implements a trait is as public as the trait.
        if item.trait_.is_some() {
            return;
        }
        for item in &item.items {
            match item {
                ImplItem::Const(it) => self.open(&it.vis, &it.attrs, it),
                ImplItem::Fn(it) => self.open(&it.vis, &it.attrs, it),
                ImplItem::Type(it) => self.open(&it.vis, &it.attrs, it),
                _ => {}
            }
        }
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        // A macro of the learner's own may not know the word `pub`.
        let name = item.mac.path.get_ident().map(ToString::to_string);
        if item.ident.is_none() && !name.is_some_and(|name| self.own_macros.contains(&name)) {
            for item in within(item).unwrap_or_default() {
                self.visit_item(&item);
            }
        }
    }

    // No other crate sees what is in a body.
    fn visit_block(&mut self, _: &'ast Block) {}

    fn visit_expr(&mut self, _: &'ast Expr) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text, and what it is with all of it public.
    const TEXTS: [[&str; 2]; 12] = [
        [
            "/// A\n#[derive(Debug)] struct A { /// B\n b: u8 }",
            "/// A\n#[derive(Debug)] pub struct A { /// B\n pub b: u8 }",
        ],
        [
            "struct A(u8, pub(crate) u8);",
            "pub struct A(pub u8, pub u8);",
        ],
        [
            "enum A { B { c: u8 }, D(u8) }",
            "pub enum A { B { c: u8 }, D(u8) }",
        ],
        [
            "impl A { const B: u8 = 0; async fn c() { struct D; } }",
            "impl A { pub const B: u8 = 0; pub async fn c() { struct D; } }",
        ],
        ["impl A for B { fn c() {} }", "impl A for B { fn c() {} }"],
        ["trait A { fn b(); }", "pub trait A { fn b(); }"],
        [
            "pub(super) mod a { static B: u8 = 0; }",
            "pub mod a { pub static B: u8 = 0; }",
        ],
        [
            "thread_local!(static A: u8 = 0);",
            "thread_local!(pub static A: u8 = 0);",
        ],
        [
            "pin_project! { struct A { #[pin] b: u8 } }",
            "pin_project! { pub struct A { #[pin] pub b: u8 } }",
        ],
        [
            "macro_rules! m { (struct $n:ident;) => {} } m! { struct A; }",
            "macro_rules! m { (struct $n:ident;) => {} } m! { struct A; }",
        ],
        [
            "use a::B; pub(crate) use c::d; use e::*;",
            "use a::B; pub(crate) use c::d; use e::*;",
        ],
        [
            "const \u{e4}: &str = \"\u{20ac}\"; #[test] fn b() {}",
            "pub const \u{e4}: &str = \"\u{20ac}\";  pub fn b() {}",
        ],
    ];

    #[test]
    fn all_is_public_and_nothing_else_is_changed() {
        for [text, open] in TEXTS {
            let source = Source::read(text).unwrap();
            assert_eq!(source.open(&BTreeSet::new()), open);
        }
        // What the checks want is brought to the root by a use.
        let source = Source::read("struct A; use b::C; use d::E;").unwrap();
        let wanted = ["A", "C"].map(String::from).into();
        assert_eq!(
            source.open(&wanted),
            "pub struct A; pub use b::C; use d::E;"
        );
        assert!(source.may_have("E") && !source.may_have("F"));
    }
}
