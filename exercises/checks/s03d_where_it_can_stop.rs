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
    let counted = [
        polls(three_lines()),
        polls(two_yields()),
        polls(two_that_are_ready()),
        polls(side_by_side()),
    ];
    assert!(
        counted == [1, 3, 1, 2],
        "The functions are not what they were: take your changes back. The four constants are all that there is to write."
    );
    let names = [
        "THREE_LINES",
        "TWO_YIELDS",
        "TWO_THAT_ARE_READY",
        "SIDE_BY_SIDE",
    ];
    let wrong: String = names
        .into_iter()
        .zip(written.into_iter().zip(counted))
        .filter(|(_, (written, counted))| *written != Some(*counted))
        .map(|(name, (written, _))| {
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
