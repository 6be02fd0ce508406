#[cfg(test)]
mod tests {
    use super::*;
    use futures::executor::block_on;
    use probe::within;
    use std::cell::Cell;
    use std::hint::black_box;
    use std::marker::PhantomPinned;
    use std::pin::pin;
    use std::ptr;
    use std::task::Waker;
    use std::time::Duration;
    use step03_timer_future::{nap, self_borrow};

    #[test]
    fn around_an_async_fn_that_borrows_its_own_variable() {
        within(Duration::from_secs(2), || {
            let (letter, polls) = block_on(CountPolls::new(self_borrow(|_| {})));
            assert_eq!((letter, polls), (b'a', 2));
        });
    }

    #[test]
    fn ready_at_once_and_nested() {
        within(Duration::from_secs(2), || {
            let zero = CountPolls::new(CountPolls::new(nap(Duration::ZERO)));
            assert_eq!(block_on(zero), (("rested", 1), 1));
        });
    }

    struct Place<'a>(&'a Cell<usize>, PhantomPinned);

    impl Future for Place<'_> {
        type Output = ();

        fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
            self.0.set(ptr::from_ref(&*self).addr());
            Poll::Pending
        }
    }

    fn poll_at<F: Future>(depth: usize, future: Pin<&mut F>) {
        let _room = black_box([0; 1_000]);
        match depth {
            0 => assert!(
                future
                    .poll(&mut Context::from_waker(Waker::noop()))
                    .is_pending()
            ),
            _ => poll_at(depth - 1, future),
        }
    }

    #[test]
    fn the_child_stays_where_it_is() {
        let place = Cell::new(0);
        let mut counted = pin!(CountPolls::new(Place(&place, PhantomPinned)));
        poll_at(0, counted.as_mut());
        let first = place.take();
        poll_at(3, counted.as_mut());
        assert_eq!(place.get(), first);
        let start = ptr::from_ref(&*counted).addr();
        let is_inside = (start..start + size_of_val(&*counted)).contains(&first);
        assert!(
            !(is_inside && Moves(&*counted).freely()),
            "it is Unpin, and has a child inside that is not"
        );
    }

    struct Moves<'a, T>(&'a T);

    impl<T: Unpin> Moves<'_, T> {
        fn freely(&self) -> bool {
            true
        }
    }

    /// For the types that the method above is not for.
    trait Otherwise {
        fn freely(&self) -> bool;
    }

    impl<T> Otherwise for Moves<'_, T> {
        fn freely(&self) -> bool {
            false
        }
    }
}
