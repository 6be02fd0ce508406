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
         poll_evented poll_future poll_proceed poll_readiness process_at_time registration_set scheduled_io set_join_waker \
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
    let (mut found, summary) = (Vec::new(), project.text(SUMMARY).unwrap_or_default());
    let sources = project.files.iter().filter(|it| is_source(it.0));
    let known = sources.flat_map(|it| kit::source::words_of(it.1));
    let foreign = FOREIGN.iter().flat_map(|it| kit::source::words_of(it.1));
    let known: HashSet<&str> = known.chain(foreign).collect();
    // A picture that can be stepped through has a listing of its own.
    let pictures = project.with("book/src/pictures/", ".svg");
    for (path, text) in project.with("book/src/", ".md").chain(pictures) {
        let mut says = |at: usize, what: String| {
            let line = kit::files::line(text, at);
            found.push(format!("{path}:{line}: {what}"));
        };
        for it in INCLUDE.captures_iter(text) {
            if let Some(fault) = no_include(project, path, &it) {
                says(it.get_match().start(), fault);
            }
        }
        if path.ends_with(".svg") {
            continue;
        }
        // That each page that the summary names is there, mdBook sees. What is in a folder is a part of a page.
        let name = &path["book/src/".len()..];
        let is_page = path != SUMMARY && !name.contains('/');
        if is_page && !summary.contains(&format!("]({name})")) {
            says(0, format!("{SUMMARY} does not name it: add it"));
        }
        for it in FENCED.captures_iter(text) {
            let at = it.get_match().start();
            if let Some(fault) = no_listing(project, path, &text[..at], &it) {
                says(at, fault);
            }
        }
        for it in CLAUSES.captures_iter(text) {
            for clause in it[1].split('`').skip(1).step_by(2) {
                let name = format!("name: \"{clause}\"");
                let mut contract = project.with("lab/contract/src/", ".rs");
                if !contract.any(|(_, file)| file.contains(&name)) {
                    let fault = format!("no such clause: `{clause}`");
                    says(it.get_match().start(), fault);
                }
            }
        }
        for (at, name) in names(text).filter(|it| !known.contains(it.1)) {
            says(
                at,
                format!("no source has `{name}`: correct it, or add it to FOREIGN in {HERE}"),
            );
        }
        let is_test = |it: &Captures<'_>| !CLAUSES.is_match(&it[0]);
        for it in TEST.captures_iter(text).filter(is_test) {
            let [name, file] = [1, 2].map(|part| it.get(part).map_or("", |it| it.as_str()));
            let file = project.text(file).unwrap_or_default();
            if !file.contains(&format!("fn {name}(")) {
                let fault = format!("no such function: {}", &it[0]);
                says(it.get_match().start(), fault);
            }
        }
    }
    found
}

/// Whether the names of its code are names that a page may use.
fn is_source(path: &str) -> bool {
    let ends = [".rs", ".toml", ".js", ".sh", ".yml"];
    path != HERE && ends.iter().any(|end| path.ends_with(end))
}

/// The names with an underscore in the code between backticks, each with its place. What is fenced has other checks.
fn names(page: &str) -> impl Iterator<Item = (usize, &str)> {
    let blocks = FENCED.find_iter(page).map(|it| it.range());
    let blocks: Vec<_> = blocks.collect();
    let codes = CODE.find_iter(page);
    let codes = codes.filter(move |code| !blocks.iter().any(|it| it.contains(&code.start())));
    codes.flat_map(|code| {
        let names = NAME.find_iter(code.as_str());
        names.map(move |it| (code.start() + it.start(), it.as_str()))
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
fn no_listing(project: &Project, page: &str, before: &str, it: &Captures<'_>) -> Option<String> {
    let (info, body) = (&it[1], it[2].trim());
    if matches!(info, "sh" | "text,drawing") {
        return None;
    }
    let Some(include) = INCLUDE.captures(body).filter(|it| it[0] == *body) else {
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
