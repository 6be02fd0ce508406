//! From a backtrace to the lines of the program: its functions, the `.await` that waits, and the call that it waits in.

use std::{env, ffi::c_void, path::Path};

use crate::see::{
    stack::Stack,
    symbol::{ItemPath, Symbol},
};

/// Where a waker was cloned, or where a thread sleeps.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Await {
    /// `FILE:LINE` of the program's own functions, the innermost first, up to the future that is watched.
    pub(crate) lines: Vec<String>,
    /// The library's functions that the first of these calls, such as `tokio::sync::mutex`, the innermost first.
    pub(crate) calls: Vec<ItemPath>,
}

/// One function on the stack.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    pub(crate) symbol: Symbol,
    /// The whole path. Empty where it is unknown.
    file: String,
    line: u32,
}

impl Await {
    /// Of a stack that was taken in a clone of a waker. It may name no line of the program.
    pub(crate) fn of(stack: &Stack) -> Await {
        let frames = frames(stack);
        let clone = frames.iter().take_while(|frame| frame.is_ours()).count();
        let stack = &frames[clone..];
        let inside = stack.iter().take_while(|frame| !frame.is_watched()).count();
        let (inside, outside) = stack.split_at(inside);
        let mut found = Await::default();
        for frame in inside.iter().filter(|frame| !frame.is_ours()) {
            if frame.is_library() {
                if found.lines.is_empty() {
                    found.calls.extend(frame.call());
                }
                continue;
            }
            let line = frame.place();
            if found.lines.last() != Some(&line) {
                found.lines.push(line);
            }
        }
        // What is watched has no line of its own: then it is the one that awaits it.
        if found.lines.is_empty() {
            found.lines.extend(line_outside(outside));
        }
        found
    }
}

impl Await {
    /// Of a thread that sleeps inside of what is watched. `None`: no line of the program is in there.
    pub(crate) fn asleep(frames: &[Frame]) -> Option<Await> {
        let is_edge = |frame: &&Frame| frame.is_watched() || frame.is_watched_closure();
        let signal = frames.iter().take_while(|frame| frame.is_ours()).count();
        let inside = &frames[signal..];
        let inside = &inside[..inside.iter().take_while(|frame| !is_edge(frame)).count()];
        let first = inside.iter().position(Frame::is_programs)?;
        let mut lines: Vec<_> = inside
            .iter()
            .filter(|frame| frame.is_programs())
            .map(Frame::place)
            .collect();
        lines.dedup();
        // What the program calls there, as far as the library shows it.
        let called = inside[..first].last().and_then(Frame::function);
        let calls = called.into_iter().collect();
        Some(Await { lines, calls })
    }
}

impl Await {
    /// Of a thread that sleeps where a library has called the standard one, and no line of the program is on its stack.
    pub(crate) fn in_library(frames: &[Frame]) -> Option<Await> {
        let signal = frames.iter().take_while(|frame| frame.is_ours()).count();
        let inside = &frames[signal..];
        let first = inside.iter().position(|frame| frame.call().is_some())?;
        let called = inside[..first].last().and_then(Frame::function);
        let calls = called.into_iter().chain(inside[first].call()).collect();
        Some(Await {
            lines: Vec::new(),
            calls,
        })
    }
}

/// The line of the program that polls what is watched, if that is sure to be its `.await`.
fn line_outside(outside: &[Frame]) -> Option<String> {
    let place = outside.iter().position(Frame::is_programs)?;
    let (between, rest) = outside.split_at(place);
    let (outer, rest) = rest.split_first()?;
    let is_plain = |frame: &Frame| frame.is_ours() || frame.call().is_none();
    let is_direct = between.iter().all(is_plain);
    // Outside of other watched futures, an executor may poll it, whose line is that of a thousand others.
    let is_inside = rest.iter().any(Frame::is_watched);
    let is_await = is_inside || is_direct && outer.symbol.is_closure();
    is_await.then(|| outer.place())
}

/// The functions of a stack, the innermost first: those that the compiler has put into another one too.
pub(crate) fn frames(stack: &Stack) -> Vec<Frame> {
    let mut frames = Vec::new();
    for address in &stack.0 {
        let before = frames.len();
        backtrace::resolve(*address as *mut c_void, |symbol| {
            let name = symbol.name().map(|name| format!("{name:#}"));
            let file = symbol.filename().map(|file| file.to_string_lossy());
            frames.push(Frame {
                symbol: Symbol::from(name.as_deref().unwrap_or_default()),
                file: file.unwrap_or_default().replace('\\', "/"),
                line: symbol.lineno().unwrap_or_default(),
            });
        });
        if frames.len() == before {
            frames.push(Frame::default());
        }
    }
    frames
}

/// The crates of the standard library.
const STANDARD: &[&str] = &["core", "std", "alloc"];

impl Frame {
    /// Of this crate, or of what is called by libraries in between.
    fn is_ours(&self) -> bool {
        let path = &self.symbol.path;
        let is_clone = path.is_in("core::task::wake::Waker") && self.symbol.last() == Some("clone");
        let takes_stack = || self.is_library() && self.library().as_deref() == Some("backtrace");
        self.file.starts_with(&own_source())
            || path.is_in(env!("CARGO_CRATE_NAME"))
            || is_clone
            || takes_stack()
    }

    /// Of the program itself.
    pub(crate) fn is_programs(&self) -> bool {
        !self.is_ours() && !self.is_library()
    }

    /// The poll of the watched future.
    fn is_watched(&self) -> bool {
        let is_inlined = || self.symbol.path.0 == ["poll"];
        self.is_own("watch::Watched") || self.is_in_own("watch.rs") && is_inlined()
    }

    fn is_watched_closure(&self) -> bool {
        let is_inlined = || self.symbol.path.0 == ["run"];
        self.is_own("task::run") || self.is_in_own("task.rs") && is_inlined()
    }

    /// Of `see`.
    fn is_own(&self, item: &str) -> bool {
        let see = concat!(env!("CARGO_CRATE_NAME"), "::see");
        self.symbol.path.is_in(&format!("{see}::{item}"))
    }

    /// Of a file of `see`. Of what is inlined, the name is without its path.
    fn is_in_own(&self, file: &str) -> bool {
        self.file == format!("{}see/{file}", own_source())
    }

    fn is_library(&self) -> bool {
        let parts = [
            "/rustc/",
            "/rustlib/src/",
            "/registry/src/",
            "/git/checkouts/",
            "/vendor/",
        ];
        !self.file.ends_with(".rs") || parts.iter().any(|part| self.file.contains(part))
    }

    /// What is called, by its file where that is known. `None` for the standard library and for what a macro has made.
    fn call(&self) -> Option<ItemPath> {
        let mut parts = self.symbol.path.0.clone();
        parts.retain(|part| !part.starts_with('{'));
        let library = self
            .library()
            .filter(|name| !STANDARD.contains(&name.as_str()))?;
        if self.file.is_empty() {
            return (parts.len() > 1).then_some(ItemPath(parts));
        }
        let (_, path) = self.file.rsplit_once("/src/")?;
        if path.starts_with("macros/") {
            return None;
        }
        let module = path.trim_end_matches(".rs").split('/');
        let mut call = vec![library];
        call.extend(module.map(str::to_owned));
        if matches!(call.last().map(String::as_str), Some("mod" | "lib")) {
            call.pop();
        }
        match parts.pop() {
            Some(function) if function != "poll" && call.last() != Some(&function) => {
                call.push(function);
            }
            _ => {}
        }
        Some(ItemPath(call))
    }

    /// The crate, by the file where that is known.
    fn library(&self) -> Option<String> {
        if self.file.is_empty() {
            return self.symbol.path.0.first().cloned();
        }
        let (folder, _) = self.file.rsplit_once("/src/")?;
        let package = folder.rsplit('/').next()?;
        let name = match package.rsplit_once('-') {
            Some((name, _version)) => name,
            None => package,
        };
        Some(name.replace('-', "_"))
    }

    /// Its name. `None` where the compiler has left out whose it is.
    fn function(&self) -> Option<ItemPath> {
        let whole = self.symbol.whole();
        (whole.0.len() > 1).then_some(whole)
    }

    /// `FILE:LINE`, with the whole path.
    pub(crate) fn whole_place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    fn place(&self) -> String {
        format!("{}:{}", relative(&self.file), self.line)
    }
}

/// The folder of this crate's own files.
fn own_source() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/src/").replace('\\', "/")
}

/// As seen from the folder that the file has in common with the one in which the program runs.
fn relative(file: &str) -> String {
    let here = env::current_dir().unwrap_or_default();
    for folder in here.ancestors() {
        // The root is common to all.
        let is_root = folder.parent().is_none();
        if let (false, Ok(inside)) = (is_root, Path::new(file).strip_prefix(folder)) {
            return inside.display().to_string();
        }
    }
    file.to_owned()
}
