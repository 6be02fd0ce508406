#[cfg(test)]
mod tests {
    use super::*;
    use probe::{watch, within};
    use std::{
        panic::{panic_any, resume_unwind},
        sync::mpsc,
        time::Duration,
    };
    use step05_parker_block_on::block_on;

    const LIMIT: Duration = Duration::from_secs(2);

    #[derive(Debug, PartialEq)]
    struct Reason(&'static str);

    fn join<T>(handle: JoinHandle<T>) -> Result<T, Payload> {
        within(LIMIT, || block_on(watch("joins", handle)))
    }

    #[test]
    fn one_worker_serves_before_and_after_ten_panics() {
        let pool = Pool::new(1);
        assert_eq!(join(pool.spawn(async { 1 })).ok(), Some(1));
        for i in 0..10 {
            let payload = join(pool.spawn(async move { panic!("number {i}") })).unwrap_err();
            let text = payload.downcast_ref::<String>();
            assert_eq!(text, Some(&format!("number {i}")));
        }
        assert_eq!(join(pool.spawn(async { "after" })).ok(), Some("after"));
    }

    #[test]
    fn the_payload_is_handed_on_as_it_is() {
        let pool = Pool::new(1);
        let silent = async { resume_unwind(Box::new(Reason("silent"))) };
        let payload = join(pool.spawn(silent)).unwrap_err();
        assert_eq!(payload.downcast_ref::<Reason>(), Some(&Reason("silent")));
        let owned: Payload = join(pool.spawn(async { panic_any(vec![1, 2]) })).unwrap_err();
        assert_eq!(*owned.downcast::<Vec<i32>>().unwrap(), [1, 2]);
    }

    #[test]
    fn a_task_that_waits_leaves_the_worker_to_the_others() {
        let pool = Pool::new(1);
        let (sender, receiver) = oneshot::channel();
        let waits = pool.spawn(async move { panic_any(receiver.await) });
        let (ran, has_run) = mpsc::channel();
        let _detached = pool.spawn(async move {
            ran.send(()).unwrap();
            let _ = sender.send("sent by the other task");
        });
        assert_eq!(has_run.recv_timeout(LIMIT), Ok(()), "the only worker waits");
        let payload = join::<()>(waits).unwrap_err();
        let got = payload.downcast_ref::<Result<&str, oneshot::Canceled>>();
        assert_eq!(got, Some(&Ok("sent by the other task")));
    }

    #[test]
    fn a_handle_that_was_dropped_changes_nothing() {
        let pool = Pool::new(1);
        let (sender, receiver) = mpsc::channel();
        drop(pool.spawn(async { panic!("nobody waits for this one") }));
        drop(pool.spawn(async move { sender.send(7) }));
        assert_eq!(receiver.recv_timeout(LIMIT), Ok(7));
    }
}
