//! How large the parts of a picture are. Across, all is in percent of its width, and down, in pixels.

/// A thread's lane, if no poll is inside another one.
pub(crate) const LANE: f32 = 38.0;
/// A poll, and how much further down one begins that is inside another.
pub(crate) const POLL: f32 = 18.0;
/// One thing in a queue, or in a place.
pub(crate) const SLOT: f32 = 15.0;
/// Above and below what is in a queue: together, to its edge and to the next lane.
pub(crate) const EDGE: f32 = 3.0;
pub(crate) const BETWEEN_LANES: f32 = 4.0;
/// A lane whose name has a second line, which explains it.
pub(crate) const EXPLAINED: f32 = 32.0;
/// The name of a run above its lanes: its baseline, the line that marks a step there, and all of it.
pub(crate) const HEADING_BASELINE: f32 = 16.0;
pub(crate) const HEADING_MARK: f32 = 20.0;
pub(crate) const HEADING: f32 = 22.0;
/// How far above the line that marks a step its note stands.
pub(crate) const NOTE: f32 = 5.0;
/// What is written above a thread's lane is no caption of the lane above.
pub(crate) const CAPTION: f32 = 8.0;
/// Below the lowest lane.
pub(crate) const FOOT: f32 = 18.0;
/// Half a thread's line, while it is awake and while it sleeps forever.
pub(crate) const AWAKE: f32 = 2.0;
pub(crate) const FOREVER: f32 = 8.0;
/// From the middle of a bar down to the baseline of what is written on it.
pub(crate) const BASELINE: f32 = 4.0;
/// From a thread's line up to the baseline of a sign or a note.
pub(crate) const ABOVE: f32 = 11.0;
/// The name of a lane, if what explains it stands below, and that.
pub(crate) const NAME: f32 = -3.0;
pub(crate) const MEANS: f32 = 14.0;
/// An arrow that would be shorter is a sign.
pub(crate) const SHORTEST_ARROW: f32 = 20.0;
/// The head of an arrow, and how much of its line that covers, and the light edge of the line.
pub(crate) const HEAD: f32 = 9.0;
pub(crate) const HEAD_COVERS: f32 = 8.0;
pub(crate) const HALO: f32 = 10.0;

/// A letter, in percent of the width: of a small text in a wide picture, and how many times as much it takes on a phone.
pub(crate) const LETTER: f32 = 0.95;
pub(crate) const PHONE: f32 = 3.0;
/// A letter of a note, on a phone.
pub(crate) const PHONE_NOTE_LETTER: f32 = 2.8;
/// Around a text: in a bar on both sides together and on the left, after a bar on both sides together and on the left.
pub(crate) const AROUND_LABEL: f32 = 1.4;
pub(crate) const BEFORE_LABEL: f32 = 0.6;
pub(crate) const AROUND_TEXT: f32 = 1.0;
pub(crate) const AFTER_BAR: f32 = 0.4;
/// After a poll, the sign of its end. Before a wake, its note.
pub(crate) const AFTER_POLL: f32 = 0.3;
pub(crate) const BEFORE_WAKE: f32 = 1.0;
/// After the arrow of a steal, what is written in the bar that begins there.
pub(crate) const AFTER_ARROW: f32 = 1.6;
/// How long a thread is drawn after the last that is known of it.
pub(crate) const LAST_SEEN: f32 = 0.6;
/// The right end of what stands at the right edge.
pub(crate) const RIGHT: f32 = 98.4;
/// A sleep in which there is room for the word.
pub(crate) const ROOM_FOR_ASLEEP: f32 = 20.0;
/// A pause in a lane of things in which there is room to say that nothing is there.
pub(crate) const ROOM_FOR_EMPTY: f32 = 20.0;
pub(crate) const ROOM_FOR_EMPTY_ON_A_PHONE: f32 = 45.0;
/// A poll in which there is room for its shape alone.
pub(crate) const ROOM_FOR_SHAPE_ON_A_PHONE: f32 = 4.2;
/// The box of a poll that is left out: where it begins and ends after the poll, and half its height; and the text in it, wide and on a
/// phone.
pub(crate) const OMITTED: (f32, f32) = (0.6, 16.4);
pub(crate) const OMITTED_HALF: f32 = 8.0;
pub(crate) const OMITTED_TEXT: f32 = 1.0;
pub(crate) const OMITTED_SIGN: f32 = 1.8;
