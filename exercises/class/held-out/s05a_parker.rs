#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering::SeqCst},
            mpsc,
        },
        thread,
        time::Duration,
    };

    const LIMIT: Duration = Duration::from_secs(2);

    fn park(parker: &Arc<Parker>, when: &str) {
        let (over, is_over) = mpsc::channel();
        let parking = Arc::clone(parker);
        thread::spawn(move || {
            parking.park();
            over.send(()).unwrap();
        });
        assert!(
            is_over.recv_timeout(LIMIT).is_ok(),
            "`park`, {when}: it did not return"
        );
    }

    #[test]
    fn three_early_unparks_end_one_sleep_and_not_two() {
        let (parker, unparks) = (Arc::new(Parker::default()), Arc::new(AtomicUsize::new(0)));
        for _ in 0..3 {
            parker.unpark();
        }
        park(&parker, "unparked three times before");
        let (notifying, counting) = (Arc::clone(&parker), Arc::clone(&unparks));
        thread::spawn(move || {
            for _ in 0..10 {
                thread::sleep(Duration::from_millis(2));
                notifying.changed.notify_all();
            }
            counting.store(1, SeqCst);
            notifying.unpark();
        });
        park(&parker, "after the three were used up");
        assert_eq!(unparks.load(SeqCst), 1, "a sleep ended without an unpark");
    }

    #[test]
    fn twenty_rounds_of_question_and_answer() {
        let (question, answer) = (Arc::new(Parker::default()), Arc::new(Parker::default()));
        let rounds = Arc::new(AtomicUsize::new(0));
        let (asked, answering, counting) = (
            Arc::clone(&question),
            Arc::clone(&answer),
            Arc::clone(&rounds),
        );
        thread::spawn(move || {
            for round in 1..=20 {
                park(&asked, "waiting for a question");
                counting.store(round, SeqCst);
                answering.unpark();
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
    }
}
