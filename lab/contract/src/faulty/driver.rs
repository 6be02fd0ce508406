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

use super::{
    leaf_fault::LeafFault,
    timers::{Id, Timers},
};

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

/// So long nothing is heard, as far as the fault goes that looks only then.
const QUIET: Duration = Duration::from_millis(100);
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
        loop {
            let next = match fault {
                LeafFault::SleepsInOrder => deadlines.first(),
                _ => deadlines.iter().min(),
            };
            let event = match next {
                None => events.recv().map_err(RecvTimeoutError::from),
                Some((deadline, _)) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    events.recv_timeout(match fault {
                        LeafFault::LooksWhenAllIsQuiet => left.max(QUIET),
                        _ => left,
                    })
                }
            };
            let quiet = event.is_err();
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
                    deadlines.retain(|(_, it)| *it != id);
                    sleepers.remove(&id);
                }
                Ok(Event::StartAThread(sent_away)) => {
                    thread::sleep(LATE);
                    start_a_thread(sent_away);
                }
                Ok(Event::Close) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if !quiet && fault == LeafFault::LooksWhenAllIsQuiet {
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
