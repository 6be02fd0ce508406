//! Combinators: each polls its children, so it is an executor to them.

use contract::{Subject, suite::Promise};
use futures::{
    StreamExt,
    future::join_all,
    stream::{self, FuturesOrdered, FuturesUnordered},
};
use futures_concurrency::future::{FutureGroup, Join};

pub fn promises() -> Vec<Promise> {
    let all = |combinator| Promise::all(combinator).not_in_the_matrix();
    vec![
        Promise::all(Subject::combinator("join-all", join_all)).not_yet(
            "Below 31 children, `join_all` of futures 0.3 has one waker for all of them, and polls each one that is not ready.",
            &["only_who_is_woken"],
        ),
        Promise::all(Subject::combinator("futures-unordered", |tasks| {
            tasks.into_iter().collect::<FuturesUnordered<_>>().collect::<()>()
        })),
        all(Subject::combinator("futures-ordered", |tasks| {
            tasks.into_iter().collect::<FuturesOrdered<_>>().collect::<()>()
        })),
        // With room for all of them, because the clauses' tasks wait for each other.
        all(Subject::combinator("buffer-unordered", |tasks| {
            let count = tasks.len().max(1);
            stream::iter(tasks).buffer_unordered(count).collect::<()>()
        })),
        all(Subject::combinator("futures-concurrency-join", |tasks| tasks.join())),
        all(Subject::combinator("futures-concurrency-group", |tasks| {
            tasks.into_iter().collect::<FutureGroup<_>>().collect::<()>()
        })),
        all(Subject::combinator(
            "futures-buffered-join-all",
            futures_buffered::join_all,
        )),
        all(Subject::combinator("unicycle", |tasks| {
            tasks.into_iter().collect::<unicycle::FuturesUnordered<_>>().collect::<()>()
        })),
    ]
}
