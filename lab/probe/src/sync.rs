//! The standard library's lock, condition variable and atomic words, which write down what is done to them, and where.
//!
//! A crate under test takes them in the place of std's under a `cfg` of its own, as it takes loom's under `--cfg loom`. A helper that should not
//! be the place itself, but its caller, is `#[track_caller]`.

pub use crate::{Condvar, Mutex, MutexGuard};

/// As `std::sync::atomic`.
#[expect(missing_docs, reason = "each method is as the standard library's")]
pub mod atomic {
    use std::panic::Location;
    pub use std::sync::atomic::{Ordering, fence};

    use crate::{gap, see::recorder::change};

    macro_rules! word {
        ($name:ident $(<$T:ident>)?, $value:ty, $number:expr, $($method:ident)*) => {
            /// The standard library's, with its changes written down.
            #[derive(Debug)]
            pub struct $name $(<$T>)?(std::sync::atomic::$name $(<$T>)?);

            impl $(<$T>)? Default for $name $(<$T>)? { fn default() -> Self { Self(Default::default()) } }

            impl $(<$T>)? $name $(<$T>)? {
                /// A word with this value.
                pub const fn new(value: $value) -> Self {
                    Self(std::sync::atomic::$name::new(value))
                }

                /// Reads it, which changes nothing.
                pub fn load(&self, order: Ordering) -> $value {
                    let value = self.0.load(order);
                    gap::pass_each();
                    value
                }

                #[track_caller]
                fn change<R>(&self, change_it: impl FnOnce(&std::sync::atomic::$name $(<$T>)?) -> R) -> R {
                    let now = || $number(self.0.load(Ordering::Relaxed));
                    let address = (&raw const self.0).addr();
                    let result = change(address, Location::caller(), now, || change_it(&self.0));
                    gap::pass_each();
                    result
                }

                $(
                    #[track_caller]
                    pub fn $method(&self, value: $value, order: Ordering) -> $value {
                        self.change(|word| word.$method(value, order))
                    }
                )*

                #[track_caller]
                pub fn store(&self, value: $value, order: Ordering) {
                    self.change(|word| word.store(value, order));
                }

                #[track_caller]
                pub fn fetch_update(
                    &self,
                    set: Ordering,
                    fetch: Ordering,
                    f: impl FnMut($value) -> Option<$value>,
                ) -> Result<$value, $value> {
                    self.change(|word| word.fetch_update(set, fetch, f))
                }
            }
        };
    }

    word!(AtomicBool, bool, u64::from, swap fetch_and fetch_or fetch_xor);
    word!(AtomicUsize, usize, |word| word as u64, swap fetch_add fetch_sub fetch_and fetch_or fetch_xor fetch_max);
    word!(AtomicU64, u64, u64::from, swap fetch_add fetch_sub fetch_and fetch_or fetch_xor fetch_max);
    // Of a pointer, which is another one in each run: whether there is one.
    word!(
        AtomicPtr<T>,
        *mut T,
        |pointer: *mut T| u64::from(!pointer.is_null()),
        swap
    );
}
