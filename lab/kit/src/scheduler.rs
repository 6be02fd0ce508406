//! A few threads, each of which is at some step, and every order of their steps. The reader of the book decides which
//! thread goes next; a test has gone all ways before.

use std::{
    collections::{BTreeSet, HashMap},
    env,
    fmt::{Debug, Write as _},
};

use crate::{files, markdown, written};

/// What some threads do, one atomic step at a time. Its `Debug` text is the situation: two situations with the same text
/// are the same one.
pub trait Model: Debug {
    /// What the threads are called.
    const THREADS: &'static [&'static str];

    /// The thread makes its next step: what it does, and the line of the listing that does it. Or why it cannot go on.
    fn step(&mut self, thread: usize) -> Result<(&'static str, &'static str), &'static str>;

    /// What there is to see: the name of each part, and what it is now, as HTML.
    fn rows(&self) -> Vec<(&'static str, String)>;

    /// Whether all is well if no thread can go on.
    fn is_done(&self) -> bool;
}

/// How many orders of the steps there are, and how many of them end with a lost wake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orders {
    /// All of them.
    pub all: usize,
    /// Those after which no thread can go on, although the model is not done.
    pub fatal: usize,
}

/// A figure of the book, in which the reader is the scheduler.
#[derive(Debug)]
pub struct Figure {
    /// That of its file in `book/src/pictures`, and part of the links to a situation.
    pub name: &'static str,
    /// What stands below it.
    pub caption: &'static str,
    /// Files from the root, each with `:` and an anchor.
    pub listing: &'static [&'static str],
    /// What has happened if the wake is lost.
    pub lost: &'static str,
    /// What has happened if all is well.
    pub done: &'static str,
}

#[derive(Debug)]
struct Situation {
    /// One of the shortest ways here: which thread went, step by step.
    way: Vec<usize>,
    rows: Vec<(&'static str, String)>,
    is_done: bool,
    /// For each thread, its next step and where it leads, or why it cannot go on.
    moves: Vec<Result<(&'static str, &'static str, usize), &'static str>>,
}

impl Situation {
    fn is_over(&self) -> bool {
        self.moves.iter().all(Result::is_err)
    }
}

/// Goes all ways from the start.
fn walk<M: Model>(start: impl Fn() -> M) -> Vec<Situation> {
    let situation = |way: Vec<usize>, model: &M| Situation {
        way,
        rows: model.rows(),
        is_done: model.is_done(),
        moves: Vec::new(),
    };
    let mut known = HashMap::from([(format!("{:?}", start()), 0)]);
    let mut found = vec![situation(Vec::new(), &start())];
    let mut at = 0;
    while at < found.len() {
        for thread in 0..M::THREADS.len() {
            let mut model = start();
            let way = found[at].way.clone();
            for &thread in &way {
                model.step(thread).expect("this way has been gone before");
            }
            let step = model.step(thread).map(|(does, line)| {
                let to = *known.entry(format!("{model:?}")).or_insert(found.len());
                if to == found.len() {
                    found.push(situation([&way[..], &[thread]].concat(), &model));
                }
                (does, line, to)
            });
            found[at].moves.push(step);
        }
        at += 1;
    }
    found
}

/// Each order of steps from a situation to an end, as the threads that go.
fn ways(all: &[Situation], at: usize, way: &mut Vec<usize>, end: &mut impl FnMut(&[usize], bool)) {
    let here = &all[at];
    assert!(way.len() < all.len(), "the model goes in a circle");
    if here.is_over() {
        end(way, here.is_done);
    }
    for (thread, step) in here.moves.iter().enumerate() {
        if let Ok((_, _, to)) = step {
            way.push(thread);
            ways(all, *to, way, end);
            way.pop();
        }
    }
}

impl Figure {
    /// Goes all ways, and compares the figure with its file in `book/src/pictures`. With `SNAPSHOTS=overwrite` in the
    /// environment, writes it. Where there is no `book/src`, only goes all ways.
    ///
    /// # Panics
    ///
    /// If the file is stale, or no line of the listing is the one that a step names.
    #[track_caller]
    pub fn check<M: Model>(&self, start: impl Fn() -> M) -> Orders {
        let all = walk(start);
        let (mut count, mut fatal) = (0, Vec::new());
        ways(&all, 0, &mut Vec::new(), &mut |way, is_done| {
            count += 1;
            if !is_done {
                fatal.push(way.to_vec());
            }
        });
        let orders = Orders {
            all: count,
            fatal: fatal.len(),
        };
        // What a teacher hands out has the book as it was built, and not its pages.
        if !files::root().join("book/src").exists() {
            return orders;
        }
        let html = self.html(M::THREADS, &all, &fatal, orders);
        let file = files::root().join(format!("book/src/pictures/{}.svg", self.name));
        let write = env::var("SNAPSHOTS").is_ok_and(|it| it == "overwrite");
        let package = env::var("CARGO_PKG_NAME").unwrap_or_default();
        let how = format!("SNAPSHOTS=overwrite cargo test -p {package} --test it scheduler");
        written::check(&file, &html, write, &how).unwrap_or_else(|stale| panic!("{stale}"));
        orders
    }

    fn html(
        &self,
        threads: &[&str],
        all: &[Situation],
        fatal: &[Vec<usize>],
        orders: Orders,
    ) -> String {
        let mut words = String::new();
        for way in fatal {
            let (mut at, mut items) = (0, String::new());
            for &thread in way {
                let (does, _, to) = all[at].moves[thread].expect("this way has been gone before");
                _ = write!(items, "<li>{} {}</li>", threads[thread], code(does));
                at = to;
            }
            _ = writeln!(words, "<ol>{items}</ol>\n<p>{}</p>", code(self.lost));
        }
        let summary = match orders.fatal {
            0 => format!("None of the {} orders of steps loses the wake", orders.all),
            1 => format!("The one order of {} that loses the wake", orders.all),
            fatal => format!("The {fatal} orders of {} that lose the wake", orders.all),
        };
        let words = match orders.fatal {
            0 => format!("<p>{summary}.</p>"),
            _ => format!("<details><summary>{summary}, in words</summary>\n{words}</details>"),
        };
        let listing = markdown::listing(self.listing);
        let (name, caption) = (self.name, code(self.caption));
        let data = self.data(threads, all).replace("</", "<\\/");
        format!(
            "<figure class=\"picture player\" id=\"{name}\">{words}\n\
             <script type=\"application/json\">{data}</script>\n<div class=\"listing\">\n{listing}</div>\n\
             <figcaption>\n{caption}\n</figcaption></figure>\n"
        )
    }

    /// What `book/theme/player.js` needs. A situation is whether it is the end, the step of each thread (what it does, its
    /// line, where it leads), and the rows.
    fn data(&self, threads: &[&str], all: &[Situation]) -> String {
        let text = |part: &str| files::read(&files::root().join(part)).unwrap_or_default();
        let files: BTreeSet<_> = self
            .listing
            .iter()
            .filter_map(|it| it.split(':').next())
            .collect();
        let files: Vec<_> = files.into_iter().map(text).collect();
        let (mut cells, mut lines, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        let mut situations = Vec::new();
        for here in all {
            let mut moves = Vec::new();
            for step in &here.moves {
                let (does, line, to) = match *step {
                    Ok((does, line, to)) => {
                        let is_there = |file: &String| file.lines().any(|it| it.trim() == line);
                        let known = line.is_empty() || files.iter().any(is_there);
                        assert!(known, "no listing has the line {line}");
                        let line = match line {
                            "" => -1,
                            _ => place(&mut lines, line.to_owned()) as i64,
                        };
                        (does, line, to as i64)
                    }
                    Err(why) => (why, -1, -1),
                };
                moves.push(format!("[{},{line},{to}]", place(&mut texts, code(does))));
            }
            let end = match (here.is_over(), here.is_done) {
                (false, _) => 0,
                (true, false) => 1,
                (true, true) => 2,
            };
            let row = |(_, cell): &(_, String)| place(&mut cells, cell.clone()).to_string();
            let values: Vec<_> = here.rows.iter().map(row).collect();
            situations.push(format!(
                "[{end},[{}],{}]",
                moves.join(","),
                values.join(",")
            ));
        }
        let rows: Vec<_> = all[0].rows.iter().map(|it| it.0).collect();
        let ends = [String::new(), code(self.lost), code(self.done)];
        format!(
            "{{\"rows\":{rows:?},\"cells\":{cells:?},\"lines\":{lines:?},\"tasks\":[],\"threads\":{threads:?},\n\
             \"texts\":{texts:?},\"ends\":{ends:?},\n\"situations\":[{}]}}",
            situations.join(",")
        )
    }
}

/// The place of a text in a list, into which it is put if it is not there.
fn place(list: &mut Vec<String>, text: String) -> usize {
    let known = list.iter().position(|it| *it == text);
    known.unwrap_or_else(|| {
        list.push(text);
        list.len() - 1
    })
}

/// As HTML, with what stands in backticks as code.
fn code(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let parts = text.split('`').enumerate();
    let html = parts.map(|(number, part)| match number % 2 {
        0 => part.to_owned(),
        _ => format!("<code>{part}</code>"),
    });
    html.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two threads, each of which adds one to a counter: with a read and a write, or in one step.
    #[derive(Debug)]
    struct Adds {
        in_one_step: bool,
        counter: u32,
        read: [Option<u32>; 2],
        has_added: [bool; 2],
    }

    impl Model for Adds {
        const THREADS: &'static [&'static str] = &["one", "two"];

        fn step(&mut self, thread: usize) -> Result<(&'static str, &'static str), &'static str> {
            match self.read[thread] {
                _ if self.has_added[thread] => return Err("is done"),
                None if !self.in_one_step => self.read[thread] = Some(self.counter),
                read => {
                    self.counter = read.unwrap_or(self.counter) + 1;
                    self.has_added[thread] = true;
                }
            }
            Ok(("goes on", ""))
        }

        fn rows(&self) -> Vec<(&'static str, String)> {
            vec![("counter", self.counter.to_string())]
        }

        fn is_done(&self) -> bool {
            self.counter == 2
        }
    }

    fn orders(in_one_step: bool) -> (usize, usize) {
        let (mut all, mut fatal) = (0, 0);
        let start = || Adds {
            in_one_step,
            counter: 0,
            read: [None; 2],
            has_added: [false; 2],
        };
        ways(&walk(start), 0, &mut Vec::new(), &mut |_, is_done| {
            all += 1;
            fatal += usize::from(!is_done);
        });
        (all, fatal)
    }

    #[test]
    fn every_order_is_gone_once() {
        assert_eq!(orders(false), (6, 4));
        assert_eq!(orders(true), (2, 0));
    }
}
