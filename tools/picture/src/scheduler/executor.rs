//! *Be the executor*: four tasks wait for timers, and the reader decides which one to poll and when to sleep. What each choice leads to is
//! computed here, as are the polls of stage 04's versions; `book/src/pictures/executor.js` shows it.

use serde_json::{Value, json};

use crate::{figure::script, read::read, text::number_of};

/// When the timer of each task fires, in milliseconds like every time here.
const FIRES: [u32; 4] = [46, 24, 16, 26];
const POLL: u32 = 2;
const PAUSE: u32 = 10;
/// From here on, each task has been polled once, which starts its timer.
const STARTED: u32 = 4 * POLL;
/// The choice beside the four tasks.
const SLEEP: usize = 4;
const TASKS: [&str; 5] = ["A", "B", "C", "D", "z"];

/// What a choice does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Does {
    /// Nothing, because all tasks are finished.
    Over,
    /// Sleeps until a wake, or not at all, because a task is in the queue.
    Woken,
    Queued,
    /// Without wakers: sleeps for a pause, or not at all, because all timers have fired.
    Slept,
    Fired,
    /// Nothing, because this task is finished.
    Finished,
    /// Polls the task: for the first time, too early, or when it is ready.
    First,
    Wasted,
    Ready,
}

impl Does {
    /// Its class in the figure, and its name for the script.
    fn class(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Now {
    at: u32,
    pending: Vec<usize>,
}

impl Now {
    fn new(at: u32) -> Now {
        let pending = vec![0, 1, 2, 3];
        Now { at, pending }
    }

    /// The pending tasks whose timers have fired, in that order, and a new one whose turn it is.
    fn woken(&self) -> Vec<usize> {
        let mut woken = self.pending.clone();
        woken.retain(|task| FIRES[*task] <= self.at || *task as u32 * POLL == self.at);
        woken.sort_by_key(|task| FIRES[*task]);
        woken
    }

    /// Makes a choice: what it does, and how long the task had been ready. One that does nothing takes no time.
    fn choose(&mut self, choice: usize, wakers: bool) -> (Does, u32) {
        let next = self
            .pending
            .iter()
            .map(|task| FIRES[*task])
            .min()
            .unwrap_or(0);
        let (from, fires) = (self.at, *FIRES.get(choice).unwrap_or(&next));
        let (does, takes, late) = match choice {
            _ if self.pending.is_empty() => (Does::Over, 0, 0),
            SLEEP if wakers && fires > from => (Does::Woken, fires - from, 0),
            SLEEP if wakers => (Does::Queued, 0, 0),
            SLEEP if from < FIRES[0] => (Does::Slept, PAUSE, 0),
            SLEEP => (Does::Fired, 0, 0),
            _ if !self.pending.contains(&choice) => (Does::Finished, 0, 0),
            _ if from < STARTED => (Does::First, POLL, 0),
            _ if from < fires => (Does::Wasted, POLL, 0),
            _ => (Does::Ready, POLL, from - fires),
        };
        self.at += takes;
        self.pending
            .retain(|task| does != Does::Ready || *task != choice);
        (does, late)
    }
}

/// The lane of an executor that makes such choices, with what they cost.
fn lane(name: &str, wakers: bool, mut choose: impl FnMut(&Now) -> Option<usize>) -> String {
    let (mut now, [mut polls, mut waits]) = (Now::new(0), [0; 2]);
    // A tick where each timer fires, and then the polls and pauses.
    let ticks = TASKS.iter().zip(FIRES);
    let ticks =
        ticks.map(|(task, at)| format!("<i class=\"{task} tick\" style=\"--at: {at}\"></i>"));
    let mut cells: String = ticks.collect();
    while !now.pending.is_empty() {
        let (choice, from) = (choose(&now).unwrap_or(SLEEP), now.at);
        let (does, late) = now.choose(choice, wakers);
        let (task, to, does) = (TASKS[choice], now.at, does.class());
        cells +=
            &format!("<i class=\"{task} {does}\" style=\"--at: {from}; --to: {to}\">{task}</i>");
        polls += u32::from(choice != SLEEP);
        waits += late;
    }
    let cost = format!("{polls} polls, {} wasted, {waits} ms late", polls - 8);
    format!("<div><b>{name}</b> <span>{cost}</span><u aria-hidden=\"true\">{cells}</u></div>\n")
}

/// The moments that can be reached: the time, the pending tasks, the woken ones, and for each choice where it leads, what it does, and how
/// late it is. The choices are the tasks, sleep without wakers, and sleep with wakers.
fn game() -> Value {
    let (mut moments, mut data, mut all) = (vec![Now::new(STARTED)], Vec::new(), Vec::new());
    while let Some(now) = moments.get(data.len()).cloned() {
        let choices = [0, 1, 2, 3, SLEEP, SLEEP + 1].map(|choice| {
            let mut next = now.clone();
            let (does, late) = next.choose(choice.min(SLEEP), choice > SLEEP);
            let to = number_of(&mut moments, next);
            json!([to, number_of(&mut all, does.class()), late])
        });
        data.push(json!([now.at, now.pending, now.woken(), choices]));
    }
    json!({ "does": all, "moments": data })
}

/// The figure, which shows the lanes of the versions until the script begins the play.
pub(crate) fn figure() -> Result<(String, String), String> {
    let mut words: Value = read("executor.toml")?;
    let (mut checks, mut sends) = ((0..=SLEEP).cycle(), (0..SLEEP).cycle());
    let v1 = |now: &Now| checks.find(|task| *task == SLEEP || now.woken().contains(task));
    let v2 = |now: &Now| sends.find(|task| now.pending.contains(task));
    let v3 = |now: &Now| now.woken().first().copied();
    words["game"] = game();
    let html = format!(
        "<figure class=\"picture executor\" id=\"scheduler-04-executor\"><div class=\"lanes\">\n{}{}{}<p>{}</p></div>\n\
         <script type=\"application/json\">{words}</script>\n<figcaption>\n\n{}\n\n</figcaption>\
         {}</figure>\n",
        lane("sleeps 10 ms, checks all", false, v1),
        lane("polls round and round", false, v2),
        lane("polls what is woken", true, v3),
        words["key"].as_str().unwrap_or_default(),
        words["caption"].as_str().unwrap_or_default(),
        script("executor")
    );
    Ok(("scheduler-04-executor".to_owned(), html))
}

#[cfg(test)]
#[test]
fn every_play_ends_and_with_wakers_alone_it_may_cost_nothing() {
    let words: Value = read("executor.toml").unwrap();
    for wakers in [false, true] {
        let (mut plays, mut seen) = (vec![(Now::new(STARTED), [0; 2])], 0);
        let mut ends = std::collections::BTreeSet::new();
        while let Some((now, [wasted, late])) = plays.get(seen).cloned() {
            seen += 1;
            let end = words["ends"][usize::from(wakers)][wasted][late].as_str();
            ends.extend(end.filter(|_| now.pending.is_empty()));
            for choice in 0..=SLEEP {
                let mut next = now.clone();
                let (does, by) = next.choose(choice, wakers);
                assert!(next.at > now.at || next == now && !now.pending.contains(&choice));
                let costs = [(wasted, does == Does::Wasted), (late, by > 0)];
                number_of(
                    &mut plays,
                    (next, costs.map(|(before, now)| before | usize::from(now))),
                );
            }
        }
        // Without wakers, the end that cost nothing has no words.
        assert!(ends.len() == 3 && !ends.contains(""), "{ends:?}");
    }
}

#[cfg(test)]
#[test]
fn version_2_of_stage_04_polls_as_often() {
    use step04_channel_executor::{Polls, v2_sends_again};
    let (polls, (executor, spawner)) = (Polls::default(), v2_sends_again::executor());
    for fires in FIRES {
        // It does nothing but poll, so its polls are its clock.
        let clock = polls.clone();
        spawner.spawn(polls.count(std::future::poll_fn(move |_| {
            let fired = (clock.get() as u32 - 1) * POLL >= fires;
            [std::task::Poll::Pending, std::task::Poll::Ready(())][usize::from(fired)]
        })));
    }
    drop(spawner);
    probe::within(std::time::Duration::from_secs(20), || executor.run());
    let shown = format!("round</b> <span>{polls} polls");
    assert!(figure().unwrap().1.contains(&shown), "{shown}");
}
