//! The driver of the faulty timers: a thread that is told of deadlines, and wakes when they come.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use super::timers::{Id, Timers};
use crate::LeafFault;

pub(super) enum Event {
    Start(Id, Instant),
    Forget(Id),
    /// The thread ends when this sender is dropped.
    StartAThread(Receiver<()>),
    Close,
}

pub(super) struct Driver {
    fault: LeafFault,
    pub(super) timers: Timers,
    events: Sender<Event>,
}

const LATE: Duration = Duration::from_millis(1);

impl Driver {
    pub(super) fn start(fault: LeafFault) -> Arc<Driver> {
        let (events, receiver) = mpsc::channel();
        let driver = Arc::new(Driver {
            fault,
            timers: Timers::new(fault),
            events,
        });
        let driven = Arc::clone(&driver);
        thread::spawn(move || driven.drive(&receiver));
        driver
    }

    pub(super) fn send(&self, event: Event) {
        // There is no receiver if the driver has ended.
        let _ = self.events.send(event);
    }

    pub(super) fn close(&self) {
        self.send(Event::Close);
    }

    fn drive(&self, events: &Receiver<Event>) {
        let fault = self.fault;
        let each_has_a_thread = matches!(
            fault,
            LeafFault::ThreadStaysWhenDropped | LeafFault::PanicsBeforeItForgets
        );
        let mut deadlines: Vec<(Instant, Id)> = Vec::new();
        let mut sleepers = HashMap::new();
        let mut is_busy = false; // for one fault alone
        loop {
            let next = match fault {
                LeafFault::LooksWhenAllIsQuiet if is_busy => None,
                LeafFault::SleepsInOrder => deadlines.first(),
                _ => deadlines.iter().min(),
            };
            let event = match next {
                None => events.recv().map_err(RecvTimeoutError::from),
                Some((deadline, _)) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    events.recv_timeout(left)
                }
            };
            match event {
                Ok(Event::Start(id, deadline)) => {
                    deadlines.push((deadline, id));
                    if each_has_a_thread {
                        let (sleeper, sent_away) = mpsc::channel();
                        sleepers.insert(id, sleeper);
                        start_a_thread(sent_away);
                    }
                }
                Ok(Event::Forget(id)) => {
                    let before = deadlines.len();
                    deadlines.retain(|(_, it)| *it != id);
                    is_busy |= deadlines.len() < before;
                    sleepers.remove(&id);
                }
                Ok(Event::StartAThread(sent_away)) => {
                    thread::sleep(LATE);
                    start_a_thread(sent_away);
                }
                Ok(Event::Close) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            is_busy &= deadlines.len() > 1;
            if is_busy && fault == LeafFault::LooksWhenAllIsQuiet {
                continue;
            }
            let now = Instant::now();
            let first = deadlines.first().copied();
            let in_turn = |it| fault != LeafFault::SleepsInOrder || first == Some(it);
            let is_due = |it: &(Instant, Id)| it.0 <= now && in_turn(*it);
            let (due, left): (Vec<_>, _) = deadlines.into_iter().partition(is_due);
            deadlines = left;
            due.into_iter().for_each(|(_, id)| self.timers.fire(id));
        }
        if fault != LeafFault::EndsSilently {
            self.timers.close();
        }
    }
}

fn start_a_thread(sent_away: Receiver<()>) {
    // Nothing is ever sent. The thread sees that its sender is gone.
    thread::spawn(move || sent_away.recv());
}
