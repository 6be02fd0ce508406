//! Points and rectangles.

/// A point.
pub type At = (f32, f32);

/// A box that was drawn: for arrows to begin and to end at.
#[derive(Clone, Copy, Debug)]
pub struct Rect {
    /// The left side.
    pub x: f32,
    /// The upper side.
    pub y: f32,
    /// How wide.
    pub w: f32,
    /// How high.
    pub h: f32,
}

impl Rect {
    /// The middle of the upper side.
    pub fn top(&self) -> At {
        (self.x + self.w / 2.0, self.y)
    }

    /// The middle of the lower side.
    pub fn bottom(&self) -> At {
        (self.x + self.w / 2.0, self.y + self.h)
    }

    /// The middle of the left side.
    pub fn left(&self) -> At {
        (self.x, self.y + self.h / 2.0)
    }

    /// The middle of the right side.
    pub fn right(&self) -> At {
        (self.x + self.w, self.y + self.h / 2.0)
    }

    /// Whether another one lies in it.
    pub fn contains(&self, other: &Rect) -> bool {
        self.x <= other.x
            && self.y <= other.y
            && self.x + self.w >= other.x + other.w
            && self.y + self.h >= other.y + other.h
    }

    /// Whether they have a part in common.
    pub fn meets(&self, other: &Rect) -> bool {
        self.x < other.x + other.w
            && other.x < self.x + self.w
            && self.y < other.y + other.h
            && other.y < self.y + self.h
    }
}
