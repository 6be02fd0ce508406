//! Hostile callbacks: the socket calls code that it does not control, so it holds no lock then, and survives a panic.
//!
//! A callback is a `fn()`, so what it works on is in a static, and one test takes the callbacks one after another.

// Miri opens no sockets.
#![cfg(not(miri))]

use std::{
    hint::black_box,
    io::{Read, Write},
    panic::{AssertUnwindSafe, catch_unwind, panic_any},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use probe::within;
use step01_simple_future::{Socket, check_every};

const LIMIT: Duration = Duration::from_secs(10);

type Act = fn(&Arc<Socket>);

const HOSTILE: [(&str, Act); 7] = [
    ("reads", |socket| drop(socket.read_buf())),
    ("sets a callback", |socket| {
        socket.set_readable_callback(|| {});
    }),
    ("sets itself again, once", |socket| {
        if CALLS.load(Ordering::SeqCst) == 1 {
            socket.set_readable_callback(callback);
        }
    }),
    ("waits for a thread that uses the socket", |socket| {
        let socket = Arc::clone(socket);
        let user = thread::spawn(move || {
            socket.set_readable_callback(|| {});
            drop(socket.read_buf());
        });
        user.join().unwrap();
    }),
    ("panics", |_| panic!("this panic belongs to the test")),
    ("panics, and so does each payload", |_| {
        panic_any(PanicsWhenDropped);
    }),
    ("has 256 KiB of locals", |_| {
        black_box([0_u8; 256 * 1024]);
    }),
];

/// Panics when it is dropped, with another one as the payload, and so on.
struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic_any(PanicsWhenDropped);
    }
}

/// What `callback` does, and to which socket.
static CASE: Mutex<Option<(Arc<Socket>, Act)>> = Mutex::new(None);
static CALLS: AtomicUsize = AtomicUsize::new(0);

fn callback() {
    CALLS.fetch_add(1, Ordering::SeqCst);
    let (socket, act) = CASE.lock().unwrap().clone().unwrap();
    act(&socket);
}

fn on_the_watchers_thread(act: Act) {
    try_out(act, |socket, mut peer| {
        socket.set_readable_callback(callback);
        peer.write_all(b"x").unwrap();
    });
}

fn at_once(act: Act) {
    try_out(act, |socket, mut peer| {
        peer.write_all(b"x").unwrap();
        probe::wait_until(|| socket.has_data_to_read());
        let set = || socket.set_readable_callback(callback);
        // On this path a panic is the caller's own, and what it carries too.
        if let Err(payload) = catch_unwind(AssertUnwindSafe(set)) {
            std::mem::forget(payload);
        }
        assert!(CALLS.load(Ordering::SeqCst) > 0);
    });
}

/// Has the callback called, and then sees whether the socket still works.
fn try_out(act: Act, have_it_called: impl FnOnce(&Socket, &std::net::TcpStream)) {
    let (socket, mut peer) = Socket::pair().unwrap();
    let socket = Arc::new(socket);
    CALLS.store(0, Ordering::SeqCst);
    *CASE.lock().unwrap() = Some((Arc::clone(&socket), act));
    have_it_called(&socket, &peer);
    probe::wait_until(|| CALLS.load(Ordering::SeqCst) > 0);
    peer.write_all(b"last").unwrap();
    let mut received = Vec::new();
    while !received.ends_with(b"last") {
        // The callback may be reading on another thread.
        received.extend(check_every(Duration::from_millis(1), || socket.read_buf()).unwrap());
    }
}

#[test]
fn a_socket_survives_every_callback_on_both_paths() {
    for (what, act) in HOSTILE {
        for (path, run) in [
            ("on the watcher's thread", on_the_watchers_thread as fn(Act)),
            ("at once", at_once),
        ] {
            // The watchdog names the thread that hangs.
            let name = format!("a callback that {what}, called {path}");
            let case = thread::Builder::new().name(name);
            let running = case.spawn(move || within(LIMIT, || run(act))).unwrap();
            running.join().unwrap();
        }
    }
}

#[test]
fn a_callback_may_read_the_data_and_drop_the_socket() {
    static SOCKET: Mutex<Option<Socket>> = Mutex::new(None);
    static READ: Mutex<Option<Vec<u8>>> = Mutex::new(None);
    fn callback() {
        let socket = SOCKET.lock().unwrap().take().unwrap();
        *READ.lock().unwrap() = socket.read_buf().ok();
    }
    within(LIMIT, || {
        let (socket, mut peer) = Socket::pair().unwrap();
        let mut place = SOCKET.lock().unwrap();
        socket.set_readable_callback(callback);
        *place = Some(socket);
        drop(place);
        peer.write_all(b"howdy!").unwrap();
        assert_eq!(peer.read(&mut [0]).unwrap(), 0, "the socket is dropped");
        assert_eq!(READ.lock().unwrap().as_deref(), Some(&b"howdy!"[..]));
    });
}

#[test]
fn a_callback_that_panics_keeps_no_other_from_being_called() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    const CALLBACKS: [fn(); 3] = [
        || {
            CALLS.fetch_add(1, Ordering::SeqCst);
            panic!("this panic belongs to the test, the first one");
        },
        || {
            CALLS.fetch_add(10, Ordering::SeqCst);
            panic!("this panic belongs to the test, the second one");
        },
        || {
            CALLS.fetch_add(100, Ordering::SeqCst);
            panic!("this panic belongs to the test, the third one");
        },
    ];
    within(LIMIT, || {
        let (socket, mut peer) = Socket::pair().unwrap();
        for callback in CALLBACKS {
            socket.set_readable_callback(callback);
        }
        peer.write_all(b"x").unwrap();
        probe::wait_until(|| CALLS.load(Ordering::SeqCst) == 111);
    });
}
