//! What is on a stack where the lines of the program are unknown, so that its own functions are among the calls.

use super::*;

fn stack(call: &str) -> [Await; 1] {
    [Await {
        lines: Vec::new(),
        calls: vec![ItemPath::from(call)],
    }]
}

#[test]
fn a_name_that_is_like_one_of_a_library_means_nothing() {
    for call in [
        "my_app::yield_now_or_later",
        "my_app::task::yield_now",
        "tokio::task::yield_now_and_then",
        "my_app::select_all",
        "my_app::stream::futures_unordered",
        "futures_util::future::select_all::SelectAll",
        "futures_concurrency_of_mine::join",
    ] {
        assert!(!gives_way(&stack(call)), "{call}");
        assert!(is_sure(&stack(call)), "{call}");
    }
}

#[test]
fn a_call_is_known_by_its_file_and_by_its_type() {
    assert!(gives_way(&stack("tokio::task::yield_now")));
    assert!(gives_way(&stack("tokio::task::yield_now::yield_now")));
    for call in [
        "futures_util::stream::futures_unordered",
        "futures_util::stream::futures_unordered::FuturesUnordered",
        "futures_util::stream::stream::flatten_unordered::FlattenUnordered",
        "futures_concurrency::future::join::tuple::Join2",
        "futures_buffered::FuturesUnorderedBounded",
    ] {
        assert!(!is_sure(&stack(call)), "{call}");
    }
}
