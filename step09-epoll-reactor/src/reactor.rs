//! Any number of descriptors: what the kernel is asked, and which task waits for what.

mod driver;
mod readiness;
mod registered;
pub(crate) mod selector;
mod slab;
mod source;
/// Version 2: a runtime on epoll.
///
/// ```
/// use step09_epoll_reactor::{Reactor, Runtime, net::TcpListener, v2_epoll::Epoll};
///
/// let mut runtime = Runtime::with_reactor(Reactor::new(Epoll::new()?));
/// runtime.block_on(async { TcpListener::bind(([127, 0, 0, 1], 0)) })?;
/// # std::io::Result::Ok(())
/// ```
#[cfg(target_os = "linux")]
pub mod v2_epoll;
/// Version 3: a runtime for other systems too.
///
/// ```
/// use step09_epoll_reactor::{Reactor, Runtime, v3_polling::Polling};
///
/// let mut runtime = Runtime::with_reactor(Reactor::new(Polling::new()?));
/// assert_eq!(runtime.block_on(async { 6 * 7 }), 42);
/// # std::io::Result::Ok(())
/// ```
pub mod v3_polling;

pub use driver::Reactor;
pub use registered::Registered;
pub use selector::{AsIo, BorrowedIo, Direction, Event, Selector, Trigger};
pub use slab::Key;

#[cfg(target_os = "linux")]
impl v2_epoll::Epoll {
    /// A runtime that sleeps in a new epoll.
    ///
    /// # Errors
    ///
    /// As [`new`](v2_epoll::Epoll::new).
    pub fn runtime() -> std::io::Result<crate::Runtime> {
        Ok(crate::Runtime::with_reactor(Reactor::new(Self::new()?)))
    }
}
