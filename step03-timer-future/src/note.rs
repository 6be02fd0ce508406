//! What `Pin` is for: a value that points into itself, what moving it would break, and how a type forbids that.

use std::{cell::Cell, marker::PhantomPinned, pin::Pin};

/// Three letters and a pointer to the first of them, like a future that borrows its own local variable across an
/// `.await`.
///
/// Nothing prevents you from moving a `Note`, and then its pointer is wrong. A `Note` is even [`Unpin`], because
/// its fields are, and the compiler cannot know what the pointer means:
///
/// ```
/// use step03_timer_future::Note;
/// use std::mem;
///
/// let (mut a, mut b) = (Note::new(*b"aaa"), Note::new(*b"bbb"));
/// a.point();
/// b.point();
/// assert!(a.points_into(&a) && b.points_into(&b));
///
/// mem::swap(&mut a, &mut b);
/// assert!(a.points_into(&b) && b.points_into(&a));
/// ```
///
/// The compiler refuses to do the same with the future of an `async fn`. To swap it, you need a `&mut` to it. A `Pin`
/// gives one out only for types that are [`Unpin`], and this future is not. ([`PinnedNote`] is how to write such a type by
/// hand.)
///
/// ```compile_fail,E0277
/// use std::{mem, pin::pin};
///
/// async fn letters() -> u8 {
///     let letters = *b"aaa";
///     let first = &letters[0];
///     std::future::ready(()).await;
///     *first
/// }
///
/// let (mut a, mut b) = (pin!(letters()), pin!(letters()));
/// mem::swap(a.as_mut().get_mut(), b.as_mut().get_mut());
/// ```
// ANCHOR: struct
#[derive(Debug)]
pub struct Note {
    letters: [u8; 3],
    /// Where the first letter was when [`Note::point`] was called. Only compared, never
    /// read through.
    first: *const u8,
}
// ANCHOR_END: struct

impl Note {
    /// A note that does not point anywhere yet.
    pub fn new(letters: [u8; 3]) -> Note {
        Note {
            letters,
            first: std::ptr::null(),
        }
    }

    // ANCHOR: point
    /// Makes the note point at its own first letter.
    pub fn point(&mut self) {
        self.first = &raw const self.letters[0];
    }
    // ANCHOR_END: point

    /// Whether this note's pointer leads to a letter of `other`.
    pub fn points_into(&self, other: &Note) -> bool {
        other.letters.as_ptr_range().contains(&self.first)
    }

    /// The letters.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.letters).into_owned()
    }
}

/// A [`Note`] that must not be moved once it is pinned.
///
/// [`PhantomPinned`] holds nothing. It is not [`Unpin`], so a type with such a field is not either, unless it has an
/// `impl Unpin` of its own.
///
/// ```
/// use std::pin::pin;
/// use step03_timer_future::PinnedNote;
///
/// let note = pin!(PinnedNote::new(*b"aaa"));
/// assert!(!note.points_into_itself());
/// note.as_ref().point();
/// assert!(note.points_into_itself());
/// ```
///
/// To point into itself it must be pinned, and from then on you cannot get the `&mut` that a swap needs:
///
/// ```compile_fail,E0277
/// use std::{mem, pin::pin};
/// use step03_timer_future::PinnedNote;
///
/// let (mut a, mut b) = (pin!(PinnedNote::new(*b"aaa")), pin!(PinnedNote::new(*b"bbb")));
/// a.as_ref().point();
/// mem::swap(a.as_mut().get_mut(), b.as_mut().get_mut());
/// ```
// ANCHOR: pinned
#[derive(Debug)]
pub struct PinnedNote {
    letters: [u8; 3],
    /// Where the first letter was when [`PinnedNote::point`] was called.
    first: Cell<*const u8>,
    _pinned: PhantomPinned,
}
// ANCHOR_END: pinned

impl PinnedNote {
    /// A note that does not point anywhere yet, and so may still be moved.
    pub fn new(letters: [u8; 3]) -> PinnedNote {
        PinnedNote {
            letters,
            first: Cell::new(std::ptr::null()),
            _pinned: PhantomPinned,
        }
    }

    /// Makes the note point at its own first letter.
    pub fn point(self: Pin<&Self>) {
        self.first.set(&raw const self.letters[0]);
    }

    /// Whether this note's pointer leads to a letter of its own.
    pub fn points_into_itself(&self) -> bool {
        self.letters.as_ptr_range().contains(&self.first.get())
    }
}
