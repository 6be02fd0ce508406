//! From a backtrace to the lines of the program: its functions, the `.await` that waits, and the call that it waits in.

use std::{backtrace::Backtrace, env, path::Path};

/// Where a waker was cloned, or where a thread sleeps.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Await {
    /// `FILE:LINE` of the program's own functions, the innermost first, up to the future that is watched.
    pub(crate) lines: Vec<String>,
    /// The library's functions that the first of these calls, such as `tokio::sync::mutex`, the innermost first.
    pub(crate) calls: Vec<String>,
}

/// One function on the stack.
pub(crate) struct Frame<'a> {
    pub(crate) name: &'a str,
    /// The whole path.
    file: String,
    line: &'a str,
}

impl Await {
    /// Of a backtrace that was taken in a clone of a waker. It may name no line of the program.
    pub(crate) fn of(trace: &Backtrace) -> Await {
        let text = trace.to_string();
        let frames = frames(&text);
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
    pub(crate) fn asleep(trace: &Backtrace) -> Option<Await> {
        let text = trace.to_string();
        let frames = frames(&text);
        let is_edge = |frame: &&Frame<'_>| frame.is_watched() || frame.name.ends_with("task::run");
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

/// The line of the program that polls what is watched, if that is sure to be its `.await`.
fn line_outside(outside: &[Frame<'_>]) -> Option<String> {
    let place = outside.iter().position(Frame::is_programs)?;
    let (between, rest) = outside.split_at(place);
    let (outer, rest) = rest.split_first()?;
    let is_plain = |frame: &Frame<'_>| frame.is_ours() || frame.call().is_none();
    let is_direct = between.iter().all(is_plain);
    // Outside of other watched futures, an executor may poll it, whose line is that of a thousand others.
    let is_inside = rest.iter().any(Frame::is_watched);
    let is_await = is_inside || is_direct && outer.name.contains('{');
    is_await.then(|| outer.place())
}

/// The functions of a backtrace, the innermost first. The file is empty where it is unknown.
pub(crate) fn frames(text: &str) -> Vec<Frame<'_>> {
    let mut frames: Vec<Frame<'_>> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(place) = line.strip_prefix("at ") {
            // A path may hold a colon too.
            let mut parts = place.rsplitn(3, ':');
            if let (Some(_column), Some(line), Some(file), Some(frame)) =
                (parts.next(), parts.next(), parts.next(), frames.last_mut())
            {
                (frame.file, frame.line) = (absolute(file), line);
            }
            continue;
        }
        let name = match line.split_once(": ") {
            Some((number, name)) if number.bytes().all(|digit| digit.is_ascii_digit()) => name,
            _ => line,
        };
        frames.push(Frame {
            name,
            file: String::new(),
            line: "",
        });
    }
    frames
}

/// The crates of the standard library.
const STANDARD: &[&str] = &["core", "std", "alloc"];

impl Frame<'_> {
    /// Of this crate, or of what is called by the standard library in between.
    fn is_ours(&self) -> bool {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/src/").replace('\\', "/");
        self.file.starts_with(&root)
            || self
                .name
                .trim_start_matches('<')
                .starts_with(concat!(env!("CARGO_CRATE_NAME"), "::"))
            || self.name.contains("Waker as core::clone::Clone")
            || self.name.contains("backtrace::")
    }

    /// Of the program itself.
    pub(crate) fn is_programs(&self) -> bool {
        !self.is_ours() && !self.is_library()
    }

    /// The poll of the watched future.
    fn is_watched(&self) -> bool {
        self.is_ours() && self.name.contains("Watched")
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
    fn call(&self) -> Option<String> {
        let name = self.name.trim_start_matches('<').split(" as ").next()?;
        let plain = without_generics(name);
        let mut parts: Vec<_> = plain.split("::").collect();
        parts.retain(|part| !part.starts_with('{') && !part.is_empty());
        if self.file.is_empty() {
            let library = parts.first()?;
            let is_call = !STANDARD.contains(library) && parts.len() > 1;
            return is_call.then(|| parts.join("::"));
        }
        let (folder, path) = self.file.rsplit_once("/src/")?;
        let package = folder.rsplit('/').next()?;
        let library = match package.rsplit_once('-') {
            Some((library, _version)) => library,
            None => package,
        };
        if STANDARD.contains(&library) || path.starts_with("macros/") {
            return None;
        }
        let module = path.trim_end_matches(".rs").trim_end_matches("/mod");
        let path = format!(
            "{}/{}",
            library.replace('-', "_"),
            module.trim_end_matches("lib")
        );
        let call = path.trim_end_matches('/').replace('/', "::");
        match parts.last() {
            Some(function) if *function != "poll" && !call.ends_with(function) => {
                Some(call + "::" + function)
            }
            _ => Some(call),
        }
    }

    /// Its name, without what it is generic over. `None` where the compiler has left out whose it is.
    fn function(&self) -> Option<String> {
        let name = self.name.trim_start_matches('<');
        let function = without_generics(name).rsplit("::").next()?.to_owned();
        let of = without_generics(name.split(" as ").next()?);
        let of = of.trim_end_matches(&function).trim_end_matches(':');
        let of = of.replace("::::", "::");
        (!of.is_empty()).then(|| format!("{of}::{function}"))
    }

    /// `FILE:LINE`, with the whole path.
    pub(crate) fn whole_place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }

    fn place(&self) -> String {
        format!("{}:{}", relative(&self.file), self.line)
    }
}

fn without_generics(name: &str) -> String {
    let mut depth = 0_i32;
    let mut plain = String::new();
    for character in name.chars() {
        match character {
            '<' => depth += 1,
            '>' => depth = i32::max(depth - 1, 0),
            _ if depth == 0 => plain.push(character),
            _ => {}
        }
    }
    plain
}

fn absolute(file: &str) -> String {
    let file = file.replace('\\', "/");
    match (file.strip_prefix("./"), env::current_dir()) {
        (Some(inside), Ok(here)) => format!("{}/{inside}", here.display()).replace('\\', "/"),
        _ => file,
    }
}

/// As seen from the folder that the file has in common with the one in which the program runs.
fn relative(file: &str) -> String {
    let file = absolute(file);
    let here = env::current_dir().unwrap_or_default();
    for folder in here.ancestors() {
        // The root is common to all.
        let is_root = folder.parent().is_none();
        if let (false, Ok(inside)) = (is_root, Path::new(&file).strip_prefix(folder)) {
            return inside.display().to_string();
        }
    }
    file
}
