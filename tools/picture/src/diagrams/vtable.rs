//! Stage 05: what a waker is made of.

use crate::canvas::{Align, Canvas};
use crate::figure::Figure;

const FUNCTIONS: [(&str, &str, &str); 4] = [
    ("`clone`", "+1", "another waker"),
    ("`wake`", "-1", "unparks; the waker is used up"),
    ("`wake_by_ref`", "0", "unparks; the waker stays"),
    ("`drop`", "-1", "unparks nobody"),
];

/// Two wakers, what they point to, and the four functions.
pub fn figure() -> Figure {
    let mut canvas = Canvas::new(382.0);
    canvas.text((8.0, 18.0), Align::Start, "a *Waker*");
    let data = canvas.boxed("box", (8.0, 26.0), 92.0, "`data`");
    let table = canvas.boxed("box", (8.0, 56.0), 92.0, "`vtable`");
    canvas.text((8.0, 122.0), Align::Start, "its *clone*");
    let data2 = canvas.boxed("box", (8.0, 130.0), 92.0, "`data`");
    let table2 = canvas.boxed("box", (8.0, 160.0), 92.0, "`vtable`");
    canvas.text((392.0, 18.0), Align::End, "on the heap, behind an `Arc`");
    canvas.boxed("box", (252.0, 26.0), 140.0, "count: 2");
    let parker = canvas.boxed(
        "box",
        (252.0, 56.0),
        140.0,
        "*Parker*\nof one sleeping thread",
    );
    let x = parker.x;
    canvas.arrow("", &[data.right(), (x, data.right().1)]);
    let (from, y) = data2.right();
    canvas.arrow("", &[(from, y), (226.0, y), (226.0, 88.0), (x, 88.0)]);

    let y = 232.0;
    for (table, x) in [(table, 150.0), (table2, 120.0)] {
        let (from, at) = table.right();
        canvas.arrow("thin", &[(from, at), (x, at), (x, y)]);
    }
    canvas.text(
        (392.0, y - 8.0),
        Align::End,
        "one table for all wakers of this kind",
    );
    canvas.rect(
        "box",
        crate::canvas::Rect {
            x: 8.0,
            y,
            w: 384.0,
            h: 142.0,
        },
    );
    canvas.text((20.0, y + 22.0), Align::Start, "*function*");
    canvas.text((150.0, y + 22.0), Align::Middle, "*count*");
    canvas.text((184.0, y + 22.0), Align::Start, "*what it does*");
    let mut row = y + 50.0;
    for (name, count, what) in FUNCTIONS {
        canvas.text((20.0, row), Align::Start, name);
        canvas.text((150.0, row), Align::Middle, count);
        canvas.text((184.0, row), Align::Start, what);
        row += 26.0;
    }
    Figure {
        name: "waker-vtable",
        title: "A waker is a data pointer and a table of four functions".to_owned(),
        description: "Two wakers, one a clone of the other. Each is two pointers: data and vtable. Both data pointers \
                      go to the same Parker, which lies on the heap behind an Arc; its count is 2, one for each waker. \
                      Both vtable pointers go to one table of four functions. clone adds one to the count and makes \
                      another waker. wake unparks, takes one away, and the waker is used up. wake_by_ref unparks and \
                      leaves the count. drop takes one away and unparks nobody."
            .to_owned(),
        caption: "Each waker owns one count. The four functions differ in what they do with it: whoever forgets a count \
                  leaks the parker, and whoever gives one back twice uses it after it is freed.",
        canvas,
    }
}
