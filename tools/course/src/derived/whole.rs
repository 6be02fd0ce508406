//! The whole stage on one page: its files in reading order, folded, at the end of its chapter.
//!
//! Each is in a `script`, because mdBook puts no such element into its search index, of which whole stages would be a third.
//! `course.js` makes listings of them.

use std::sync::LazyLock;

use regex::Regex;

use super::WRITE;
use crate::{Project, Stage};

/// The page's path from the root. The chapter includes it; `SUMMARY.md` doesn't name it.
pub(crate) fn path(stage: &Stage) -> String {
    format!("book/src/whole/{}.md", stage.number())
}

/// The page: each file is an include, so that it never differs from the code.
pub(crate) fn page(project: &Project, stage: &Stage) -> String {
    let files = in_reading_order(project, stage);
    let mut page = format!(
        "<!-- Written by `{WRITE}`. -->\n\n<details class=\"whole\"><summary>{} files in reading order</summary>\n",
        files.len()
    );
    for path in &files {
        page += &format!(
            "\n<p class=\"file\" id=\"{path}\">{path}</p>\n\n<script type=\"text/rust\">\n{{{{#include ../../../{path}}}}}\n</script>\n"
        );
    }
    page + "\n</details>\n"
}

static FILE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"`([\w/]+(?:\.rs|/))`").expect("it is a regex"));

/// First `lib.rs`, whose documentation is the guide. Then the files in the order in which it names them, then those that it
/// doesn't name, the demos, and last what is carried.
///
/// A folder such as `delay/` is all the files in it. A module that the guide doesn't name comes before the first file of
/// its folder.
fn in_reading_order<'a>(project: &'a Project, stage: &Stage) -> Vec<&'a str> {
    let src = format!("{}/src/", stage.name);
    let guide = project.text(&format!("{src}lib.rs")).unwrap_or_default();
    let doc: Vec<&str> = guide.lines().filter(|it| it.starts_with("//!")).collect();
    let doc = doc.join("\n");
    let (_, guide) = doc.split_once("Read in this order").unwrap_or_default();
    let named = FILE.captures_iter(guide).filter_map(|it| it.get(1));
    let named: Vec<&str> = named.map(|it| it.as_str()).collect();
    let place = |path: &&str| {
        let name = &path[src.len()..];
        let folder = name.replace(".rs", "/");
        let is_it = |it: &&str| name == *it || it.ends_with('/') && name.starts_with(it);
        let place = named.iter().position(is_it);
        match place.or_else(|| named.iter().position(|it| it.starts_with(&folder))) {
            _ if name == "lib.rs" => 0,
            Some(place) => place + 1,
            None if name.starts_with("carried/") => usize::MAX,
            None if name == "main.rs" || name.starts_with("bin/") => usize::MAX - 1,
            None => usize::MAX - 2,
        }
    };
    let mut files: Vec<&str> = project.with(&src, ".rs").map(|(path, _)| path).collect();
    files.sort_by_key(place);
    files
}
