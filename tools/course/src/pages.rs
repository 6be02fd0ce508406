//! What the pages of the book include and name is there.

use std::{collections::HashSet, sync::LazyLock};

use regex::{Captures, Regex};

use crate::Project;

/// The programs that must not compile.
const ERRORS: &str = "tools/course/errors/";
/// This file, whose list of foreign names is no source of names.
const HERE: &str = "tools/course/src/pages.rs";
const SUMMARY: &str = "book/src/SUMMARY.md";

/// Names between backticks that are in no source here, by the crate or program that has them.
const FOREIGN: [(&str, &str); 11] = [
    (
        "tokio",
        "cancel_task cfg_io_driver cfg_rt event_interval lifo_slot park_condvar park_internal poll_acquire \
         poll_evented poll_future poll_proceed poll_read_ready poll_readiness process_at_time registration_set scheduled_io set_join_waker \
         time_alt tokio_unstable transition_to_join_handle_dropped transition_to_notified_and_cancel \
         transition_to_notified_by_ref transition_to_running",
    ),
    ("async-io", "process_timers read_with remove_timer"),
    ("await-tree", "instrument_await"),
    ("crossbeam-deque", "steal_batch_with_limit_and_pop"),
    ("futures", "local_pool maybe_done"),
    ("monoio", "cancelable_read"),
    (
        "rustc, std and Clippy",
        "debug_assert large_futures lower_expr_await rustc_ast_lowering",
    ),
    (
        "tokio-stream and tokio-util",
        "chunks_timeout length_field_length new_with_max_length",
    ),
    ("console-subscriber", "console_subscriber"),
    ("parking_lot", "send_guard"),
    ("the documents", "eventfd_fd mywaker_clone"),
];

/// What is wrong with the pages of the book.
pub fn complaints(project: &Project) -> Vec<String> {
    let known = known_names(project);
    let mut found = Vec::new();
    for (path, text) in project.with("book/src/", ".md") {
        let page = Page {
            project,
            path,
            text,
        };
        found.extend(page.of_includes());
        found.extend(page.of_summary());
        found.extend(page.of_listings());
        found.extend(page.of_clauses());
        found.extend(page.of_names(&known));
        found.extend(page.of_tests());
        found.extend(page.of_links());
    }
    // A picture that can be stepped through has a listing of its own.
    for (path, text) in project.with("book/src/pictures/", ".svg") {
        let picture = Page {
            project,
            path,
            text,
        };
        found.extend(picture.of_includes());
    }
    found
}

/// The words of all sources, and the names that are listed as foreign.
fn known_names(project: &Project) -> HashSet<&str> {
    let mut known = HashSet::new();
    for (path, text) in &project.files {
        if is_source(path) {
            known.extend(kit::source::words_of(text));
        }
    }
    for (_, names) in FOREIGN {
        known.extend(kit::source::words_of(names));
    }
    known
}

/// A page, or a picture.
struct Page<'a> {
    project: &'a Project,
    path: &'a str,
    text: &'a str,
}

impl Page<'_> {
    /// A complaint about what is at this place of the text.
    fn says(&self, at: usize, what: &str) -> String {
        let line = kit::files::line(self.text, at);
        format!("{}:{line}: {what}", self.path)
    }

    /// Includes that find no text.
    fn of_includes(&self) -> Vec<String> {
        let mut found = Vec::new();
        for include in INCLUDE.captures_iter(self.text) {
            if let Some(fault) = no_include(self.project, self.path, &include) {
                found.push(self.says(include.get_match().start(), &fault));
            }
        }
        found
    }

    /// Whether the summary names it. That each page that it names is there, mdBook sees.
    fn of_summary(&self) -> Option<String> {
        let name = &self.path["book/src/".len()..];
        // What is in a folder is a part of a page.
        let is_page = self.path != SUMMARY && !name.contains('/');
        let summary = self.project.text(SUMMARY).unwrap_or_default();
        let is_named = summary.contains(&format!("]({name})"));
        let fault = format!("{SUMMARY} does not name it: add it");
        (is_page && !is_named).then(|| self.says(0, &fault))
    }

    /// Blocks of code that are no listing.
    fn of_listings(&self) -> Vec<String> {
        let mut found = Vec::new();
        for block in FENCED.captures_iter(self.text) {
            let at = block.get_match().start();
            let fault = no_listing(self.project, self.path, &self.text[..at], &block);
            found.extend(fault.map(|fault| self.says(at, &fault)));
        }
        found
    }

    /// Clauses that the contract doesn't have.
    fn of_clauses(&self) -> Vec<String> {
        let mut found = Vec::new();
        for line in CLAUSES.captures_iter(self.text) {
            for clause in line[1].split('`').skip(1).step_by(2) {
                let name = format!("name: \"{clause}\"");
                let mut contract = self.project.with("lab/contract/src/", ".rs");
                if !contract.any(|(_, file)| file.contains(&name)) {
                    let fault = format!("no such clause: `{clause}`");
                    found.push(self.says(line.get_match().start(), &fault));
                }
            }
        }
        found
    }

    /// Names that nothing has.
    fn of_names(&self, known: &HashSet<&str>) -> Vec<String> {
        let mut found = Vec::new();
        for (at, name) in names(self.text) {
            if !known.contains(name) {
                let fault =
                    format!("no source has `{name}`: correct it, or add it to FOREIGN in {HERE}");
                found.push(self.says(at, &fault));
            }
        }
        found
    }

    /// Tests that their files don't have.
    fn of_tests(&self) -> Vec<String> {
        let mut found = Vec::new();
        for test in TEST.captures_iter(self.text) {
            if CLAUSES.is_match(&test[0]) {
                continue;
            }
            let part = |number| test.get(number).map_or("", |part| part.as_str());
            let file = self.project.text(part(2)).unwrap_or_default();
            if !is_test(part(1), file) {
                let fault = format!("no such test: {}", &test[0]);
                found.push(self.says(test.get_match().start(), &fault));
            }
        }
        found
    }

    /// Links to a place of a page whose id is not written there. The id that mdBook makes of a heading changes with its words.
    fn of_links(&self) -> Vec<String> {
        let mut found = Vec::new();
        for link in LINK.captures_iter(self.text) {
            let (page, id) = (&link[1], &link[2]);
            // A step of a player, which its script finds.
            if id.starts_with("see:") {
                continue;
            }
            let path = match page {
                "" => self.path.to_owned(),
                page => included(self.path, page),
            };
            let there = self.project.text(&path).unwrap_or_default();
            if !IDS.captures_iter(there).any(|written| written[1] == *id) {
                let fault = format!("no heading of {path} has the id: write {{#{id}}} behind it");
                found.push(self.says(link.get_match().start(), &fault));
            }
        }
        found
    }
}

/// Whether a file has a test of this name. It may be one of tokio's, and have other attributes.
fn is_test(name: &str, file: &str) -> bool {
    let test = format!(r"#\[(\w+::)?test\b.*\]\n( *#\[.*\]\n)* *(async )?fn {name}\(");
    regex(&test).is_match(file)
}

/// Whether the names of its code are names that a page may use.
fn is_source(path: &str) -> bool {
    let ends = [".rs", ".toml", ".js", ".sh", ".yml"];
    path != HERE && ends.iter().any(|end| path.ends_with(end))
}

/// The names with an underscore in the code between backticks, each with its place. What is fenced has other checks.
fn names(page: &str) -> impl Iterator<Item = (usize, &str)> {
    let fenced: Vec<_> = FENCED.find_iter(page).map(|block| block.range()).collect();
    let codes = CODE.find_iter(page).filter(move |code| {
        let mut blocks = fenced.iter();
        !blocks.any(|block| block.contains(&code.start()))
    });
    codes.flat_map(|code| {
        let names = NAME.find_iter(code.as_str());
        names.map(move |name| (code.start() + name.start(), name.as_str()))
    })
}

pub(crate) fn regex(text: &str) -> Regex {
    Regex::new(text).expect("it is a regex")
}

pub(crate) static INCLUDE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\{\{#(\w+) ([^}:]+)(?::([^}]*))?\}\}"));
/// A block of code on a page: what is behind its first fence, and its lines.
static FENCED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?ms)^ *```([^\n]*)\n(.*?)(?:^ *```$|\z)"));
/// Code in a line of a page, and the names in it with an underscore.
static CODE: LazyLock<Regex> = LazyLock::new(|| regex(r"`[^`\n]+`"));
static NAME: LazyLock<Regex> = LazyLock::new(|| regex(r"\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b"));
static TEST: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^\*Test:(?:\* `(\w+)` in `([^`]+)`)?.*$"));
/// A link to a place of a page of the book: the page, unless it's the same one, and the id of the place.
static LINK: LazyLock<Regex> = LazyLock::new(|| regex(r"\]\(([\w-]*(?:\.md)?)#([^)\s]+)\)"));
/// The ids that are written on a page.
static IDS: LazyLock<Regex> = LazyLock::new(|| regex(r#"(?:\{#| id=")([^}"\s]+)"#));
/// What holds a claim may be a clause of the contract rather than a test.
static CLAUSES: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^\*Test:\* the clauses? (.+) of \[the contract\]"));

/// The path from the root of a file that a page includes or links to.
pub fn included(page: &str, file: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in file.split('/') {
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Why an include finds no text, of which mdBook says nothing.
fn no_include(project: &Project, page: &str, include: &Captures<'_>) -> Option<String> {
    let path = included(page, &include[2]);
    let Some(file) = project.text(&path) else {
        return Some(format!("there is no {path}: correct the include"));
    };
    let anchor = include.get(3)?.as_str();
    let fault = kit::anchor::part(file, anchor).err()?;
    Some(format!("{path} {fault}"))
}

/// Why a block shows something else than a file that is compiled or that a program wrote.
fn no_listing(project: &Project, page: &str, before: &str, block: &Captures<'_>) -> Option<String> {
    let (info, body) = (&block[1], block[2].trim());
    if matches!(info, "sh" | "text,drawing") {
        return None;
    }
    let Some(include) = INCLUDE.captures(body).filter(|include| include[0] == *body) else {
        return Some("this is pasted: include it from a file, or write `sh` for commands".into());
    };
    let path = included(page, &include[2]);
    let text = project.text(&path)?;
    let section = before.rsplit("\n#").next().unwrap_or_default();
    if path.ends_with(".rs") && !section.contains(&path) {
        return Some(format!("no file is named: write `*{path}*` above this"));
    }
    let right = match path.rsplit('.').next() {
        Some("rs") if path.starts_with(ERRORS) => "rust,compile_fail",
        Some("rs") => "rust",
        Some("toml") if info != "text" => "toml",
        _ if text.starts_with("$ ") => "console",
        _ => "text",
    };
    (info != right).then(|| format!("{path} is no `{info}`: write `{right}`"))
}
