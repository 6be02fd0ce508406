//! What a few threads do, as `book/schedulers.toml` has it, and all the ways that leads.

use std::{collections::BTreeMap, iter};

use serde::Deserialize;

use super::act::Act;
use crate::{
    read::read,
    text::{html, number_of},
};

/// What some threads do.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Model {
    pub(super) threads: Vec<String>,
    pub(super) start: String,
    /// All is well if no thread can go on, and this holds.
    pub(super) done: String,
    /// The first that fits is the one. If none does, a step is made.
    pub(super) waits: Vec<Wait>,
    /// The first that fits is the one.
    pub(super) steps: Vec<Step>,
    pub(super) rows: Vec<Row>,
    /// When it is reached, and what it is.
    pub(super) goals: Vec<[String; 2]>,
    /// Why the wake is lost, from the step on that loses it.
    pub(super) lost: String,
    /// What is lost, and how it ends.
    pub(super) verdict: String,
    pub(super) figures: BTreeMap<String, Figure>,
    pub(super) drag: Option<Drag>,
}

/// When a thread can't go on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wait {
    pub(super) when: String,
    pub(super) why: String,
    /// What it is called in the lanes. If it is empty, the thread has no more to do.
    #[serde(default)]
    pub(super) label: String,
    /// What it is called there once the wake is lost. A thread without it would still be woken by other events.
    #[serde(default)]
    pub(super) forever: String,
    /// The place in the listing, by its words. If it is empty, there is none.
    #[serde(default)]
    pub(super) at: String,
}

/// What a thread does, in one step that no other can divide.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) when: String,
    /// What changes.
    pub(super) then: String,
    pub(super) act: Act,
    /// The act in words, with what comes of it.
    pub(super) does: String,
    /// As that of a [`Wait`].
    #[serde(default)]
    pub(super) at: String,
    /// The row that it looks at, if it does.
    #[serde(default)]
    pub(super) sees: String,
}

/// What is shown of a situation beside its steps.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    /// If there is none, it is a row for each thread in `of`, with its name.
    pub(super) name: Option<String>,
    /// Whose place `at` is.
    #[serde(default)]
    pub(super) of: Vec<usize>,
    /// When it shows what.
    #[serde(default)]
    pub(super) shows: Vec<[String; 2]>,
    pub(super) r#else: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Figure {
    /// The words that are those of this figure alone, and stay as they are.
    pub(super) start: String,
    pub(super) caption: String,
    pub(super) listing: Vec<String>,
    /// Why all is well, if none of `ends` fits.
    pub(super) done: String,
    /// The first that fits is the one.
    #[serde(default)]
    pub(super) ends: Vec<End>,
    pub(super) gap: Option<Gap>,
    /// What would keep the wake from being lost. A figure without the mistake has none.
    #[serde(default)]
    pub(super) cure: String,
    /// Which other figure's mistake is not in this one.
    pub(super) fixed: Option<Fixed>,
}

/// Why all is well at the end of an order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct End {
    /// What held at some time in the order.
    pub(super) when: String,
    pub(super) why: String,
    /// The line to which that is due, as that of a [`Wait`].
    #[serde(default)]
    pub(super) at: String,
}

/// The stretch between two steps of the first thread, in which a step of another thread loses the wake, or lost it before the
/// mistake was fixed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Gap {
    /// What holds there.
    pub(super) when: String,
    /// Its two steps, and in a figure without the mistake, what becomes of it.
    pub(super) name: String,
    /// The lines before which it is.
    pub(super) before: Vec<String>,
}

/// How the reader meets a figure in which no order loses the wake.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fixed {
    /// The figure that has the mistake.
    pub(super) of: String,
    /// The threads of the steps with which the figure opens: those that led to the lost wake there.
    pub(super) opens: String,
    pub(super) says: String,
    /// Which orders the reader plays: what holds at some time in such an order, and what it is.
    pub(super) orders: Vec<[String; 2]>,
}

/// Two with the same words are the same one.
pub(super) type Situation = BTreeMap<String, String>;

/// A step that a thread can make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Move<'a> {
    pub(super) thread: usize,
    pub(super) step: &'a Step,
    /// The number of the situation that it leads to.
    pub(super) to: usize,
}

/// All situations, and for each the next step of each thread, or why it can't go on.
pub(super) struct All<'a> {
    pub(super) situations: Vec<Situation>,
    pub(super) moves: Vec<Vec<Result<Move<'a>, &'a Wait>>>,
    pub(super) done: Vec<bool>,
}

/// As the README explains it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Drag {
    pub(super) poll: f32,
    pub(super) after: BTreeMap<Act, f32>,
    pub(super) touches: BTreeMap<Act, String>,
    pub(super) figures: [String; 2],
    pub(super) says: BTreeMap<String, String>,
    /// Why the wake is lost, with a `#` for the step that loses it, and what the cure is.
    pub(super) lost: String,
    /// Why the second figure loses no wake.
    pub(super) cure: String,
    pub(super) lanes: Vec<[String; 2]>,
    pub(super) yours: [String; 3],
    /// That of each figure.
    pub(super) listing: [Vec<String>; 2],
}

/// # Errors
///
/// If the file can't be read, or has a word that it doesn't explain. In one line: where, and what to do.
pub(super) fn models() -> Result<BTreeMap<String, Model>, String> {
    checked(read("schedulers.toml")?)
}

/// These models, if all ways of each can be gone.
fn checked(models: BTreeMap<String, Model>) -> Result<BTreeMap<String, Model>, String> {
    for (stage, model) in &models {
        let checked = model.check();
        checked.map_err(|why| format!("book/schedulers.toml: {stage}: {why}"))?;
    }
    Ok(models)
}

/// Where a thread stands.
pub(super) fn place<'a>(next: &Result<Move<'a>, &'a Wait>) -> &'a str {
    match next {
        Ok(next) => &next.step.at,
        Err(wait) => &wait.at,
    }
}

/// The words of a text such as `flag=up waker=none`.
pub(super) fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let words = text.split_whitespace();
    words.map(|word| word.split_once('=').expect("the models are checked"))
}

pub(super) fn own(word: &str, me: usize) -> String {
    match word {
        "at" => format!("at{me}"),
        word => word.to_owned(),
    }
}

pub(super) fn holds(here: &Situation, me: usize, when: &str) -> bool {
    words(when).all(|(word, values)| match word {
        "me" => values == me.to_string(),
        _ => values.split('|').any(|value| here[&own(word, me)] == value),
    })
}

impl Model {
    /// The thread's next step, and where it leads, or why it waits. There may be neither.
    fn next(&self, here: &Situation, me: usize) -> Option<Result<(&Step, Situation), &Wait>> {
        if let Some(wait) = self.waits.iter().find(|wait| holds(here, me, &wait.when)) {
            return Some(Err(wait));
        }
        let mut steps = self.steps.iter();
        let step = steps.find(|step| holds(here, me, &step.when))?;
        let mut next = here.clone();
        for (word, value) in words(&step.then) {
            let value = value.strip_prefix('$').map_or(value, |other| &here[other]);
            next.insert(own(word, me), value.to_owned());
        }
        Some(Ok((step, next)))
    }

    /// The situation in which a figure begins.
    fn start(&self, figure: &Figure) -> Situation {
        let start = words(&self.start).chain(words(&figure.start));
        let start = start.map(|(word, value)| (word.to_owned(), value.to_owned()));
        start.collect()
    }

    /// Goes all ways from the start.
    pub(super) fn walk(&self, figure: &Figure) -> All<'_> {
        self.all_ways(figure).expect("the models are checked")
    }

    fn all_ways(&self, figure: &Figure) -> Result<All<'_>, String> {
        let (mut situations, mut moves) = (vec![self.start(figure)], Vec::new());
        while let Some(here) = situations.get(moves.len()).cloned() {
            let next = |thread| {
                let next = self.next(&here, thread).ok_or_else(|| {
                    let (who, at) = (&self.threads[thread], &here[&own("at", thread)]);
                    format!(
                        "{who} is at `{at}`, where no step is for it: correct a `then` or a `when`"
                    )
                })?;
                Ok(next.map(|(step, next)| {
                    let to = number_of(&mut situations, next);
                    Move { thread, step, to }
                }))
            };
            let next = (0..self.threads.len()).map(next);
            moves.push(next.collect::<Result<_, String>>()?);
        }
        let is_done = |here: &Situation| holds(here, 0, &self.done);
        let done = situations.iter().map(is_done).collect();
        let all = All {
            situations,
            moves,
            done,
        };
        match all.circle() {
            Some(step) => Err(format!(
                "{}: this comes round for ever: correct a `then`",
                step.does
            )),
            None => Ok(all),
        }
    }

    /// What would keep a figure from being drawn.
    fn check(&self) -> Result<(), String> {
        let count = self.threads.len();
        let mut of = self.rows.iter().flat_map(|row| &row.of);
        if let Some(thread) = of.find(|thread| **thread >= count) {
            return Err(format!(
                "a row is of thread {thread}: name one below {count}"
            ));
        }
        for (name, figure) in &self.figures {
            let checked = self
                .check_words(figure)
                .and_then(|()| self.all_ways(figure));
            checked.map_err(|why| format!("{name}: {why}"))?;
            let of = figure.fixed.as_ref().map(|it| &it.of);
            if let Some(of) = of.filter(|it| !self.figures.contains_key(*it)) {
                return Err(format!(
                    "{name}: `fixed.of`: there is no figure `{of}`: name one"
                ));
            }
        }
        match &self.drag {
            Some(drag) => self.check_drag(drag),
            None => Ok(()),
        }
    }

    /// Whether each word has a value, and one to begin with.
    fn check_words(&self, figure: &Figure) -> Result<(), String> {
        let mut used = vec![&self.done];
        for [when, _] in self.rows.iter().flat_map(|row| &row.shows) {
            used.push(when);
        }
        for [when, _] in &self.goals {
            used.push(when);
        }
        for step in &self.steps {
            used.extend([&step.when, &step.then]);
        }
        used.extend(self.waits.iter().map(|wait| &wait.when));
        for [when, _] in figure.fixed.iter().flat_map(|fixed| &fixed.orders) {
            used.push(when);
        }
        used.extend(figure.ends.iter().map(|end| &end.when));
        used.extend(figure.gap.iter().map(|gap| &gap.when));
        let starts = [&self.start, &figure.start];
        for text in starts.iter().chain(&used) {
            if let Some(word) = text.split_whitespace().find(|word| !word.contains('=')) {
                return Err(format!(
                    "`{text}`: `{word}` has no value: write `{word}=` and one"
                ));
            }
        }
        let start = self.start(figure);
        let is_there = |word: &str| match word {
            "me" => true,
            "at" => (0..self.threads.len()).all(|me| start.contains_key(&own(word, me))),
            word => start.contains_key(word),
        };
        for text in used {
            for (word, value) in words(text) {
                let named = [Some(word), value.strip_prefix('$')];
                if let Some(word) = named.into_iter().flatten().find(|word| !is_there(word)) {
                    return Err(format!(
                        "`{text}`: `start` has no `{word}`: correct it, or add it there"
                    ));
                }
            }
        }
        Ok(())
    }

    fn check_drag(&self, drag: &Drag) -> Result<(), String> {
        for name in &drag.figures {
            if !self.figures.contains_key(name) {
                return Err(format!("drag: there is no figure `{name}`: name one"));
            }
        }
        let acts = || self.steps.iter().map(|step| step.act);
        if let Some(act) = acts().find(|act| !drag.touches.contains_key(act)) {
            let act = act.label();
            return Err(format!("drag: `touches` has no `{act}`: add it"));
        }
        let mut used = drag.after.keys().chain(drag.touches.keys());
        match used.find(|used| !acts().any(|act| act == **used)) {
            Some(act) => Err(format!("drag: no step is `{}`: name one", act.label())),
            None => Ok(()),
        }
    }

    /// The rows beside the steps, without those in which this figure has nothing to show.
    pub(super) fn rows(&self, all: &All<'_>) -> Vec<NamedRow<'_>> {
        let mut rows = Vec::new();
        for row in &self.rows {
            if let Some(name) = &row.name {
                let of = None;
                rows.push(NamedRow { name, of, row });
            }
            for thread in &row.of {
                let (name, of) = (&self.threads[*thread], Some(*thread));
                rows.push(NamedRow { name, of, row });
            }
        }
        rows.retain(|row| {
            let mut situations = all.situations.iter();
            situations.any(|here| !row.shown(here).is_empty())
        });
        rows
    }

    /// The orders that lose the wake.
    pub(super) fn words(&self, of: &Figure) -> String {
        let all = self.walk(of);
        let (mut count, mut fatal, mut words) = (0, 0, String::new());
        all.ways(0, &mut Vec::new(), &mut |way, is_done| {
            count += 1;
            if is_done {
                return;
            }
            fatal += 1;
            let lost = way.iter().position(|next| all.is_lost(next.to));
            let lost = lost.expect("its end is lost") + 1;
            words += "<ol>";
            for (number, next) in (1..).zip(way) {
                let class = if number == lost {
                    " class=\"fatal\""
                } else {
                    ""
                };
                words += &format!("<li{class}>{}</li>", self.said(next));
            }
            words += &format!("</ol>\n<p>{}</p>\n", self.lost_in(&lost.to_string()));
        });
        let which = match fatal {
            0 if count == 2 => {
                return "<p>The program that made this page tried both orders of steps, and neither of them loses the wake.</p>".to_owned();
            }
            0 => {
                return format!(
                    "<p>The program that made this page tried all {count} orders of steps, and none of them loses the wake.</p>"
                );
            }
            1 => format!("The one order of {count} that loses the wake"),
            fatal => format!("The {fatal} orders of {count} that lose the wake"),
        };
        format!("<details><summary>{which}, in words</summary>\n{words}</details>")
    }

    pub(super) fn said(&self, next: &Move<'_>) -> String {
        format!("{} {}", self.threads[next.thread], html(&next.step.does))
    }

    /// What there is to say after the step that loses the wake.
    pub(super) fn lost_in(&self, step: &str) -> String {
        let why = html(&self.lost).replace('#', step);
        format!("From step {step} on, nothing can save the wake: {why}")
    }
}

/// A row under a name, which may be that of the thread that it is of.
pub(super) struct NamedRow<'a> {
    pub(super) name: &'a str,
    pub(super) of: Option<usize>,
    row: &'a Row,
}

impl NamedRow<'_> {
    /// What it shows of a situation.
    pub(super) fn shown(&self, here: &Situation) -> String {
        self.row.shown(here, self.of.unwrap_or(0))
    }
}

impl Row {
    fn shown(&self, here: &Situation, thread: usize) -> String {
        let mut cases = self.shows.iter();
        let case = cases.find(|[when, _]| holds(here, thread, when));
        let mut text = case.map_or(&self.r#else, |[_, text]| text).clone();
        for (word, value) in here {
            text = text.replace(&format!("{{{word}}}"), value);
        }
        text
    }
}

impl<'a> All<'a> {
    /// The situations in which this holds.
    pub(super) fn those(&self, when: &str) -> Vec<usize> {
        let mut those: Vec<usize> = (0..self.situations.len()).collect();
        those.retain(|at| holds(&self.situations[*at], 0, when));
        those
    }

    /// Whether no thread can go on, but for steps that change nothing.
    pub(super) fn is_over(&self, at: usize) -> bool {
        self.moves[at].iter().flatten().all(|next| next.to == at)
    }

    /// Each order of steps from a situation to an end.
    pub(super) fn ways(
        &self,
        at: usize,
        way: &mut Vec<Move<'a>>,
        end: &mut impl FnMut(&[Move<'a>], bool),
    ) {
        if self.is_over(at) {
            end(way, self.done[at]);
        }
        for next in self.moves[at].iter().flatten().filter(|next| next.to != at) {
            way.push(*next);
            self.ways(next.to, way, end);
            way.pop();
        }
    }

    /// Whether each way from a situation loses the wake.
    pub(super) fn is_lost(&self, at: usize) -> bool {
        let mut lost = true;
        self.ways(at, &mut Vec::new(), &mut |_, done| lost &= !done);
        lost
    }

    /// A step that can be made again and again, if there is one.
    fn circle(&self) -> Option<&'a Step> {
        let count = self.moves.len();
        // What leads only to these comes to an end.
        let mut ends = vec![false; count];
        let goes_on = |at: usize, ends: &[bool]| {
            let mut moves = self.moves[at].iter().flatten();
            moves.find(|next| next.to != at && !ends[next.to])
        };
        while let Some(at) = (0..count).find(|at| !ends[*at] && goes_on(*at, &ends).is_none()) {
            ends[at] = true;
        }
        let first = (0..count).find(|at| !ends[*at])?;
        // So many moves on, it goes round.
        let mut moves = iter::successors(goes_on(first, &ends), |next| goes_on(next.to, &ends));
        moves.nth(count).map(|next| next.step)
    }
}

#[cfg(test)]
#[test]
fn a_typo_is_told_with_its_place() {
    let file = kit::files::root().join("book/schedulers.toml");
    let text = kit::files::read(&file).unwrap();
    for (right, typo, told) in [
        (
            "waker=none lock=free",
            "waker lock=free",
            "03: one-lock: `at0=poll at1=raise flag=down waker lock=free woken=no`: `waker` has no value",
        ),
        (
            "at=check flag=up",
            "at=check flg=up",
            "03: one-lock: `at=check flg=up`: `start` has no `flg`",
        ),
        (
            "then = \"at=check lock=executor\"",
            "then = \"at=chek lock=executor\"",
            "03: one-lock: the executor is at `chek`, where no step is for it",
        ),
        (
            "at=release waker=stored",
            "at=poll waker=stored",
            "03: one-lock: polls the task, which takes the lock: this comes round for ever",
        ),
        (
            "of = [0]",
            "of = [2]",
            "03: a row is of thread 2: name one below 2",
        ),
        (
            "take = \"lock\"",
            "push = \"lock\"",
            "03: drag: `touches` has no `take`",
        ),
        ("store = 24", "push = 24", "03: drag: no step is `push`"),
        (
            "figures = [\"two-locks\"",
            "figures = [\"2-locks\"",
            "03: drag: there is no figure `2-locks`",
        ),
        (
            "of = \"two-locks\"",
            "of = \"2-locks\"",
            "03: one-lock: `fixed.of`: there is no figure `2-locks`",
        ),
        (
            "[\"at0=store\"",
            "[\"at0=stored lock\"",
            "03: one-lock: `at0=stored lock`: `lock` has no value",
        ),
        (
            "gap = { when = \"at0=store\"",
            "gap = { when = \"at=store flg=up\"",
            "03: two-locks: `at=store flg=up`: `start` has no `flg`",
        ),
    ] {
        assert!(text.contains(right), "{right}");
        let models = toml::from_str(&text.replacen(right, typo, 1)).unwrap();
        let why = checked(models).map(drop).unwrap_err();
        assert!(
            why.starts_with(&format!("book/schedulers.toml: {told}")),
            "{why}"
        );
        assert_eq!(why.lines().count(), 1, "{why}");
    }
}
