#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::mpsc;
    use std::sync::{Mutex, atomic::AtomicU32, atomic::Ordering::SeqCst};
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
            for (nth, data) in ["one", "two", ""].into_iter().enumerate() {
                let mut piece = NextPiece { socket: &socket };
                assert!(matches!(piece.poll(wake), Poll::Pending));
                assert_eq!(WAKES.load(SeqCst) as usize, nth, "woken for nothing");
                match data {
                    "" => drop(peer.take()),
                    _ => peer.as_mut().unwrap().write_all(data.as_bytes()).unwrap(),
                }
                let in_time = told.recv_timeout(Duration::from_secs(1));
                assert!(in_time.is_ok(), "{data:?} came, and nobody called `wake`");
                let answer = piece.poll(wake);
                assert!(matches!(&answer, Poll::Ready(Ok(got)) if got == data.as_bytes()));
            }
        });
    }
}
