//! What the channels have in common, as the macros that each of them calls.

/// What a wait at an end of a channel has got.
pub(super) trait Got {
    /// How many messages of a channel in which each is received once.
    fn messages(&self) -> usize {
        0
    }
}

impl Got for () {}

impl<T, E> Got for Result<T, E> {}

impl<T> Got for Option<T> {
    fn messages(&self) -> usize {
        usize::from(self.is_some())
    }
}

impl Got for usize {
    fn messages(&self) -> usize {
        *self
    }
}

/// An end is tokio's own again, or one of tokio's is watched from now on.
macro_rules! into_ends {
    ($($end:ident $mine:ident $others:ident;)*) => {$(
        impl<T> From<End<plain::$end<T>>> for plain::$end<T> {
            #[track_caller]
            fn from(end: End<plain::$end<T>>) -> Self {
                end.mine.stop_watching(Location::caller());
                end.others.0.stop_counting();
                end.inner
            }
        }

        impl<T> From<plain::$end<T>> for End<plain::$end<T>> {
            #[track_caller]
            fn from(inner: plain::$end<T>) -> Self {
                let at = Location::caller();
                let [mine, others] = Resource::ends([ResourceKind::$mine, ResourceKind::$others], at);
                End::made(inner, at, &mine, &others)
            }
        }
    )*};
}

/// Weak senders of this channel.
macro_rules! weak_ends {
    ($($weak:ident of $sender:ident;)*) => {$(
        pub type $weak<T> = WeakEnd<plain::$weak<T>>;

        impl<T> $weak<T> {
            #[track_caller]
            pub fn upgrade(&self) -> Option<$sender<T>> {
                let inner = self.inner.upgrade()?;
                Some(End::made(inner, Location::caller(), &self.mine, &self.others))
            }
        }

        impl<T> $sender<T> {
            pub fn downgrade(&self) -> $weak<T> {
                WeakEnd {
                    inner: self.inner.downgrade(),
                    mine: self.mine.0.clone(),
                    others: self.others.clone(),
                }
            }
        }
    )*};
}

/// What waits at one end of a channel for who has the other.
macro_rules! at_end {
    ($($name:ident($this:ty $(, $with:ident: $of:ty)*) => $output:ty $(, $is_over:ident)? ;)*) => {$(
        #[track_caller]
        pub fn $name(self: $this $(, $with: $of)*) -> impl Future<Output = $output> {
            let at = Location::caller();
            async move {
                self.mine.move_here(at);
                let got = self.others.wait_many(1, self.inner.$name($($with),*), at).await;
                $(if got.$is_over() {
                    self.others.asked_in_vain(at);
                })?
                self.others.0.count_received(got.messages());
                got
            }
        }
    )*};
}

/// A channel and its two ends. Who waits at one end waits for who has the other.
macro_rules! ends {
    ($channel:ident($($room:ident: $size:ty)?) $sender:ident $receiver:ident; $waits:ident $(, $blocks:ident)? => $output:ty, $is_over:ident $(, $bound:ident)? $(; $subscribe:ident)?;) => {
        pub type $sender<T> = End<plain::$sender<T>>;
        pub type $receiver<T> = End<plain::$receiver<T>>;

        #[track_caller]
        pub fn $channel<T $(: $bound)?>($($room: $size)?) -> ($sender<T>, $receiver<T>) {
            end::ends(plain::$channel($($room)?), Location::caller())
        }

        impl<T $(: $bound)?> $receiver<T> {
            at_end! { $waits(&mut Self) => $output, $is_over; }

            $(#[track_caller]
            pub fn $blocks(&mut self) -> $output {
                let at = Location::caller();
                self.mine.move_here(at);
                let got = self.others.block(at, || self.inner.$blocks());
                self.others.0.count_received(got.messages());
                got
            })?
        }

        impl<T> $sender<T> {
            at_end! { closed(&Self) => (); }

            $(#[track_caller]
            pub fn $subscribe(&self) -> $receiver<T> {
                let inner = self.inner.$subscribe();
                End::made(inner, Location::caller(), &self.others, &self.mine.0)
            })?
        }
    };
}

pub(super) use {at_end, ends, into_ends, weak_ends};
