//! From a backtrace to the lines of the program: the `.await` that waits, and the call that it waits in.

use std::{backtrace::Backtrace, env, path::Path};

/// Where a waker was cloned.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Await {
    /// `FILE:LINE` of the program's own functions, the innermost first, up to the future that is watched.
    pub(crate) lines: Vec<String>,
    /// The library's functions that the first of these calls, such as `tokio::sync::mutex`, the innermost first.
    pub(crate) calls: Vec<String>,
}

/// One function on the stack.
struct Frame<'a> {
    name: &'a str,
    file: String,
    line: &'a str,
}

impl Await {
    /// Of a backtrace that was taken in a clone of a waker. It may name no line of the program.
    pub(crate) fn of(trace: &Backtrace) -> Await {
        let text = trace.to_string();
        let frames = frames(&text);
        let mut rest = frames.iter().skip_while(|it| it.is_ours()).peekable();
        let mut found = Await::default();
        while let Some(frame) = rest.next_if(|it| !it.is_watched()) {
            if frame.is_ours() {
                continue;
            }
            if !frame.is_library() {
                let line = frame.place();
                if found.lines.last() != Some(&line) {
                    found.lines.push(line);
                }
            } else if found.lines.is_empty() {
                found.calls.extend(frame.call());
            }
        }
        // What is watched has no line of its own: then it is the one that awaits it.
        if found.lines.is_empty() {
            let mut is_direct = true;
            let outer = rest.find(|it| {
                let is_programs = !it.is_ours() && !it.is_library();
                is_direct &= is_programs || it.is_ours() || it.call().is_none();
                is_programs
            });
            // Outside of other watched futures, an executor may poll it, whose line is that of a thousand others.
            let is_inside = rest.any(Frame::is_watched);
            let outer = outer.filter(|it| is_inside || is_direct && it.name.contains('{'));
            found.lines.extend(outer.map(Frame::place));
        }
        found
    }

    pub(crate) fn text(&self) -> String {
        let mut text = self.lines[0].clone();
        if let Some(call) = self.calls.last() {
            text += &format!(", in {call}");
        }
        for outer in self.lines.iter().skip(1) {
            text += &format!(", from {outer}");
        }
        text
    }
}

/// The functions of a backtrace, the innermost first. The file is empty where it is unknown.
fn frames(text: &str) -> Vec<Frame<'_>> {
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
        let is_number = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
        let numbered = line.split_once(": ").filter(|it| is_number(it.0));
        frames.push(Frame {
            name: numbered.map_or(line, |(_, name)| name),
            file: String::new(),
            line: "",
        });
    }
    frames
}

impl Frame<'_> {
    /// Of the probe, or of what is called by the standard library in between.
    fn is_ours(&self) -> bool {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/src/").replace('\\', "/");
        self.file.starts_with(&root)
            || self.name.trim_start_matches('<').starts_with("probe::")
            || self.name.contains("Waker as core::clone::Clone")
            || self.name.contains("backtrace::")
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
        let is_std = |it: &str| ["core", "std", "alloc"].contains(&it);
        let name = self.name.trim_start_matches('<').split(" as ").next();
        let plain = without_generics(name?);
        let parts = plain.split("::");
        let mut parts = parts.filter(|it| !it.starts_with('{') && !it.is_empty());
        if self.file.is_empty() {
            let first = parts.next().filter(|it| !is_std(it))?;
            let call = parts.fold(first.to_owned(), |call, part| call + "::" + part);
            return Some(call).filter(|it| it.contains("::"));
        }
        let (package, path) = self.file.rsplit_once("/src/")?;
        let package = package.rsplit('/').next()?;
        let library = package.rsplit_once('-').map_or(package, |it| it.0);
        if is_std(library) || path.starts_with("macros/") {
            return None;
        }
        let path = path.trim_end_matches(".rs").trim_end_matches("/mod");
        let path = path.trim_end_matches("lib");
        let call = format!("{}/{path}", library.replace('-', "_"));
        let call = call.trim_end_matches('/').replace('/', "::");
        let function = parts.last();
        let function = function.filter(|it| *it != "poll" && !call.ends_with(it));
        Some(function.map_or(call.clone(), |function| call + "::" + function))
    }

    fn place(&self) -> String {
        format!("{}:{}", relative(&self.file), self.line)
    }
}

fn without_generics(name: &str) -> String {
    let mut depth = 0_i32;
    let mut plain = String::new();
    for it in name.chars() {
        match it {
            '<' => depth += 1,
            '>' => depth = i32::max(depth - 1, 0),
            _ if depth == 0 => plain.push(it),
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
    let (file, here) = (absolute(file), env::current_dir().unwrap_or_default());
    // The root is common to all.
    let mut common = here.ancestors().filter(|it| it.parent().is_some());
    let inside = common.find_map(|it| Path::new(&file).strip_prefix(it).ok());
    inside.map_or(file.clone(), |it| it.display().to_string())
}
