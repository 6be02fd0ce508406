//! The lock and the words that write down what is done to them.

use why_pending::{
    Mutex, Recorder, What,
    sync::atomic::{AtomicPtr, AtomicUsize, Ordering::SeqCst},
};

#[test]
fn what_is_done_to_a_word_and_a_lock_has_its_line() {
    #[track_caller]
    fn set(word: &AtomicUsize) {
        word.fetch_or(0b100, SeqCst);
    }

    let (word, lock, begin) = (AtomicUsize::new(1), Mutex::new(()), line!());
    let recorder = Recorder::start();
    recorder.everywhere();
    set(&word);
    assert!(word.fetch_update(SeqCst, SeqCst, |_| None).is_err());
    drop(lock.lock());
    AtomicPtr::default().store(&mut 7, SeqCst);
    let mut events = recorder.finish().events;
    events.retain(|it| !it.place.is_empty());
    let seen = events.into_iter().map(|event| {
        let (file, line) = event.place.rsplit_once(':').unwrap();
        assert!(file.ends_with("lab/probe/tests/sync.rs"), "{file}");
        (event.what, line.parse::<u32>().unwrap() - begin)
    });
    let seen: Vec<_> = seen.collect();
    let word = |word, before, after| What::Word {
        word,
        before,
        after,
    };
    let wanted = [
        (word(1, 0b001, 0b101), 3),
        (word(1, 0b101, 0b101), 4),
        (What::Lock { lock: 2 }, 5),
        (What::Unlock { lock: 2 }, 5),
        (word(3, 0, 1), 6),
    ];
    assert_eq!(seen, wanted);
}
