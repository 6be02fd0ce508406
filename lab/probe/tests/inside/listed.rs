//! The list of what is watched, and how long a limit is.

use std::{
    collections::{BTreeMap, BTreeSet},
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
};

use crate::{
    see::{lock::own, roll::Roll, scope},
    within::patience::{processors, stretch},
};

/// Tasks are made, polled and dropped in any order, here and on threads that end, and their wakers are kept beyond that.
#[test]
fn what_is_listed_is_what_lives() {
    let (mut futures, wakers) = (BTreeMap::new(), &Mutex::new(Vec::new()));
    let (mut ready, mut panicked) = (BTreeSet::new(), BTreeSet::new());
    let (mut made, mut random) = (0, 1_u64);
    let mut below = |most| {
        random = random.wrapping_mul(6_364_136_223_846_793_005) + 1;
        (random >> 33) as usize % most
    };
    let roll = Arc::new(Roll::default());
    scope::with_roll(&roll, || {
        for step in 0..if cfg!(miri) { 1_000 } else { 20_000 } {
            // There are more of them for some time, and then fewer.
            let act = below(if step / 500 % 2 == 0 { 12 } else { 8 });
            let chosen = futures.keys().nth(below(futures.len().max(1))).copied();
            let answer = below(9);
            let mut act = || match (act, chosen) {
                (8.., _) | (_, None) => {
                    made += 1;
                    let number = made;
                    let mut polls = answer;
                    let future = poll_fn(move |cx| {
                        polls += 1;
                        match polls % 9 {
                            0 => resume_unwind(Box::new("on purpose")),
                            1 => return Poll::Ready(()),
                            _ => own(wakers).push((number, cx.waker().clone())),
                        }
                        Poll::Pending
                    });
                    futures.insert(number, crate::watched(future));
                }
                (..2, Some(chosen)) => drop(futures.remove(&chosen)),
                (2..4, _) => drop(own(wakers).pop()),
                (_, Some(chosen)) => {
                    let future = Pin::new(futures.get_mut(&chosen).unwrap());
                    let mut cx = Context::from_waker(Waker::noop());
                    match catch_unwind(AssertUnwindSafe(|| future.poll(&mut cx))) {
                        Ok(Poll::Ready(())) => ready.insert(chosen),
                        Ok(Poll::Pending) => panicked.remove(&chosen),
                        Err(_) => panicked.insert(chosen),
                    };
                }
            };
            if below(5) == 0 {
                crate::hostile::elsewhere(act);
            } else {
                act();
            }
            if below(300) == 0 {
                let mut lives = &panicked - &ready;
                lives.extend(futures.keys());
                lives.extend(own(wakers).iter().map(|it| it.0));
                let list = roll.list();
                let listed: Vec<_> = list.tasks.iter().map(|it| it.0).collect();
                let forgotten = (&ready - &lives).len();
                assert_eq!(listed, Vec::from_iter(lives));
                assert_eq!((list.made, list.ready), (made, forgotten));
            }
        }
    });
}

#[test]
fn wakers_that_come_by_turns_are_known_again() {
    let makers = [(); 2].map(|()| crate::CountingWaker::new());
    let mut kept: Vec<Waker> = Vec::new();
    let poll = |cx: &mut Context<'_>| {
        kept.push(cx.waker().clone());
        Poll::<()>::Pending
    };
    // Not on the list of the other test.
    let mut future = scope::with_roll(&Arc::default(), || crate::watched(poll_fn(poll)));
    for number in 0..10 {
        let waker = makers[number % 2].waker();
        let _ = Pin::new(&mut future).poll(&mut Context::from_waker(&waker));
    }
    assert_eq!(future.watch.kept.len(), 2);
}

#[test]
fn only_a_crowd_makes_a_limit_longer() {
    let limits = ["", "15.99 2.00 1.00 3/99 7", "16.00", "42.59", "99999.0"];
    assert_eq!(limits.map(|load| stretch(load, 2)), [1, 1, 2, 5, 10]);
}

#[test]
fn the_load_of_a_machine_is_shared_by_all_of_its_processors() {
    let stat = "cpu  9 0 9 9\ncpu0 4 0 4 4\ncpu1 5 0 5 5\nintr 7 1\n";
    assert_eq!([processors(stat), processors("")], [2, 1]);
}
