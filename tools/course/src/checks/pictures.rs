//! Each picture can be read by those who do not see it, and Markdown does not cut it.

use std::sync::LazyLock;

use regex::Regex;

use crate::{
    Book, Complaint,
    include::directives,
    text::{clean, line_of, read, shown},
};

use super::on;

static IMG: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)<img\b[^>]*>").expect("it is a regex"));

pub(super) fn check(book: &Book) -> Vec<Complaint> {
    let mut found = Vec::new();
    for page in &book.pages {
        let images = page
            .links
            .iter()
            .filter(|it| it.image.as_deref().is_some_and(|alt| alt.trim().is_empty()));
        found.extend(images.map(|it| {
            on(
                page,
                it.line,
                format!("`{}` has no alternative text: say what it shows", it.to),
            )
        }));
        for (line, html) in &page.html {
            let mut images = IMG.find_iter(html).map(|it| it.as_str());
            if images.any(|it| !it.contains("alt=\"") || it.contains("alt=\"\"")) {
                found.push(on(
                    page,
                    *line,
                    "an <img> without alternative text: say what it shows",
                ));
            }
        }
        for directive in directives(&page.text)
            .iter()
            .filter(|it| it.file.ends_with(".svg"))
        {
            let file = clean(&book.src().join(&directive.file));
            if let Ok(text) = read(&file) {
                let path = shown(&book.root, &file);
                found.extend(svg(&text).map(|(line, says)| Complaint::new(&path, line, says)));
            }
            let own = read(&file).is_ok_and(|text| text.starts_with("<figure"));
            let mut html = page.html.iter();
            if !own && !html.any(|(_, html)| html.contains(&directive.file)) {
                let says = "put the picture between <figure> and </figure>, without an empty line";
                found.push(on(page, directive.line, says));
            }
        }
    }
    found
}

fn svg(text: &str) -> Option<(usize, String)> {
    let figure = text
        .split_once('>')
        .filter(|(tag, _)| tag.starts_with("<figure"));
    let svg = figure.map_or(text, |(_, rest)| rest.trim_start());
    let tag = svg.split('>').next().unwrap_or_default();
    let first = |says: &str| Some((1, says.to_owned()));
    if !svg.starts_with("<svg") {
        return first(
            "the file must begin with <svg, or <figure> and <svg: it becomes part of a page",
        );
    }
    for needed in ["role=\"img\"", "viewBox=\""] {
        if !tag.contains(needed) {
            return first(&format!("the <svg> has no {needed}: add it"));
        }
    }
    let rest = svg.get(tag.len() + 1..).unwrap_or_default();
    let title = rest.trim_start().strip_prefix("<title");
    let title = title.and_then(|it| it.split_once('>')?.1.split_once("</title>"));
    if title.is_none_or(|(title, _)| title.trim().is_empty()) {
        return first("the <svg> must begin with its <title>, the alternative text");
    }
    let gap = text.trim_end().find("\n\n")?;
    let says = "an empty line ends the picture in Markdown: take it out";
    Some((line_of(text, gap + 1), says.to_owned()))
}
