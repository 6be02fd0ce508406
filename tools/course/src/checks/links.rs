//! Each link between pages leads to a page and a heading, and nothing is loaded from another host.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::LazyLock,
};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use regex::Regex;

use crate::{
    Book, Complaint, Page,
    include::expanded,
    page::options,
    text::{files_below, line_of, read, shown},
};

use super::on;

static ID: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"\bid="([^"]+)""#).expect("it is a regex"));

static LOADED: LazyLock<Regex> = LazyLock::new(|| {
    let loaded = r#"(?i)(?:\bsrc\s*=\s*["']?|url\(\s*["']?|@import\s+["']?|<(?:link|use|image)\b[^>]*href\s*=\s*["']?)((?:https?:)?//[^"'\s)>]+)"#;
    Regex::new(loaded).expect("it is a regex")
});

static HREF: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"(?i)<a\b[^>]*\bhref="([^"]+)""#).expect("it is a regex"));

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let ids: BTreeMap<&str, BTreeSet<String>> = book
        .pages
        .iter()
        .map(|page| (page.file.as_str(), ids(&expanded(&book.src(), &page.text))))
        .collect();
    let mut found = Vec::new();
    for page in &book.pages {
        let links = page
            .links
            .iter()
            .map(|it| (it.line, it.to.clone(), it.image.is_some()));
        let html = page.html.iter().flat_map(|(line, html)| {
            let found = HREF.captures_iter(html);
            found.map(|it| (*line, it[1].to_owned(), false))
        });
        for (line, to, image) in links.chain(html) {
            found.extend(fault(book, page, &ids, &to, image).map(|says| on(page, line, says)));
        }
        for (line, html) in &page.html {
            found.extend(loads(html).map(|(_, says)| on(page, *line, says)));
        }
    }
    for ending in [".svg", ".css", ".js", ".hbs"] {
        for file in files_below(&book.root.join("book"), ending) {
            let path = shown(&book.root, &file);
            if path.starts_with("book/book/") {
                continue;
            }
            let text = read(&file).unwrap_or_default();
            found.extend(loads(&text).map(|(line, says)| Complaint::new(&path, line, says)));
        }
    }
    found
}

fn loads(text: &str) -> impl Iterator<Item = (usize, String)> {
    LOADED.captures_iter(text).map(|found| {
        let line = line_of(text, found.get(0).map_or(0, |it| it.start()));
        (
            line,
            format!(
                "`{}` is loaded from another host: the book works offline, bring it here",
                &found[1]
            ),
        )
    })
}

fn fault(
    book: &Book,
    page: &Page,
    ids: &BTreeMap<&str, BTreeSet<String>>,
    to: &str,
    image: bool,
) -> Option<String> {
    if to.starts_with("https://") && !image {
        return None;
    }
    if to.contains("://") || to.starts_with("//") || to.starts_with("mailto:") {
        return Some(match image {
            true => {
                format!("`{to}` is loaded from another host: the book works offline, bring it here")
            }
            false => format!("`{to}`: links to other hosts are https://"),
        });
    }
    let (file, anchor) = to
        .split_once('#')
        .map_or((to, None), |(file, anchor)| (file, Some(anchor)));
    let file = if file.is_empty() { &page.file } else { file };
    if file.contains("..") || file.starts_with('/') {
        return Some(format!(
            "`{to}` leads out of the book: name the file in backticks, from the root"
        ));
    }
    match (ids.get(file), anchor) {
        (None, None) if book.src().join(file).is_file() && !file.ends_with(".md") => None,
        (None, _) => Some(format!("there is no page `{file}`: mend the link")),
        (Some(ids), Some(anchor)) if !ids.contains(anchor) => Some(format!(
            "`{file}` has no heading `#{anchor}`: mend the link; it has {}",
            near(ids, anchor)
        )),
        _ => None,
    }
}

/// The ids that begin alike.
fn near(ids: &BTreeSet<String>, anchor: &str) -> String {
    let alike = |id: &&String| {
        let equal = id.chars().zip(anchor.chars()).take_while(|(a, b)| a == b);
        std::cmp::Reverse(equal.count())
    };
    let mut ids: Vec<&String> = ids.iter().collect();
    ids.sort_by_key(alike);
    let first: Vec<String> = ids.iter().take(3).map(|id| format!("`#{id}`")).collect();
    first.join(", ")
}

/// The ids of a page, as mdBook 0.5 gives them to headings and terms, and those that stand in its HTML.
fn ids(text: &str) -> BTreeSet<String> {
    let (mut ids, mut used, mut open) = (BTreeSet::new(), HashSet::new(), None);
    // Curly quotes are no letters, but a long dash is not the two hyphens that it stands for.
    let options = options() | Options::ENABLE_SMART_PUNCTUATION;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::Heading { id: Some(id), .. }) => {
                ids.insert(id.into_string());
            }
            Event::Start(Tag::Heading { .. } | Tag::DefinitionListTitle) => {
                open = Some(String::new())
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut open {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_) | TagEnd::DefinitionListTitle) => {
                if let Some(heading) = open.take() {
                    ids.insert(unique(&slug(&heading), &mut used));
                }
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                ids.extend(ID.captures_iter(&html).map(|it| it[1].to_owned()));
            }
            _ => {}
        }
    }
    ids
}

fn slug(heading: &str) -> String {
    let letters = heading.trim().to_lowercase();
    let letters = letters.chars().filter_map(|c| match c {
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    });
    letters.collect()
}

fn unique(id: &str, used: &mut HashSet<String>) -> String {
    let numbered = (1..).map(|number| format!("{id}-{number}"));
    let mut all = std::iter::once(id.to_owned()).chain(numbered);
    all.find(|id| used.insert(id.clone()))
        .expect("numbers do not end")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_mdbook() {
        let text = "# Park, unpark and `block_on`\n## Run\n## Run\n## It's -- here {#own}\n## A -- b\n\nwaker\n: x\n";
        let ids = ids(text);
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        assert_eq!(
            ids,
            [
                "a--b",
                "own",
                "park-unpark-and-block_on",
                "run",
                "run-1",
                "waker"
            ]
        );
    }
}
