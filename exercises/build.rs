//! An exercise without its tests would be green. So nothing is built while the tests of a file are not where the compiler finds
//! them.

use std::{fs, path::Path};

use syn::{Attribute, File, Item, ItemMod};

/// Attributes of a whole file that leave its tests as they are.
const HARMLESS: [&str; 8] = [
    "allow",
    "deny",
    "doc",
    "expect",
    "forbid",
    "recursion_limit",
    "type_length_limit",
    "warn",
];

fn main() {
    println!("cargo::rerun-if-changed=exercises");
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    for chapter in entries("exercises".as_ref()) {
        for file in entries(&chapter.path()) {
            let path = file.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let has_checks = Path::new("checks").join(format!("{name}.rs")).exists();
            let text = fs::read_to_string(&path);
            if let (true, Ok(text)) = (has_checks, text) {
                if let Some(what) = why_no_test_runs(&name, &text) {
                    println!("cargo::error={}: {what}", path.display());
                }
            }
        }
    }
}

/// Why the tests of this exercise would not run, and what to do, in one line. `None` as well if the text does not parse, because
/// then the compiler says what is wrong with it.
pub fn why_no_test_runs(name: &str, text: &str) -> Option<String> {
    let File { attrs, items, .. } = syn::parse_file(text).ok()?;
    let is_harmless = |it: &&Attribute| HARMLESS.iter().any(|name| it.path().is_ident(name));
    if let Some(other) = attrs.iter().find(|it| !is_harmless(it)) {
        let other = other.path().get_ident();
        let other = other.map_or("attribute".to_owned(), ToString::to_string);
        return Some(format!(
            "the line `#![{other} ...]` can take away its tests: delete that line"
        ));
    }
    let path = format!("../../checks/{name}.rs");
    let names_tests = |item: &Item| matches!(item, Item::Mod(it) if is_tests(it, &path));
    let is_there = items.iter().any(names_tests);
    (!is_there).then(|| {
        let foot = format!("#[cfg(test)] #[path = \"{path}\"] mod tests;");
        format!("it has lost its tests: write this at its end, by itself: {foot}")
    })
}

/// Whether this is `mod tests;` with the two attributes that belong to it, and with no other.
fn is_tests(item: &ItemMod, path: &str) -> bool {
    let attributes = item.attrs.iter().filter(|it| !it.path().is_ident("doc"));
    let [mut is_test, mut is_path, mut is_other] = [false; 3];
    for attribute in attributes {
        let value = attribute.meta.require_name_value().ok();
        if attribute.path().is_ident("cfg") {
            let condition = attribute.parse_args::<syn::Path>();
            is_test = condition.is_ok_and(|it| it.is_ident("test"));
            is_other |= !is_test;
        } else if let (true, Some(value)) = (attribute.path().is_ident("path"), value) {
            is_path = matches!(&value.value, syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(it), .. }) if it.value() == path);
        } else {
            is_other = true;
        }
    }
    item.ident == "tests" && item.content.is_none() && is_test && is_path && !is_other
}
