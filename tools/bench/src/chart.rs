//! The chart for the book: how each runtime compares with tokio's multi-threaded scheduler.
//!
//! Nothing here has a colour. `book/theme/course.css` gives one to each class, from the theme of the page, and the signs
//! differ in shape.

use svg::node::{Node, Text, element::Element};

use crate::{
    machine,
    rounds::{Plan, Results},
    runtimes::TOKIO,
};

/// In the units of the picture.
const WIDTH: f64 = 400.0;
const LEFT: f64 = 100.0;
const RIGHT: f64 = 388.0;
const TOP: f64 = 36.0;
const ROW: f64 = 23.0;
/// The ratios at the ends of the axis. What is beyond them is drawn there.
const ENDS: (f64, f64) = (0.1, 10.0);
const MARKS: [f64; 7] = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0];
/// The entries in a row of the legend.
const COLUMNS: usize = 3;

/// How a runtime is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Disc,
    Ring,
    Square,
    Diamond,
    Cross,
    Dot,
}

/// The runtimes with a sign of their own. The others share one.
const SIGNS: [(&str, Sign); 5] = [
    ("step10", Sign::Disc),
    ("step09", Sign::Ring),
    ("step08", Sign::Cross),
    ("smol", Sign::Square),
    (TOKIO[1], Sign::Diamond),
];

impl Sign {
    fn of(runtime: &str) -> Sign {
        let found = SIGNS.iter().find(|it| it.0 == runtime);
        found.map_or(Sign::Dot, |it| it.1)
    }

    fn draw(self, sheet: &mut Element, x: f64, y: f64) {
        match self {
            Sign::Disc => circle(sheet, "poll", (x, y), 6.0),
            Sign::Ring => circle(sheet, "hole", (x, y), 4.5),
            Sign::Dot => circle(sheet, "awake", (x, y), 2.5),
            Sign::Square => polygon(sheet, (x, y), &[(-4., -4.), (4., -4.), (4., 4.), (-4., 4.)]),
            Sign::Diamond => polygon(sheet, (x, y), &[(0., -6.), (6., 0.), (0., 6.), (-6., 0.)]),
            Sign::Cross => {
                line(sheet, "line", (x - 4.5, y - 4.5), (x + 4.5, y + 4.5));
                line(sheet, "line", (x - 4.5, y + 4.5), (x + 4.5, y - 4.5));
            }
        }
    }
}

/// The chart as HTML for a page: without an empty line, because Markdown would end the HTML there.
pub(crate) fn html(plan: &Plan, results: &Results) -> String {
    let rows: Vec<_> = plan
        .workloads
        .iter()
        .map(|workload| (workload.name, ratios(plan, results, workload.name)))
        .filter(|(_, ratios)| !ratios.is_empty())
        .collect();
    let bottom = TOP + ROW * rows.len() as f64;
    let legend = legend(&rows);
    let height = bottom + 34.0 + 20.0 * legend.len().div_ceil(COLUMNS) as f64;

    let mut sheet = Element::new("svg");
    sheet.assign("xmlns", "http://www.w3.org/2000/svg");
    sheet.assign("role", "img");
    sheet.assign("aria-labelledby", "picture-bench-title picture-bench-desc");
    sheet.assign("viewBox", format!("0 0 {WIDTH} {height}"));
    titled(&mut sheet, "title", "The runtimes compared with tokio");
    let description = "A row for each workload, and a sign for each runtime. Left of the middle is faster than tokio with two workers. The list below the picture has the figures.";
    titled(&mut sheet, "desc", description);

    label(&mut sheet, (LEFT, 14.0), "start", "faster");
    label(&mut sheet, (RIGHT, 14.0), "end", "slower");
    label(&mut sheet, (x_of(1.0), 14.0), "middle", TOKIO[0]);
    for mark in MARKS {
        let (x, class) = (x_of(mark), if mark == 1.0 { "line" } else { "line dots" });
        line(&mut sheet, class, (x, TOP - 16.0), (x, bottom));
        label(&mut sheet, (x, bottom + 16.0), "middle", &mark.to_string());
    }
    for ((workload, ratios), row) in rows.iter().zip(0_u32..) {
        let y = TOP + ROW * f64::from(row);
        label(&mut sheet, (LEFT - 10.0, y + 4.5), "end", workload);
        line(&mut sheet, "line thin", (LEFT, y), (RIGHT, y));
        // What matters most is drawn last, so that nothing covers it.
        for (sign, _) in legend.iter().rev() {
            let alike = ratios.iter().filter(|it| Sign::of(it.0) == *sign);
            alike.for_each(|(_, ratio)| sign.draw(&mut sheet, x_of(*ratio), y));
        }
    }
    for (place, (sign, name)) in legend.iter().enumerate() {
        let (row, column) = ((place / COLUMNS) as f64, (place % COLUMNS) as f64);
        let (x, y) = (14.0 + 132.0 * column, bottom + 36.0 + 20.0 * row);
        sign.draw(&mut sheet, x, y);
        label(&mut sheet, (x + 14.0, y + 4.5), "start", name);
    }
    let items = rows.iter().map(|(workload, ratios)| {
        let ratios = ratios
            .iter()
            .map(|(name, ratio)| format!("{name} {ratio:.2}"));
        let ratios: Vec<_> = ratios.collect();
        format!("<li><code>{workload}</code>: {}</li>\n", ratios.join(", "))
    });
    let (items, machine) = (items.collect::<String>(), Text::new(machine::described()));
    format!(
        "<figure class=\"picture\">{sheet}\n<details><summary>The same in words</summary><ul>\n{items}</ul></details>\n<figcaption>\nThe time of an operation, or the memory of a task, as a multiple of what <code>{}</code> with two workers takes. A sign at the edge may lie beyond it. {machine}\n</figcaption></figure>\n",
        TOKIO[0]
    )
}

/// A workload's ratios, in the order of the runtimes.
type Ratios = Vec<(&'static str, f64)>;

fn ratios(plan: &Plan, results: &Results, workload: &str) -> Ratios {
    let compared = plan.subjects.iter().filter(|it| it.name != TOKIO[0]);
    let ratio = |name| Some((name, results.row(workload, name)?.ratio_to_multi?));
    compared.filter_map(|it| ratio(it.name)).collect()
}

/// The signs that occur, and whose they are.
fn legend(rows: &[(&str, Ratios)]) -> Vec<(Sign, &'static str)> {
    let names = || {
        rows.iter()
            .flat_map(|(_, ratios)| ratios.iter().map(|it| it.0))
    };
    let own = SIGNS.into_iter().map(|(name, sign)| (sign, name));
    let mut legend: Vec<_> = own.filter(|it| names().any(|name| name == it.1)).collect();
    if names().any(|name| Sign::of(name) == Sign::Dot) {
        legend.push((Sign::Dot, "others"));
    }
    legend
}

/// The place of a ratio on the axis, on which each doubling is as long as every other.
fn x_of(ratio: f64) -> f64 {
    let (low, high) = (ENDS.0.ln(), ENDS.1.ln());
    let share = (ratio.ln().clamp(low, high) - low) / (high - low);
    LEFT + share * (RIGHT - LEFT)
}

fn add(sheet: &mut Element, name: &str, class: &str, attributes: &[(&str, String)]) {
    let mut element = Element::new(name);
    element.assign("class", class);
    for (name, value) in attributes {
        element.assign(*name, value.as_str());
    }
    sheet.append(element);
}

fn line(sheet: &mut Element, class: &str, from: (f64, f64), to: (f64, f64)) {
    let points = format!("{:.1},{:.1} {:.1},{:.1}", from.0, from.1, to.0, to.1);
    add(sheet, "polyline", class, &[("points", points)]);
}

fn circle(sheet: &mut Element, class: &str, at: (f64, f64), radius: f64) {
    let (x, y) = (format!("{:.1}", at.0), format!("{:.1}", at.1));
    let attributes = [("cx", x), ("cy", y), ("r", radius.to_string())];
    add(sheet, "circle", class, &attributes);
}

/// A hollow shape with these corners around a point.
fn polygon(sheet: &mut Element, (x, y): (f64, f64), corners: &[(f64, f64)]) {
    let corners = corners.iter();
    let points: Vec<_> = corners
        .map(|(right, down)| format!("{:.1},{:.1}", x + right, y + down))
        .collect();
    add(sheet, "polygon", "hole", &[("points", points.join(" "))]);
}

fn label(sheet: &mut Element, (x, y): (f64, f64), anchor: &str, text: &str) {
    let mut element = Element::new("text");
    element.assign("x", format!("{x:.1}"));
    element.assign("y", format!("{y:.1}"));
    element.assign("text-anchor", anchor);
    element.append(Text::new(text));
    sheet.append(element);
}

fn titled(sheet: &mut Element, name: &str, text: &str) {
    let mut element = Element::new(name);
    element.assign("id", format!("picture-bench-{name}"));
    element.append(Text::new(text));
    sheet.append(element);
}
