//! The echo server as a program. How its sockets behave is tested in `io/`.

// Miri starts no programs.
#![cfg(all(unix, not(miri)))]

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpStream},
    process::{Command, Stdio},
    time::Duration,
};

use probe::within;

/// 16 descriptors are enough for the server and a few clients. Each of the others is accepted when an earlier one has gone.
#[test]
fn it_serves_many_clients_and_says_once_if_it_cannot() {
    within(Duration::from_secs(30), || {
        let mut server = Command::new("sh")
            .args([
                "-c",
                "ulimit -n 16 && exec \"$0\"",
                env!("CARGO_BIN_EXE_echo"),
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = server.stdout.as_mut().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("listening on ").unwrap();
        let clients: Vec<_> = (0..24).map(|_| TcpStream::connect(address)).collect();
        for (client, number) in clients.into_iter().zip(0_u32..) {
            let mut client = client.unwrap();
            client.write_all(&number.to_ne_bytes()).unwrap();
            client.shutdown(Shutdown::Write).unwrap();
            let mut echo = Vec::new();
            client.read_to_end(&mut echo).unwrap();
            assert_eq!(echo, number.to_ne_bytes());
        }
        server.kill().unwrap();
        let said = server.wait_with_output().unwrap().stderr;
        let said = String::from_utf8(said).unwrap();
        let start = "a connection cannot be accepted: ";
        assert!(
            said.starts_with(start) && said.lines().count() == 1,
            "{said}"
        );
    });
}
