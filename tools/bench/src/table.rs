//! The figures as a table: a row for each workload, a column for each runtime.

use bench::{measure::Figures, rounds::Seen};

pub(crate) fn markdown(workloads: &[String], runtimes: &[String], seen: &Seen<'_>) -> String {
    let rule = "--:|".repeat(runtimes.len());
    let mut out = format!(
        "| ns per operation | {} |\n|---|{rule}\n",
        runtimes.join(" | ")
    );
    for workload in workloads {
        let cell = |runtime: &String| match seen.get(&(&**workload, &**runtime)) {
            Some(seen) => cell(workload, seen),
            None => String::new(),
        };
        let cells: Vec<_> = runtimes.iter().map(cell).collect();
        out += &format!("| `{workload}` | {} |\n", cells.join(" | "));
    }
    out
}

/// The medians of all rounds.
fn cell(workload: &str, seen: &[Figures]) -> String {
    let sorted = |figure: fn(&Figures) -> f64| {
        let mut figures: Vec<_> = seen.iter().map(figure).collect();
        figures.sort_by(f64::total_cmp);
        figures
    };
    let median = |figure| format!("{:.0}", quantile(&sorted(figure), 0.5));
    match workload {
        "sleeps" => median(|it| it.other) + "\u{a0}µs late",
        "memory" => median(|it| it.other) + "\u{a0}bytes",
        _ => {
            let (wall, cpu) = (median(|it| it.wall), median(|it| it.cpu));
            let spread = 100.0 * spread(&sorted(|it| it.wall));
            format!("{wall} ±{spread:.0}%<br><small>{cpu}</small>")
        }
    }
}

/// Of sorted figures. Between two of them it goes straight.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let [below, above] = [place.floor(), place.ceil()].map(|it| sorted[it as usize]);
    below + (above - below) * place.fract()
}

/// Half the distance between the quartiles, as a share of the median.
fn spread(sorted: &[f64]) -> f64 {
    let [low, middle, high] = [0.25, 0.5, 0.75].map(|share| quantile(sorted, share));
    (high - low) / 2.0 / middle
}

#[test]
fn the_quartiles_of_five_figures_are_the_second_and_the_fourth() {
    let figures = [1.0, 8.0, 10.0, 14.0, 1000.0];
    assert_eq!((quantile(&figures, 0.5), spread(&figures)), (10.0, 0.3));
}
