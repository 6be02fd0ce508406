//! What stands in the book is what is recorded and drawn now.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use picture::misplaced::misplaced;
use picture::run::{TRIES, order};
use picture::{album, runs};
use probe::within;

const LIMIT: Duration = Duration::from_secs(20);

#[test]
fn every_run_has_the_order_of_events_that_stands_in_the_book() {
    for run in runs::ALL {
        let known = order(&album::committed(run).unwrap());
        // A machine that is too busy may delay a thread by more than a timer's 10 ms. That does not happen several
        // times in a row; an order that has changed does not come back.
        let now = order(&within(LIMIT, || run.record_like(&known)));
        assert!(
            now == known,
            "{}: recorded {TRIES} times, and the order of events is another one. \
             If that is meant: cargo run -p picture -- --write\nin the book:\n{known}\nnow:\n{now}",
            run.name
        );
    }
}

#[test]
fn every_picture_is_what_is_drawn_now() {
    for figure in album::all_figures().unwrap() {
        let committed = album::read(&album::picture_of(&figure)).unwrap_or_default();
        assert!(
            committed == figure.to_html(),
            "{} is drawn differently now: cargo run -p picture -- --write",
            figure.name
        );
    }
}

#[test]
fn there_is_no_picture_and_no_recording_that_nobody_draws() {
    let figures = album::all_figures().unwrap();
    let drawn: BTreeSet<_> = figures.iter().map(album::picture_of).collect();
    let recorded: BTreeSet<_> = runs::ALL.iter().map(album::recording_of).collect();
    for (folder, known) in [("src/pictures", drawn), ("recordings", recorded)] {
        for file in fs::read_dir(album::book().join(folder)).unwrap() {
            let file = file.unwrap().path();
            assert!(
                known.contains(&file),
                "{} belongs to no picture",
                file.display()
            );
        }
    }
}

#[test]
fn no_text_is_cut_off_or_covered_or_crossed() {
    let mut found = Vec::new();
    for figure in album::all_figures().unwrap() {
        found.extend(misplaced(&figure));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_text_is_smaller_than_12_units_of_400() {
    for figure in album::all_figures().unwrap() {
        let html = figure.to_html();
        let sizes = html.split("font-size:").skip(1);
        for size in sizes.filter_map(|rest| rest.split_once("px")) {
            assert!(size.0.parse::<u32>().unwrap() >= 12, "{}", figure.name);
        }
        assert!(html.contains(r#"viewBox="0 0 400 "#), "{}", figure.name);
    }
}

#[test]
fn a_page_can_include_every_picture() {
    let mut ids = BTreeSet::new();
    for figure in album::all_figures().unwrap() {
        let html = figure.to_html();
        assert!(html.starts_with(r#"<figure class="picture"><svg "#));
        assert!(html.ends_with("</figcaption></figure>\n"));
        // An empty line would end the HTML, and what follows would be Markdown.
        assert!(
            html.lines().all(|line| !line.trim().is_empty()),
            "{}",
            figure.name
        );
        for id in html
            .split(" id=\"")
            .skip(1)
            .filter_map(|rest| rest.split_once('"'))
        {
            assert!(
                ids.insert(id.0.to_owned()),
                "two elements have the id {}",
                id.0
            );
        }
        for text in [&figure.title, &figure.description, figure.caption] {
            assert!(!text.is_empty(), "{}", figure.name);
        }
    }
}
