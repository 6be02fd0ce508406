use super::*;
use futures::executor::block_on;
use std::time::Duration;
use step03_timer_future::Polls;

fn polls<T>(future: impl Future<Output = T>) -> usize {
    let polls = Polls::default();
    probe::within(Duration::from_secs(2), || block_on(polls.count(future)));
    polls.get()
}

#[test]
fn the_run_agrees_with_the_prediction() {
    let written = [THREE_LINES, TWO_YIELDS, TWO_THAT_ARE_READY, SIDE_BY_SIDE];
    assert!(
        written.iter().all(Option::is_some),
        "Write down your prediction first: one of the four numbers is still None."
    );
    let wrong: String = [
        ("THREE_LINES", THREE_LINES, polls(three_lines())),
        ("TWO_YIELDS", TWO_YIELDS, polls(two_yields())),
        (
            "TWO_THAT_ARE_READY",
            TWO_THAT_ARE_READY,
            polls(two_that_are_ready()),
        ),
        ("SIDE_BY_SIDE", SIDE_BY_SIDE, polls(side_by_side())),
    ]
    .into_iter()
    .filter(|(_, written, counted)| *written != Some(*counted))
    .map(|(name, written, _)| {
        let written = written.unwrap_or_default();
        format!("{name}: you wrote {written}, and the run counted a different number.\n")
    })
    .collect();
    assert!(
        wrong.is_empty(),
        "{wrong}To see why: at which places can the function return Pending to the executor? The first poll begins \
         it, and each Pending costs one more poll."
    );
}
