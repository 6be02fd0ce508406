//! A few threads, each of which is at some step, and every order of their steps. The reader of the book decides which
//! thread goes next; a test has gone all ways before.

use std::{
    collections::{BTreeSet, HashMap},
    env,
    fmt::{Debug, Display, Write as _},
};

use crate::{files, markdown, written};

/// What some threads do, one atomic step at a time. Its `Debug` text is the situation: two situations with the same text
/// are the same one.
pub trait Model: Debug {
    /// What the threads are called.
    const THREADS: &'static [&'static str];

    /// The thread makes its next step: what it does, and the line of the listing that does it, or the first and the last
    /// line. Or why it cannot go on. A step that changes nothing is shown, but belongs to no order.
    fn step(&mut self, thread: usize) -> Result<(&'static str, &'static str), &'static str>;

    /// What there is to see: the name of each part, and what it is now, as HTML.
    fn rows(&self) -> Vec<(&'static str, String)>;

    /// Whether all is well if no thread can go on.
    fn is_done(&self) -> bool;
}

/// How many orders of the steps there are, and how many of them end with a lost wake.
#[derive(Debug, PartialEq, Eq)]
pub struct Orders {
    /// All of them.
    pub all: usize,
    /// Those after which no thread can go on, although the model is not done.
    pub fatal: usize,
    /// The steps after which no order is left that does not lose the wake.
    pub lost_by: BTreeSet<&'static str>,
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
    /// Why the wake is lost, from the step on that loses it.
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
    fn is_over(&self, at: usize) -> bool {
        self.moves.iter().flatten().all(|(_, _, to)| *to == at)
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

/// A step of an order: which thread goes, what it does, and where that leads.
type Step = (usize, &'static str, usize);

/// Each order of steps from a situation to an end.
fn ways(all: &[Situation], at: usize, way: &mut Vec<Step>, end: &mut impl FnMut(&[Step], bool)) {
    let here = &all[at];
    assert!(way.len() < all.len(), "the model goes in a circle");
    if here.is_over(at) {
        end(way, here.is_done);
    }
    for (thread, step) in here.moves.iter().enumerate() {
        if let Some((does, _, to)) = step.ok().filter(|it| it.2 != at) {
            way.push((thread, does, to));
            ways(all, to, way, end);
            way.pop();
        }
    }
}

/// Whether each way from a situation loses the wake.
fn is_lost(all: &[Situation], at: usize) -> bool {
    let mut lost = true;
    ways(all, at, &mut Vec::new(), &mut |_, done| lost &= !done);
    lost
}

impl Figure {
    /// Goes all ways, and compares the figure with its file in `book/src/pictures`. With `SNAPSHOTS=overwrite` in the
    /// environment, writes it. Where there is no `book/src`, only goes all ways.
    ///
    /// # Panics
    ///
    /// If the file is stale.
    #[track_caller]
    pub fn check<M: Model>(&self, start: impl Fn() -> M) -> Orders {
        let all = walk(start);
        let (mut count, mut fatal) = (0, Vec::new());
        ways(&all, 0, &mut Vec::new(), &mut |way, is_done| {
            count += 1;
            if !is_done {
                let lost = way.iter().position(|it| is_lost(&all, it.2));
                fatal.push((way.to_vec(), lost.expect("its end is lost")));
            }
        });
        let orders = Orders {
            all: count,
            fatal: fatal.len(),
            lost_by: fatal.iter().map(|(way, lost)| way[*lost].1).collect(),
        };
        // What a teacher hands out has the book as it was built, and not its pages.
        if !files::root().join("book/src").exists() {
            return orders;
        }
        let html = self.html(M::THREADS, &all, &fatal, count);
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
        fatal: &[(Vec<Step>, usize)],
        count: usize,
    ) -> String {
        let mut words = String::new();
        for (way, lost) in fatal {
            let mut items = String::new();
            for (n, (thread, does, _)) in way.iter().enumerate() {
                let class = if n == *lost { " class=\"fatal\"" } else { "" };
                _ = write!(items, "<li{class}>{} {}</li>", threads[*thread], code(does));
            }
            _ = writeln!(words, "<ol>{items}</ol>\n<p>{}</p>", self.lost_in(lost + 1));
        }
        let which = match fatal.len() {
            1 => format!("The one order of {count} that loses the wake"),
            fatal => format!("The {fatal} orders of {count} that lose the wake"),
        };
        let words = match fatal.len() {
            0 => format!("<p>None of the {count} orders of steps loses the wake.</p>"),
            _ => format!("<details><summary>{which}, in words</summary>\n{words}</details>"),
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

    /// What there is to say after the step that loses the wake.
    fn lost_in(&self, step: impl Display) -> String {
        format!(
            "From step {step} on, nothing could save the wake: {}",
            code(self.lost)
        )
    }

    /// What `book/theme/player.js` needs. A situation is whether it is lost or the end, the step of each thread (what it
    /// does, its lines, where it leads), and the rows.
    fn data(&self, threads: &[&str], all: &[Situation]) -> String {
        let (mut cells, mut lines, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        let mut situations = Vec::new();
        for (at, here) in all.iter().enumerate() {
            let mut moves = Vec::new();
            for step in &here.moves {
                let (does, line, to) =
                    step.map_or_else(|why| (why, "", -1), |it| (it.0, it.1, it.2 as i64));
                let (does, line) = (
                    place(&mut texts, code(does)),
                    place(&mut lines, line.to_owned()),
                );
                moves.push(format!("[{does},{line},{to}]"));
            }
            let end = match (is_lost(all, at), here.is_over(at)) {
                (true, _) => 1,
                (_, is_over) => 2 * u8::from(is_over),
            };
            let row = |(_, cell): &(_, String)| place(&mut cells, cell.clone()).to_string();
            let values: Vec<_> = here.rows.iter().map(row).collect();
            let (moves, values) = (moves.join(","), values.join(","));
            situations.push(format!("[{end},[{moves}],{values}]"));
        }
        let rows: Vec<_> = all[0].rows.iter().map(|it| it.0).collect();
        let ends = [String::new(), self.lost_in('#'), code(self.done)];
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
