//! Known runs, driven by hand, and what is recorded of them.

use std::{
    future::{poll_fn, ready},
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    pin::pin,
    sync::Mutex,
    task::{Poll, Waker},
    thread,
    time::Duration,
};

use why_pending::{Event, Named, Recording, What, poll, record, watch};

/// Runs `f` on a thread of this name, and compares the story without parks.
fn check(f: impl FnOnce() + Send, story: &str) -> Recording {
    let recording = thread::scope(|scope| {
        let thread = thread::Builder::new().name("main".into());
        let run = thread.spawn_scoped(scope, || record(f)).unwrap();
        run.join().unwrap()
    });
    assert_eq!(text(without_parks(recording.clone())), story);
    recording
}

/// Parks differ in each run.
fn without_parks(mut recording: Recording) -> Recording {
    let is_park = |it: &Event| matches!(it.what, What::Park | What::Unpark);
    recording.events.retain(|it| !is_park(it));
    recording
}

/// The events, one to a line and without their times: who, what, and to which task.
fn text(recording: Recording) -> String {
    let name = |list: &[Named], id: u32| list[id as usize - 1].name.clone();
    let events = recording.events.iter().map(|event| {
        let thread = name(&recording.threads, event.thread);
        let task = event.task.map(|it| name(&recording.tasks, it) + " ");
        format!("{thread}: {}{:?}\n", task.unwrap_or_default(), event.what)
    });
    events.collect()
}

/// Pending once, until the waker in `slot` is woken.
async fn once(slot: &Mutex<Option<Waker>>) {
    let mut polled = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut polled, true) {
            return Poll::Ready(());
        }
        *slot.lock().unwrap() = Some(cx.waker().clone());
        Poll::Pending
    })
    .await;
}

fn on_a_thread(name: &str, f: impl FnOnce() + Send) {
    thread::scope(|scope| {
        thread::Builder::new()
            .name(name.into())
            .spawn_scoped(scope, f)
            .unwrap();
        // The kernel counts a sleep as giving up the CPU, however short it is.
        thread::sleep(Duration::from_millis(1));
    });
}

fn a_timer() {
    let slot = Mutex::new(None);
    let mut timer = Box::pin(watch("timer", once(&slot)));
    assert!(poll(&mut timer.as_mut(), Waker::noop()).is_pending());
    on_a_thread("clock", || slot.lock().unwrap().take().unwrap().wake());
    assert!(poll(&mut timer.as_mut(), Waker::noop()).is_ready());
}

#[test]
fn a_future_that_waits_once() {
    check(
        a_timer,
        "\
main: timer Spawn
main: timer Poll { waker: 1 }
main: timer Keep { waker: 1 }
main: timer Pending
clock: timer Wake { waker: 1, by_value: true, during: None }
main: timer Poll { waker: 2 }
main: timer Ready
main: timer Drop
",
    );
}

#[test]
#[cfg_attr(
    any(not(target_os = "linux"), miri),
    ignore = "only Linux says that a thread gave up the CPU"
)]
fn between_two_polls_the_thread_is_seen_to_sleep() {
    let recording = record(a_timer);
    let whats: Vec<_> = recording.events.iter().map(|event| &event.what).collect();
    let position = |what: What| whats.iter().position(|known| **known == what).unwrap();
    let pending = position(What::Pending);
    assert_eq!(whats[pending + 1], &What::Park);
    let again = position(What::Poll { waker: 2 });
    assert_eq!(whats[again - 1], &What::Unpark);
    let wake = whats
        .iter()
        .position(|what| matches!(what, What::Wake { .. }))
        .unwrap();
    assert!((pending..again).contains(&wake));
}

#[test]
fn a_wake_says_in_whose_poll_it_was_made() {
    let slot = Mutex::new(None);
    check(
        || {
            let mut waits = Box::pin(watch("waits", once(&slot)));
            let mut wakes = Box::pin(watch("wakes", async {
                slot.lock().unwrap().take().unwrap().wake_by_ref()
            }));
            let mut again = Box::pin(watch(
                "again",
                poll_fn(|cx| {
                    cx.waker().wake_by_ref();
                    Poll::<()>::Pending
                }),
            ));
            assert!(poll(&mut waits.as_mut(), Waker::noop()).is_pending());
            assert!(poll(&mut wakes.as_mut(), Waker::noop()).is_ready());
            assert!(poll(&mut again.as_mut(), Waker::noop()).is_pending());
        },
        "\
main: waits Spawn
main: wakes Spawn
main: again Spawn
main: waits Poll { waker: 1 }
main: waits Keep { waker: 1 }
main: waits Pending
main: wakes Poll { waker: 1 }
main: waits Wake { waker: 1, by_value: false, during: Some(2) }
main: waits Release { waker: 1 }
main: wakes Ready
main: again Poll { waker: 1 }
main: again Wake { waker: 1, by_value: false, during: Some(3) }
main: again Pending
main: again Drop
main: wakes Drop
main: waits Drop
",
    );
}

#[test]
fn a_panic_and_a_poll_after_ready() {
    check(
        || {
            let fails = poll_fn(|_| -> Poll<()> { resume_unwind(Box::new("on purpose")) });
            let mut fails = Box::pin(watch("fails", fails));
            assert!(
                catch_unwind(AssertUnwindSafe(|| poll(
                    &mut fails.as_mut(),
                    Waker::noop()
                )))
                .is_err()
            );
            drop(fails);
            let mut done = Box::pin(watch("done", ready(())));
            assert!(poll(&mut done.as_mut(), Waker::noop()).is_ready());
            assert!(poll(&mut done.as_mut(), Waker::noop()).is_pending());
        },
        "\
main: fails Spawn
main: fails Poll { waker: 1 }
main: fails Panic
main: fails Drop
main: done Spawn
main: done Poll { waker: 1 }
main: done Ready
main: done PollAfterReady
main: done Drop
",
    );
}

#[test]
fn a_future_made_in_a_poll_is_recorded_on_any_thread() {
    check(
        || {
            let mut parent = watch("parent", async { drop(watch("child", ready(()))) });
            on_a_thread("worker", || {
                assert!(poll(&mut parent, Waker::noop()).is_ready());
            });
        },
        "\
main: parent Spawn
worker: parent Poll { waker: 1 }
worker: child Spawn
worker: child Drop
worker: parent Ready
main: parent Drop
",
    );
}

#[test]
fn a_future_made_earlier_is_recorded_from_its_first_poll_on() {
    let mut early = watch("early", ready(()));
    check(
        || assert!(poll(&mut early, Waker::noop()).is_ready()),
        "main: early Spawn\nmain: early Poll { waker: 1 }\nmain: early Ready\n",
    );
}

#[test]
fn what_others_watch_is_not_recorded() {
    check(
        || on_a_thread("other", || drop(watch("not ours", ready(())))),
        "",
    );
}

#[test]
fn a_recording_inside_a_recording_has_numbers_of_its_own() {
    let mut inner = Recording::default();
    let outer = record(|| {
        drop(watch("first", ready(())));
        inner = record(|| drop(watch("second", ready(()))));
    });
    assert_eq!((outer.tasks.len(), inner.tasks.len()), (2, 1));
    assert_eq!((outer.tasks[1].id, inner.tasks[0].id), (2, 1));
}

#[test]
#[cfg_attr(miri, ignore = "too many events for an interpreter")]
fn the_list_ends_before_the_memory_does() {
    let polls = Recording::MOST_EVENTS;
    let recording = record(|| {
        let mut future = pin!(watch("busy", std::future::pending::<()>()));
        for _ in 0..polls {
            assert!(poll(&mut future.as_mut(), Waker::noop()).is_pending());
        }
    });
    assert_eq!(recording.events.len(), Recording::MOST_EVENTS);
    assert!(recording.left_out >= polls as u64);
}

#[test]
fn times_never_go_back() {
    let recording = record(a_timer);
    assert!(recording.events.is_sorted_by_key(|event| event.at));
}

#[test]
fn the_json_is_flat_and_small() {
    let mut recording = without_parks(record(|| drop(watch("seven", ready(7)))));
    recording.threads[0].name = "main".to_owned();
    for (at, event) in (0..).zip(&mut recording.events) {
        event.at = at;
    }
    assert_eq!(
        recording.to_json(),
        r#"{"tasks":[{"id":1,"name":"seven"}],"threads":[{"id":1,"name":"main"}],"events":[
{"at":0,"thread":1,"task":1,"what":"spawn"},
{"at":1,"thread":1,"task":1,"what":"drop"}],"left_out":0}"#
    );
}
