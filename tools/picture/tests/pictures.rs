//! What stands in the book is what is recorded and drawn now, and a page can include it.

use std::{collections::BTreeSet, time::Duration};

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
        assert!(
            Figure::new(run, &run.record()).cut_off() == 0.0,
            "{}: a text is too wide: make it shorter",
            run.name
        );
    }
}

/// The drawings too, which are edited by hand.
#[test]
fn a_page_can_include_every_picture() {
    let mut ids = BTreeSet::new();
    for file in files::below(&committed::book().join("src/pictures")).unwrap() {
        let html = files::read(&file).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let ids_of_all = format!(r#"aria-labelledby="picture-{name}-title picture-{name}-desc""#);
        for part in [
            r#"<figure class="picture"><svg "#,
            &ids_of_all,
            r#"role="img""#,
            r#"viewBox="0 0 400 "#,
            "</desc>\n",
            "</figcaption></figure>\n",
        ] {
            assert!(html.contains(part), "{name}.svg: {part:?} is missing");
        }
        let blank = html.lines().position(|line| line.trim().is_empty());
        if let Some(line) = blank {
            panic!(
                "{name}.svg:{}: an empty line would end the HTML here: remove it",
                line + 1
            );
        }
        for id in html.split(" id=\"").skip(1) {
            let id = id.split('"').next().unwrap();
            let is_new = ids.insert(id.to_owned());
            assert!(is_new, "{name}.svg: another picture has the id {id} too");
        }
    }
}
