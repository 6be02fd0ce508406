//! The links that every page of the book gets: above each listing the name of its file, and from each term in bold to its
//! entry in the glossary.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use regex::{Captures, Regex};

use crate::{Project, Stage, pages::included};

/// Where the terms are explained.
pub(crate) const GLOSSARY: &str = "book/src/glossary.md";

/// The line with the name of a file, above a listing of that file or of a part of it. It is HTML, because the page's style
/// makes a bar of it.
static BAR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("(?m)^<p class=\"file\">.*</p>\n\n").expect("it is a regex"));

static LISTING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^```(?:rust|toml)[^\n]*\n\{\{#include ([^}:]+)[^}]*\}\}\n```$")
        .expect("it is a regex")
});

/// The page with a bar above each listing. Its link leads to the file in the stage's chapter, where all the files of the
/// stage are. A file that is in no chapter has no link here; the page's script links it to the repository if it
/// knows the address.
pub(crate) fn bars(project: &Project, page: &str, text: &str) -> String {
    let text = BAR.replace_all(text, "");
    let bar = |found: &Captures<'_>| {
        let file = included(page, &found[1]);
        let source = |it: &&Stage| file.starts_with(&format!("{}/src/", it.name));
        let stage = project.stages.iter().find(source);
        let name = match stage.filter(|_| file.ends_with(".rs")) {
            Some(stage) if stage.chapter() == page => format!("<a href=\"#{file}\">{file}</a>"),
            Some(stage) => {
                let chapter = stage.chapter_file().replace(".md", ".html");
                format!("<a href=\"{chapter}#{file}\">{file}</a>")
            }
            None => file,
        };
        format!("<p class=\"file\">{name}</p>\n\n{}", &found[0])
    };
    LISTING.replace_all(&text, bar).into_owned()
}

/// A term as it is compared: in small letters, on one line, without the `s` of the plural.
fn bare(term: &str) -> String {
    let words: Vec<&str> = term.split_whitespace().collect();
    let term = words.join(" ").to_lowercase().replace('`', "");
    term.trim_end_matches('s').to_owned()
}

static TERM: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^(\S.*)\n\n?: ").expect("it is a regex"));

/// The anchors that mdBook gives to the glossary's entries, by the bare terms.
pub(crate) fn entries(project: &Project) -> BTreeMap<String, String> {
    let glossary = project.text(GLOSSARY).unwrap_or_default();
    let entries = TERM.captures_iter(glossary).map(|it| {
        let letters = it[1].trim().to_lowercase();
        let letters = letters.chars().filter_map(|c| match c {
            ' ' => Some('-'),
            c => (c.is_alphanumeric() || "_-".contains(c)).then_some(c),
        });
        (bare(&it[1]), letters.collect())
    });
    entries.collect()
}

static BOLD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\[?\*\*([^*\[\]]+)\*\*(?:\]\(([^)]*)\))?").expect("it is a regex")
});

/// The page with a link from each term in bold to its entry. A term that has another link keeps that.
pub(crate) fn terms(entries: &BTreeMap<String, String>, text: &str) -> String {
    let mut linked = BTreeSet::new();
    let link = |found: &Captures<'_>| {
        let elsewhere = found
            .get(2)
            .is_some_and(|it| !it.as_str().starts_with("glossary.md#"));
        let open = found[0].starts_with('[') != found.get(2).is_some();
        match entries.get(&bare(&found[1])) {
            Some(anchor) if !elsewhere && !open && linked.insert(anchor) => {
                format!("[**{}**](glossary.md#{anchor})", &found[1])
            }
            _ => found[0].to_owned(),
        }
    };
    BOLD.replace_all(text, link).into_owned()
}
