//! More clients than there is room for.

use std::time::Duration;

use probe::within;

use crate::{
    client::{Client, ok, request},
    server::{PATIENT, Server, TOO_LONG},
};

/// The system keeps fewer connections in line elsewhere.
#[cfg(target_os = "linux")]
mod descriptors {
    use std::{
        sync::atomic::{AtomicBool, Ordering::Relaxed},
        thread,
    };

    use rustix::process::{Resource, getrlimit, setrlimit};

    use super::*;

    const DESCRIPTORS: u64 = 1_024;
    const CLIENTS: u64 = 2_000;

    #[test]
    fn without_a_descriptor_left_it_serves_on_and_loses_nobody() {
        const FEW: u64 = 40;
        within(TOO_LONG, || {
            let server = Server::with_descriptors(&format!("{PATIENT} --connections 100"), FEW);
            let before = server.descriptors();
            let connect = |_| {
                let mut client = Client::connect(&server);
                client.send(request("/")).unwrap();
                client
            };
            let mut clients: Vec<_> = (0..60).map(connect).collect();
            // It may have inherited one beyond its limit.
            while server.descriptors() < Some(FEW as usize) {
                thread::sleep(Duration::from_millis(1));
            }
            assert_eq!(clients[0].answer().unwrap(), ok("Hello.\n"));
            // It tries again and again meanwhile.
            for _ in 0..100 {
                assert_eq!(clients[0].get("/").unwrap(), ok("Hello.\n"));
            }
            let waiting = clients.split_off(30);
            drop(clients);
            // Each one makes room for the next, because the server may have inherited many descriptors.
            for mut client in waiting {
                assert_eq!(client.answer().unwrap(), ok("Hello.\n"));
            }
            server.until_descriptors(before);
            server.stop();
        });
    }

    #[test]
    fn two_thousand_clients_share_a_thousand_places() {
        if !is_possible() {
            println!("not tried, because this process may not have {CLIENTS} descriptors");
            return;
        }
        within(TOO_LONG, || {
            let server = Server::with_descriptors("--patience 500", DESCRIPTORS);
            let before = server.descriptors();
            // Most of them wait in line from then on.
            let (is_full, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
            let mut clients = Vec::new();
            let mut other = Client::connect(&server);
            assert_eq!(other.get("/").unwrap(), ok("Hello.\n"));
            let others = thread::scope(|scope| {
                let served = scope.spawn(|| {
                    let mut served = 0;
                    while !is_over.load(Relaxed) {
                        match other.get("/") {
                            Ok(_) if is_full.load(Relaxed) => served += 1,
                            Ok(_) => {}
                            // It was too slow, if the machine is busy.
                            Err(_) => other = Client::connect(&server),
                        }
                        thread::sleep(Duration::from_millis(5));
                    }
                    served
                });
                for number in 0..CLIENTS {
                    let mut client = Client::connect(&server);
                    // It may be ended already, if the machine is busy.
                    let _ = client.send(request("/"));
                    clients.push(client);
                    is_full.store(number > DESCRIPTORS, Relaxed);
                }
                is_over.store(true, Relaxed);
                served.join().unwrap()
            });
            assert!(others > 0);
            // None of them goes away by itself: those who have been served are ended, and make room.
            let served = clients.iter_mut().filter_map(|client| client.answer().ok());
            let served = served.filter(|answer| *answer == ok("Hello.\n")).count() as u64;
            assert!(served > 3 * CLIENTS / 4, "{served} were served");
            drop((clients, other));
            server.until_descriptors(before);
            assert_eq!(Client::connect(&server).get("/").unwrap(), ok("Hello.\n"));
            server.stop();
        });
    }

    /// Whether this process may have that many, and raises its limit.
    fn is_possible() -> bool {
        let wanted = CLIENTS + 500;
        let mut limit = getrlimit(Resource::Nofile);
        if limit.current.is_none_or(|current| current >= wanted) {
            return true;
        }
        limit.current = Some(wanted);
        setrlimit(Resource::Nofile, limit).is_ok()
    }
}
