use super::*;
use probe::{CountingWaker, within};
use std::cell::{Cell, RefCell};

const MS: Duration = Duration::from_millis(1);
const US: Duration = Duration::from_micros(1);

/// A kernel whose time passes only while it is waited for.
#[derive(Default)]
struct Scripted {
    now: Cell<Duration>,
    /// When a socket is ready, if one ever is.
    socket: Option<Duration>,
    waits: RefCell<Vec<Option<u128>>>,
}

impl Kernel for Scripted {
    fn now(&self) -> Duration {
        self.now.get()
    }

    fn wait(&self, ms: Option<u128>) {
        self.waits.borrow_mut().push(ms);
        let limit = ms.map(|ms| {
            let ms = u64::try_from(ms).unwrap_or(u64::MAX / 2);
            self.now() + Duration::from_millis(ms)
        });
        let until = limit.into_iter().chain(self.socket).min().expect(
            "the kernel was asked to wait without a limit. No socket will be ready, so this sleep has no end",
        );
        // Even a call that does not sleep takes a while.
        self.now.set(until.max(self.now() + 20 * US));
    }
}

fn driver(kernel: Scripted, deadlines: &[Duration], task: &CountingWaker) -> Driver<Scripted> {
    let numbered = (0..).zip(deadlines);
    Driver {
        kernel,
        timers: numbered.map(|(n, at)| ((*at, n), task.waker())).collect(),
    }
}

/// Calls `park` once, with these deadlines. Returns what the kernel was asked, and how many timers were due.
fn park(
    kernel: Scripted,
    deadlines: &[Duration],
    limit: Option<Duration>,
) -> (Option<u128>, usize) {
    let task = CountingWaker::new();
    let mut driver = driver(kernel, deadlines, &task);
    let earlier = CountingWaker::new();
    let mut due = vec![earlier.waker()];
    within(2_000 * MS, || driver.park(limit, &mut due));
    assert!(
        due.first().is_some_and(|it| it.will_wake(&earlier.waker())),
        "A waker was in `due` before, and after `park` it is no longer the first there. `park` adds to `due`, because \
         what the sockets have put there is due as well."
    );
    due.remove(0);
    let left = driver.timers.len();
    assert!(
        task.wakes() == 0,
        "`park` called a waker. It hands the wakers over in `due`, because the code behind a waker may come back here."
    );
    assert_eq!(
        due.len() + left,
        deadlines.len(),
        "each timer is in `timers` or in `due`"
    );
    let waits = driver.kernel.waits.take();
    assert_eq!(
        waits.len(),
        1,
        "`park` calls `wait` once, and these were its calls: {waits:?}"
    );
    (waits[0], due.len())
}

#[test]
fn a_deadline_ends_the_sleep() {
    let (asked, due) = park(Scripted::default(), &[20 * MS, 20 * MS, 50 * MS], None);
    assert!(
        asked == Some(20),
        "The next deadline is 20 ms away, the executor allows any sleep, and the kernel was asked to wait {asked:?} ms."
    );
    assert!(
        due == 2,
        "at 20 ms, two of the deadlines 20, 20 and 50 ms are due, and `park` handed over {due}"
    );
}

#[test]
fn the_executor_may_set_a_shorter_limit() {
    for (limit, wanted) in [(0, 0), (5, 5), (90, 20)] {
        let (asked, _) = park(Scripted::default(), &[20 * MS], Some(limit * MS));
        assert!(
            asked == Some(wanted),
            "The next deadline is 20 ms away, the executor allows {limit} ms, because it may have tasks to poll, and the \
             kernel was asked to wait {asked:?} ms."
        );
    }
}

#[test]
fn without_a_deadline_only_the_executor_sets_a_limit() {
    let ready = || Scripted {
        socket: Some(7 * MS),
        ..Scripted::default()
    };
    assert_eq!(
        park(ready(), &[], None),
        (None, 0),
        "no deadline and no limit"
    );
    assert_eq!(
        park(ready(), &[], Some(3 * MS)),
        (Some(3), 0),
        "no deadline and a limit of 3 ms"
    );
    assert_eq!(
        park(ready(), &[], Some(400 * US)),
        (Some(1), 0),
        "no deadline and a limit of 0.4 ms, which is rounded up"
    );
    let longest = Duration::MAX.as_nanos().div_ceil(1_000_000);
    assert_eq!(
        park(ready(), &[], Some(Duration::MAX)),
        (Some(longest), 0),
        "no deadline, and the longest limit that there is"
    );
}

#[test]
fn a_socket_that_ends_the_sleep_makes_no_timer_due() {
    let socket = Scripted {
        socket: Some(4 * MS),
        ..Scripted::default()
    };
    let (_, due) = park(socket, &[20 * MS], None);
    assert!(
        due == 0,
        "A socket was ready after 4 ms, and `park` handed over the timer that is due at 20 ms, so it fires too early."
    );
}

#[test]
fn what_is_overdue_is_handed_over_at_once() {
    for (now, limit) in [(20, None), (25, None), (25, Some(Duration::ZERO))] {
        let now = now * MS;
        println!("It is {now:?}. How long is it until 10 ms?");
        let late = Scripted {
            now: Cell::new(now),
            ..Scripted::default()
        };
        let (asked, due) = park(late, &[10 * MS, 20 * MS, 20 * MS, 90 * MS], limit);
        assert!(
            asked == Some(0),
            "it is {now:?}, a deadline has passed, and the kernel was asked to wait {asked:?} ms instead of 0"
        );
        assert!(
            due == 3,
            "it is {now:?}, the deadlines 10, 20 and 20 ms have passed, and `park` handed over {due}"
        );
    }
}

#[test]
fn the_earliest_comes_first() {
    let tasks = [0, 1, 2].map(|_| CountingWaker::new());
    let mut driver = driver(
        Scripted {
            now: Cell::new(9 * MS),
            ..Scripted::default()
        },
        &[],
        &tasks[0],
    );
    for (task, at) in tasks.iter().zip([7, 3, 5]) {
        driver.timers.insert((at * MS, at.into()), task.waker());
    }
    let mut due = Vec::new();
    within(2_000 * MS, || driver.park(None, &mut due));
    let order = due
        .iter()
        .map(|it| tasks.iter().position(|task| it.will_wake(&task.waker())));
    assert_eq!(
        order.collect::<Vec<_>>(),
        [Some(1), Some(2), Some(0)],
        "the order of the deadlines is 3, 5, 7 ms"
    );
}

#[test]
fn one_sleep_is_enough_for_one_deadline() {
    for deadline in [
        2_500 * US,
        400 * US,
        1_001 * US,
        3 * MS + Duration::from_nanos(1),
        Duration::from_secs(1_000 * 24 * 3_600) + Duration::from_nanos(1),
    ] {
        let mut driver = driver(Scripted::default(), &[deadline], &CountingWaker::new());
        let mut due = Vec::new();
        within(2_000 * MS, || {
            while due.is_empty() && driver.kernel.waits.borrow().len() < 1_000 {
                driver.park(None, &mut due);
            }
        });
        let now = driver.kernel.now();
        assert!(
            due.is_empty() || now >= deadline,
            "The deadline is {deadline:?}, and `park` handed over its timer at {now:?}, so it fires too early."
        );
        let waits = driver.kernel.waits.take();
        assert!(
            waits.len() == 1,
            "One deadline, {deadline:?} away, and it took {} calls of `wait` until it was due. The first calls were for \
             {:?} ms.\n\
             Wanted: one call. A sleep that is too short is followed by calls that do not sleep at all.\n\
             Look at: what becomes of the part of a millisecond, and at which moment do you look at the clock?",
            waits.len(),
            waits.iter().flatten().take(4).collect::<Vec<_>>()
        );
    }
}
