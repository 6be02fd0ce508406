//! As `std::sync::atomic`.

pub use std::sync::atomic::{Ordering, fence};

use crate::plan::{What, step};

macro_rules! word {
    ($name:ident, $value:ty, $($method:ident)*) => {
        #[derive(Debug, Default)]
        pub struct $name(std::sync::atomic::$name);

        impl $name {
            pub const fn new(value: $value) -> Self {
                Self(std::sync::atomic::$name::new(value))
            }

            pub fn get_mut(&mut self) -> &mut $value {
                self.0.get_mut()
            }

            #[track_caller]
            pub fn load(&self, order: Ordering) -> $value {
                step(What::Word);
                self.0.load(order)
            }

            #[track_caller]
            pub fn store(&self, value: $value, order: Ordering) {
                step(What::Word);
                self.0.store(value, order);
            }

            $(
                #[track_caller]
                pub fn $method(&self, value: $value, order: Ordering) -> $value {
                    step(What::Word);
                    self.0.$method(value, order)
                }
            )*

            #[track_caller]
            pub fn compare_exchange(
                &self,
                old: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                step(What::Word);
                self.0.compare_exchange(old, new, success, failure)
            }

            #[track_caller]
            pub fn compare_exchange_weak(
                &self,
                old: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                step(What::Word);
                self.0.compare_exchange_weak(old, new, success, failure)
            }

            #[track_caller]
            pub fn fetch_update(
                &self,
                set: Ordering,
                fetch: Ordering,
                f: impl FnMut($value) -> Option<$value>,
            ) -> Result<$value, $value> {
                step(What::Word);
                self.0.fetch_update(set, fetch, f)
            }
        }
    };
}

word!(AtomicBool, bool, swap fetch_and fetch_or fetch_xor);
word!(AtomicU8, u8, swap fetch_add fetch_sub fetch_and fetch_or fetch_xor fetch_max fetch_min);
word!(AtomicU32, u32, swap fetch_add fetch_sub fetch_and fetch_or fetch_xor fetch_max fetch_min);
word!(AtomicU64, u64, swap fetch_add fetch_sub fetch_and fetch_or fetch_xor fetch_max fetch_min);
word!(AtomicUsize, usize, swap fetch_add fetch_sub fetch_and fetch_or fetch_xor fetch_max fetch_min);
