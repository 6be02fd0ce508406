#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::mpsc;
    use std::sync::{Mutex, atomic::AtomicU32, atomic::Ordering::SeqCst};
    use std::thread;
    use std::time::Duration;

    static TOLD: Mutex<Option<mpsc::Sender<()>>> = Mutex::new(None);
    static WAKES: AtomicU32 = AtomicU32::new(0);

    fn wake() {
        WAKES.fetch_add(1, SeqCst);
        if let Some(told) = &*TOLD.lock().unwrap() {
            told.send(()).unwrap();
        }
    }

    #[test]
    fn piece_after_piece_and_the_end() {
        probe::within(Duration::from_secs(2), || {
            let (sender, told) = mpsc::channel();
            *TOLD.lock().unwrap() = Some(sender);
            let (socket, peer) = Socket::pair().unwrap();
            let mut peer = Some(peer);
            for (nth, data) in (0..).zip(["one", "two", ""]) {
                let mut piece = NextPiece { socket: &socket };
                assert!(
                    matches!(piece.poll(wake), Poll::Pending),
                    "no data has been sent, and the first poll returned Ready"
                );
                // Long enough to catch a version that calls `wake` after a short time, data or not.
                thread::sleep(Duration::from_millis(50));
                assert!(
                    WAKES.load(SeqCst) == nth,
                    "`wake` was called although no data had arrived"
                );
                match data {
                    "" => drop(peer.take()),
                    _ => peer.as_mut().unwrap().write_all(data.as_bytes()).unwrap(),
                }
                let in_time = told.recv_timeout(Duration::from_secs(1));
                assert!(
                    in_time.is_ok(),
                    "{data:?} arrived, and `wake` was not called"
                );
                let answer = piece.poll(wake);
                assert!(
                    matches!(&answer, Poll::Ready(Ok(got)) if got == data.as_bytes()),
                    "{data:?} was sent, and the poll after the wake returned {answer:?}"
                );
            }
        });
    }
}
