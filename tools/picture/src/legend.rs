//! The legend of a picture: each sign that occurs in it, and what it means.

use crate::canvas::{Canvas, Rect};

/// What is explained.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Key {
    /// An arrow of this class.
    Arrow(&'static str),
    /// A strip of this class and width.
    Strip(&'static str, f32),
}

/// One sign, and what it means.
pub(crate) type Entry = (Key, &'static str);

/// The entries of a row.
const COLUMNS: usize = 3;
const ROW: f32 = 19.0;

/// How high the legend is.
pub(crate) fn height(entries: &[Entry]) -> f32 {
    8.0 + ROW * f32::from(u16::try_from(entries.len().div_ceil(COLUMNS)).unwrap_or(0))
}

/// Draws the legend below `top`.
pub(crate) fn draw(canvas: &mut Canvas, entries: &[Entry], top: f32) {
    for (row, entries) in entries.chunks(COLUMNS).enumerate() {
        for (column, (key, text)) in entries.iter().enumerate() {
            let x = 8.0 + 132.0 * f32::from(u16::try_from(column).unwrap_or(0));
            let y = top + 8.0 + ROW * (f32::from(u16::try_from(row).unwrap_or(0)) + 0.5);
            let middle = x + 11.0;
            match key {
                Key::Arrow(class) => canvas.arrow(class, (x, y), (x + 22.0, y)),
                Key::Strip(class, width) => {
                    let (w, h) = (*width, 14.0);
                    let place = Rect {
                        x: middle - w / 2.0,
                        y: y - h / 2.0,
                        w,
                        h,
                    };
                    canvas.rect(class, place);
                }
            }
            canvas.text((x + 28.0, y + 4.5), text);
        }
    }
}
