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
