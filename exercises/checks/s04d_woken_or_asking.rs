use super::*;

#[test]
fn the_run_agrees_with_the_prediction() {
    let written = [
        TWO_NAPS,
        TEN_WAKES,
        FIFTH_TIME_SENT_AGAIN,
        FIFTH_TIME_WHEN_WOKEN,
    ];
    assert!(
        written.iter().all(Option::is_some),
        "Write down your prediction first: one of the four numbers is still None."
    );
    let run = |program: fn() -> usize| probe::within(Duration::from_secs(2), program);
    let wrong: String = [
        (
            "TWO_NAPS",
            TWO_NAPS,
            run(|| when_woken(two_naps())),
            "which wakes come, and when",
        ),
        (
            "TEN_WAKES",
            TEN_WAKES,
            run(|| when_woken(ten_wakes())),
            "`schedule` in executor/v3_polls_when_woken.rs",
        ),
        (
            "FIFTH_TIME_SENT_AGAIN",
            FIFTH_TIME_SENT_AGAIN,
            run(|| sent_again(fifth_time())),
            "`run` in executor/v2_sends_again.rs",
        ),
        (
            "FIFTH_TIME_WHEN_WOKEN",
            FIFTH_TIME_WHEN_WOKEN,
            run(|| when_woken(fifth_time())),
            "what could send this task to the queue again",
        ),
    ]
    .into_iter()
    .filter(|(_, written, counted, _)| *written != Some(*counted))
    .map(|(name, written, _, look_at)| {
        let written = written.unwrap_or_default();
        format!(
            "{name}: you wrote {written}, and the run counted a different number.\n  \
             To see why, look at {look_at}.\n"
        )
    })
    .collect();
    assert!(
        wrong.is_empty(),
        "{wrong}If that does not help, put a println! into the future."
    );
}
