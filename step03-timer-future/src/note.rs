//! What `Pin` is for: a value that points into itself, and what moving it would break.

/// Three letters, and a pointer to the first of them, as a future has that borrows its own variable across an
/// `.await`.
///
/// Nothing keeps you from moving this one, and then it points at the wrong place:
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
/// With a future that can point into itself, the compiler does not let you get that far. To swap it, you need a
/// `&mut` to it; a `Pin` gives one out only for types that do not mind being moved ([`Unpin`]), and an `async`
/// block is not one of them:
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

    /// Whether what this note points at is a letter of `other`.
    pub fn points_into(&self, other: &Note) -> bool {
        other.letters.as_ptr_range().contains(&self.first)
    }

    /// The letters.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.letters).into_owned()
    }
}
