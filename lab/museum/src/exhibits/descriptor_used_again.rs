//! A reactor that knows its connections by the numbers of their descriptors.
//!
//! The kernel gives out the lowest number that is free. So a connection that was accepted a moment ago has the number of
//! one that was closed a moment ago, and an event for the old one may still be in the reactor's list.

use std::{
    collections::BTreeMap,
    io::{Read, Write},
    os::{
        fd::{AsRawFd, OwnedFd},
        unix::net::UnixStream,
    },
};

use rustix::event::epoll::{self, EventData, EventFlags};

use crate::{
    Exhibit, Fails,
    props::kernel::{self, AT_ONCE},
};

pub(crate) const EXHIBIT: Exhibit = Exhibit {
    name: "descriptor-used-again",
    title: "an event for a closed connection reaches the one that has its number now",
    was_in: "libre before creytiv/re#266; libuv, as joyent/libuv#968 describes it; here as the smallest reactor",
    breaks: "an event is for the registration that it was reported for, or for none",
    chapter: 9,
    fails: Fails::Prints("C: closed, as if its peer had hung up"),
    why: "one wait returns two events: A has a request, and the peer of B has hung up. The reactor serves A, which \
          closes B and accepts C, and C gets the number of B. So the event of B ends C. In the fixed version the \
          key also holds a generation, which is new for each registration. No connection has the key of that event \
          any more, so it is dropped.",
    passes: "C: its peer has sent 39",
    broken: || show(key_broken),
    repaired: || show(key_repaired),
};

// ANCHOR: broken
fn key_broken(connection: &UnixStream, _generation: u32) -> u64 {
    let number = connection.as_raw_fd().unsigned_abs();
    u64::from(number)
}
// ANCHOR_END: broken

// ANCHOR: repaired
/// The generation is another one for each registration.
fn key_repaired(connection: &UnixStream, generation: u32) -> u64 {
    let number = connection.as_raw_fd().unsigned_abs();
    u64::from(generation) << 32 | u64::from(number)
}
// ANCHOR_END: repaired

struct Reactor {
    key: fn(&UnixStream, u32) -> u64,
    epoll: OwnedFd,
    generation: u32,
    /// By the key that epoll reports.
    connections: BTreeMap<u64, (&'static str, UnixStream)>,
}

impl Reactor {
    /// Returns the peer's end.
    fn accept(&mut self, name: &'static str) -> UnixStream {
        let (connection, peer) = UnixStream::pair().unwrap();
        self.generation += 1;
        let key = (self.key)(&connection, self.generation);
        let data = EventData::new_u64(key);
        epoll::add(&self.epoll, &connection, data, EventFlags::IN).unwrap();
        self.connections.insert(key, (name, connection));
        peer
    }

    /// The kernel takes a descriptor that is closed out of epoll.
    fn close(&mut self, name: &str) {
        self.connections.retain(|_, connection| connection.0 != name);
    }
}

fn show(key: fn(&UnixStream, u32) -> u64) {
    let mut reactor = Reactor {
        key,
        epoll: kernel::new_epoll(),
        generation: 0,
        connections: BTreeMap::new(),
    };
    let mut peers = vec![reactor.accept("A")];
    let peer_of_b = reactor.accept("B");
    peers[0].write_all(b"close B, accept C").unwrap();
    drop(peer_of_b);
    // The first wait returns the events of A and B, in this order.
    for _ in 0..2 {
        for event in kernel::wait(&reactor.epoll, AT_ONCE).unwrap() {
            let (flags, data) = (event.flags, event.data);
            let Some((name, connection)) = reactor.connections.get_mut(&data.u64()) else {
                continue;
            };
            let name = *name;
            if flags.contains(EventFlags::HUP) {
                println!("{name}: closed, as if its peer had hung up");
                reactor.close(name);
                continue;
            }
            let mut bytes = [0; 64];
            let length = connection.read(&mut bytes).unwrap();
            if name == "A" {
                reactor.close("B");
                peers.push(reactor.accept("C"));
                peers[1].write_all(b"39").unwrap();
            } else {
                let text = String::from_utf8_lossy(&bytes[..length]);
                println!("{name}: its peer has sent {text}");
            }
        }
    }
}
