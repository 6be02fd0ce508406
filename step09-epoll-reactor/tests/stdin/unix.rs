//! What is watched: its flags, its registration and its events.

use std::{
    io::{self, Write},
    os::fd::AsFd,
};

use probe::within;
use rustix::fs::{OFlags, fcntl_getfl};
use step09_epoll_reactor::{Elapsed, block_on, stdin::Stdin, timeout};

use super::{End, SHORT, TOO_LONG, next, pipe};

#[test]
fn a_descriptor_is_never_made_non_blocking() {
    within(TOO_LONG, || {
        block_on(async {
            let (input, mut output) = pipe();
            let flags = || fcntl_getfl(&input).unwrap();
            let before = flags();
            assert!(!before.contains(OFlags::NONBLOCK));
            let mut stdin = Stdin::watch(input.try_clone().unwrap()).unwrap();
            assert!(format!("{stdin:?}").contains("Watched"));
            assert_eq!(flags(), before);
            let waited = timeout(SHORT, stdin.read_line()).await;
            assert_eq!((waited.unwrap_err(), flags()), (Elapsed, before));
            output.write_all(b"39\n").unwrap();
            next(&mut stdin).await;
            assert_eq!(flags(), before);
            drop(stdin);
            assert_eq!(flags(), before);
        });
    });
}

#[test]
fn dropped_it_is_watched_no_more_and_may_be_watched_again() {
    within(TOO_LONG, || {
        block_on(async {
            let (input, mut output) = pipe();
            let input: &'static End = Box::leak(Box::new(input));
            for _ in 0..3 {
                let mut stdin = Stdin::watch(input.as_fd()).unwrap();
                let twice = Stdin::watch(input.as_fd()).unwrap_err();
                assert_eq!(twice.kind(), io::ErrorKind::AlreadyExists);
                let waited = timeout(SHORT, stdin.read_line()).await;
                assert!(waited.is_err());
            }
            output.write_all(b"39\n").unwrap();
            let mut stdin = Stdin::watch(input.as_fd()).unwrap();
            assert_eq!(next(&mut stdin).await.as_deref(), Some("39"));
        });
    });
}

#[test]
fn when_its_runtime_has_been_dropped_it_fails() {
    within(TOO_LONG, || {
        let (input, output) = pipe();
        let mut stdin = block_on(async { Stdin::watch(input).unwrap() });
        let error = block_on(stdin.read_line()).unwrap_err();
        let text =
            "line 1: it cannot be read: the runtime of this socket or input has been dropped";
        assert_eq!(error.to_string(), text);
        drop(output);
    });
}
