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
fn in_reading_order(project: &Project, stage: &Stage) -> Vec<String> {
    let src = format!("{}/src/", stage.name);
    let all: Vec<&str> = project
        .with(&src, ".rs")
        .map(|(path, _)| &path[src.len()..])
        .collect();
    let guide = project.text(&format!("{src}lib.rs")).unwrap_or_default();
    let doc: Vec<&str> = guide.lines().filter(|it| it.starts_with("//!")).collect();
    let doc = doc.join("\n");
    let (_, guide) = doc.split_once("Read in this order").unwrap_or_default();
    let mut order = vec!["lib.rs"];
    for name in FILE.captures_iter(guide) {
        let name = name.get(1).map_or("", |it| it.as_str());
        order.extend(all.iter().filter(|it| match name.ends_with('/') {
            true => it.starts_with(name),
            false => **it == name,
        }));
    }
    let (carried, own): (Vec<&str>, Vec<&str>) =
        all.iter().partition(|it| it.starts_with("carried/"));
    let is_demo = |name: &str| name == "main.rs" || name.starts_with("bin/");
    for name in own.iter().filter(|it| !is_demo(it)) {
        let folder = format!("{}/", name.trim_end_matches(".rs"));
        match order.iter().position(|it| it.starts_with(&folder)) {
            Some(place) if !order.contains(name) => order.insert(place, name),
            _ => order.push(name),
        }
    }
    order.extend(own.iter().filter(|it| is_demo(it)));
    order.extend(carried);
    let mut unique: Vec<String> = Vec::new();
    for name in order {
        let path = format!("{src}{name}");
        if !unique.contains(&path) {
            unique.push(path);
        }
    }
    unique
}
