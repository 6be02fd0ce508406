//! The built book in a real browser: every page, every answer, both themes, a wide screen and a phone's.

use std::{
    collections::BTreeSet,
    env, fs,
    io::{self, Write},
    path::Path,
};

use course::{
    Project,
    browser::{Built, Driver, address, entries, faults},
};
use serde_json::{Value, json};

const WIDE: u32 = 1280;
const NARROW: u32 = 390;

/// The colours of the page, and whether each picture is there and can be read.
const LOOKS: &str = include_str!("browser/looks.js");

/// Nothing but code, tables and pictures is wider than the screen.
const NARROW_LOOKS: &str = include_str!("browser/narrow.js");

/// What a tool gives, or a line that says what is left out without it. Where the browser is required, a failure.
fn with<Tool>(name: &str, tool: io::Result<Tool>) -> Option<Tool> {
    match tool {
        Ok(tool) => Some(tool),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let required = env::var("BOOK_BROWSER").is_ok_and(|it| it == "required");
            assert!(!required, "BOOK_BROWSER=required, and there is no {name}");
            // Past the test's own capture, so that it is seen.
            let line = format!("left out: the book in a browser (there is no {name})\n");
            let _ = io::stderr().write_all(line.as_bytes());
            None
        }
        Err(error) => panic!("{name}: {error}"),
    }
}

#[test]
fn the_built_book_is_read_in_a_browser() {
    let project = Project::read(&kit::files::root()).expect("every file can be read");
    let Some(built) = with("mdbook", Built::new(&project)) else {
        return;
    };
    let mut found = faults(built.folder(), &built.log).expect("it is ours");
    if let Some(driver) = with("chromedriver", Driver::start()) {
        let folder = built.folder();
        let reader = Reader { driver, folder };
        let pages = entries(&project);
        found.extend(reader.search("waker"));
        for theme in ["light", "navy"] {
            reader.theme(theme);
            found.extend(reader.pages(&pages, theme));
        }
        found.extend(reader.phone(&pages));
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

struct Reader<'a> {
    driver: Driver,
    folder: &'a Path,
}

impl Reader<'_> {
    fn script(&self, name: &str, body: &str) -> Vec<String> {
        let lines = self.driver.script(body, json!([]));
        let lines = lines.as_array().cloned().unwrap_or_default();
        let lines = lines.iter().filter_map(Value::as_str);
        lines.map(|it| format!("{name}: {it}")).collect()
    }

    fn open(&self, page: &str) {
        self.driver.open(&address(self.folder, page));
    }

    fn search(&self, word: &str) -> Option<String> {
        self.driver.width(WIDE);
        self.open("index.html");
        self.driver.click("#mdbook-search-toggle");
        let ready = "return document.activeElement.id === 'mdbook-searchbar'
            && !document.querySelector('.search-wrapper.wait')";
        self.driver.wait(ready, &json!([]));
        let letters: Vec<String> = word.chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        self.driver.press(&letters);
        let found = "return document.querySelector('#mdbook-searchresults-header').textContent.includes(arguments[0])";
        self.driver.wait(found, &json!([word]));
        let results = "return document.querySelectorAll('#mdbook-searchresults li a').length";
        let none = self.driver.script(results, json!([])) == json!(0);
        none.then(|| format!("index.html: the search finds no {word:?}"))
    }

    /// Chooses a theme in the menu.
    fn theme(&self, theme: &str) {
        self.driver.width(WIDE);
        self.open("index.html");
        self.driver.click("#mdbook-theme-toggle");
        self.driver.click(&format!("#mdbook-theme-{theme}"));
    }

    /// Goes from page to page by the sidebar, and looks at each.
    fn pages(&self, pages: &[(String, String)], theme: &str) -> Vec<String> {
        let mut found = Vec::new();
        for (entry, page) in pages {
            self.driver
                .click(&format!("#mdbook-sidebar a[href$='{page}']"));
            let here =
                "return location.href === arguments[0] && document.readyState === 'complete'";
            self.driver.wait(here, &json!([address(self.folder, page)]));
            let name = format!("{page} ({theme})");
            let title = "return document.querySelector('main h1').textContent";
            let title = self.driver.script(title, json!([]));
            if title.as_str() != Some(entry) {
                found.push(format!(
                    "{name}: the sidebar leads to {title}, not to {entry:?}"
                ));
            }
            let dark = theme != "light";
            found.extend(self.script(&name, &format!("const dark = {dark};\n{LOOKS}")));
            found.extend(self.answers(&name));
            found.extend(self.logged(&name));
        }
        found
    }

    /// Opens each page as a phone does: a wide window made narrow would still have its sidebar.
    fn phone(&self, pages: &[(String, String)]) -> Vec<String> {
        self.driver.width(NARROW);
        let looks = pages.iter().flat_map(|(_, page)| {
            self.open(page);
            self.script(&format!("{page} at {NARROW} pixels"), NARROW_LOOKS)
        });
        looks.collect()
    }

    /// Opens each folded answer with the keyboard alone.
    fn answers(&self, name: &str) -> Vec<String> {
        let mut found = Vec::new();
        let count = "return document.querySelectorAll('main details').length";
        let count = self.driver.script(count, json!([])).as_u64();
        for answer in 0..count.unwrap_or(0) {
            // The reader has come this far: the next thing that Tab reaches should be the answer.
            let before = "const details = document.querySelectorAll('main details')[arguments[0]];
                const here = document.createElement('span');
                here.tabIndex = -1;
                details.before(here);
                here.focus();";
            self.driver.script(before, json!([answer]));
            self.driver.press(&Driver::TAB_ENTER);
            let open = "const details = document.querySelectorAll('main details')[arguments[0]];
                return details.open && document.activeElement === details.querySelector('summary')";
            if self.driver.script(open, json!([answer])) != json!(true) {
                let answer = answer + 1;
                found.push(format!(
                    "{name}: answer {answer} does not open by Tab and Enter"
                ));
            }
        }
        found
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
    let folder = folder.path();
    let reader = Reader { driver, folder };
    reader.driver.width(WIDE);
    reader.open("index.html");
    let mut found = reader.script("wide", &format!("const dark = true;\n{LOOKS}"));
    found.extend(reader.answers("wide"));
    reader.driver.width(NARROW);
    found.extend(reader.script("narrow", NARROW_LOOKS));
    let wanted: Vec<&str> = include_str!("browser/wrong.txt").lines().collect();
    assert_eq!(found, wanted);
    let logged = reader.logged("log");
    for part in [
        "a request failed",
        "a request goes to http://192.0.2.1/",
        "the console says",
    ] {
        assert!(logged.iter().any(|it| it.contains(part)), "{logged:?}");
    }
}
