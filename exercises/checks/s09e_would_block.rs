use super::{
    given::{BEFORE_LOCKS, Step},
    *,
};
use probe::{
    CountingWaker,
    hostile::{Hostile, Moment},
    watch, within,
};
use std::{
    future::poll_fn,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

#[derive(Clone, Default)]
struct Run {
    source: Arc<Source>,
    socket: Arc<Socket>,
    task: CountingWaker,
}

impl Run {
    /// Bytes arrive, each with a report.
    fn arrive(&self, bytes: &[u8]) {
        for byte in bytes {
            self.socket.bytes.lock().unwrap().push_back(*byte);
            self.source.report().into_iter().for_each(Waker::wake);
        }
    }

    /// A report after which nothing is there to read, such as one of bytes that have been read already.
    fn report_for_nothing(&self) {
        self.source.report().into_iter().for_each(Waker::wake);
    }

    fn poll(&self) -> Poll<u8> {
        let waker = self.task.waker();
        within(Duration::from_secs(2), || {
            let read = poll_fn(|cx| poll_read(&self.source, &self.socket, cx));
            pin!(watch("a read", read)).poll(&mut Context::from_waker(&waker))
        })
    }

    /// Polls, and once more if the task was woken meanwhile. Then it must have this byte.
    fn gets(&self, byte: u8, arrived: &str) {
        let before = self.task.wakes();
        let mut answer = self.poll();
        if answer.is_pending() && self.task.wakes() > before {
            answer = self.poll();
        }
        assert!(
            answer == Poll::Ready(byte),
            "{arrived}. The task got {answer:?}. If it is pending, it was not woken either, and the kernel will not report \
             this byte again.\n\
             Wanted: the byte, in this poll or in one that a wake causes, whenever it arrives.\n\
             Look at: the moments between `poll_ready` and `clear`. Which of them does `clear` know about?"
        );
    }
}

fn nothing() -> Step {
    Box::new(|| ())
}

/// So many bytes arrive in the first read, before it takes a byte or after that.
fn arrive_in_the_read(after: bool, bytes: usize, arrived: &str) {
    let run = Run::default();
    let same = run.clone();
    // The executor that hears of it is on another thread.
    let arrives = move || same.arrive(&vec![7; bytes]);
    let arrival: Step = Box::new(|| thread::spawn(arrives).join().unwrap());
    let step = if after {
        [nothing(), arrival]
    } else {
        [arrival, nothing()]
    };
    run.socket.script.lock().unwrap().push_back(step);
    run.report_for_nothing();
    run.gets(7, arrived);
}

#[test]
fn before_the_poll_or_after_it() {
    let run = Run::default();
    run.arrive(&[1]);
    run.gets(1, "A byte arrived before the first poll");
    for byte in 2..5 {
        assert!(run.poll().is_pending(), "nothing has arrived since");
        let before = run.task.wakes();
        run.arrive(&[byte]);
        assert!(
            run.task.wakes() > before,
            "a byte arrived while the task was pending, and the task was not woken"
        );
        run.gets(byte, "A byte arrived while the task was pending");
    }
}

#[test]
fn just_before_the_read() {
    let arrived = "A byte arrived between `poll_ready` and the read";
    arrive_in_the_read(false, 1, arrived);
}

#[test]
fn just_after_the_read() {
    let arrived = "A byte arrived after the read had found nothing, and before `clear`";
    arrive_in_the_read(true, 1, arrived);
}

#[test]
fn just_before_any_lock() {
    for n in 1..9 {
        let run = Run::default();
        run.report_for_nothing();
        let same = run.clone();
        let arrival: Step = Box::new(move || same.arrive(&[7]));
        BEFORE_LOCKS.set((1..n).map(|_| nothing()).chain([arrival]).collect());
        let before = run.task.wakes();
        let answer = run.poll();
        let has_arrived = BEFORE_LOCKS.take().is_empty();
        assert!(
            !has_arrived || answer.is_ready() || run.task.wakes() > before,
            "In one poll, a byte arrived just before lock number {n} of `Source`. The task got {answer:?}, was not woken, \
             and the kernel will not report this byte again.\n\
             Look at: what was true before this lock, and does the code after it still rely on that? Another thread may \
             report between any two locks."
        );
    }
}

#[test]
fn many_just_after_the_read() {
    for bytes in [2, 256, 65_536] {
        let arrived =
            format!("{bytes} bytes arrived, each with a report, after the read and before `clear`");
        arrive_in_the_read(true, bytes, &arrived);
    }
}

#[test]
fn what_is_left_needs_no_report() {
    let run = Run::default();
    run.arrive(&[1, 2, 3]);
    for byte in 1..=3 {
        let answer = run.poll();
        assert!(
            answer == Poll::Ready(byte),
            "Three bytes arrived, and each read takes one of them. The task got {answer:?} instead of byte {byte}.\n\
             Look at: after a read that found a byte, which call may say that the socket is not ready?"
        );
    }
    assert!(run.poll().is_pending(), "all three have been read");
}

#[test]
fn a_report_for_nothing_costs_one_read() {
    let run = Run::default();
    for _ in 0..3 {
        run.report_for_nothing();
        // During the read, the kernel reports another socket.
        let other = Source::default();
        let reports: Step = Box::new(move || drop(other.report()));
        let mut script = run.socket.script.lock().unwrap();
        script.push_back([reports, nothing()]);
        drop(script);
        let before = run.socket.misses.load(SeqCst);
        assert!(run.poll().is_pending() && run.poll().is_pending());
        let reads = run.socket.misses.load(SeqCst) - before;
        assert!(
            reads == 1,
            "The kernel reported once, and nothing was there. In two polls the task tried {reads} reads, and one would \
             have been enough to find that out."
        );
    }
}

#[test]
fn a_waker_may_use_the_source() {
    for moment in [Moment::Clone, Moment::Drop] {
        let (run, hostile) = (Run::default(), Hostile::new());
        let (same, once) = (run.clone(), AtomicBool::new(false));
        hostile.arm(moment, move || {
            if !once.swap(true, SeqCst) {
                same.report_for_nothing();
            }
        });
        let wakers = [hostile.waker(), run.task.waker()];
        for waker in &wakers {
            // Not watched, because `watch` clones the waker by itself.
            let answer = within(Duration::from_secs(2), || {
                poll_read(&run.source, &run.socket, &mut Context::from_waker(waker))
            });
            assert!(answer.is_pending(), "nothing has arrived");
        }
        hostile.disarm();
    }
}
