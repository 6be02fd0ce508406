//! Events at chosen moments, twice, for nothing, too late, and calls that fail.

use std::{
    cell::Cell,
    io::{self, ErrorKind},
    net::UdpSocket,
    sync::Arc,
    task::{Poll, Waker},
};

use probe::{
    CountingWaker,
    hostile::{Hostile, Moment, elsewhere},
    within,
};
use step09_epoll_reactor::{
    AsIo, BorrowedIo,
    Direction::{Read, Write},
    Handle, Registered, Trigger,
};

use super::{
    LIMIT, kind,
    scripted::{BOTH, Call, NEITHER, READ, Script, WRITE, object, on_runtime, poll_io},
};

/// With one-shot descriptors and with edges.
fn on_both(test: impl Fn(&Handle, &Script)) {
    within(LIMIT, || {
        Script::run(Trigger::OneShot, &test);
        Script::run(Trigger::Edge, &test);
    });
}

fn would_block<T>(_: &T) -> io::Result<()> {
    Err(ErrorKind::WouldBlock.into())
}

fn works<T>(_: &T) -> io::Result<()> {
    Ok(())
}

fn is_ready(poll: Poll<io::Result<()>>) -> bool {
    poll.map(Result::unwrap).is_ready()
}

/// A registered object whose task waits for these directions, and the wakers of the two.
fn waiting(
    handle: &Handle,
    directions: &[step09_epoll_reactor::Direction],
) -> (Registered<UdpSocket>, [CountingWaker; 2]) {
    let registered = handle.register(object()).unwrap();
    let wakers = [CountingWaker::new(), CountingWaker::new()];
    for &direction in directions {
        let waker = &wakers[direction as usize];
        assert!(poll_io(&registered, direction, &waker.waker(), would_block).is_pending());
    }
    (registered, wakers)
}

fn wakes(wakers: &[CountingWaker; 2]) -> [usize; 2] {
    [wakers[0].wakes(), wakers[1].wakes()]
}

#[test]
fn an_event_between_would_block_and_the_waker_is_not_lost() {
    on_both(|handle, script| {
        let registered = handle.register(object()).unwrap();
        let tries = Cell::new(0);
        let polled = poll_io(&registered, Read, Waker::noop(), |_| {
            tries.set(tries.get() + 1);
            if tries.get() == 1 {
                script.report(0, READ); // just after the kernel has said that it would block
                return Err(ErrorKind::WouldBlock.into());
            }
            Ok(())
        });
        assert!(is_ready(polled));
        assert_eq!(tries.get(), 2);
    });
}

#[test]
fn an_event_while_the_waker_is_cloned_is_not_lost() {
    on_both(|handle, script| {
        let registered = handle.register(object()).unwrap();
        let hostile = Hostile::new();
        let there = script.clone();
        hostile.arm(Moment::Clone, move || there.report(0, READ));
        let tries = Cell::new(0);
        let polled = poll_io(&registered, Read, &hostile.waker(), |_| {
            tries.set(tries.get() + 1);
            match tries.get() {
                1 => Err(ErrorKind::WouldBlock.into()),
                _ => Ok(()),
            }
        });
        assert!(is_ready(polled));
        assert!(hostile.acted());
    });
}

#[test]
fn an_event_that_comes_twice_wakes_once() {
    on_both(|handle, script| {
        let (registered, wakers) = waiting(handle, READ);
        script.report(0, READ);
        script.report(0, READ);
        assert_eq!(wakes(&wakers), [1, 0]);
        assert!(is_ready(poll_io(&registered, Read, Waker::noop(), works)));
    });
}

#[test]
fn after_an_event_for_nothing_the_task_waits_again() {
    on_both(|handle, script| {
        let (registered, [waker, _]) = waiting(handle, READ);
        for round in 1..=3 {
            script.report(0, READ);
            assert_eq!(waker.wakes(), round);
            assert!(poll_io(&registered, Read, &waker.waker(), would_block).is_pending());
        }
        script.report(0, READ);
        assert_eq!(waker.wakes(), 4);
        assert!(is_ready(poll_io(&registered, Read, Waker::noop(), works)));
    });
}

#[test]
fn an_event_of_one_direction_leaves_the_other_one_waiting() {
    on_both(|handle, script| {
        let (_registered, wakers) = waiting(handle, BOTH);
        script.report(0, WRITE);
        assert_eq!(wakes(&wakers), [0, 1]);
        script.report(0, READ);
        assert_eq!(wakes(&wakers), [1, 1]);
    });
}

#[test]
fn an_event_of_both_directions_wakes_both_tasks() {
    on_both(|handle, script| {
        let (_registered, wakers) = waiting(handle, BOTH);
        script.report(0, BOTH);
        assert_eq!(wakes(&wakers), [1, 1]);
    });
}

#[test]
fn one_shot_is_armed_for_both_tasks_and_an_edge_never() {
    on_both(|handle, script| {
        let (registered, [reader, _]) = waiting(handle, BOTH);
        // Polled once more, it waits already.
        assert!(poll_io(&registered, Read, &reader.waker(), would_block).is_pending());
        script.report(0, WRITE);
        script.report(0, READ);
        drop(registered);
        let calls = script.take_calls();
        let expected: &[Call] = match calls[0] {
            Call::Add(0, Trigger::OneShot) => &[
                Call::Arm(0, READ),
                Call::Arm(0, BOTH),
                Call::Arm(0, READ), // the event of the writer has disarmed the reader
                Call::Delete,
            ],
            _ => &[Call::Delete],
        };
        assert_eq!(&calls[1..], expected);
    });
}

#[test]
fn a_source_that_cannot_be_armed_says_so_and_keeps_no_waker() {
    within(LIMIT, || {
        Script::run(Trigger::OneShot, |handle, script| {
            let registered = handle.register(object()).unwrap();
            let waker = CountingWaker::new();
            script.fail(true);
            for _ in 0..2 {
                let polled = poll_io(&registered, Read, &waker.waker(), would_block);
                assert!(matches!(polled, Poll::Ready(Err(_))));
            }
            assert_eq!(waker.live(), 0);
            script.fail(false);
            assert!(poll_io(&registered, Read, &waker.waker(), would_block).is_pending());
        });
    });
}

#[test]
fn if_it_cannot_be_armed_again_both_tasks_are_woken_and_told() {
    within(LIMIT, || {
        Script::run(Trigger::OneShot, |handle, script| {
            let (registered, wakers) = waiting(handle, BOTH);
            script.fail(true);
            script.report(0, WRITE);
            assert_eq!(wakes(&wakers), [1, 1]);
            let polled = poll_io(&registered, Read, Waker::noop(), would_block);
            assert!(matches!(polled, Poll::Ready(Err(_))));
        });
    });
}

#[test]
fn a_wait_that_is_interrupted_is_followed_by_another() {
    on_both(|handle, script| {
        let (_registered, wakers) = waiting(handle, READ);
        script.answer(Err(ErrorKind::Interrupted.into()));
        assert_eq!(wakes(&wakers), [0, 0]);
        script.report(0, READ);
        assert_eq!(wakes(&wakers), [1, 0]);
    });
}

#[test]
fn an_event_of_a_dropped_source_wakes_no_task_in_its_place() {
    on_both(|handle, script| {
        let (gone, wakers_before) = waiting(handle, BOTH);
        drop(gone);
        let (registered, wakers) = waiting(handle, BOTH); // in the same place of the slab
        script.report(0, BOTH);
        assert_eq!((wakes(&wakers_before), wakes(&wakers)), ([0, 0], [0, 0]));
        let tried = poll_io(&registered, Read, Waker::noop(), |_| -> io::Result<()> {
            panic!("nothing has been reported")
        });
        assert!(tried.is_pending());
        script.report(1, BOTH);
        assert_eq!(wakes(&wakers)[1], 1);
    });
}

/// An object that shows whether it is still open.
struct Shown(UdpSocket, #[expect(dead_code)] Arc<()>);

#[cfg(unix)]
impl AsIo for Shown {
    fn as_fd(&self) -> BorrowedIo<'_> {
        self.0.as_fd()
    }
}

#[cfg(windows)]
impl AsIo for Shown {
    fn as_socket(&self) -> BorrowedIo<'_> {
        self.0.as_socket()
    }
}

#[test]
fn an_object_that_cannot_be_added_is_closed_at_once() {
    on_both(|handle, script| {
        let open = Arc::new(());
        script.fail(true);
        let refused = handle.register(Shown(object(), Arc::clone(&open)));
        assert_eq!(kind(refused), Some(ErrorKind::Other));
        assert_eq!(Arc::strong_count(&open), 1);
    });
}

#[test]
fn an_object_is_deleted_once_and_then_closed() {
    on_both(|handle, script| {
        let open = Arc::new(());
        let registered = handle.register(Shown(object(), Arc::clone(&open))).unwrap();
        script.take_calls();
        drop(registered);
        assert_eq!(script.take_calls(), [Call::Delete]);
        assert_eq!(Arc::strong_count(&open), 1);
    });
}

#[test]
fn a_blocking_object_that_cannot_be_armed_is_refused() {
    on_both(|handle, script| {
        let open = Arc::new(());
        let object = Shown(object(), Arc::clone(&open));
        script.fail_to_arm();
        let refused = on_runtime(handle, async { Registered::blocking(object) });
        assert_eq!(kind(refused), Some(ErrorKind::InvalidInput));
        assert_eq!(Arc::strong_count(&open), 1);
    });
}

#[test]
fn an_object_that_cannot_be_deleted_stays_open() {
    on_both(|handle, script| {
        let open = Arc::new(());
        let registered = handle.register(Shown(object(), Arc::clone(&open))).unwrap();
        script.fail(true);
        drop(registered);
        assert_eq!(Arc::strong_count(&open), 2);
    });
}

#[test]
fn a_waker_that_is_dropped_with_its_source_may_register_another() {
    on_both(|handle, _| {
        let registered = handle.register(object()).unwrap();
        let hostile = Hostile::new();
        assert!(poll_io(&registered, Read, &hostile.waker(), would_block).is_pending());
        let there = handle.clone();
        hostile.arm(Moment::Drop, move || {
            elsewhere(|| drop(there.register(object()).unwrap()));
        });
        drop(registered);
        assert!(hostile.acted());
        assert_eq!(hostile.live(), 0);
    });
}

#[test]
fn a_waker_that_is_called_or_replaced_may_use_its_source() {
    on_both(|handle, script| {
        for (place, moment) in [Moment::Wake, Moment::Drop].into_iter().enumerate() {
            let registered = Arc::new(handle.register(object()).unwrap());
            let hostile = Hostile::new();
            assert!(poll_io(&registered, Read, &hostile.waker(), would_block).is_pending());
            let there = Arc::clone(&registered);
            hostile.arm(moment, move || {
                elsewhere(|| {
                    let polled = poll_io(&there, Write, Waker::noop(), would_block);
                    assert!(polled.is_pending());
                });
            });
            match moment {
                Moment::Wake => script.report(place, READ),
                _ => assert!(poll_io(&registered, Read, Waker::noop(), would_block).is_pending()),
            }
            assert!(hostile.acted());
        }
    });
}

#[test]
fn a_blocking_object_is_tried_once_for_each_event() {
    on_both(|handle, script| {
        let registered = on_runtime(handle, async { Registered::blocking(object()) }).unwrap();
        let probed = [Call::Arm(0, READ), Call::Arm(0, NEITHER)];
        assert_eq!(script.take_calls()[1..], probed);
        let waker = CountingWaker::new();
        let tries = Cell::new(0);
        let read = |answer: fn() -> io::Result<()>| {
            poll_io(&registered, Read, &waker.waker(), |_| {
                tries.set(tries.get() + 1);
                answer()
            })
        };
        assert!(read(|| Ok(())).is_pending()); // before it is tried, it is waited for
        script.report(0, READ);
        assert!(is_ready(read(|| Ok(()))));
        assert!(read(|| Ok(())).is_pending());
        script.report(0, READ);
        // It was interrupted because it blocked: another process has taken the data.
        assert!(read(|| Err(ErrorKind::Interrupted.into())).is_pending());
        script.report(0, READ);
        assert!(is_ready(read(|| Ok(()))));
        assert_eq!((tries.get(), waker.wakes()), (3, 3));
    });
}

/// A listener that has as many connections as it may have, so that its system answers no other for now.
#[cfg(target_os = "linux")]
#[test]
fn an_event_before_the_connection_is_made_does_not_end_connect() {
    use std::{future::Future, net::TcpStream as Client, pin::Pin, task::Context, thread};

    use step09_epoll_reactor::net::TcpStream;

    on_both(|handle, script| {
        let listener = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None);
        let listener = listener.unwrap();
        listener.bind(&super::ANY.into()).unwrap();
        listener.listen(0).unwrap();
        let address = listener.local_addr().unwrap().as_socket().unwrap();
        let _first = Client::connect(address).unwrap();

        let mut connect = handle.spawn(TcpStream::connect(address));
        while script.take_calls().is_empty() {
            thread::yield_now(); // until it has been added
        }
        for _ in 0..2 {
            script.report(0, WRITE);
            let mut cx = Context::from_waker(Waker::noop());
            assert!(Pin::new(&mut connect).poll(&mut cx).is_pending());
        }
    });
}
