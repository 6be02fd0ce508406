//! How it ends.

use std::{net::TcpStream, thread, time::Duration};

use probe::within;
use rustix::process::Signal;

use crate::{
    client::{Client, ok, request},
    server::{PATIENT, Server, TOO_LONG},
};

/// A client whose answer has begun.
fn half_answered(server: &Server, path: &str) -> Client {
    let mut client = Client::connect(server);
    client.send(request(path)).unwrap();
    client.head().unwrap();
    client
}

fn until_closed(server: &Server) {
    while TcpStream::connect(server.address).is_ok() {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn after_a_signal_requests_finish_and_idle_connections_end() {
    for signal in [Signal::INT, Signal::TERM] {
        within(TOO_LONG, || {
            let server = Server::start(PATIENT);
            let mut idle = Client::connect(&server);
            assert_eq!(idle.get("/").unwrap(), ok("Hello.\n"));
            let mut never_used = Client::connect(&server);
            // Accepted after it, so it is known that the server has it.
            assert_eq!(Client::connect(&server).get("/").unwrap(), ok("Hello.\n"));
            let mut running = half_answered(&server, "/slow?100");
            server.signal(signal);
            assert_eq!(idle.rest(), "");
            assert_eq!(never_used.rest(), "");
            until_closed(&server);
            let rest = running.rest();
            assert!(rest.contains("\r\nThat was all.\n\r\n"), "{rest:?}");
            assert!(rest.ends_with("\r\n0\r\n\r\n"), "{rest:?}");
            assert_eq!(server.end(), (Some(0), String::new()));
        });
    }
}

#[test]
fn after_the_grace_it_ends_all_the_same() {
    within(TOO_LONG, || {
        let server = Server::start(&format!("{PATIENT} --grace 20"));
        let mut running = half_answered(&server, "/slow?60000");
        server.signal(Signal::INT);
        let rest = running.rest();
        assert!(!rest.contains("That was all."), "{rest:?}");
        let note = "connections that did not end in time: 1\n";
        assert_eq!(server.end(), (Some(0), note.to_owned()));
    });
}

#[test]
fn the_second_time_it_ends_at_once() {
    within(TOO_LONG, || {
        let server = Server::start(&format!("{PATIENT} --grace 60000"));
        let _running = half_answered(&server, "/slow?60000");
        server.signal(Signal::INT);
        until_closed(&server);
        server.signal(Signal::INT);
        assert_eq!(server.end(), (Some(130), String::new()));
    });
}

#[test]
fn a_wrong_option_and_an_address_in_use_take_one_line() {
    within(TOO_LONG, || {
        for wrong in ["localhost", "--patience", "--grace x", "--connections 0"] {
            let (status, errors) = Server::try_start(wrong, None).err().unwrap();
            assert_eq!((status, errors.lines().count()), (Some(2), 1), "{errors}");
        }
        let server = Server::start("");
        let again = Server::try_start(&server.address.to_string(), None);
        let (status, errors) = again.err().unwrap();
        assert_eq!((status, errors.lines().count()), (Some(1), 1), "{errors}");
        server.stop();
    });
}
