//! The HTML that mdBook makes: what it said, and where its links lead.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::LazyLock,
};

use regex::Regex;

use crate::text::{clean, files_below, read, shown};

static LINK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"\s(?:href|src)="([^"]*)""#).expect("it is a regex"));

static ID: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"\sid="([^"]*)""#).expect("it is a regex"));

/// What is wrong with the book in this folder, about which mdBook said this.
pub fn faults(folder: &Path, log: &str) -> Vec<String> {
    let loud = log
        .lines()
        .filter(|line| line.contains("WARN") || line.contains("ERROR"));
    let mut faults: Vec<String> = loud
        .map(|line| format!("mdbook says: {}", line.trim()))
        .collect();
    let pages: BTreeMap<String, String> = files_below(folder, ".html")
        .into_iter()
        .map(|file| (shown(folder, &file), read(&file).unwrap_or_default()))
        // It is shown at any address, so its links are of another kind.
        .filter(|(name, _)| name != "404.html")
        .collect();
    let ids: BTreeMap<&str, BTreeSet<&str>> = pages
        .iter()
        .map(|(name, html)| {
            let ids = ID
                .captures_iter(html)
                .filter_map(|it| Some(it.get(1)?.as_str()));
            (name.as_str(), ids.collect())
        })
        .collect();
    for (name, html) in &pages {
        let links: BTreeSet<&str> = LINK
            .captures_iter(html)
            .filter_map(|it| Some(it.get(1)?.as_str()))
            .collect();
        for link in links {
            faults.extend(
                fault(folder, name, link, &ids)
                    .map(|why| format!("{name}: `{link}` leads nowhere: {why}")),
            );
        }
    }
    faults
}

fn fault(
    folder: &Path,
    page: &str,
    link: &str,
    ids: &BTreeMap<&str, BTreeSet<&str>>,
) -> Option<&'static str> {
    if link.contains("://") || link.starts_with("data:") || link.starts_with("mailto:") {
        return None;
    }
    let (file, id) = link
        .split_once('#')
        .map_or((link, None), |(file, id)| (file, Some(id)));
    let file = if file.is_empty() {
        page.to_owned()
    } else {
        shown(Path::new(""), &clean(Path::new(file)))
    };
    if !folder.join(&file).is_file() {
        return Some("there is no such file");
    }
    let known = ids.get(file.as_str()).zip(id);
    known
        .filter(|(ids, id)| !id.is_empty() && !ids.contains(id))
        .map(|_| "there is no such id")
}
