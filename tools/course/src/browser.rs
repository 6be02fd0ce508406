//! The book as mdBook builds it, and a browser that reads it.

mod driver;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
    process::Command,
    sync::LazyLock,
    time::Duration,
};

use base64::{Engine, engine::general_purpose::STANDARD};
pub use driver::Driver;
use kit::process::{self, Limits};
use regex::Regex;
use serde_json::json;
use tempfile::TempDir;

use crate::Project;

/// mdBook takes a second.
const TO_BUILD: Duration = Duration::from_secs(120);

/// Where the book is published in the tests: below a path, and with the address of a repository.
const SITE: &str = "/poll-to-tokio/";
const REPOSITORY: &str = "https://example.org/poll-to-tokio";

/// The built book, in a folder of its own that goes with it.
#[derive(Debug)]
pub struct Built {
    folder: TempDir,
    /// What mdBook said.
    pub log: String,
}

impl Built {
    /// Builds the book as it is published.
    ///
    /// # Errors
    ///
    /// `NotFound` if there is no mdbook; otherwise what it says.
    pub fn new(project: &Project) -> io::Result<Built> {
        let folder = tempfile::tempdir()?;
        let mut command = Command::new("mdbook");
        command
            .args(["build", "book", "--dest-dir"])
            .arg(folder.path())
            .env("MDBOOK_OUTPUT__HTML__SITE_URL", SITE)
            .env("MDBOOK_OUTPUT__HTML__GIT_REPOSITORY_URL", REPOSITORY);
        let outcome = process::run(command.current_dir(&project.root), Limits::time(TO_BUILD))?;
        let log = outcome.stdout + &outcome.stderr;
        match outcome.end.is_success() {
            true => Ok(Built { folder, log }),
            false => Err(io::Error::other(format!("mdbook {}\n{log}", outcome.end))),
        }
    }

    /// Where the pages are.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// The address of a file.
pub fn address(folder: &Path, page: &str) -> String {
    let path = kit::files::shown(Path::new(""), folder);
    format!("file:///{}/{page}", path.trim_start_matches('/'))
}

static LINK: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"\s(href|src)="([^"]*)""#).expect("it is a regex"));

static ID: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"\sid="([^"]*)""#).expect("it is a regex"));

/// What is wrong with the built book in this folder: what mdBook warned of, and links that lead nowhere.
///
/// # Errors
///
/// If a page cannot be read.
pub fn faults(folder: &Path, log: &str) -> io::Result<Vec<String>> {
    let loud = log
        .lines()
        .filter(|it| it.contains("WARN") || it.contains("ERROR"));
    let mut faults: Vec<String> = loud
        .map(|it| format!("mdbook says: {}", it.trim()))
        .collect();
    let mut pages = BTreeMap::new();
    for file in kit::files::below(folder)? {
        let name = kit::files::shown(folder, &file);
        if name.ends_with(".html") {
            pages.insert(name, kit::files::read(&file)?);
        }
    }
    // The page for an address that is not there is shown at any address, so its links begin where the book does.
    let base = format!("<base href=\"{SITE}\">");
    if pages.get("404.html").is_some_and(|it| !it.contains(&base)) {
        faults.push(format!(
            "404.html: it has no {base}, so it finds no style at another depth"
        ));
    }
    for (name, html) in &pages {
        let links: BTreeSet<(&str, &str)> = LINK
            .captures_iter(html)
            .map(|it| it.extract())
            .map(|(_, [kind, link])| (kind, link))
            .collect();
        for (kind, link) in links {
            let (file, id) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { name } else { file };
            let page = pages.get(file);
            let why = if link == SITE
                || link.starts_with("data:")
                || link.starts_with("https://") && kind == "href"
            {
                continue;
            } else if link.contains("://") {
                "to another host: the book works offline, and its links are https://"
            } else if !folder.join(file).is_file() {
                "nowhere: there is no such file"
            } else if !id.is_empty()
                && page.is_some_and(|it| !ID.captures_iter(it).any(|it| &it[1] == id))
            {
                "nowhere: there is no such heading"
            } else {
                continue;
            };
            faults.push(format!("{name}: `{link}` leads {why}"));
        }
    }
    Ok(faults)
}

/// The files of the built pages.
pub fn pages(project: &Project) -> Vec<String> {
    let summary = project.text("book/src/SUMMARY.md").unwrap_or_default();
    let files = summary
        .split("](")
        .filter_map(|rest| rest.split_once(".md)"));
    files.map(|(file, _)| format!("{file}.html")).collect()
}

/// The width of a wide screen.
pub const WIDE: u32 = 1280;
/// The width of a phone's.
pub const NARROW: u32 = 390;
/// How much of a page is in one picture.
const SLICE: u64 = 2_000;

/// Writes each page (or these, by a part of their names) into a folder: both themes, wide and narrow, piece by piece.
///
/// # Errors
///
/// If a tool is missing, or a file cannot be written.
pub fn screenshots(project: &Project, folder: &Path, only: &[String]) -> io::Result<usize> {
    fs::create_dir_all(folder)?;
    let built = Built::new(project)?;
    let driver = Driver::start()?;
    let mut count = 0;
    for page in pages(project) {
        if !only.is_empty() && !only.iter().any(|it| page.contains(it.as_str())) {
            continue;
        }
        for (kind, width, dark) in [
            ("light-wide", WIDE, false),
            ("light-narrow", NARROW, false),
            ("dark-wide", WIDE, true),
            ("dark-narrow", NARROW, true),
        ] {
            driver.open(&address(built.folder(), &page), width, dark);
            let height =
                "return Math.ceil(document.documentElement.getBoundingClientRect().height);";
            let height = driver.script(height).as_u64().unwrap_or(SLICE);
            for (slice, top) in (1..).zip((0..height).step_by(SLICE as usize)) {
                let clip = json!({ "x": 0, "y": top, "width": width, "height": SLICE.min(height - top), "scale": 1 });
                let shot = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
                let shot = driver.devtools("Page.captureScreenshot", &shot);
                let data = STANDARD.decode(shot["data"].as_str().unwrap_or_default());
                let file = format!("{}-{kind}-{slice}.png", page.trim_end_matches(".html"));
                fs::write(folder.join(file), data.map_err(io::Error::other)?)?;
                count += 1;
            }
        }
    }
    Ok(count)
}
