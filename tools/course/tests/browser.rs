//! The built book in a real browser: every page, every answer, both themes, a wide screen and a phone's.

use std::{collections::BTreeSet, env, fs, io::Write};

use course::{
    Book,
    browser::{Built, Driver, Server},
    built,
};
use serde_json::{Value, json};

const WIDE: u32 = 1280;
const NARROW: u32 = 390;

/// Something is missing: a failure where the browser is required, otherwise a line that says so.
fn skip(why: &str) {
    let required = env::var("BOOK_BROWSER").is_ok_and(|it| it == "required");
    assert!(!required, "BOOK_BROWSER=required, and {why}");
    // Past the test's own capture, so that it is seen.
    let line = format!("skipped: the book in a browser: {why}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}

#[test]
fn the_built_book_is_read_in_a_browser() {
    let book = Book::here().expect("the book can be read");
    let Some(html) = Built::new(&book.root).expect("mdbook builds it") else {
        return skip("there is no mdbook");
    };
    let driver = match Driver::start() {
        Ok(driver) => driver,
        Err(missing) => return skip(&missing.to_string()),
    };
    let server = Server::new(html.folder()).expect("the loopback has a free port");
    let reader = Reader {
        book: &book,
        driver,
        address: server.address.clone(),
    };
    let mut faults = built::faults(html.folder(), &html.log);
    faults.extend(reader.search("waker"));
    for theme in ["light", "navy"] {
        reader.theme(theme);
        faults.extend(reader.pages(theme));
    }
    faults.extend(reader.phone());
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

struct Reader<'a> {
    book: &'a Book,
    driver: Driver,
    address: String,
}

impl Reader<'_> {
    fn script(&self, name: &str, body: &str) -> Vec<String> {
        let value = self.driver.script(body, json!([]));
        let lines = value.as_array().cloned().unwrap_or_else(|| vec![value]);
        lines
            .iter()
            .filter_map(Value::as_str)
            .map(|it| format!("{name}: {it}"))
            .collect()
    }

    fn open(&self, page: &str) {
        self.driver.open(&format!("{}/{page}", self.address));
    }

    fn search(&self, word: &str) -> Vec<String> {
        self.driver.width(WIDE);
        self.open("index.html");
        self.driver.click("#mdbook-search-toggle");
        let ready = "return document.activeElement.id === 'mdbook-searchbar'
            && !document.querySelector('.search-wrapper.wait')";
        self.driver.wait(ready, &json!([]));
        let letters: Vec<String> = word.chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        self.driver.press(&letters);
        let found =
            "const text = document.querySelector('#mdbook-searchresults-header').textContent;
            return text.includes(arguments[0]) && text";
        let header = self.driver.wait(found, &json!([word]));
        let header = header.as_str().unwrap_or_default();
        let results = "return document.querySelectorAll('#mdbook-searchresults li a').length";
        let none = self.driver.script(results, json!([])) == json!(0);
        none.then(|| format!("index.html: the search says {header:?}: it must find {word:?}"))
            .into_iter()
            .collect()
    }

    /// Chooses a theme in the menu.
    fn theme(&self, theme: &str) {
        self.driver.width(WIDE);
        self.open("index.html");
        self.driver.click("#mdbook-theme-toggle");
        self.driver.click(&format!("#mdbook-theme-{theme}"));
    }

    /// Goes from page to page by the sidebar, and looks at each.
    fn pages(&self, theme: &str) -> Vec<String> {
        let mut faults = Vec::new();
        for entry in &self.book.entries {
            let page = entry.file.replace(".md", ".html");
            self.driver.width(WIDE);
            let link = format!("#mdbook-sidebar a[href$='{page}']");
            self.driver.click(&link);
            let here =
                "return location.pathname === arguments[0] && document.readyState === 'complete'";
            self.driver.wait(here, &json!([format!("/{page}")]));
            let name = format!("{page} ({theme})");
            let title = "return document.querySelector('main h1').textContent";
            let title = self.driver.script(title, json!([]));
            if title.as_str() != Some(&entry.title) {
                faults.push(format!(
                    "{name}: the sidebar leads to {title}, not to {:?}",
                    entry.title
                ));
            }
            let dark = format!("const dark = {};", theme != "light");
            faults.extend(self.script(&name, &format!("{dark}\n{LOOKS}")));
            faults.extend(self.answers(&name));
            faults.extend(self.logged(&name));
        }
        faults
    }

    /// Opens each page as a phone does: a wide window made narrow would still have its sidebar.
    fn phone(&self) -> Vec<String> {
        self.driver.width(NARROW);
        let pages = self
            .book
            .entries
            .iter()
            .map(|entry| entry.file.replace(".md", ".html"));
        let looks = pages.flat_map(|page| {
            self.open(&page);
            self.script(&format!("{page} at {NARROW} pixels"), NARROW_LOOKS)
        });
        looks.collect()
    }

    /// Opens each folded answer with the keyboard alone.
    fn answers(&self, name: &str) -> Vec<String> {
        let mut faults = Vec::new();
        let count = self.driver.script(
            "return document.querySelectorAll('main details').length",
            json!([]),
        );
        for answer in 0..count.as_u64().unwrap_or(0) {
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
                faults.push(format!(
                    "{name}: answer {} does not open by Tab and Enter",
                    answer + 1
                ));
            }
        }
        faults
    }

    /// What went wrong while the page was loaded and used, and what it asked of others.
    fn logged(&self, name: &str) -> Vec<String> {
        let mut faults = Vec::new();
        for entry in self.driver.log("browser") {
            if entry["level"] == "SEVERE" || entry["level"] == "WARNING" {
                faults.push(format!("{name}: the console says {}", entry["message"]));
            }
        }
        // The browser has pages of its own, with requests of their own.
        let mut ours = BTreeSet::new();
        for entry in self.driver.log("performance") {
            let message = entry["message"].as_str().unwrap_or_default();
            let message: Value = serde_json::from_str(message).unwrap_or_default();
            let method = message["message"]["method"].as_str().unwrap_or_default();
            let about = &message["message"]["params"];
            let id = about["requestId"].as_str().unwrap_or_default().to_owned();
            let url = about["request"]["url"].as_str().unwrap_or_default();
            let page = about["documentURL"].as_str().unwrap_or_default();
            let here = |url: &str| {
                let mut known = ["data:", "blob:", &self.address].into_iter();
                known.any(|it| url.starts_with(it))
            };
            let status = about["response"]["status"].as_u64().unwrap_or(0);
            match method {
                "Network.requestWillBeSent" if page.starts_with(&self.address) => {
                    ours.insert(id);
                    if !here(url) {
                        faults.push(format!("{name}: a request goes to {url}"));
                    }
                }
                "Network.responseReceived" if ours.contains(&id) && status >= 400 => {
                    let url = &about["response"]["url"];
                    faults.push(format!("{name}: {status} for {url}"));
                }
                "Network.loadingFailed"
                    if ours.contains(&id) && about["canceled"] != json!(true) =>
                {
                    faults.push(format!("{name}: a request failed: {}", about["errorText"]));
                }
                _ => {}
            }
        }
        faults
    }
}

/// The colours of the page, and whether each picture is there and can be read.
const LOOKS: &str = include_str!("browser/looks.js");

/// Nothing but code, tables and pictures is wider than the screen.
const NARROW_LOOKS: &str = include_str!("browser/narrow.js");

/// That the looks would see what is wrong: a page that is wrong in every way.
#[test]
fn what_is_wrong_is_seen() {
    let Ok(driver) = Driver::start() else {
        return skip("there is no chromedriver");
    };
    let folder = tempfile::tempdir().expect("there is room for a file");
    fs::write(
        folder.path().join("index.html"),
        include_str!("browser/wrong.html"),
    )
    .expect("it is ours");
    let server = Server::new(folder.path()).expect("the loopback has a free port");
    let book = Book::here().expect("the book can be read");
    let address = server.address.clone();
    let reader = Reader {
        book: &book,
        driver,
        address,
    };
    reader.driver.width(WIDE);
    reader.open("index.html");
    let mut faults = reader.script("wide", &format!("const dark = true;\n{LOOKS}"));
    faults.extend(reader.answers("wide"));
    reader.driver.width(NARROW);
    faults.extend(reader.script("narrow", NARROW_LOOKS));
    let logged = reader.logged("log");
    let seen = |part: &str| logged.iter().any(|it| it.contains(part));
    assert!(
        seen("404 for ") && seen("a request goes to http://192.0.2.1/"),
        "{logged:?}"
    );
    assert!(seen("the console says"), "{logged:?}");
    let wanted: Vec<&str> = include_str!("browser/wrong.txt").lines().collect();
    assert_eq!(faults, wanted);
}

#[test]
fn links_of_the_built_book_that_lead_nowhere_are_seen() {
    let folder = tempfile::tempdir().expect("there is room for a file");
    let page = r##"<h1 id="a">A</h1><a href="#a">x</a><a href="#b">x</a><a href="gone.html">x</a><img src="gone.png">"##;
    fs::write(folder.path().join("index.html"), page).expect("it is ours");
    let found = built::faults(folder.path(), " WARN unclosed HTML tag\n INFO fine\n");
    let wanted = [
        "mdbook says: WARN unclosed HTML tag",
        "index.html: `#b` leads nowhere: there is no such id",
        "index.html: `gone.html` leads nowhere: there is no such file",
        "index.html: `gone.png` leads nowhere: there is no such file",
    ];
    assert_eq!(found, wanted);
}
