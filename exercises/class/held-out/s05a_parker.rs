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

    fn park(parker: &Arc<Parker>, when: &str) -> usize {
        let (over, is_over) = mpsc::channel();
        let parking = Arc::clone(parker);
        thread::spawn(move || {
            over.send(parking.park()).unwrap();
        });
        is_over
            .recv_timeout(LIMIT)
            .unwrap_or_else(|_| panic!("`park`, {when}: it did not return"))
    }

    #[test]
    fn five_early_unparks_end_one_sleep_and_not_two() {
        let (parker, unparks) = (Arc::new(Parker::default()), Arc::new(AtomicUsize::new(0)));
        for _ in 0..5 {
            parker.unpark();
        }
        assert_eq!(park(&parker, "unparked five times before"), 5);
        let (notifying, counting) = (Arc::clone(&parker), Arc::clone(&unparks));
        thread::spawn(move || {
            for _ in 0..10 {
                thread::sleep(Duration::from_millis(2));
                notifying.changed.notify_all();
            }
            counting.store(1, SeqCst);
            notifying.unpark();
        });
        assert_eq!(park(&parker, "after the five were used up"), 1);
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
