//! `-- echo`, whose clients are not all well-behaved, and arguments that mean nothing.

// Miri starts no programs.
#![cfg(not(miri))]

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpStream},
    process::{Child, Command, Stdio},
    time::Duration,
};

use probe::within;
use socket2::SockRef;

const LIMIT: Duration = Duration::from_secs(30);

const PROGRAM: &str = env!("CARGO_BIN_EXE_step09-epoll-reactor");

/// A server that ends with the test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(command: &mut Command) -> Server {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program is there");
        let stdout = child.stdout.as_mut().expect("it is a pipe");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let address = line
            .strip_prefix("listening on ")
            .unwrap_or_else(|| panic!("{line:?}"));
        let address = address.trim_end().to_owned();
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        Server { child, address }
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.address).unwrap()
    }

    fn threads(&self) -> Option<usize> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?;
        Some(tasks.count())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn echo() -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg("echo");
    command
}

fn is_echoed(client: &mut TcpStream, text: &[u8]) {
    client.write_all(text).unwrap();
    let mut buffer = vec![0; text.len()];
    client.read_exact(&mut buffer).unwrap();
    assert_eq!(buffer, text);
}

#[test]
fn three_clients_at_once_get_their_own_bytes_back_from_one_thread() {
    within(LIMIT, || {
        let server = Server::start(&mut echo());
        let mut clients = [b"one", b"two", b"six"].map(|text| (server.connect(), text));
        for _ in 0..3 {
            for (client, text) in &mut clients {
                is_echoed(client, *text);
            }
        }
        assert!(matches!(server.threads(), None | Some(1)));
        for (client, text) in &mut clients {
            client.write_all(*text).unwrap();
            client.shutdown(Shutdown::Write).unwrap();
            let mut rest = Vec::new();
            client.read_to_end(&mut rest).unwrap();
            assert_eq!(
                rest, *text,
                "what was sent before the end comes back, and then the end"
            );
        }
    });
}

/// Writes until the server has taken nothing for a while. Returns how much it has taken.
fn fill(client: &mut TcpStream) -> usize {
    let mut sent = 0;
    client
        .set_write_timeout(Some(Duration::from_millis(50)))
        .unwrap();
    let is_full = |error: &io::Error| {
        matches!(
            error.kind(),
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
        )
    };
    loop {
        match client.write(&[7; 1 << 16]) {
            Ok(length) => sent += length,
            Err(error) if is_full(&error) => return sent,
            // With a time limit, a call that a signal has interrupted is not made again by the system.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn a_client_that_never_reads_keeps_no_other_one_waiting_and_gets_all_when_it_reads() {
    within(LIMIT, || {
        let server = Server::start(&mut echo());
        let mut never_reads = server.connect();
        let mut other = server.connect();
        let sent = fill(&mut never_reads);
        is_echoed(&mut other, b"howdy");
        never_reads.shutdown(Shutdown::Write).unwrap();
        let mut all = Vec::new();
        never_reads.read_to_end(&mut all).unwrap();
        assert_eq!(all.len(), sent);
        is_echoed(&mut other, b"howdy");
    });
}

#[test]
fn a_client_that_resets_its_connection_ends_no_other_one() {
    within(LIMIT, || {
        let server = Server::start(&mut echo());
        let mut other = server.connect();
        let mut resets = server.connect();
        is_echoed(&mut resets, b"howdy");
        SockRef::from(&resets)
            .set_linger(Some(Duration::ZERO))
            .unwrap();
        drop(resets);
        is_echoed(&mut other, b"howdy");
        is_echoed(&mut server.connect(), b"howdy");
    });
}

/// 16 descriptors are enough for the server and a few clients. Each of the others is accepted when an earlier one has gone.
#[cfg(unix)]
#[test]
fn without_a_descriptor_it_says_so_once_and_accepts_when_one_is_free() {
    within(LIMIT, || {
        let mut limited = Command::new("sh");
        limited.args(["-c", "ulimit -n 16 && exec \"$0\" echo", PROGRAM]);
        let mut server = Server::start(&mut limited);
        let clients: Vec<_> = (0..24).map(|_| server.connect()).collect();
        for mut client in clients {
            is_echoed(&mut client, b"howdy");
        }
        server.child.kill().unwrap();
        let mut said = String::new();
        let stderr = server.child.stderr.as_mut().expect("it is a pipe");
        stderr.read_to_string(&mut said).unwrap();
        assert!(
            said.starts_with("a connection cannot be accepted: "),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
    });
}

#[test]
fn wrong_arguments_are_answered_with_one_line_and_status_2() {
    let wrong: [&[&str]; 5] = [
        &["serve"],
        &[""],
        &["echo", "echo"],
        &["stdin", "--help"],
        &["-"],
    ];
    for arguments in wrong {
        let output = Command::new(PROGRAM)
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
    }
}

/// Nothing can be written to this file.
#[cfg(target_os = "linux")]
#[test]
fn a_server_that_cannot_say_where_it_listens_fails_with_one_line() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let output = echo().stdin(Stdio::null()).stdout(full).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}
