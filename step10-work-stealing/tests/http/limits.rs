//! More clients than there is room for.

use std::time::Duration;

use probe::within;

use crate::{
    client::{Client, ok, request},
    server::{PATIENT, Server, TOO_LONG},
};

#[test]
fn who_finds_no_place_waits_for_one() {
    within(TOO_LONG, || {
        let server = Server::start(&format!("{PATIENT} --connections 2"));
        let [mut first, second] = [(); 2].map(|()| {
            let mut client = Client::connect(&server);
            assert_eq!(client.get("/").unwrap(), ok("Hello.\n"));
            client
        });
        let mut third = Client::connect(&server);
        third.send(request("/")).unwrap();
        assert!(third.is_silent_for(Duration::from_millis(20)));
        assert_eq!(first.get("/").unwrap(), ok("Hello.\n"));
        drop(second);
        assert_eq!(third.answer().unwrap(), ok("Hello.\n"));
        drop((first, third));
        for _ in 0..10 {
            assert_eq!(Client::connect(&server).get("/").unwrap(), ok("Hello.\n"));
        }
        server.stop();
    });
}

/// The system keeps fewer connections in line elsewhere.
#[cfg(target_os = "linux")]
mod descriptors {
    use rustix::process::{Resource, getrlimit, setrlimit};

    use super::*;

    const DESCRIPTORS: u64 = 1_024;
    const CLIENTS: u64 = 2_000;

    #[test]
    fn two_thousand_clients_share_a_thousand_places() {
        two_thousand_clients("");
    }

    #[test]
    fn two_thousand_clients_take_all_descriptors() {
        two_thousand_clients("--connections 3000");
    }

    fn two_thousand_clients(options: &str) {
        if !is_possible() {
            println!("not tried, because this process may not have {CLIENTS} descriptors");
            return;
        }
        within(TOO_LONG, || {
            let options = format!("{options} --patience 1000");
            let server = Server::with_descriptors(&options, DESCRIPTORS);
            let before = server.descriptors();
            let mut others = 0;
            let mut clients = Vec::new();
            let mut other = Client::connect(&server);
            for number in 0..CLIENTS {
                let mut client = Client::connect(&server);
                // It may be ended already, if the machine is busy.
                let _ = client.send(request("/"));
                clients.push(client);
                if number % 20 == 0 {
                    others += usize::from(other.get("/").is_ok());
                }
            }
            assert!(others > 0);
            let served = |client: &mut Client| client.answer().is_ok_and(|it| it == ok("Hello.\n"));
            // None of them goes away by itself: those who have been served are ended, and make room.
            let served = clients.iter_mut().map(served).filter(|served| *served);
            let served = served.count() as u64;
            assert!(served > 3 * CLIENTS / 4, "{served} were served");
            drop((clients, other));
            server.until_descriptors(before);
            assert_eq!(Client::connect(&server).get("/").unwrap(), ok("Hello.\n"));
            server.stop();
        });
    }

    /// Whether this process may have that many, for two such tests at a time, and raises its limit.
    fn is_possible() -> bool {
        let wanted = 2 * CLIENTS + 500;
        let mut limit = getrlimit(Resource::Nofile);
        if limit.current.is_none_or(|current| current >= wanted) {
            return true;
        }
        limit.current = Some(wanted);
        setrlimit(Resource::Nofile, limit).is_ok()
    }
}
