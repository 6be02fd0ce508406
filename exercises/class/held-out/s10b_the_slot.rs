#[cfg(test)]
mod tests {
    use super::*;
    use probe::within;
    use std::time::Duration;

    const LIMIT: Duration = Duration::from_secs(2);

    #[test]
    fn the_earlier_woken_go_back_in_their_order() {
        within(LIMIT, || {
            let (mut worker, mut injector) = (Worker::default(), VecDeque::from([50, 60]));
            worker.push(20, Why::Yielded);
            (10..14).for_each(|task| worker.push(task, Why::Woken));
            worker.push(30, Why::Yielded);
            let polled: Vec<_> = (0..9).map_while(|_| worker.next(&mut injector)).collect();
            assert_eq!(polled, [13, 20, 10, 11, 12, 30, 50, 60]);
        });
    }

    #[test]
    fn one_that_is_woken_by_each_of_its_polls_shares_with_the_queue() {
        within(LIMIT, || {
            let (mut worker, mut injector) = (Worker::default(), VecDeque::new());
            worker.push(1, Why::Woken);
            (10..20).for_each(|task| worker.push(task, Why::Yielded));
            let mut polled = Vec::new();
            while polled.len() < 40 {
                let task = worker.next(&mut injector).expect("a task waits");
                // A thread has woken it meanwhile.
                if task == 1 {
                    worker.push(1, Why::Woken);
                }
                polled.push(task);
            }
            let mut wanted = vec![1, 1, 1];
            wanted.extend(10..20);
            wanted.resize(40, 1);
            assert_eq!(polled, wanted);
        });
    }

    #[test]
    fn three_in_a_row_again_and_again() {
        within(LIMIT, || {
            let (mut worker, mut injector) = (Worker::default(), VecDeque::new());
            for _ in 0..15 {
                (10..12).for_each(|task| worker.push(task, Why::Yielded));
                worker.push(1, Why::Woken);
                let mut polled = Vec::new();
                for _ in 0..6 {
                    let task = worker.next(&mut injector);
                    if let Some(task @ 1..=3) = task {
                        worker.push(task + 1, Why::Woken);
                    }
                    polled.extend(task);
                }
                assert_eq!(polled, [1, 2, 3, 10, 11, 4]);
            }
        });
    }

    #[test]
    fn what_comes_from_outside_has_its_turn_whatever_the_others_do() {
        within(LIMIT, || {
            for why in [Why::Woken, Why::Yielded] {
                let (mut worker, mut injector) = (Worker::default(), VecDeque::new());
                worker.push(1, why);
                let mut calls = Vec::new();
                for call in 1..=300 {
                    if call == 100 {
                        injector.extend([7, 8]);
                    }
                    match worker.next(&mut injector).expect("task 1 is there") {
                        1 => worker.push(1, why),
                        _ => calls.push(call),
                    }
                }
                assert_eq!(calls, [122, 183], "{why:?}");
            }
        });
    }
}
