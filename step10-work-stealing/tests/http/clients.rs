//! Clients that behave, are slow, vanish, or send something else.

use std::{thread, time::Duration};

use probe::within;

use crate::{
    client::{Client, ok, request},
    server::{PATIENT, Server, TOO_LONG},
};

/// Little, so that the tests need not wait long.
const IMPATIENT: &str = "--patience 200";

#[test]
fn each_path_has_its_answer() {
    within(TOO_LONG, || {
        let server = Server::start(PATIENT);
        assert_eq!(Client::connect(&server).get("/").unwrap(), ok("Hello.\n"));
        let work = Client::connect(&server).get("/work").unwrap();
        assert!(work.body.starts_with("1229 primes below 10000"), "{work:?}");
        let big = Client::connect(&server).get("/big").unwrap();
        assert!(big.body.len() == 16 << 20 && big.body.bytes().all(|byte| byte == b'.'));
        assert_eq!(Client::connect(&server).get("/no").unwrap().status, 404);
        server.stop();
    });
}

#[test]
fn requests_that_come_together_are_answered_in_their_order() {
    within(TOO_LONG, || {
        let server = Server::start(PATIENT);
        let mut client = Client::connect(&server);
        let together = ["/no", "/work", "/"].map(request).concat();
        client.send(together).unwrap();
        assert_eq!(client.answer().unwrap().status, 404);
        assert!(client.answer().unwrap().body.contains(" primes "));
        assert_eq!(client.answer().unwrap(), ok("Hello.\n"));
        server.stop();
    });
}

#[test]
fn a_slow_sender_is_ended_and_others_are_served_meanwhile() {
    within(TOO_LONG, || {
        let server = Server::start(IMPATIENT);
        let before = server.descriptors();
        let (mut slow, mut served) = (Client::connect(&server), 0);
        // It never comes to the end.
        for byte in request("/")
            .bytes()
            .cycle()
            .filter(|byte| *byte != b'\r' && *byte != b'\n')
        {
            if slow.send([byte]).is_err() {
                break;
            }
            // The others too may be too slow, if the machine is busy.
            let other = Client::connect(&server).get("/");
            served += usize::from(other.is_ok_and(|answer| answer == ok("Hello.\n")));
            thread::sleep(Duration::from_millis(5));
        }
        assert!(served > 0);
        server.until_descriptors(before);
        server.stop();
    });
}

#[test]
fn who_sends_nothing_is_ended() {
    within(TOO_LONG, || {
        let server = Server::start(IMPATIENT);
        assert_eq!(Client::connect(&server).rest(), "");
        server.stop();
    });
}

#[cfg(target_os = "linux")] // the others do not tell when the server has closed it
#[test]
fn a_slow_reader_is_ended() {
    within(TOO_LONG, || {
        let server = Server::start(IMPATIENT);
        let before = server.descriptors();
        let mut client = Client::connect(&server);
        while client.send(request("/big")).is_err() || client.head().is_err() {
            client = Client::connect(&server);
        }
        server.until_descriptors(before);
        assert!(client.rest().len() < 16 << 20);
        server.stop();
    });
}

#[test]
fn who_vanishes_leaves_nothing_behind() {
    within(TOO_LONG, || {
        let server = Server::start(PATIENT);
        let before = server.descriptors();
        for sent in [
            "",
            "G",
            "GET / HTTP/1.1\r\nHo",
            "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n12",
        ] {
            for _ in 0..20 {
                Client::connect(&server).send(sent).unwrap();
            }
        }
        for path in ["/", "/work", "/big", "/slow?60000"] {
            for _ in 0..5 {
                Client::connect(&server).send(request(path)).unwrap();
                let mut client = Client::connect(&server);
                client.send(request(path)).unwrap();
                client.head().unwrap();
            }
        }
        assert_eq!(Client::connect(&server).get("/").unwrap(), ok("Hello.\n"));
        server.until_descriptors(before);
        server.stop();
    });
}

#[test]
fn garbage_is_refused() {
    within(TOO_LONG, || {
        let server = Server::start(PATIENT);
        for garbage in [
            "\0\u{1}\u{2}\r\n\r\n",
            "HELLO\r\n\r\n",
            "\u{16}\u{3}\u{1} a TLS greeting\r\n\r\n",
        ] {
            let mut client = Client::connect(&server);
            client.send(garbage).unwrap();
            let answer = client.rest();
            assert!(
                answer.starts_with("HTTP/1.1 400 Bad Request\r\n"),
                "{answer:?}"
            );
        }
        server.stop();
    });
}

#[test]
fn a_huge_head_is_refused_and_takes_little_memory() {
    const CLIENTS: usize = 100;
    within(TOO_LONG, || {
        let server = Server::start(PATIENT);
        let descriptors = server.descriptors();
        assert_eq!(Client::connect(&server).get("/").unwrap(), ok("Hello.\n"));
        let memory = server.most_memory();
        let mut clients: Vec<_> = (0..CLIENTS).map(|_| Client::connect(&server)).collect();
        // All at the same time.
        for client in &mut clients {
            client.send("GET / HTTP/1.1\r\nHost: me\r\nLong: ").unwrap();
        }
        for _ in 0..1 << 6 {
            for client in &mut clients {
                // It fails if the client has been refused already.
                let _ = client.send([b'x'; 1 << 14]);
            }
        }
        let refused = "HTTP/1.1 431 Request Header Fields Too Large\r\n";
        let answers: Vec<_> = clients.iter_mut().map(Client::rest).collect();
        for answer in &answers {
            // It may have been thrown away together with the connection.
            assert!(
                answer.is_empty() || answer.starts_with(refused),
                "{answer:?}"
            );
        }
        assert!(answers.iter().any(|answer| answer.starts_with(refused)));
        if let (Some(before), Some(after)) = (memory, server.most_memory()) {
            assert!(after - before < 8_000, "{before} KiB, then {after} KiB");
        }
        assert_eq!(Client::connect(&server).get("/").unwrap(), ok("Hello.\n"));
        server.until_descriptors(descriptors);
        server.stop();
    });
}
