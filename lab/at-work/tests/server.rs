//! The server, stopped as a user stops it.

// Miri starts no programs, and `kill` is a program of Unix.
#![cfg(all(unix, not(miri)))]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::Duration,
};

/// No step takes so long, even on a crowded machine.
const LIMIT: Duration = Duration::from_secs(20);

/// Killed when the test is over, however it ends.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // Fails if it has exited, as it should.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    fn start() -> Server {
        let mut program = Command::new(env!("CARGO_BIN_EXE_08-server"));
        let program = program.arg("127.0.0.1:0").stdout(Stdio::piped());
        Server(program.spawn().unwrap())
    }

    fn signal(&self, signal: &str) {
        let pid = self.0.id().to_string();
        let kill = Command::new("kill").args([signal, &pid]).status();
        assert!(kill.unwrap().success());
    }
}

/// The lines that the server prints, each as soon as it is there.
fn lines(server: &mut Server) -> Receiver<String> {
    let printed = BufReader::new(server.0.stdout.take().unwrap());
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in printed.lines() {
            sender.send(line.unwrap()).unwrap();
        }
    });
    receiver
}

fn connect(address: &str) -> TcpStream {
    let client = TcpStream::connect(address).unwrap();
    client.set_read_timeout(Some(LIMIT)).unwrap();
    client
}

#[test]
fn ctrl_c_lets_it_finish_the_answer_and_exit() {
    check_that_it_finishes_the_answer_and_exits_on("-INT");
}

#[test]
fn sigterm_lets_it_finish_the_answer_and_exit() {
    check_that_it_finishes_the_answer_and_exits_on("-TERM");
}

fn check_that_it_finishes_the_answer_and_exits_on(signal: &str) {
    let mut server = Server::start();
    let printed = lines(&mut server);
    let line = printed.recv_timeout(LIMIT).unwrap();
    let address = line.strip_prefix("listening on ").unwrap();

    // A client that leaves is reported at once, and not only when the server stops.
    drop(connect(address));
    assert_eq!(printed.recv_timeout(LIMIT).unwrap(), "a client is done");

    let mut client = connect(address);
    client.write_all(b"3\n").unwrap();
    let mut first = [0; 2];
    client.read_exact(&mut first).unwrap();
    server.signal(signal);
    let mut rest = String::new();
    client.read_to_string(&mut rest).unwrap();
    assert_eq!((&first, rest.as_str()), (b"3\n", "2\n1\n0\n"));
    assert_eq!(printed.recv_timeout(LIMIT).unwrap(), "a client is done");
    // It has closed its output, so it is about to exit.
    let end = printed.recv_timeout(LIMIT);
    assert_eq!(end, Err(RecvTimeoutError::Disconnected));
    assert!(server.0.wait().unwrap().success());
}

#[test]
fn a_second_signal_ends_the_wait() {
    let mut server = Server::start();
    let printed = lines(&mut server);
    let line = printed.recv_timeout(LIMIT).unwrap();
    let mut client = connect(line.strip_prefix("listening on ").unwrap());
    client.write_all(b"1000\n").unwrap();
    let mut first = [0; 5];
    client.read_exact(&mut first).unwrap();
    // More than twice, because the server does not say when it has begun to wait for the second signal.
    while server.0.try_wait().unwrap().is_none() {
        server.signal("-TERM");
        thread::sleep(Duration::from_millis(50));
    }
    let mut answer = String::new();
    client.read_to_string(&mut answer).unwrap();
    // Without the second signal, it would wait for ten seconds, in which the client gets 200 numbers.
    let numbers = answer.lines().count();
    assert!(numbers < 150, "{numbers}");
}
