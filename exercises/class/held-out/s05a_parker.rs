#[cfg(test)]
mod tests {
    use super::*;
    use probe::{watch, within};
    use std::{
        sync::atomic::{AtomicUsize, Ordering::SeqCst},
        thread,
        time::Duration,
    };
    use step05_parker_block_on::block_on;

    fn park(parker: &Parker, when: &str) {
        within(Duration::from_secs(2), || {
            block_on(watch(format!("park, {when}"), async { parker.park() }));
        });
    }

    #[test]
    fn three_early_calls_end_one_sleep_and_not_two() {
        let (parker, calls) = (Parker::default(), AtomicUsize::new(0));
        for _ in 0..3 {
            parker.unpark();
        }
        park(&parker, "called three times before");
        thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..10 {
                    thread::sleep(Duration::from_millis(2));
                    parker.changed.notify_all();
                }
                calls.store(1, SeqCst);
                parker.unpark();
            });
            park(&parker, "after the three were answered");
            assert_eq!(
                calls.load(SeqCst),
                1,
                "a sleep ended that nobody had called an end to"
            );
        });
    }

    #[test]
    fn twenty_rounds_of_question_and_answer() {
        let (question, answer) = (Parker::default(), Parker::default());
        let rounds = AtomicUsize::new(0);
        thread::scope(|scope| {
            scope.spawn(|| {
                for round in 1..=20 {
                    park(&question, "waiting for a question");
                    rounds.store(round, SeqCst);
                    answer.unpark();
                }
            });
            for round in 1..=20 {
                question.unpark();
                park(&answer, "waiting for an answer");
                assert_eq!(
                    rounds.load(SeqCst),
                    round,
                    "an answer came before its question"
                );
            }
        });
    }
}
