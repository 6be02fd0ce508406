//! The page with nothing but the games: one file, which needs no other, with the levels of `book/play.toml`.

use kit::files;
use serde::Deserialize;

use crate::{
    figure::script,
    listing,
    read::read,
    scheduler,
    text::{escaped, html},
};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Levels {
    levels: Vec<Level>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Level {
    /// The `id` of its figure.
    figure: String,
    title: String,
    goal: String,
    won: String,
    /// The page of the book that says more.
    read: String,
}

const SCRIPTS: [(&str, &str); 3] = [
    ("drag", include_str!("../../../book/src/pictures/drag.js")),
    (
        "executor",
        include_str!("../../../book/src/pictures/executor.js"),
    ),
    ("game", include_str!("../../../book/src/pictures/game.js")),
];

/// The page, if its parts can be read.
pub(crate) fn page() -> Result<String, String> {
    let (Levels { levels }, figures) = (read("play.toml")?, scheduler::figures()?);
    let (mut list, mut sections) = (String::new(), String::new());
    for (n, level) in levels.iter().enumerate() {
        let id = format!("id=\"{}\"", level.figure);
        let mut figures = figures.iter().map(|(_, html)| html);
        let figure = figures
            .find(|html| html.lines().next().is_some_and(|line| line.contains(&id)))
            .ok_or_else(|| format!("book/play.toml: no figure is {}", level.figure))?;
        let (number, title) = (n + 1, &level.title);
        let (goal, won) = (html(&level.goal), with_links(&html(&level.won)));
        list += &format!(
            "<li><a href=\"#{}\" title=\"{title}\">{number}</a></li>",
            level.figure
        );
        let next = levels.get(n + 1).map_or_else(
            || "<a href=\"../index.html\">To the book, which builds all of this</a>".to_owned(),
            |next| format!("<a href=\"#{}\">Next: {}</a>", next.figure, next.title),
        );
        let read = level.read.replace(".md", ".html");
        sections += &format!(
            "<section class=\"level\"><h2>{number}. {title}</h2><p class=\"goal\">{goal}</p>\n{}\n\
             <div class=\"won\" role=\"status\" hidden><p>✓ {won}</p><p>{next} <button type=\"button\">Stay here</button> <a href=\"../{read}\">What the book says</a></p></div>\n\
             <p class=\"onward\">✓ You've done this level. {next}</p></section>\n",
            alone(figure)?
        );
    }
    let style = concat!(
        include_str!("mdbook.css"),
        include_str!("../../../book/theme/course.css"),
        include_str!("../../../book/theme/play.css")
    );
    let scripts = SCRIPTS.map(|(_, text)| text).into_iter();
    let scripts = scripts.chain([include_str!("play.js")]);
    let scripts: String = scripts
        .map(|text| format!("<script>\n{text}</script>\n"))
        .collect();
    let page = include_str!("play.html").replace("{style}", style);
    let page = page.replace("{list}", &list).replace("{levels}", &sections);
    Ok(page.replace("{scripts}", &scripts))
}

/// Text in which a link is as in Markdown.
fn with_links(text: &str) -> String {
    let (mut page, mut rest) = (String::new(), text);
    while let Some((before, (words, (address, after)))) =
        rest.split_once('[').and_then(|(before, rest)| {
            let (words, link) = rest.split_once("](")?;
            Some((before, (words, link.split_once(')')?)))
        })
    {
        page += &format!("{before}<a href=\"{address}\">{words}</a>");
        rest = after;
    }
    page + rest
}

/// A figure with what mdBook would include, and without the line that loads its script.
fn alone(figure: &str) -> Result<String, String> {
    let mut page = String::new();
    for line in figure.lines() {
        let included = line.strip_prefix("{{#include ");
        if let Some(file) = included.and_then(|file| file.strip_suffix("}}")) {
            page += &included_text(file)?;
            continue;
        }
        page += match line {
            "```rust" => "<pre><code>",
            "```" => "</code></pre>",
            line => line,
        };
        if line != "```rust" {
            page.push('\n');
        }
    }
    Ok(SCRIPTS
        .iter()
        .fold(page, |page, (name, _)| page.replace(&script(name), "")))
}

fn included_text(file: &str) -> Result<String, String> {
    let pictures = files::root().join("book/src/pictures");
    let (path, anchor) = file.split_once(':').unwrap_or((file, ""));
    let text = files::read(&pictures.join(path)).map_err(|error| error.to_string())?;
    if anchor.is_empty() {
        return Ok(text);
    }
    // The listing of a method is indented as it is in its file.
    let lines = listing::shown(&text, anchor);
    let lines: Vec<&str> = lines.iter().map(|line| line.text).collect();
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    let least = filled.map(indent).min().unwrap_or(0);
    let line = |line: &&str| escaped(line.get(least..).unwrap_or_default()) + "\n";
    Ok(lines.iter().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_is_a_level_once() {
        let Levels { levels } = read("play.toml").unwrap();
        let mut levels: Vec<String> = levels.into_iter().map(|level| level.figure).collect();
        levels.sort_unstable();
        let mut games: Vec<String> = scheduler::figures()
            .unwrap()
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        games
            .iter_mut()
            .filter(|figure| figure.ends_with("-drag"))
            .for_each(|figure| *figure = "drag".to_owned());
        games.sort_unstable();
        assert_eq!(levels, games);
    }

    #[test]
    fn the_page_is_light_and_loads_nothing() {
        let page = page().unwrap();
        assert!(page.len() <= 200_000, "{} bytes", page.len());
        // The hatching of a figure is in the page itself.
        let page = page.replace("url(#", "");
        for loads in [
            "<script src",
            "<script defer",
            "<link",
            "<img",
            "@import",
            "url(",
        ] {
            assert!(!page.contains(loads), "{loads}");
        }
    }
}
