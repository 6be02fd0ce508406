//! Three requests that know nothing of each other, awaited one after the other.

use futures::{executor::block_on, future::join_all};
use probe::Counted;
use step08_join_handle::yield_now;

// ANCHOR: program
/// A request that takes ten turns of the server.
async fn request(number: u32) -> u32 {
    for _ in 0..10 {
        yield_now().await;
    }
    number * number
}

async fn sum() -> u32 {
    let mut sum = 0;
    for number in 1..=3 {
        sum += request(number).await;
    }
    sum
}
// ANCHOR_END: program

// ANCHOR: change
async fn changed() -> u32 {
    let requests = (1..=3).map(request);
    join_all(requests).await.into_iter().sum()
}
// ANCHOR_END: change

async fn called_first() -> u32 {
    let [one, two, three] = [1, 2, 3].map(request);
    one.await + two.await + three.await
}

#[test]
fn side_by_side_they_take_the_turns_of_one() {
    fn turns(sum: impl Future<Output = u32>) -> (u32, usize) {
        let sum = Counted::new(sum);
        let counts = sum.counts();
        // Each poll but the last is a turn.
        (crate::within(|| block_on(sum)), counts.polls() - 1)
    }
    assert_eq!((turns(sum()), turns(changed())), ((14, 30), (14, 10)));
    assert_eq!(turns(called_first()), (14, 30));
}
