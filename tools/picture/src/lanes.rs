//! Draws a chart: time goes down, and each thread and each future has a lane.
//!
//! The rows are the events in their order. A pause between two events takes more room the longer it lasts.

use crate::{
    canvas::{Canvas, Rect, WIDTH},
    chart::{Arrow, Bar, BarKind, Chart, Column, Row, Sign, Way},
    legend::{self, Entry, Key},
    run::{Kind, Lane, Run, Wording},
};

const HEADER: f32 = 18.0;
/// Where the times end.
const TIMES: f32 = 28.0;
/// Where the first lane is.
const LEFT: f32 = 44.0;
/// From one row to the next.
const ROW: f32 = 25.0;
/// What a millisecond adds to that.
const MILLISECOND: f32 = 1.2;
/// What all pauses of a picture may add.
const MOST: f32 = 90.0;

pub(crate) fn draw(run: &Run, chart: &Chart) -> Canvas {
    Layout::new(run, chart).draw(chart)
}

struct Layout<'a> {
    lanes: &'a [Lane],
    /// What a poll is called, and what happens to the future meanwhile.
    polls: (&'static str, &'static str),
    /// The middle of each lane.
    columns: Vec<f32>,
    /// The middle of each row.
    rows: Vec<f32>,
    /// Where the text beside the lanes begins.
    text: f32,
    top: f32,
    bottom: f32,
}

impl Layout<'_> {
    fn new<'a>(run: &'a Run, chart: &Chart) -> Layout<'a> {
        let lanes = &run.lanes;
        // A queue has room for two tasks beside each other, a shared one for three, and a worker's own, which has a queue
        // or a thread on both sides, for four.
        let room = |lane: &Lane| match lane.kind {
            Kind::SharedQueue => 2.4,
            Kind::OwnQueue => 1.75,
            Kind::Queue | Kind::QueueAgain => 1.5,
            Kind::Thread | Kind::Task | Kind::Wakers => 1.0,
        };
        let all: f32 = lanes.iter().skip(1).map(|_| 1.0).sum::<f32>()
            + lanes
                .iter()
                .map(|lane| (room(lane) - 1.0) * 0.5)
                .sum::<f32>();
        let lane = (142.0 / all).min(44.0);
        let (mut columns, mut x) = (Vec::new(), LEFT);
        for (place, known) in lanes.iter().enumerate() {
            if place > 0 {
                x += lane * (room(known) + room(&lanes[place - 1])) / 2.0;
            }
            columns.push(x);
        }
        let text = x + 18.0;
        let top = HEADER * count(lanes.len()) + 8.0;
        let pauses = chart.rows.iter().filter_map(|row| row.at);
        let whole = pauses.fold(0.0, f32::max);
        let scale = (MOST / whole.max(1.0)).min(MILLISECOND);
        let (mut rows, mut y, mut last) = (Vec::new(), top + 12.0, 0.0);
        for row in &chart.rows {
            let at = row.at.unwrap_or(last);
            y += (at - last) * scale;
            last = at;
            rows.push(y);
            y += ROW;
        }
        let polls = match run.wording {
            Wording::Checks => ("check", "being checked"),
            _ => ("poll", "being polled"),
        };
        Layout {
            lanes,
            polls,
            columns,
            rows,
            text,
            top,
            bottom: y,
        }
    }

    fn draw(&self, chart: &Chart) -> Canvas {
        let legend = self.legend(chart);
        let mut canvas = Canvas::new(self.bottom + legend::height(&legend) + 4.0);
        for (column, lane) in self.lanes.iter().enumerate() {
            let base = HEADER * count(column) + 15.0;
            let x = self.columns[column];
            canvas.text((x - 8.0, base), &lane.header);
            canvas.line("dots", (x, base + 5.0), (x, self.bottom));
        }
        for kind in [
            BarKind::Exists,
            BarKind::Awake,
            BarKind::Seen,
            BarKind::Queued,
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
        canvas.text_to((TIMES, self.top + 16.5 - HEADER), "ms");
        let mut shown = None;
        for (row, y) in chart.rows.iter().zip(&self.rows) {
            canvas.text((self.text, y + 4.5), &row.text);
            let at = row.at.map(|at| format!("{at:.0}"));
            if at.is_some() && at != shown {
                canvas.text_to((TIMES, y + 4.5), at.as_deref().unwrap_or_default());
                shown = at;
            }
        }
        let line = self.bottom + 2.0;
        canvas.line("thin dash", (4.0, line), (WIDTH - 4.0, line));
        legend::draw(&mut canvas, &legend, self.bottom);
        canvas
    }

    /// What occurs in this chart.
    fn legend(&self, chart: &Chart) -> Vec<Entry> {
        let bar = |kind| chart.bars.iter().any(|it| it.kind == kind);
        let way = |way| chart.arrows.iter().any(|it| it.way == way);
        let sign = |sign| chart.signs.iter().any(|it| it.0 == sign);
        let (poll, polled) = self.polls;
        let all = [
            (true, Key::Arrow(""), poll),
            (way(Way::Answer), Key::Arrow("dash"), "its answer"),
            (way(Way::Wake), Key::Arrow("wake"), "*wake*"),
            (way(Way::Steal), Key::Arrow("wake"), "*steal*"),
            (true, Key::Strip("poll", 12.0), polled),
            (true, Key::Strip("awake", 6.0), "thread at work"),
            (true, Key::Dots, "thread idle"),
            (bar(BarKind::Held), Key::Strip("held", 6.0), "waker stored"),
            (
                bar(BarKind::Queued),
                Key::Strip("queued", 11.0),
                "in the queue",
            ),
            (sign(Sign::Sent), Key::Strip("hole", 10.0), "data sent"),
            (sign(Sign::Made), Key::Circle("hole", 5.0), "made"),
            (sign(Sign::Ready), Key::Circle("poll", 7.0), "ready"),
            (sign(Sign::Gone), Key::Cross, "dropped"),
        ];
        let there = all.into_iter().filter(|it| it.0);
        there.map(|(_, key, text)| (key, text)).collect()
    }

    fn bar(&self, canvas: &mut Canvas, bar: &Bar) {
        let x = self.columns[bar.column];
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
            BarKind::Queued => {
                let rect = strip(11.0);
                let (middle, step) = match self.lanes[bar.column].kind {
                    Kind::OwnQueue => (1.5, 12.0),
                    _ => (0.5, 13.0),
                };
                let x = rect.x + (count(bar.slot) - middle) * step;
                canvas.rect("queued", Rect { x, ..rect });
                canvas.text((x + 1.8, from + 14.0), &(bar.slot + 1).to_string());
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
        let (from, to) = (self.columns[arrow.from], self.columns[arrow.to]);
        let side = if to > from { 1.0 } else { -1.0 };
        let (class, end) = match arrow.way {
            Way::Poll => ("", 7.0),
            Way::Answer => ("dash", 5.0),
            Way::Waker => ("thin", 8.0),
            Way::Steal => ("wake", 14.0),
            Way::Wake if self.lanes[arrow.to].kind.is_queue() => ("wake", 14.0),
            Way::Wake => ("wake", 5.0),
        };
        canvas.arrow(class, (from + side * 5.0, y), (to - side * end, y));
    }

    fn sign(&self, canvas: &mut Canvas, sign: Sign, column: Column, row: Row) {
        let at = (self.columns[column], self.rows[row]);
        match sign {
            Sign::Sent => {
                let (x, y) = (at.0 - 5.0, at.1 - 5.0);
                canvas.rect(
                    "hole",
                    Rect {
                        x,
                        y,
                        w: 10.0,
                        h: 10.0,
                    },
                );
            }
            Sign::Made => canvas.circle("hole", at, 5.0),
            Sign::Ready => canvas.circle("poll", at, 8.0),
            Sign::Gone => canvas.cross(at),
        }
    }
}

fn count(number: usize) -> f32 {
    u16::try_from(number).map_or(0.0, f32::from)
}
