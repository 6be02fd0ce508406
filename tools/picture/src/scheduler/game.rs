//! The games of `book/schedulers.toml`: what a few threads do, and the figures in which the reader decides which of them goes next.

use std::collections::BTreeMap;

use kit::files;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::{
    act::Act,
    orders::{Fault, Move, Orders},
    words::{Facts, Situation, When},
};
use crate::read;

pub(super) const FILE: &str = "schedulers.toml";

/// What some threads do.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Game {
    pub(super) threads: [String; 2],
    pub(super) start: Facts,
    /// All is well if no thread can go on, and this holds.
    pub(super) done: When,
    /// The first that fits is the one. If none does, a step is made.
    pub(super) waits: Vec<Wait>,
    /// The first that fits is the one.
    pub(super) steps: Vec<Step>,
    pub(super) rows: Vec<Row>,
    /// When it is reached, and what it is.
    pub(super) goals: Vec<(When, String)>,
    /// Why the wake is lost, from the step on that loses it.
    pub(super) lost: String,
    /// What becomes of the step that loses the wake, behind its name in the lanes.
    pub(super) fatal: String,
    /// What is lost, and how it ends.
    pub(super) verdict: String,
    /// What the words mean, a line for each. Behind them are those of the figure.
    #[serde(default)]
    pub(super) words: String,
    pub(super) figures: BTreeMap<String, Figure>,
    pub(super) drag: Option<Drag>,
}

/// When a thread can't go on.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wait {
    pub(super) when: When,
    pub(super) why: String,
    /// What it is called in the lanes. If it is empty, the thread has no more to do.
    #[serde(default)]
    pub(super) label: String,
    /// What it is called there once the wake is lost. A thread without it would still be woken by other events.
    #[serde(default)]
    pub(super) forever: String,
    /// The place in the listing, by its words.
    pub(super) at: Option<Spanned<String>>,
}

/// What a thread does, in one step that no other can divide.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) when: When,
    /// What changes.
    pub(super) then: Facts,
    pub(super) act: Act,
    /// The act in words, with what comes of it.
    pub(super) does: String,
    /// What comes of it, behind its name in the lanes.
    #[serde(default)]
    pub(super) note: String,
    /// As that of a [`Wait`].
    pub(super) at: Option<Spanned<String>>,
    /// The row that it looks at, if it does.
    pub(super) sees: Option<Spanned<String>>,
}

/// What is shown of a situation beside its steps.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    /// If there is none, it is a row for each thread in `of`, with its name.
    pub(super) name: Option<String>,
    /// Whose place `at` is.
    #[serde(default)]
    pub(super) of: Vec<Spanned<usize>>,
    /// When it shows what.
    #[serde(default)]
    pub(super) shows: Vec<(When, String)>,
    pub(super) r#else: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Figure {
    /// What is so in this figure alone, and stays as it is.
    pub(super) start: Facts,
    #[serde(default)]
    pub(super) words: String,
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
    pub(super) when: When,
    pub(super) why: String,
    /// The line to which that is due, as that of a [`Wait`].
    pub(super) at: Option<Spanned<String>>,
}

/// The stretch between two steps of the first thread, in which a step of another thread loses the wake, or lost it before the
/// mistake was fixed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Gap {
    /// What holds there.
    pub(super) when: When,
    /// Its two steps, and in a figure without the mistake, what becomes of it.
    pub(super) name: String,
    /// The lines before which it is.
    pub(super) before: Vec<Spanned<String>>,
}

/// How the reader meets a figure in which no order loses the wake.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fixed {
    /// The figure that has the mistake.
    pub(super) of: Spanned<String>,
    /// The threads of the steps with which the figure opens: those that led to the lost wake there.
    pub(super) opens: String,
    pub(super) says: String,
    /// Which orders the reader plays: what holds at some time in such an order, and what it is.
    pub(super) orders: Vec<(When, String)>,
}

/// As the README explains it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Drag {
    pub(super) poll: f32,
    pub(super) after: Spanned<BTreeMap<Act, f32>>,
    pub(super) touches: Spanned<BTreeMap<Act, Touched>>,
    pub(super) figures: [Spanned<String>; 2],
    pub(super) says: Says,
    /// Why the wake is lost, with a `#` for the step that loses it, and what the cure is.
    pub(super) lost: String,
    /// Why the second figure loses no wake.
    pub(super) cure: String,
    pub(super) lanes: Vec<[String; 2]>,
    pub(super) yours: [String; 3],
    /// That of each figure.
    pub(super) listing: [Vec<String>; 2],
}

/// Where a step is seen on the axis.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Touched {
    Lock,
    Flag,
    Waker,
    Executor,
}

/// How an order ends.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Says {
    lost: String,
    woken: String,
    ready: String,
}

/// The games, by the numbers of their stages.
///
/// # Errors
///
/// If the file can't be read, or has a word that it doesn't explain. In one line: where, and what to do.
pub(super) fn games() -> Result<BTreeMap<String, Game>, String> {
    games_in(&read::text(FILE)?)
}

pub(super) fn games_in(text: &str) -> Result<BTreeMap<String, Game>, String> {
    let games: BTreeMap<String, Game> = read::parse(FILE, text)?;
    for (stage, game) in &games {
        game.check().map_err(|(begin, why)| {
            let line = files::line(text, begin);
            format!("book/{FILE}:{line}: {stage}: {why}")
        })?;
    }
    Ok(games)
}

/// Where a thread is in the listing.
pub(super) fn place<'a>(next: &Result<Move<'a>, &'a Wait>) -> Option<&'a Spanned<String>> {
    match next {
        Ok(next) => next.step.at.as_ref(),
        Err(wait) => wait.at.as_ref(),
    }
}

/// What is said of a name that nothing has.
fn no_such(what: &str, name: &Spanned<String>) -> Fault {
    let why = format!("there is no {what} `{}`: name one", name.get_ref());
    (name.span().start, why)
}

impl Game {
    /// Why this thread can't go on, if it can't.
    pub(super) fn wait(&self, here: &Situation, thread: usize) -> Option<&Wait> {
        let mut waits = self.waits.iter();
        waits.find(|wait| here.holds(&wait.when, thread))
    }

    /// The next step of a thread that doesn't wait.
    pub(super) fn step(&self, here: &Situation, thread: usize) -> Option<&Step> {
        let mut steps = self.steps.iter();
        steps.find(|step| here.holds(&step.when, thread))
    }

    /// Every order of a figure's steps.
    pub(super) fn orders(&self, figure: &Figure) -> Orders<'_> {
        Orders::of(self, figure).expect("the games are checked")
    }

    /// What would keep a figure from being drawn, or would never be seen in one.
    fn check(&self) -> Result<(), Fault> {
        let count = self.threads.len();
        let mut of = self.rows.iter().flat_map(|row| &row.of);
        if let Some(thread) = of.find(|thread| *thread.get_ref() >= count) {
            let why = format!(
                "there is no thread {}: name one below {count}",
                thread.get_ref()
            );
            return Err((thread.span().start, why));
        }
        let mut sees = self.steps.iter().filter_map(|step| step.sees.as_ref());
        let is_row = |name: &str| {
            self.rows
                .iter()
                .any(|row| row.name.as_deref() == Some(name))
        };
        if let Some(name) = sees.find(|name| !is_row(name.get_ref())) {
            return Err(no_such("row", name));
        }
        let mut figures = Vec::new();
        for figure in self.figures.values() {
            let orders = Orders::of(self, figure)?;
            never(figure.conditions(), |when| !orders.those(when).is_empty())?;
            let of = figure.fixed.as_ref().map(|fixed| &fixed.of);
            if let Some(of) = of.filter(|of| !self.figures.contains_key(of.get_ref())) {
                return Err(no_such("figure", of));
            }
            figures.push(orders);
        }
        let is_met = |when: &When| {
            let mut situations = figures.iter().flat_map(|orders| &orders.situations);
            situations.any(|here| (0..count).any(|thread| here.holds(when, thread)))
        };
        never(self.conditions(), is_met)?;
        self.drag
            .as_ref()
            .map_or(Ok(()), |drag| self.check_drag(drag))
    }

    /// Those that hold in some figure.
    fn conditions(&self) -> impl Iterator<Item = &When> {
        let waits = self.waits.iter().map(|wait| &wait.when);
        let steps = self.steps.iter().map(|step| &step.when);
        let shown = self.rows.iter().flat_map(|row| &row.shows);
        let said = shown.chain(&self.goals).map(|(when, _)| when);
        waits.chain(steps).chain(said).chain([&self.done])
    }

    fn check_drag(&self, drag: &Drag) -> Result<(), Fault> {
        let mut figures = drag.figures.iter();
        if let Some(name) = figures.find(|name| !self.figures.contains_key(name.get_ref())) {
            return Err(no_such("figure", name));
        }
        let acts = || self.steps.iter().map(|step| step.act);
        let (after, touches) = (drag.after.get_ref(), drag.touches.get_ref());
        if let Some(act) = acts().find(|act| !touches.contains_key(act)) {
            let why = format!("`touches` has no `{}`: add it", act.label());
            return Err((drag.touches.span().start, why));
        }
        match after.keys().find(|used| !acts().any(|act| act == **used)) {
            Some(act) => {
                let why = format!("no step is `{}`: name one", act.label());
                Err((drag.after.span().start, why))
            }
            None => Ok(()),
        }
    }

    /// The rows beside the steps, without those in which this figure has nothing to show.
    pub(super) fn rows(&self, all: &Orders<'_>) -> Vec<NamedRow<'_>> {
        let mut rows = Vec::new();
        for row in &self.rows {
            if let Some(name) = &row.name {
                let of = None;
                rows.push(NamedRow { name, of, row });
            }
            for thread in &row.of {
                let thread = *thread.get_ref();
                let (name, of) = (&self.threads[thread], Some(thread));
                rows.push(NamedRow { name, of, row });
            }
        }
        rows.retain(|row| {
            let mut situations = all.situations.iter();
            situations.any(|here| !row.shown(here).is_empty())
        });
        rows
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
    pub(super) fn shown(&self, here: &Situation) -> &'_ str {
        self.row.shown(here, self.of.unwrap_or(0))
    }
}

impl Row {
    fn shown(&self, here: &Situation, thread: usize) -> &str {
        let mut cases = self.shows.iter();
        let case = cases.find(|(when, _)| here.holds(when, thread));
        case.map_or(&self.r#else, |(_, text)| text)
    }
}

impl Figure {
    /// Those that hold at some time in some order.
    fn conditions(&self) -> impl Iterator<Item = &When> {
        let ends = self.ends.iter().map(|end| &end.when);
        let gap = self.gap.iter().map(|gap| &gap.when);
        let orders = self.fixed.iter().flat_map(|fixed| &fixed.orders);
        ends.chain(gap).chain(orders.map(|(when, _)| when))
    }
}

/// Complains about a condition that doesn't hold anywhere.
fn never<'a>(
    mut conditions: impl Iterator<Item = &'a When>,
    is_met: impl Fn(&When) -> bool,
) -> Result<(), Fault> {
    let found = conditions.find(|when| !is_met(when));
    found.map_or(Ok(()), |when| {
        Err((when.begin, "this never holds: correct it".to_owned()))
    })
}

#[cfg(test)]
#[test]
fn a_typo_is_told_with_its_line() {
    let text = read::text(FILE).unwrap();
    for (right, typo, told) in [
        (
            "waker=none lock=free",
            "waker lock=free",
            "`waker` has no value",
        ),
        (
            "at=check flag=up",
            "at=check flg=up",
            "unknown variant `flg`",
        ),
        (
            "at=check flag=up",
            "at=check flag=pu",
            "unknown variant `pu`",
        ),
        (
            "at=check lock=executor",
            "at=chek lock=executor",
            "unknown variant `chek`",
        ),
        (
            "at=check lock=executor",
            "at=check|store lock=executor",
            "`|` is for a `when`",
        ),
        (
            "at=check lock=executor",
            "at=announce lock=executor",
            "03: after that, no step is for the executor",
        ),
        (
            "at=check lock=executor",
            "at=check queue=task",
            "03: `start` has no word for Queue(Task)",
        ),
        (
            "flag=up\", \"<b",
            "queue=task\", \"<b",
            "03: this never holds",
        ),
        (
            "of = [0]",
            "of = [2]",
            "03: there is no thread 2: name one below 2",
        ),
        (
            "sees = \"flag\"",
            "sees = \"flg\"",
            "03: there is no row `flg`",
        ),
        (
            "take = \"lock\"",
            "push = \"lock\"",
            "03: `touches` has no `take`",
        ),
        (
            "take = \"lock\"",
            "take = \"lcok\"",
            "unknown variant `lcok`",
        ),
        ("store = 24", "push = 24", "03: no step is `push`"),
        (
            "figures = [\"two-locks\"",
            "figures = [\"2-locks\"",
            "03: there is no figure `2-locks`",
        ),
        (
            "of = \"two-locks\"",
            "of = \"2-locks\"",
            "03: there is no figure `2-locks`",
        ),
        ("[\"at0=store\"", "[\"at0=call\"", "03: this never holds"),
        (
            "gap = { when = \"at0=store\"",
            "gap = { when = \"at0=raise\"",
            "03: this never holds",
        ),
    ] {
        let line = files::line(&text, text.find(right).expect(right));
        let why = games_in(&text.replacen(right, typo, 1)).map(drop);
        let why = why.expect_err(typo);
        assert!(
            why.starts_with(&format!("book/{FILE}:{line}: {told}")),
            "{why}"
        );
        assert_eq!(why.lines().count(), 1, "{why}");
    }
    // Each step of the circle is right by itself, so the line is that of one of them.
    let circle = text.replacen("at=release waker=stored", "at=poll waker=stored", 1);
    let why = games_in(&circle).map(drop).unwrap_err();
    let line = files::line(&text, text.find("at=check lock=executor").unwrap());
    let told = format!("book/{FILE}:{line}: 03: this comes back again and again");
    assert!(why.starts_with(&told), "{why}");
}
