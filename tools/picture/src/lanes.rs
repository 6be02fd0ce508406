//! Draws a chart: time goes down, and each thread and each future has a lane.
//!
//! All events have the same distance, whatever their times: the picture depends on their order alone.

use crate::{
    canvas::{Canvas, Rect},
    chart::{Arrow, Bar, BarKind, Chart, Column, Row, Sign, Way},
    run::{Lane, Run},
};

const HEADER: f32 = 18.0;
/// Where the first lane is.
const LEFT: f32 = 16.0;

pub(crate) fn draw(run: &Run, chart: &Chart) -> Canvas {
    Layout::new(run, chart).draw(chart)
}

struct Layout {
    lanes: &'static [Lane],
    /// From one lane to the next.
    lane: f32,
    /// The middle of the first line of each row.
    rows: Vec<f32>,
    /// Where the text beside the lanes begins.
    text: f32,
    top: f32,
    bottom: f32,
}

impl Layout {
    fn new(run: &Run, chart: &Chart) -> Layout {
        let lanes = run.lanes;
        let lane = (150.0 / count(lanes.len() - 1)).min(44.0);
        let text = LEFT + lane * count(lanes.len() - 1) + 20.0;
        let top = HEADER * count(lanes.len()) + 8.0;
        let (mut rows, mut y) = (Vec::new(), top + 12.0);
        for row in &chart.rows {
            rows.push(y);
            y += if row.asleep { 39.0 } else { 25.0 };
        }
        Layout {
            lanes,
            lane,
            rows,
            text,
            top,
            bottom: y,
        }
    }

    fn draw(&self, chart: &Chart) -> Canvas {
        let mut canvas = Canvas::new(self.bottom + 4.0);
        for (column, lane) in self.lanes.iter().enumerate() {
            let base = HEADER * count(column) + 15.0;
            let x = self.x(column);
            canvas.text((x - 8.0, base), lane.header());
            canvas.line("dots", (x, base + 5.0), (x, self.bottom));
        }
        for kind in [
            BarKind::Exists,
            BarKind::Awake,
            BarKind::Seen,
            BarKind::Held,
            BarKind::Poll,
        ] {
            for bar in chart.bars.iter().filter(|bar| bar.kind == kind) {
                self.bar(&mut canvas, bar);
            }
        }
        for arrow in &chart.arrows {
            self.arrow(&mut canvas, arrow);
        }
        for (sign, column, row) in &chart.signs {
            self.sign(&mut canvas, *sign, *column, *row);
        }
        for (row, y) in chart.rows.iter().zip(&self.rows) {
            canvas.text((self.text, y + 4.5), &row.text);
        }
        canvas
    }

    fn x(&self, column: Column) -> f32 {
        LEFT + self.lane * count(column)
    }

    fn bar(&self, canvas: &mut Canvas, bar: &Bar) {
        let x = self.x(bar.column);
        let (from, to) = self.span(bar);
        let strip = |width: f32| Rect {
            x: x - width / 2.0,
            y: from,
            w: width,
            h: to - from,
        };
        match bar.kind {
            BarKind::Exists => canvas.line("", (x, from), (x, to)),
            BarKind::Awake | BarKind::Seen => {
                // The dotted line is not seen through it.
                canvas.rect("cover", strip(6.0));
                canvas.rect("awake", strip(6.0));
            }
            BarKind::Poll => canvas.rect("poll", strip(12.0)),
            BarKind::Held => {
                let rect = strip(6.0);
                let x = rect.x + (count(bar.slot) - 0.5) * 8.0;
                canvas.rect("held", Rect { x, ..rect });
            }
        }
    }

    fn span(&self, bar: &Bar) -> (f32, f32) {
        let from = bar.from.map_or(self.top, |row| self.rows[row]);
        let from = if matches!(bar.kind, BarKind::Awake | BarKind::Seen) && bar.from.is_some() {
            from - 8.0
        } else {
            from
        };
        let to = match bar.to {
            // Asleep: the lane is empty from the row's first line on.
            Some(row) if bar.kind == BarKind::Awake => self.rows[row] - 6.0,
            Some(row) if bar.kind == BarKind::Seen => self.rows[row] + 8.0,
            Some(row) => self.rows[row],
            None => self.bottom,
        };
        (from, to)
    }

    fn arrow(&self, canvas: &mut Canvas, arrow: &Arrow) {
        let y = self.rows[arrow.row];
        let (from, to) = (self.x(arrow.from), self.x(arrow.to));
        let side = if to > from { 1.0 } else { -1.0 };
        let (class, end) = match arrow.way {
            Way::Poll => ("", 7.0),
            Way::Answer => ("dash", 5.0),
            Way::Waker => ("thin", 8.0),
            Way::Wake => ("wake", 5.0),
        };
        canvas.arrow(class, from + side * 5.0, to - side * end, y);
    }

    fn sign(&self, canvas: &mut Canvas, sign: Sign, column: Column, row: Row) {
        let at = (self.x(column), self.rows[row]);
        match sign {
            Sign::Made => canvas.circle("hole", at, 5.0),
            Sign::Ready => canvas.circle("poll", at, 8.0),
            Sign::Gone => canvas.cross(at),
        }
    }
}

fn count(number: usize) -> f32 {
    u16::try_from(number).map_or(0.0, f32::from)
}
