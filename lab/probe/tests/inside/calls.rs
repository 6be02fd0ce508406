//! Which known call is meant by the path of one.

use super::*;

fn meaning(call: &str) -> Option<&'static str> {
    meaning_of_all(&[call])
}

fn meaning_of_all(calls: &[&str]) -> Option<&'static str> {
    let stack = Await {
        lines: Vec::new(),
        calls: calls.iter().map(|&call| call.into()).collect(),
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

/// What is on the stack with `debug = "line-tables-only"`: where the compiler has named a function alone, its type is unknown.
#[test]
fn without_the_names_of_types_a_full_channel_is_not_taken_for_an_empty_one() {
    let says = |calls: &[&str], means: &str| {
        assert!(
            meaning_of_all(calls).unwrap().starts_with(means),
            "{calls:?}"
        );
    };
    let async_channel_sends = [
        "async_channel::poll_with_strategy",
        "event_listener_strategy::Send",
    ];
    says(&async_channel_sends, "no place is free");
    says(
        &["futures_channel::mpsc::poll_unparked"],
        "no place is free",
    );
    says(&["async_channel::ClosedInner"], "a receiver of the channel");
    says(
        &["futures_channel::oneshot::poll_canceled"],
        "a receiver of the channel",
    );
    says(
        &["futures_channel::mpsc::poll_next"],
        "the channel is empty",
    );
    says(&["async_channel::poll_next"], "the channel is empty");
    let flume_sends = ["flume::async::update_waker", "flume::async"];
    says(
        &flume_sends,
        "if this receives, the channel is empty; if it sends, the channel is full",
    );
}

/// What is on the stacks of hyper 1.12.
#[test]
fn a_connection_is_no_channel_that_it_uses() {
    let says = |calls: &[&str], means: &str| {
        assert!(
            meaning_of_all(calls).unwrap().starts_with(means),
            "{calls:?}"
        );
    };
    let polls_the_caller = [
        "tokio::sync::oneshot::poll_closed",
        "hyper::client::dispatch::poll_canceled",
        "hyper::proto::h1::dispatch::poll_ready",
        "hyper::client::conn::http1",
    ];
    says(&polls_the_caller, "the connection is open");
    let awaits_a_response = [
        "tokio::sync::oneshot",
        "hyper::client::conn::http1::{{closure}}",
    ];
    says(&awaits_a_response, "no response has come");
    says(&["tokio::sync::oneshot"], "the other end is still there");
}

#[test]
fn a_read_of_standard_input_is_no_task_that_is_joined() {
    let stack = Await {
        lines: Vec::new(),
        calls: [
            "tokio::runtime::task::join",
            "tokio::io::blocking",
            "tokio::io::util::lines",
        ]
        .map(Into::into)
        .into(),
    };
    let known = known(&[stack]).unwrap();
    assert!(known.means.contains("standard input"), "{}", known.means);
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
