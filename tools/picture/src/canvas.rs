//! What every picture is drawn with: boxes, lines, arrows, numbers and text, 400 units wide.
//!
//! Nothing here has a colour. The style sheet in `figure.rs` gives one to each class, out of the page's theme.

use std::fmt::Write;

use svg::node::element::Element;
use svg::node::{Blob, Node, Text};

pub use crate::rect::{At, Rect};
use crate::words::{self, LINE, Piece, Style};

/// The width of every picture.
pub const WIDTH: f32 = 400.0;

/// Where text stands to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// A piece of text as it was drawn, for tests: does it stay inside, does it cover another?
#[derive(Clone, Debug)]
pub struct Written {
    /// Where it is.
    pub place: Rect,
    /// What it says.
    pub text: String,
}

/// A picture that is being drawn.
#[derive(Debug)]
pub struct Canvas {
    pub(crate) elements: Vec<Element>,
    pub(crate) height: f32,
    /// All text so far.
    pub written: Vec<Written>,
    /// All boxes so far.
    pub boxes: Vec<Rect>,
    /// All straight lines so far: from where to where.
    pub strokes: Vec<(At, At)>,
}

impl Canvas {
    /// An empty picture of this height.
    pub fn new(height: f32) -> Canvas {
        Canvas {
            elements: Vec::new(),
            height,
            written: Vec::new(),
            boxes: Vec::new(),
            strokes: Vec::new(),
        }
    }

    /// Gives the picture another height.
    pub fn set_height(&mut self, height: f32) {
        self.height = height;
    }

    fn add(&mut self, name: &str, class: &str, attributes: &[(&str, String)]) {
        let mut element = Element::new(name);
        element.assign("class", class);
        for (name, value) in attributes {
            element.assign(*name, value.as_str());
        }
        self.elements.push(element);
    }

    /// Text on one line, with `*bold*` and `` `code` ``. The point is on its base line.
    pub fn text(&mut self, at: At, align: Align, text: &str) {
        self.line_of_text(at, align, &words::pieces(text));
    }

    /// Text on as many lines as it needs, the first one here. Returns the height of all.
    pub fn wrapped(&mut self, at: At, align: Align, limit: f32, text: &str) -> f32 {
        let lines = words::wrap(text, limit);
        for (number, line) in (0u8..).zip(&lines) {
            self.line_of_text((at.0, at.1 + f32::from(number) * LINE), align, line);
        }
        height_of(&lines)
    }

    fn line_of_text(&mut self, (x, y): At, align: Align, line: &[Piece]) {
        let width = words::width(line);
        let (anchor, left) = match align {
            Align::Start => ("start", x),
            Align::Middle => ("middle", x - width / 2.0),
            Align::End => ("end", x - width),
        };
        let place = Rect {
            x: left,
            y: y - 10.0,
            w: width,
            h: 13.0,
        };
        let text = line.iter().map(|piece| piece.text.as_str()).collect();
        self.written.push(Written { place, text });

        let mut content = String::new();
        for piece in line {
            let text = Text::new(piece.text.as_str());
            let written = match piece.style {
                Style::Plain => write!(content, "{text}"),
                Style::Bold => write!(content, r#"<tspan class="bold">{text}</tspan>"#),
                Style::Code => write!(content, r#"<tspan class="code">{text}</tspan>"#),
            };
            written.expect("a string takes all that is written to it");
        }
        let mut element = Element::new("text");
        element.assign("x", short(x));
        element.assign("y", short(y));
        if align != Align::Start {
            element.assign("text-anchor", anchor);
        }
        element.append(Blob::new(content));
        self.elements.push(element);
    }

    /// A line through these points.
    pub fn line(&mut self, class: &str, points: &[At]) {
        let pairs = points.iter().zip(points.iter().skip(1));
        self.strokes.extend(pairs.map(|(from, to)| (*from, *to)));
        let points = [("points", list(points))];
        self.add("polyline", &format!("line {class}"), &points);
    }

    /// A line with a head at its last point.
    pub fn arrow(&mut self, class: &str, points: &[At]) {
        let [.., from, tip] = points else {
            return;
        };
        let (dx, dy) = (tip.0 - from.0, tip.1 - from.1);
        let length = dx.hypot(dy).max(1.0);
        let (dx, dy) = (dx / length, dy / length);
        let neck = (tip.0 - dx * 8.0, tip.1 - dy * 8.0);
        let mut shaft = points.to_vec();
        if let Some(end) = shaft.last_mut() {
            *end = neck;
        }
        self.line(class, &shaft);
        let head = [
            *tip,
            (neck.0 - dy * 4.5, neck.1 + dx * 4.5),
            (neck.0 + dy * 4.5, neck.1 - dx * 4.5),
        ];
        self.add(
            "polygon",
            &format!("head {class}"),
            &[("points", list(&head))],
        );
    }

    /// A rectangle.
    pub fn rect(&mut self, class: &str, rect: Rect) -> Rect {
        self.boxes.push(rect);
        let attributes = [
            ("x", short(rect.x)),
            ("y", short(rect.y)),
            ("width", short(rect.w)),
            ("height", short(rect.h)),
            ("rx", short(if rect.w > 20.0 { 4.0 } else { 0.0 })),
        ];
        self.add("rect", class, &attributes);
        rect
    }

    /// A thread at work: it covers its dotted line.
    pub fn strip(&mut self, rect: Rect) -> Rect {
        self.rect("cover", rect);
        self.rect("awake", rect)
    }

    /// A box with text in its middle, as high as the text needs.
    pub fn boxed(&mut self, class: &str, at: At, width: f32, text: &str) -> Rect {
        let lines = words::wrap(text, width - 10.0);
        let rect = Rect {
            x: at.0,
            y: at.1,
            w: width,
            h: height_of(&lines) + 13.0,
        };
        self.rect(class, rect);
        let middle = (rect.x + width / 2.0, rect.y + 19.0);
        self.wrapped(middle, Align::Middle, width - 10.0, text);
        rect
    }

    /// A circle.
    pub fn circle(&mut self, class: &str, (x, y): At, radius: f32) {
        let attributes = [("cx", short(x)), ("cy", short(y)), ("r", short(radius))];
        self.add("circle", class, &attributes);
    }

    /// A number in a circle.
    pub fn number(&mut self, (x, y): At, number: usize) {
        self.circle("number", (x, y), 10.0);
        self.text((x, y + 4.5), Align::Middle, &format!("*{number}*"));
    }

    /// A cross.
    pub fn cross(&mut self, class: &str, (x, y): At) {
        self.line(class, &[(x - 5.0, y - 5.0), (x + 5.0, y + 5.0)]);
        self.line(class, &[(x - 5.0, y + 5.0), (x + 5.0, y - 5.0)]);
    }
}

/// The height of these lines.
pub fn height_of(lines: &[Vec<Piece>]) -> f32 {
    lines.iter().map(|_| LINE).sum()
}

fn list(points: &[At]) -> String {
    let points: Vec<_> = points
        .iter()
        .map(|(x, y)| format!("{},{}", short(*x), short(*y)))
        .collect();
    points.join(" ")
}

/// To a tenth, so that no two machines round differently.
fn short(number: f32) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}
