//! The words in which `book/schedulers.toml` says what is so between two steps of a game, such as `at=check flag=up`. Each has a type, so
//! a misspelt one is told with its line when the file is read.

use std::{iter, mem};

use serde::{
    Deserialize, Deserializer,
    de::{
        self,
        value::{MapAccessDeserializer, MapDeserializer},
    },
};
use toml::Spanned;

/// A word with its value, such as `flag=up`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Fact {
    /// Where the thread itself is.
    At(Place),
    /// Where the first thread is, and so on.
    At0(Place),
    At1(Place),
    // A future and who wakes it.
    Flag(Flag),
    Waker(Waker),
    /// Whether the wake has come.
    Woken(YesNo),
    /// How many locks there are.
    Locks(Number),
    /// Who has the only one.
    Lock(Lock),
    // The bits of a task.
    #[serde(rename = "SCHEDULED")]
    Scheduled(Bit),
    #[serde(rename = "RUNNING")]
    Running(Bit),
    #[serde(rename = "FINISHED")]
    Finished(Bit),
    /// In how many steps `idle` is done.
    Steps(Number),
    /// What the task waits for.
    Data(YesNo),
    // A queue and those who sleep until a task is there.
    Queue(Queue),
    Sleepers(Sleepers),
    /// How often a worker looks into the queue before it sleeps.
    Looks(Looks),
    // A socket.
    /// How the kernel reports, and what `clear` compares.
    Way(Way),
    /// Whether a byte is in the socket's buffer.
    Byte(YesNo),
    /// Whether the kernel has an event to report.
    Change(YesNo),
    /// The flag that a report sets.
    Ready(YesNo),
    /// The number of the last report.
    Tick(Tick),
    /// That number when the task checked `ready`.
    Tried(Tick),
}

/// What a thread is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Place {
    End,
    Sleep,
    // A future and who wakes it.
    Poll,
    Check,
    Store,
    Release,
    Raise,
    Set,
    Take,
    ReleaseCall,
    ReleaseEnd,
    Call,
    // Workers with one queue.
    Pop,
    Idle,
    Clear,
    ClearWoken,
    Finish,
    /// After a poll.
    Push,
    /// In a wake.
    Schedule,
    // A socket.
    Read,
    Send,
    Wait,
    // A worker that goes to sleep.
    Look,
    Announce,
    Last,
    Wake,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Flag {
    Down,
    Up,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Waker {
    None,
    Stored,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum YesNo {
    No,
    Yes,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Number {
    One,
    Two,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Lock {
    Free,
    Executor,
    Timer,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Bit {
    Off,
    On,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Queue {
    Empty,
    Task,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Sleepers {
    None,
    Worker,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Looks {
    Once,
    Again,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Way {
    Edge,
    Level,
    /// As `edge`, but a report has a number.
    Tick,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub(super) enum Tick {
    #[serde(rename = "no")]
    None,
    #[serde(rename = "1")]
    First,
    #[serde(rename = "2")]
    Second,
}

impl Fact {
    /// The same, of one thread.
    fn of(self, thread: usize) -> Fact {
        match self {
            Fact::At(place) => [Fact::At0, Fact::At1][thread](place),
            other => other,
        }
    }

    /// Whether it is of the same word.
    fn is_alike(&self, other: &Fact) -> bool {
        mem::discriminant(self) == mem::discriminant(other)
    }
}

/// Some facts: those of a start, or what a step changes.
#[derive(Debug, PartialEq)]
pub(super) struct Facts {
    facts: Vec<Fact>,
    /// Where the file has them.
    pub(super) begin: usize,
}

/// A condition. For each of its words, it has the facts of which one must hold.
#[derive(Debug, PartialEq)]
pub(super) struct When {
    tests: Vec<Vec<Fact>>,
    /// Where the file has it.
    pub(super) begin: usize,
}

impl<'de> Deserialize<'de> for Facts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Facts, D::Error> {
        let When { tests, begin } = When::deserialize(from)?;
        let facts = tests.into_iter().map(|test| match test[..] {
            [fact] => Ok(fact),
            _ => Err(de::Error::custom("`|` is for a `when`: write one value")),
        });
        let facts = facts.collect::<Result<_, _>>()?;
        Ok(Facts { facts, begin })
    }
}

impl<'de> Deserialize<'de> for When {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<When, D::Error> {
        let text = Spanned::<String>::deserialize(from)?;
        let tests = text.get_ref().split_whitespace().map(test);
        Ok(When {
            tests: tests.collect::<Result<_, _>>()?,
            begin: text.span().start,
        })
    }
}

/// The facts in `at=poll|sleep`.
fn test<E: de::Error>(text: &str) -> Result<Vec<Fact>, E> {
    let no_value = || E::custom(format!("`{text}` has no value: write `{text}=` and one"));
    let (word, values) = text.split_once('=').ok_or_else(no_value)?;
    let fact = |value| {
        let entry = MapDeserializer::new(iter::once((word, value)));
        Fact::deserialize(MapAccessDeserializer::new(entry))
    };
    values.split('|').map(fact).collect()
}

/// What is so between two steps: a fact for each word of the game. Two with the same facts are the same one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Situation(Vec<Fact>);

impl Situation {
    pub(super) fn new(starts: [&Facts; 2]) -> Situation {
        let facts = starts.iter().flat_map(|start| &start.facts);
        Situation(facts.copied().collect())
    }

    pub(super) fn has(&self, fact: Fact) -> bool {
        self.0.contains(&fact)
    }

    /// Whether a condition holds, in which `at` is the place of this thread.
    pub(super) fn holds(&self, when: &When, thread: usize) -> bool {
        let holds = |test: &Vec<Fact>| test.iter().any(|fact| self.has(fact.of(thread)));
        when.tests.iter().all(holds)
    }

    /// The situation after a step of this thread. The error is a fact whose word the game doesn't have.
    pub(super) fn after(&self, changes: &Facts, thread: usize) -> Result<Situation, Fact> {
        let mut next = self.clone();
        for change in &changes.facts {
            let change = change.of(thread);
            let mut facts = next.0.iter_mut();
            *facts.find(|fact| fact.is_alike(&change)).ok_or(change)? = change;
        }
        Ok(next)
    }
}
