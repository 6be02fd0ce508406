#[cfg(test)]
mod tests {
    use super::*;
    use probe::{CountingWaker, watch, within};
    use std::{sync::mpsc, thread, time::Duration};

    const LIMIT: Duration = Duration::from_secs(2);

    fn handle() -> (Arc<Shared<String>>, Pin<Box<JoinHandle<String>>>) {
        let shared = Arc::new(Shared {
            finished: AtomicBool::new(false),
            result: Mutex::default(),
            waiting: Slot::default(),
        });
        (Arc::clone(&shared), Box::pin(JoinHandle(shared)))
    }

    #[test]
    fn a_thread_that_waits_gets_what_came_at_the_gate() {
        within(LIMIT, || {
            let (shared, handle) = handle();
            let (at_the_gate, is_at_the_gate) = mpsc::channel();
            let (finished, is_finished) = mpsc::channel();
            let locked = Arc::clone(&shared);
            shared
                .waiting
                .gates
                .lock()
                .unwrap()
                .push_back(Box::new(move || {
                    let kept_out = locked.result.try_lock().is_err();
                    at_the_gate.send(()).unwrap();
                    if !kept_out {
                        is_finished.recv().unwrap();
                    }
                }));
            let worker = thread::spawn(move || {
                is_at_the_gate.recv().unwrap();
                shared.finish("a word".to_string());
                let _ = finished.send(());
            });
            let handle = watch("finished at the gate", handle);
            assert_eq!(step05_parker_block_on::block_on(handle), "a word");
            worker.join().unwrap();
        });
    }

    #[test]
    fn the_rest_of_finish_comes_at_any_gate() {
        within(LIMIT, || {
            for gate in 0..3 {
                let (shared, mut handle) = handle();
                *shared.result.lock().unwrap() = Some("halfway".into());
                let worker = Arc::clone(&shared);
                let mut gates = shared.waiting.gates.lock().unwrap();
                gates.extend((0..gate).map(|_| Box::new(|| ()) as Box<dyn FnOnce() + Send>));
                gates.push_back(Box::new(move || {
                    worker.finished.store(true, SeqCst);
                    worker.waiting.take().into_iter().for_each(Waker::wake);
                }));
                drop(gates);
                let task = CountingWaker::new();
                let answer = handle
                    .as_mut()
                    .poll(&mut Context::from_waker(&task.waker()));
                let passed = shared.waiting.gates.lock().unwrap().is_empty();
                assert!(
                    answer.is_ready() || task.wakes() > 0 || !passed,
                    "gate {gate}"
                );
            }
        });
    }

    #[test]
    fn three_tasks_hold_the_handle_in_turn() {
        within(LIMIT, || {
            let (shared, mut handle) = handle();
            let tasks = [(); 3].map(|()| CountingWaker::new());
            for task in &tasks {
                let answer = handle
                    .as_mut()
                    .poll(&mut Context::from_waker(&task.waker()));
                assert!(answer.is_pending() && task.wakes() == 0, "too early");
            }
            shared.finish("late".into());
            assert_eq!(tasks[2].wakes(), 1, "wakes of the last task");
            let answer = handle
                .as_mut()
                .poll(&mut Context::from_waker(&tasks[1].waker()));
            assert_eq!(answer, Poll::Ready("late".into()));
            assert_eq!(tasks[2].live(), 0, "wakers left");
        });
    }

    #[test]
    fn with_threads_as_they_come() {
        within(LIMIT, || {
            for round in 0..100 {
                let (shared, handle) = handle();
                let worker = thread::spawn(move || shared.finish(round.to_string()));
                let handle = watch("as it comes", handle);
                assert_eq!(step05_parker_block_on::block_on(handle), round.to_string());
                worker.join().unwrap();
            }
        });
    }
}
