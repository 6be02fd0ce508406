//! The pictures in the book are what is recorded and drawn now, and the drawings beside them are like them.

use std::time::Duration;

use kit::files;
use picture::{committed, figure::Figure, runs};

#[test]
fn the_book_shows_every_run_as_it_is_recorded_and_drawn_now() {
    // A machine that is too busy may delay a thread by more than a timer's 10 ms, so a run is recorded several times.
    probe::within(Duration::from_secs(120), || {
        if let Err(complaints) = committed::check(false) {
            panic!("{complaints}");
        }
    });
}

#[test]
fn no_text_is_cut_off() {
    for run in runs::ALL {
        let recording = committed::recording(run).expect("a recording in the book");
        assert!(
            Figure::new(run, &recording).cut_off() == 0.0,
            "{}: a text is too wide: make it shorter",
            run.name
        );
    }
    for times in runs::TIMES {
        let recordings = times
            .runs
            .map(|(run, _)| committed::recording(run).expect("it is there"));
        let figure = times.figure([&recordings[0], &recordings[1]]);
        assert!(
            figure.cut_off() == 0.0,
            "{}: a text is too wide",
            times.name
        );
    }
}

/// `cargo test -p course` says what any SVG needs to be part of a page. This is what ours have in common.
#[test]
fn a_drawing_has_the_form_of_the_pictures_of_runs() {
    for file in files::below(&committed::book().join("src/pictures")).unwrap() {
        let html = files::read(&file).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let (title, desc) = (
            format!("picture-{name}-title"),
            format!("picture-{name}-desc"),
        );
        for part in [
            // Each picture of a run is followed by its events in words.
            if name.starts_with("run-") {
                "</svg>\n<details>"
            } else {
                "</svg>\n"
            },
            r#"<figure class="picture"><svg "#,
            &format!(r#"aria-labelledby="{title} {desc}""#),
            &format!(r#"<title id="{title}">"#),
            &format!(r#"<desc id="{desc}">"#),
            r#"viewBox="0 0 400 "#,
            "</figcaption></figure>\n",
        ] {
            assert!(html.contains(part), "{name}.svg: {part:?} is missing");
        }
    }
}
