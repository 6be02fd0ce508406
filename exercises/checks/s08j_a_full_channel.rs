use super::*;
use probe::{CountingWaker, in_gap, watch, within};
use std::time::Duration;
use step05_parker_block_on::block_on;

mod foreign;
mod order;

/// A task that sends its name.
struct Sender {
    name: &'static str,
    channel: Channel<&'static str>,
    future: Pin<Box<Sending<&'static str>>>,
    waker: CountingWaker,
    /// How often it was woken before its latest poll.
    wakes: usize,
}

impl Sender {
    fn new(name: &'static str, channel: &Channel<&'static str>) -> Sender {
        Sender {
            name,
            channel: channel.clone(),
            future: Box::pin(channel.send(name)),
            waker: CountingWaker::new(),
            wakes: 0,
        }
    }

    /// Polls it in a full channel.
    fn waits(name: &'static str, channel: &Channel<&'static str>) -> Sender {
        let mut sender = Sender::new(name, channel);
        let ready = sender.poll();
        assert!(!ready, "the channel is full, and {name} was ready");
        sender.keeps(1, "The channel is full, and it was polled once.");
        sender
    }

    /// Whether it is ready.
    fn poll(&mut self) -> bool {
        self.wakes = self.waker.wakes();
        let waker = self.waker.waker();
        let mut cx = Context::from_waker(&waker);
        let ready = self.future.as_mut().poll(&mut cx).is_ready();
        let shared = self.channel.0.lock().unwrap();
        let (values, room, name) = (shared.values.len(), shared.room, self.name);
        drop(shared);
        assert!(
            values <= room,
            "{name} was polled, and now the channel has {values} values, and room for {room}"
        );
        ready
    }

    fn woken(&self) -> usize {
        self.waker.wakes() - self.wakes
    }

    fn keeps(&self, wanted: usize, what: &str) {
        let (name, kept) = (self.name, self.waker.live());
        assert!(
            kept == wanted,
            "{name}: {what} The channel keeps {kept} clones of its waker. Wanted: {wanted}."
        );
    }

    /// Sees to it that it was woken so often since its latest poll.
    fn is_woken(&self, wanted: usize, what: &str) {
        let (name, woken) = (self.name, self.woken());
        assert!(
            woken == wanted,
            "{what}\nThen {name} was woken {woken} times. Wanted: {wanted}.\n\
             Look at: whose turn is it, who knows of it, and which tickets are in `waiting`?"
        );
    }

    /// Sees to it that it was woken, and sends.
    fn has_its_turn(&mut self, what: &str) {
        self.is_woken(1, what);
        let ready = self.poll();
        assert!(
            ready,
            "{what}\nIt's the turn of {}, and its poll was Pending.",
            self.name
        );
    }
}

/// A channel with room for one value, and with one value.
fn full() -> Channel<&'static str> {
    let channel = Channel::new(1);
    let ready = Sender::new("first", &channel).poll();
    assert!(
        ready && channel.0.lock().unwrap().values.len() == 1,
        "there was room, and the first poll of a `Sending` did not put its value into the channel and return Ready"
    );
    channel
}

/// A full channel, and senders that wait.
fn waiting<const N: usize>(names: [&'static str; N]) -> (Channel<&'static str>, [Sender; N]) {
    let channel = full();
    let senders = names.map(|name| Sender::waits(name, &channel));
    (channel, senders)
}

fn run(test: impl FnOnce()) {
    within(Duration::from_secs(2), || {
        block_on(watch("a task that sends", async { test() }));
    });
}

#[test]
fn it_sleeps_with_one_waker_until_a_value_is_taken() {
    run(|| {
        let (channel, [mut a]) = waiting(["A"]);
        let polled_and_woken = [(); 100].map(|()| (a.poll(), a.woken()));
        a.keeps(1, "The channel is full, and it was polled 101 times.");
        let quiet = polled_and_woken == [(false, 0); 100];
        assert!(quiet, "the channel is full, and A was ready or woken");
        // Another task polls the future.
        let earlier = std::mem::take(&mut a.waker);
        a.poll();
        let kept = earlier.live();
        assert_eq!(
            kept, 0,
            "another task has polled A since, and this waker is kept"
        );
        assert_eq!(channel.take(), Some("first"));
        a.has_its_turn("A waited, first in one task and then in another. A value was taken.");
        let taken = [channel.take(), channel.take()];
        assert_eq!(taken, [Some("A"), None], "A has sent this once");
    });
}

#[test]
fn each_value_that_is_taken_is_the_turn_of_one() {
    run(|| {
        let (other, [mut z]) = waiting(["Z"]);
        let (channel, [mut a, mut b]) = waiting(["A", "B"]);
        assert_eq!(channel.take(), Some("first"));
        a.has_its_turn("A waited, and then B. A value was taken.");
        b.is_woken(0, "A waited, and then B. A value was taken.");
        assert_eq!(channel.take(), Some("A"));
        b.has_its_turn("A waited, and then B. Two values were taken, and A had its turn.");
        z.is_woken(0, "Z waits at a channel of which no value was taken.");
        assert_eq!(other.take(), Some("first"));
        z.has_its_turn("Z waited at another channel. A value was taken.");
    });
}

#[test]
fn a_turn_is_handed_on() {
    run(|| {
        let (channel, [a, b, mut c]) = waiting(["A", "B", "C"]);
        channel.take();
        drop(a);
        let what = "A, B and C waited. A value was taken. A, whose turn it was, was dropped before its next poll.";
        b.is_woken(1, what);
        c.is_woken(0, what);
        drop(b);
        c.has_its_turn("A, B and C waited. A value was taken. A and then B were dropped.");
        let taken = [channel.take(), channel.take()];
        assert_eq!(taken, [Some("C"), None], "A and B were dropped");

        let (channel, [a]) = waiting(["A"]);
        channel.take();
        drop(a);
        let ready = Sender::new("B", &channel).poll();
        assert!(
            ready,
            "A waited alone, had its turn, and was dropped. There is room, and B is pending"
        );
    });
}

#[test]
fn without_a_turn_it_leaves_without_a_trace() {
    run(|| {
        let (channel, [a, mut b, c]) = waiting(["A", "B", "C"]);
        let waker = a.waker.clone();
        drop(a);
        assert_eq!(waker.live(), 0, "A was dropped, and its waker is kept");
        drop(Sender::new("D", &channel));
        b.is_woken(0, "A, B and C waited, and the channel is full. A was dropped, and D, which was never polled.");
        channel.take();
        b.has_its_turn("A, B and C waited. A was dropped, and then a value was taken.");
        drop(b);
        c.is_woken(0, "B had its turn, was ready, and then dropped.");
    });
}

/// A `join!` polls all its children, whichever was woken.
#[test]
fn one_without_a_turn_may_be_faster() {
    run(|| {
        let (channel, [mut a, mut b, c]) = waiting(["A", "B", "C"]);
        channel.take();
        if b.poll() {
            b.keeps(0, "It was the turn of A, and B was ready first.");
            drop(b);
            c.is_woken(
                0,
                "It was the turn of A. B was ready first, and then dropped.",
            );
            assert!(!a.poll(), "the channel is full, and A is ready");
            channel.take();
        }
        a.has_its_turn("A, B and C waited. It was the turn of A, but B was polled first. Then there was room for A.");
    });
}

/// In each gap of `poll` and of `drop`, another thread uses the channel.
#[test]
fn other_threads_use_the_channel_too() {
    run(|| {
        let (mut gap, mut gaps) = (0, 1);
        while gap < gaps {
            let channel = full();
            let mut a = Sender::new("A", &channel);
            let (ready, some) = in_gap(gap, move || _ = channel.take(), || a.poll());
            if !ready && gap < some {
                a.has_its_turn("While A was polled, and held no lock, a value was taken.");
            }

            let channel = Channel::new(1);
            let [mut a, mut b] = ["A", "B"].map(|name| Sender::new(name, &channel));
            // `poll` sees to it that there are not too many values.
            let (_, more) = in_gap(gap, move || _ = b.poll(), || a.poll());

            let (channel, [a, mut b]) = waiting(["A", "B"]);
            let ((), most) = in_gap(gap, move || _ = channel.take(), move || drop(a));
            if gap < most {
                b.has_its_turn("While A was dropped, and held no lock, a value was taken.");
            }
            (gap, gaps) = (gap + 1, some.max(more).max(most));
        }
    });
}

#[test]
fn values_come_out_in_the_order_in_which_they_were_sent() {
    run(|| {
        let channel = Channel::new(order::MANY as usize);
        for value in 1..=order::MANY {
            let sent =
                Pin::new(&mut channel.send(value)).poll(&mut Context::from_waker(Waker::noop()));
            assert!(
                sent.is_ready(),
                "there is room for value {value}, and its poll was Pending"
            );
        }
        let taken: Vec<u32> = std::iter::from_fn(|| channel.take()).collect();
        let what = "A thousand values were sent, one after the other, and taken.";
        order::assert_in_order(what, &taken);
    });
}

#[test]
fn a_waker_may_use_the_channel() {
    let is_free = |channel: &Channel<_>| channel.0.try_lock().is_ok();
    run(|| {
        foreign::wakers_find_the_lock_free(full, is_free, |channel, tasks| {
            let poll = |future: &mut Sending<_>| {
                let waker = tasks.waker();
                Pin::new(future).poll(&mut Context::from_waker(&waker))
            };
            let mut senders = [(); 4].map(|()| channel.send("value"));
            tasks.step("four senders are polled in a full channel, each twice");
            for sender in &mut senders {
                assert!(poll(sender).is_pending() && poll(sender).is_pending());
            }
            let [a, b, mut c, d] = senders;
            tasks.step("one that waits is dropped");
            drop(d);
            tasks.step("a value is taken, so it is the turn of A");
            channel.take();
            tasks.step("A is dropped, so it is the turn of B");
            drop(a);
            tasks.step("C is polled, without a turn, and is ready");
            let _ = poll(&mut c);
            tasks.step("B and C are dropped");
            drop((b, c));
        });
    });
}
