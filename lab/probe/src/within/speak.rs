//! A message on standard error, even if another thread holds that and hangs.

use std::{io::Write, sync::mpsc, thread, time::Duration};

/// So long a message may take, in case another thread holds standard error.
const TO_SPEAK: Duration = Duration::from_secs(1);

/// Writes to standard error, and does not wait forever for another thread that holds it.
pub(super) fn speak(text: String) {
    let text: &'static str = text.leak();
    // The handle itself, not `eprintln!`: what that prints is kept by the test harness, and would be lost here.
    let speak = || {
        let _ = std::io::stderr().write_all(text.as_bytes());
    };
    let (said, is_said) = mpsc::channel();
    let speaker = thread::Builder::new().spawn(move || {
        let _ = said.send(());
        speak();
        let _ = said.send(());
    });
    match speaker {
        Ok(_) => {
            // On a busy machine, a thread may take longer than that to begin.
            let has_begun = is_said.recv().is_ok();
            if has_begun {
                let _ = is_said.recv_timeout(TO_SPEAK);
            }
        }
        // What hangs may have taken all threads.
        Err(_) => speak(),
    }
}
