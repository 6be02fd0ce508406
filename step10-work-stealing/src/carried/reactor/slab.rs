//! A slab whose keys are not mistaken for those of an earlier value in the same place.

use slab::Slab as Places;

/// Half of the bits of a key are for the place, half for the generation.
const HALF: u32 = usize::BITS / 2;
/// The bits for the place.
const PLACE: usize = usize::MAX >> HALF;

/// Values that are found by a [`Key`].
///
/// A place is used again after its value has been removed. A key of the earlier value then finds nothing, because it
/// holds another generation.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    /// Each value with its key.
    places: Places<(Key, T)>,
    /// The generation of the latest key, which has no room for its upper half.
    generation: usize,
}

/// The place of a value, and its generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key(pub(crate) usize);

impl<T> Slab<T> {
    pub(crate) fn new() -> Slab<T> {
        Slab {
            places: Places::new(),
            generation: 0,
        }
    }

    /// Adds the value that is made for its key.
    ///
    /// # Panics
    ///
    /// If there are almost 2³² values, or 65,536 on a system with addresses of 32 bits.
    // ANCHOR: insert
    pub(crate) fn insert_with(&mut self, make: impl FnOnce(Key) -> T) -> &T {
        self.generation = self.generation.wrapping_add(1);
        let place = self.places.vacant_entry();
        // The greatest place is left out, because the selectors use the greatest key themselves.
        assert!(place.key() < PLACE, "too many sources");
        let key = Key((self.generation << HALF) + place.key());
        &place.insert((key, make(key))).1
    }
    // ANCHOR_END: insert

    /// Returns the value of this key, unless it has been removed.
    pub(crate) fn get(&self, key: Key) -> Option<&T> {
        let (latest, value) = self.places.get(key.place())?;
        (*latest == key).then_some(value)
    }

    /// Takes out the value of this key, unless it has been removed.
    pub(crate) fn remove(&mut self, key: Key) -> Option<T> {
        self.get(key)?;
        Some(self.places.remove(key.place()).1)
    }

    /// All values, in no particular order.
    pub(crate) fn values(&self) -> impl Iterator<Item = &T> {
        self.places.iter().map(|(_, (_, value))| value)
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }
}

impl Key {
    fn place(self) -> usize {
        self.0 & PLACE
    }
}
