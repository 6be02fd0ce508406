//! What is true of timers: when they are ready.

use std::{
    convert::Infallible,
    sync::{
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{self, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use super::timers::{SOON, poll_pending};
use crate::{
    Answer, Check, Clause, Edition, Leaf, Level, Unsupported,
    fault::LeafFault,
    fixtures::{A_MOMENT, comes_true},
    leaf::{THIRTY_YEARS, keeps_time},
    rest,
    wake_counter::WakeCounter,
};

/// The clauses of this topic.
pub const CLAUSES: &[Clause] = &[
    Clause {
        name: "never_early",
        edition: Edition::E1,
        rule: "A timer is not ready before its time, however often it is polled.",
        why: "A poll does not prove that there was a wake, and a wake does not prove that the time is over, so the timer must check.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            never_early,
            &[
                (LeafFault::ReadyAtTheSecondPoll, "ready too early"),
                (LeafFault::RoundsDown, "it took"),
            ],
        ),
    },
    Clause {
        name: "never_early_at_any_phase",
        edition: Edition::E5,
        rule: "A timer is not ready before its time, wherever in a tick of its clock it was started.",
        why: "A timer that counts ticks and was started late in one is early by nearly that tick. What asks the clock again, as a lease or a retry does, finds that nothing is over yet.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            never_early_at_any_phase,
            &[
                (LeafFault::CountsTicks, "and not 5ms"),
                (LeafFault::HasAWheel, "ready too early"),
            ],
        ),
    },
    Clause {
        name: "zero",
        edition: Edition::E1,
        rule: "With a duration of zero, a timer is ready at once, or a wake comes soon.",
        why: "Code that computes the time that is left sometimes gets zero.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(zero, &[(LeafFault::ZeroIsNever, "it hangs")]),
    },
    Clause {
        name: "huge",
        edition: Edition::E1,
        rule: "The longest possible duration means forever. It does not panic.",
        why: "People write Duration::MAX for 'no timeout'.",
        level: Level::Quality,
        choice: None,
        check: Check::Leaf(
            huge,
            &[
                (
                    LeafFault::Overflows,
                    "overflow when adding duration to instant",
                ),
                (LeafFault::WrapsAround, "ready too early"),
            ],
        ),
    },
    Clause {
        name: "a_hundred",
        edition: Edition::E1,
        rule: "Of 100 futures that wait at the same time, each wakes its own task.",
        why: "Whatever they share must tell them apart.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(a_hundred, &[(LeafFault::SharesOnePlace, "it hangs")]),
    },
    Clause {
        name: "shorter_after_longer",
        edition: Edition::E1,
        rule: "A timer is on time although a timer with a later deadline was started before it.",
        why: "The thread that waits for the later deadline is asleep already, so it must be notified.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            shorter_after_longer,
            &[(LeafFault::SleepsInOrder, "it hangs")],
        ),
    },
    Clause {
        name: "longer_after_shorter",
        edition: Edition::E6,
        rule: "A timer is on time although one with an earlier deadline was started before it, and is over or dropped by then.",
        why: "The thread that waits has one alarm for the earliest deadline. When that is over, or gone, it must set the alarm for the next one.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            longer_after_shorter,
            &[
                (
                    LeafFault::SetsNoSecondAlarm,
                    "it hangs: a shorter timer is over",
                ),
                (
                    LeafFault::DropsTheAlarm,
                    "it hangs: a shorter timer is dropped",
                ),
            ],
        ),
    },
    Clause {
        name: "forty_lengths",
        edition: Edition::E6,
        rule: "Of 40 timers of different lengths, which are started in no order, and of which some are dropped and others change hands, each is on time.",
        why: "A heap, a tree or a wheel of timers has to find each one again when it is dropped, polled by another task, or moved to another slot.",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            forty_lengths,
            &[
                (LeafFault::SetsNoSecondAlarm, "it hangs: 40 timers"),
                (LeafFault::RemovesItsNeighbour, "ready too early"),
                (LeafFault::HasAWheel, "ready too early: it took"),
            ],
        ),
    },
    Clause {
        name: "no_wraparound",
        edition: Edition::E6,
        rule: "A timer whose length is just above a power of two, of whatever unit, is not ready before its time.",
        why: "Milliseconds in 32 bits are over after 49 days, and nanoseconds after four seconds. What wraps around there is a timer of a few milliseconds.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            no_wraparound,
            &[(LeafFault::CountsIn32Bits, "ready too early: a timer of")],
        ),
    },
    Clause {
        name: "after_an_abandoned_one",
        edition: Edition::E3,
        rule: "A timer is on time although its task has dropped a longer one before.",
        why: "A driver that keeps one deadline for each task must forget it with the timer, or the task's next timer never fires. Embassy's did not (its issue 4736).",
        level: Level::PENDING,
        choice: None,
        check: Check::Leaf(
            after_an_abandoned_one,
            &[(LeafFault::TakesOneWakerForOneTimer, "it hangs")],
        ),
    },
    Clause {
        name: "reset_to_earlier",
        edition: Edition::E3,
        rule: "A timer that is given an earlier time wakes its task then.",
        why: "Its driver is asleep until the later time, so it must be notified.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(reset_to_earlier, &[(LeafFault::IgnoresAReset, "it hangs")]),
    },
    Clause {
        name: "reset_to_later",
        edition: Edition::E6,
        rule: "A timer that is given a later time is not ready before that, and wakes its task then.",
        why: "Its driver may still have the earlier time, and must look again when that is over.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            reset_to_later,
            &[
                (LeafFault::KeepsItsFirstTime, "and not 100ms"),
                (LeafFault::ForgetsAtAReset, "it hangs"),
            ],
        ),
    },
    Clause {
        name: "under_load",
        edition: Edition::E1,
        rule: "A timer is served while other timers on its driver come and go without a pause.",
        why: "If a driver checks for due timers only when it has nothing else to do, it may never check while it is busy.",
        level: Level::Ecosystem,
        choice: None,
        check: Check::Leaf(
            under_load,
            &[(
                LeafFault::LooksWhenAllIsQuiet,
                "a timer of 20 ms was not served",
            )],
        ),
    },
];

/// A timer of the longest duration is polled three times; one of 20 ms is run to its end.
pub fn never_early(leaf: &'static dyn Leaf) -> Answer {
    keeps_time(leaf)?;
    let counter = WakeCounter::new();
    let mut long = leaf.timer(leaf.longest())?;
    for _ in 0..3 {
        poll_pending(&counter, &mut long);
    }
    let start = Instant::now();
    WakeCounter::new().finish(&mut leaf.timer(SOON)?);
    let took = start.elapsed();
    assert!(took >= SOON, "it took {took:?} and not {SOON:?}");
    Ok(())
}

/// So many timers, each of which begins a little later in the tick of a clock.
const PHASES: u32 = 40;

/// A timer of 5 ms is polled again and again until it is ready. It is started 40 times, after pauses of different lengths. Meanwhile
/// one of the longest duration is polled now and then: it does not come round with the wheel of a clock.
pub fn never_early_at_any_phase(leaf: &'static dyn Leaf) -> Answer {
    keeps_time(leaf)?;
    let after = Duration::from_millis(5);
    let mut long = leaf.timer(leaf.longest())?;
    for phase in 0..PHASES {
        poll_pending(&WakeCounter::new(), &mut long);
        thread::sleep(Duration::from_micros(137) * (phase % 8));
        let start = Instant::now();
        let mut timer = leaf.timer(after)?;
        let counter = WakeCounter::new();
        while counter.poll(&mut timer).is_pending() {
            thread::sleep(Duration::from_micros(50));
        }
        let took = start.elapsed();
        assert!(took >= after, "it took {took:?} and not {after:?}");
    }
    Ok(())
}

/// A timer of zero is polled whenever it is woken. Some are ready at the first poll; tokio's takes up to a millisecond.
pub fn zero(leaf: &'static dyn Leaf) -> Answer {
    keeps_time(leaf)?;
    WakeCounter::new().finish(&mut leaf.timer(Duration::ZERO)?);
    Ok(())
}

/// A timer of `Duration::MAX` is polled twice and dropped, unless a longest duration is documented.
pub fn huge(leaf: &'static dyn Leaf) -> Answer {
    keeps_time(leaf)?;
    if leaf.longest() < THIRTY_YEARS {
        return Err(Unsupported);
    }
    let mut timer = leaf.timer(Duration::MAX)?;
    let counter = WakeCounter::new();
    for _ in 0..2 {
        poll_pending(&counter, &mut timer);
    }
    Ok(())
}

/// A hundred timers, each with a waker of its own, are polled once and then when they are woken.
pub fn a_hundred(leaf: &'static dyn Leaf) -> Answer {
    let timers: Result<Vec<_>, _> = (0..100).map(|_| leaf.timer(SOON)).collect();
    let mut timers: Vec<_> = timers?
        .into_iter()
        .map(|timer| (timer, WakeCounter::new()))
        .collect();
    timers.retain_mut(|(timer, counter)| counter.poll(timer).is_pending());
    for (timer, counter) in &mut timers {
        let mut wakes = 0;
        loop {
            wakes = counter.wait(wakes);
            if counter.poll(timer).is_ready() {
                break;
            }
        }
    }
    Ok(())
}

/// A timer of the longest duration is polled, and then one of 20 ms is run to its end.
pub fn shorter_after_longer(leaf: &'static dyn Leaf) -> Answer {
    keeps_time(leaf)?;
    let counter = WakeCounter::new();
    let mut long = leaf.timer(leaf.longest())?;
    poll_pending(&counter, &mut long);
    WakeCounter::new().finish(&mut leaf.timer(SOON)?);
    Ok(())
}

/// A timer of the longest duration is polled and dropped, and then one of 20 ms is run to its end with the same waker.
pub fn after_an_abandoned_one(leaf: &'static dyn Leaf) -> Answer {
    let counter = WakeCounter::new();
    let mut long = leaf.timer(leaf.longest())?;
    poll_pending(&counter, &mut long);
    drop(long);
    counter.finish(&mut leaf.timer(SOON)?);
    Ok(())
}

/// A timer of the longest duration is polled, and is given 20 ms. It is polled again when it is woken, and not before: a poll might
/// tell its driver what the reset did not.
pub fn reset_to_earlier(leaf: &'static dyn Leaf) -> Answer {
    let (mut timer, reset) = leaf.resettable(leaf.longest())?;
    let counter = WakeCounter::new();
    poll_pending(&counter, &mut timer);
    thread::sleep(A_MOMENT); // so that its driver is asleep
    let seen = counter.wakes();
    reset(SOON);
    counter.wait(seen);
    counter.finish(&mut timer);
    Ok(())
}

/// A timer of 20 ms is polled, and is given 100 ms. It is polled again when it is woken.
pub fn reset_to_later(leaf: &'static dyn Leaf) -> Answer {
    const LATER: Duration = Duration::from_millis(100);
    let (mut timer, reset) = leaf.resettable(SOON)?;
    let counter = WakeCounter::new();
    if counter.poll(&mut timer).is_ready() {
        return Ok(()); // this thread had no processor for so long
    }
    let start = Instant::now();
    reset(LATER);
    counter.wait(0);
    counter.finish(&mut timer);
    let took = start.elapsed();
    assert!(took >= LATER, "it took {took:?} and not {LATER:?}");
    Ok(())
}

/// A timer of 10 ms is polled, and then one of 30 ms. The second one is polled again when it is woken, and not before. Once the first one
/// is dropped meanwhile, and once it is over.
pub fn longer_after_shorter(leaf: &'static dyn Leaf) -> Answer {
    keeps_time(leaf)?;
    for (drops, what) in [
        (
            false,
            "a shorter timer is over, and a longer one is waited for",
        ),
        (
            true,
            "a shorter timer is dropped, and a longer one is waited for",
        ),
    ] {
        rest::says(what);
        let mut short = leaf.timer(A_MOMENT)?;
        let _ = WakeCounter::new().poll(&mut short);
        let mut long = leaf.timer(3 * A_MOMENT)?;
        let counter = WakeCounter::new();
        let is_pending = counter.poll(&mut long).is_pending();
        let short = (!drops).then_some(short);
        // Otherwise this thread had no processor for so long.
        if is_pending {
            counter.wait(0);
            counter.finish(&mut long);
        }
        drop(short);
    }
    Ok(())
}

/// Forty timers of 1 to 157 ms are polled, in an order that is neither that of their deadlines nor the opposite one. Every third one is
/// dropped, and every fifth one is polled by another task. The others are polled again when they are woken, and not before.
pub fn forty_lengths(leaf: &'static dyn Leaf) -> Answer {
    keeps_time(leaf)?;
    rest::says("40 timers of 1 to 157 ms");
    let mut timers = Vec::new();
    for number in 0..40 {
        let after = Duration::from_millis(1 + number * 17 % 40 * 4);
        let (start, counter) = (Instant::now(), WakeCounter::new());
        let mut timer = leaf.timer(after)?;
        let is_ready = counter.poll(&mut timer).is_ready();
        assert!(!is_ready || start.elapsed() >= after, "ready too early");
        if !is_ready {
            timers.push((number, timer, counter, start, after));
        }
    }
    timers.retain(|(number, ..)| number % 3 != 0);
    for (number, timer, counter, start, after) in &mut timers {
        if *number % 5 == 0 {
            *counter = WakeCounter::new();
            if counter.poll(timer).is_ready() {
                assert!(start.elapsed() >= *after, "ready too early");
                *after = Duration::ZERO; // and is not polled any more
            }
        }
    }
    timers.retain(|(.., after)| !after.is_zero());
    for (_, mut timer, counter, start, after) in timers {
        counter.wait(0);
        counter.finish(&mut timer);
        let took = start.elapsed();
        assert!(
            took >= after,
            "ready too early: it took {took:?} and not {after:?}"
        );
    }
    Ok(())
}

/// Timers of each power of two, in seconds, milliseconds, microseconds and nanoseconds, and 5 ms more, from seconds to the longest time.
/// They are polled, then one of 20 ms is run to its end, then they are polled again.
pub fn no_wraparound(leaf: &'static dyn Leaf) -> Answer {
    keeps_time(leaf)?;
    let units: [fn(u64) -> Duration; 4] = [
        Duration::from_secs,
        Duration::from_millis,
        Duration::from_micros,
        Duration::from_nanos,
    ];
    let powers = units
        .iter()
        .flat_map(|unit| (0..64).map(|power| unit(1 << power)));
    let powers = powers.filter(|time| *time > Duration::from_secs(2));
    let mut timers = Vec::new();
    for after in powers.map(|time| time + Duration::from_millis(5)) {
        if after < leaf.longest() {
            timers.push((Instant::now(), after, leaf.timer(after)?));
        }
    }
    let counter = WakeCounter::new();
    let mut none_is_early = || {
        timers.retain_mut(|(start, after, timer)| {
            // Where this thread had no processor for seconds, one may be over.
            let is_ready = counter.poll(timer).is_ready();
            let is_early = is_ready && start.elapsed() < *after;
            assert!(!is_early, "ready too early: a timer of {after:?}");
            !is_ready
        });
    };
    none_is_early();
    WakeCounter::new().finish(&mut leaf.timer(SOON)?);
    none_is_early();
    Ok(())
}

/// Four threads make, poll and drop timers, each drops one when it has polled the next, and a timer of 20 ms is run to its end
/// meanwhile. A driver that is faster than those threads has nothing to do now and then, so this sees only one that needs more
/// of a pause.
pub fn under_load(leaf: &'static dyn Leaf) -> Answer {
    keeps_time(leaf)?;
    let over = AtomicBool::new(false);
    let stops = SetsWhenDropped(&over);
    let (starting, started) = mpsc::channel::<Infallible>();
    let others = |starting: Sender<Infallible>| {
        let mut starting = Some(starting);
        let mut earlier = None;
        while !over.load(Relaxed) {
            let Ok(mut other) = leaf.timer(leaf.longest()) else {
                return;
            };
            poll_pending(&WakeCounter::new(), &mut other);
            if earlier.replace(other).is_some() {
                drop(starting.take());
            }
            thread::yield_now(); // so that a thread that was started for it gets a turn to end
        }
    };
    thread::scope(|scope| {
        for starting in vec![starting; 4] {
            scope.spawn(move || others(starting));
        }
        let _stops = stops;
        // It ends when each thread has dropped its sender, because it has dropped a timer.
        let _ = started.recv();
        let (mut timer, counter) = (leaf.timer(SOON)?, WakeCounter::new());
        let mut seen = 0;
        while counter.poll(&mut timer).is_pending() {
            let _ = comes_true(|| counter.wakes() > seen || rest::is_nearly_over());
            assert!(
                counter.wakes() > seen,
                "a timer of 20 ms was not served while four threads of the test started and dropped others"
            );
            seen = counter.wakes();
        }
        Ok(())
    })
}

/// Ends the load when it is dropped, by a panic too: the threads would keep the scope from ending.
struct SetsWhenDropped<'a>(&'a AtomicBool);

impl Drop for SetsWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
