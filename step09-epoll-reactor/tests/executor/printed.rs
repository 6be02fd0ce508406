//! What is printed goes to a writer that the stage does not control, which may use the very thing that is printed, or panic.

use std::{
    fmt::{self, Debug, Write},
    panic::{AssertUnwindSafe, catch_unwind},
};

use probe::{hostile::elsewhere, within};
use step09_epoll_reactor::{Park, Parker};

use super::{HOUR, LIMIT, poll, runtime};

/// Does something of its own each time that it is written to.
struct Acts<F>(F);

impl<F: FnMut()> Write for Acts<F> {
    fn write_str(&mut self, _text: &str) -> fmt::Result {
        (self.0)();
        Ok(())
    }
}

/// Prints a thing to a writer that uses it on another thread, and then to writers that panic, each at a later moment.
fn print(thing: &dyn Debug, uses: impl Fn() + Sync) {
    write!(Acts(|| elsewhere(&uses)), "{thing:?}").unwrap();
    let step = if cfg!(miri) { 7 } else { 1 };
    for quiet in (0..).step_by(step) {
        let mut writes = 0;
        let mut panics = Acts(|| {
            assert!(writes < quiet, "this panic belongs to the test");
            writes += 1;
        });
        let printed = catch_unwind(AssertUnwindSafe(|| write!(panics, "{thing:?}")));
        uses();
        if printed.is_ok() {
            assert!(quiet > 0, "nothing was written");
            return;
        }
    }
}

#[test]
fn a_parker() {
    within(LIMIT, || {
        let parker = Parker::default();
        print(&parker, || {
            parker.unpark();
            parker.park(None, &mut Vec::new());
        });
        assert_eq!(format!("{parker:?}"), "Parker(unparked: false)");
        parker.unpark();
        assert_eq!(format!("{parker:?}"), "Parker(unparked: true)");
    });
}

#[test]
fn a_runtime_its_handle_and_a_sleep() {
    within(LIMIT, || {
        let runtime = runtime();
        let handle = runtime.handle();
        let uses = || {
            drop(handle.spawn(async {}));
            let mut sleep = handle.sleep(HOUR);
            assert!(poll(&mut sleep, std::task::Waker::noop()).is_pending());
        };
        // A handle can be sent to the other thread, and prints all of the runtime.
        print(&handle, uses);
        let sleep = handle.sleep(HOUR);
        print(&sleep, uses);
        let printed = format!("{runtime:?}");
        assert!(printed.contains("in the queue"), "{printed}");
        assert!(printed.contains("not finished"), "{printed}");
        assert!(printed.contains("0 timers"), "{printed}");
    });
}
