//! Which known call is meant by the path of one.

use super::*;

fn meaning(call: &str) -> Option<&'static str> {
    let stack = Await {
        lines: Vec::new(),
        calls: vec![call.into()],
    };
    known(&[stack]).map(|known| known.means)
}

#[test]
fn a_full_channel_is_not_taken_for_an_empty_one() {
    for call in [
        "flume::async::SendFut",
        "async_channel::SendInner",
        "futures_channel::mpsc::Sender",
    ] {
        assert!(
            meaning(call).unwrap().starts_with("no place is free"),
            "{call}"
        );
    }
    for call in [
        "flume::async::RecvFut",
        "async_channel::RecvInner",
        "tokio::sync::mpsc::chan::recv",
    ] {
        assert!(
            meaning(call).unwrap().starts_with("the channel is empty"),
            "{call}"
        );
    }
}

#[test]
fn a_name_that_is_like_a_known_one_means_nothing() {
    for call in [
        "a_library::headlines::next",
        "a_library::egg_timer::ring",
        "a_library::is_closed",
        "a_library::syncing::mutexes",
    ] {
        assert_eq!(meaning(call), None, "{call}");
    }
}
