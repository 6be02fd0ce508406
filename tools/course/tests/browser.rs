//! The built book in a real browser: every page, every answer, both themes, a wide screen and a phone's.

use std::{
    collections::BTreeSet,
    env, fs,
    io::{self, Write},
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use course::{
    Project,
    browser::{Built, Driver, NARROW, WIDE, address, faults, pages},
};
use serde_json::{Value, json};

/// The colours of the page, and whether each picture is there and can be read.
const LOOKS: &str = include_str!("browser/looks.js");

/// Nothing but code, tables and pictures is wider than the screen.
const NARROW_LOOKS: &str = include_str!("browser/narrow.js");

/// What axe-core says, whose own text comes before this.
const AXE_LOOKS: &str = include_str!("browser/axe.js");

/// Where .ci/tools puts axe-core.
const AXE: &str = "target/tools/axe-core-4.14.1/axe.min.js";

/// The text of axe-core, or nothing if it is not there.
fn axe() -> String {
    with("axe-core", fs::read_to_string(kit::files::root().join(AXE))).unwrap_or_default()
}

/// What a tool gives, or a line that says what is left out without it. Where the browser is required, a failure.
fn with<Tool>(name: &str, tool: io::Result<Tool>) -> Option<Tool> {
    match tool {
        Ok(tool) => Some(tool),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let required = env::var("BOOK_BROWSER").is_ok_and(|it| it == "required");
            assert!(!required, "BOOK_BROWSER=required, and there is no {name}");
            // Past the test's own capture, so that it is seen.
            let line = format!("left out of the book in a browser: {name}, which is not there\n");
            let _ = io::stderr().write_all(line.as_bytes());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_built_book_is_read_in_a_browser() {
    let project = Project::read(&kit::files::root()).expect("every file can be read");
    let Some(built) = with("mdbook", Built::new(&project)) else {
        return;
    };
    let mut found = faults(built.folder(), &built.log).expect("it is ours");
    let (pages, axe) = (pages(&project), axe());
    assert!(!pages.is_empty(), "the book has pages");
    // Each page goes to the reader that is free.
    let next = AtomicUsize::new(0);
    let read = || {
        let mut found = Vec::new();
        let Some(driver) = with("chromedriver", Driver::start()) else {
            return found;
        };
        let (folder, axe) = (built.folder(), axe.clone());
        let reader = Reader {
            driver,
            folder,
            axe,
        };
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(reader.look(page));
        }
        found
    };
    thread::scope(|scope| {
        let readers = [scope.spawn(read), scope.spawn(read)];
        for reader in readers {
            found.extend(reader.join().expect("a reader does not panic"));
        }
    });
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

struct Reader<'a> {
    driver: Driver,
    folder: &'a Path,
    axe: String,
}

impl Reader<'_> {
    fn script(&self, name: &str, body: &str) -> Vec<String> {
        let lines = self.driver.script(body);
        let lines = lines.as_array().cloned().unwrap_or_default();
        let lines = lines.iter().filter_map(Value::as_str);
        lines.map(|it| format!("{name}: {it}")).collect()
    }

    /// Opens a page in both themes on a wide screen, and on a phone's. axe-core looks at everything once, and then again
    /// at what the other theme or the other width changes.
    fn look(&self, page: &str) -> Vec<String> {
        let mut found = Vec::new();
        for (theme, dark, rules) in [("light", false, "all"), ("dark", true, "colours")] {
            let name = format!("{page} ({theme})");
            self.driver.open(&address(self.folder, page), WIDE, dark);
            found.extend(self.script(&name, &format!("const dark = {dark};\n{LOOKS}")));
            found.extend(self.logged(&name));
            found.extend(self.axe(&name, rules));
        }
        let name = format!("{page} at {NARROW} pixels");
        self.driver.open(&address(self.folder, page), NARROW, false);
        found.extend(self.script(&name, NARROW_LOOKS));
        found.extend(self.axe(&name, "all but colours"));
        found
    }

    /// What axe-core finds on the page that is open, by these rules.
    fn axe(&self, name: &str, rules: &str) -> Vec<String> {
        let axe = &self.axe;
        let looks = format!("const rules = \"{rules}\";\n{AXE_LOOKS}");
        match axe.is_empty() {
            true => Vec::new(),
            false => self.script(
                name,
                &format!("{axe}\nreturn (async () => {{\n{looks}}})();"),
            ),
        }
    }

    /// What went wrong while the page was loaded and used, and what it asked of others.
    fn logged(&self, name: &str) -> Vec<String> {
        let mut found = Vec::new();
        for entry in self.driver.log("browser") {
            if entry["level"] == "SEVERE" || entry["level"] == "WARNING" {
                found.push(format!("{name}: the console says {}", entry["message"]));
            }
        }
        // The browser has pages of its own, with requests of their own.
        let (folder, mut ours) = (address(self.folder, ""), BTreeSet::new());
        for entry in self.driver.log("performance") {
            let message = entry["message"].as_str().unwrap_or_default();
            let message: Value = serde_json::from_str(message).unwrap_or_default();
            let about = &message["message"]["params"];
            let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
            let (id, url) = (text(&about["requestId"]), text(&about["request"]["url"]));
            match message["message"]["method"].as_str().unwrap_or_default() {
                "Network.requestWillBeSent" if text(&about["documentURL"]).starts_with(&folder) => {
                    ours.insert(id);
                    if !["data:", "blob:", &folder]
                        .iter()
                        .any(|it| url.starts_with(it))
                    {
                        found.push(format!("{name}: a request goes to {url}"));
                    }
                }
                "Network.loadingFailed"
                    if ours.contains(&id) && about["canceled"] != json!(true) =>
                {
                    found.push(format!("{name}: a request failed: {}", about["errorText"]));
                }
                _ => {}
            }
        }
        found
    }
}

/// A page that is wrong in every way.
#[test]
fn what_is_wrong_is_seen() {
    let Some(driver) = with("chromedriver", Driver::start()) else {
        return;
    };
    let folder = tempfile::tempdir().expect("there is room for a file");
    let page = include_str!("browser/wrong.html");
    fs::write(folder.path().join("index.html"), page).expect("it is ours");
    let (folder, axe) = (folder.path(), axe());
    let there = !axe.is_empty();
    let reader = Reader {
        driver,
        folder,
        axe,
    };
    let found = reader.look("index.html");
    let wanted = include_str!("browser/wrong.txt").lines();
    let wanted: Vec<&str> = wanted
        .filter(|it| there || !it.contains(": axe: "))
        .collect();
    let (logged, looks): (Vec<&String>, _) = found
        .iter()
        .partition(|it| ["request", "console"].iter().any(|word| it.contains(word)));
    assert_eq!(looks, wanted);
    for part in [
        "a request failed",
        "a request goes to http://192.0.2.1/",
        "the console says",
    ] {
        assert!(logged.iter().any(|it| it.contains(part)), "{logged:?}");
    }
}
