//! What happens when no descriptor is left.
//!
//! In a process of its own, to which the limit belongs.

#![cfg(target_os = "linux")]
#![cfg(not(miri))]

use std::{
    net,
    time::{Duration, Instant},
};

use futures::StreamExt;
use probe::{Counted, within};
use rustix::{
    io::Errno,
    process::{Resource, getrlimit, setrlimit},
};
use step09_epoll_reactor::{
    Reactor, Runtime,
    net::{TcpListener, TcpStream},
    v1_by_hand,
    v2_epoll::Epoll,
};

/// Lets every number be too great for a new descriptor, while `f` runs.
struct NoneLeft(rustix::process::Rlimit);

impl NoneLeft {
    fn now() -> NoneLeft {
        let usual = getrlimit(Resource::Nofile);
        let mut none = usual;
        none.current = Some(0);
        setrlimit(Resource::Nofile, none).unwrap();
        NoneLeft(usual)
    }
}

impl Drop for NoneLeft {
    fn drop(&mut self) {
        setrlimit(Resource::Nofile, self.0).unwrap();
    }
}

fn is_exhausted<T>(result: std::io::Result<T>) -> bool {
    let error = result.err().expect("no descriptor is left");
    error.raw_os_error() == Some(Errno::MFILE.raw_os_error())
}

fn test(runtime: &mut Runtime) {
    runtime.block_on(async {
        let listener = TcpListener::bind(([127, 0, 0, 1], 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let mut incoming = listener.incoming();
        let client = net::TcpStream::connect(address).unwrap();
        let none_left = NoneLeft::now();

        // Nothing can be begun, and nothing panics.
        assert!(is_exhausted(Runtime::new()));
        assert!(is_exhausted(Epoll::new()));
        assert!(is_exhausted(TcpListener::bind(([127, 0, 0, 1], 0))));
        assert!(is_exhausted(TcpStream::connect(address).await));

        // The connection cannot be accepted.
        let start = Instant::now();
        let errors = Counted::new(async {
            for _ in 0..4 {
                assert!(is_exhausted(incoming.next().await.unwrap()));
            }
        });
        let counts = errors.counts();
        errors.await;
        // Each poll tries once: the first one at once, and the other three when 50 ms are over.
        assert!(counts.polls() <= 4, "{} polls", counts.polls());
        assert!(start.elapsed() >= Duration::from_millis(150));

        // It has not been lost.
        drop(none_left);
        let server = incoming.next().await.unwrap().unwrap();
        assert_eq!(server.peer_addr().unwrap(), client.local_addr().unwrap());
    });
}

#[test]
fn incoming_backs_off_and_loses_no_connection() {
    probe::alone(|| {
        within(Duration::from_secs(30), || {
            let epoll = Epoll::new().unwrap();
            test(&mut Runtime::with_reactor(Reactor::new(epoll)));
            test(&mut Runtime::new().unwrap());
            let (ours, _theirs) = std::os::unix::net::UnixStream::pair().unwrap();
            let _none_left = NoneLeft::now();
            assert!(is_exhausted(v1_by_hand::open(ours)));
        });
    });
}
