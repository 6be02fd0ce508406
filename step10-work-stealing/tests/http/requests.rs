//! Clients that behave.

use probe::within;

use crate::{
    client::{Client, ok, request},
    server::{PATIENT, Server, TOO_LONG},
};

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
fn a_connection_serves_many_requests() {
    within(TOO_LONG, || {
        let server = Server::start(PATIENT);
        let mut client = Client::connect(&server);
        for _ in 0..200 {
            assert_eq!(client.get("/").unwrap(), ok("Hello.\n"));
        }
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
fn a_body_that_nobody_reads_ends_the_connection() {
    within(TOO_LONG, || {
        let server = Server::start(PATIENT);
        let mut client = Client::connect(&server);
        let head = "POST / HTTP/1.1\r\nHost: me\r\nContent-Length: 1000000\r\n\r\nthe first few";
        client.send(head).unwrap();
        assert_eq!(client.answer().unwrap(), ok("Hello.\n"));
        assert_eq!(client.rest(), "");
        server.stop();
    });
}
