#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        collections::HashMap,
        panic::{self, AssertUnwindSafe},
        sync::mpsc::{self, RecvTimeoutError},
        thread,
        time::Duration,
    };

    #[derive(Clone, Copy, PartialEq)]
    enum Mistake {
        None,
        /// Correct, and its keys are in no order.
        OddKeys,
        StaleWaker,
        SharedWaker,
        SharedReadiness,
        ReadySinceEver,
        ClearsBlindly,
        PlaceIsTheKey,
    }

    /// Sources whose key is the place, or a number that is used once.
    struct Other {
        mistake: Mistake,
        sockets: HashMap<u64, [State; 2]>,
        free: Vec<u64>,
        count: u64,
    }

    #[derive(Default)]
    struct State(bool, u64, Option<Waker>);

    impl Other {
        fn state(&mut self, key: Key, direction: Direction) -> &mut State {
            let at = usize::from(direction == Write);
            &mut self.sockets.get_mut(&key.0).expect("it is registered")[at]
        }
    }

    impl Sources for Other {
        fn register(&mut self) -> Key {
            self.count += 1;
            let key = match self.mistake {
                Mistake::PlaceIsTheKey => self.free.pop().unwrap_or(self.count),
                Mistake::OddKeys => self.count.wrapping_mul(0x9e37_79b9_7f4a_7c15),
                _ => self.count,
            };
            self.sockets.insert(key, Default::default());
            Key(key)
        }

        fn deregister(&mut self, key: Key) {
            self.sockets.remove(&key.0);
            self.free.push(key.0);
        }

        fn poll_ready(&mut self, key: Key, of: Direction, cx: &mut Context<'_>) -> Poll<Tick> {
            let mistake = self.mistake;
            let state = self.state(key, of);
            if state.0 {
                return Poll::Ready(Tick(state.1 + 40));
            }
            let at = if mistake == Mistake::SharedWaker {
                Write
            } else {
                of
            };
            let kept = &mut self.state(key, at).2;
            if kept.is_none() || mistake != Mistake::StaleWaker {
                kept.replace(cx.waker().clone());
            }
            Poll::Pending
        }

        fn clear(&mut self, key: Key, of: Direction, tick: Tick) {
            let mistake = self.mistake;
            let state = self.state(key, of);
            let same = state.1 + 40 == tick.0 || mistake == Mistake::ClearsBlindly;
            state.0 &= !same || mistake == Mistake::ReadySinceEver;
        }

        fn report(&mut self, key: Key, of: Direction) -> Option<Waker> {
            if !self.sockets.contains_key(&key.0) {
                return None;
            }
            let mistake = self.mistake;
            for at in [Read, Write] {
                let state = self.state(key, at);
                if at == of || mistake == Mistake::SharedReadiness {
                    state.0 = true;
                    state.1 += 1;
                }
            }
            let at = if mistake == Mistake::SharedWaker {
                Write
            } else {
                of
            };
            self.state(key, at).2.take()
        }
    }

    /// Whether the check returned, `Err` if it did not within two seconds.
    fn passes(mistake: Mistake) -> Result<bool, RecvTimeoutError> {
        let (over, is_over) = mpsc::channel();
        thread::spawn(move || {
            let mut sources = Other {
                mistake,
                sockets: HashMap::new(),
                free: Vec::new(),
                count: 0,
            };
            let checked = panic::catch_unwind(AssertUnwindSafe(|| check(&mut sources)));
            let _ = over.send(checked.is_ok());
        });
        is_over.recv_timeout(Duration::from_secs(2))
    }

    #[test]
    fn good_ones_pass_and_broken_ones_are_caught() {
        let good = || {
            for good in [Mistake::None, Mistake::OddKeys] {
                assert_eq!(passes(good), Ok(true), "good sources are refused");
            }
        };
        good();
        for (mistake, which) in [
            (Mistake::StaleWaker, "with a waker that is not the latest"),
            (Mistake::SharedWaker, "with one waker"),
            (Mistake::SharedReadiness, "with one readiness"),
            (Mistake::ReadySinceEver, "that stay ready"),
            (Mistake::ClearsBlindly, "that clear what came later"),
            (Mistake::PlaceIsTheKey, "that use a key twice"),
        ] {
            assert_eq!(passes(mistake), Ok(false), "sources {which}");
        }
        good();
    }
}
