//! Pictures of the pages, as a reader sees them.

use std::{fs, io, path::Path};

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::json;

use super::{Built, Driver, Server};
use crate::Book;

/// How much of a page is in one picture.
const SLICE: u64 = 2_000;

/// Writes each page (or these, by a part of their names) into a folder: both themes, wide and narrow, piece by piece.
///
/// # Errors
///
/// If a tool is missing, or a file cannot be written.
pub fn shots(book: &Book, folder: &Path, only: &[String]) -> io::Result<usize> {
    fs::create_dir_all(folder)?;
    let built = Built::new(&book.root)?.ok_or_else(|| io::Error::other("there is no mdbook"))?;
    let server = Server::new(built.folder())?;
    let driver = Driver::start().map_err(|missing| io::Error::other(missing.to_string()))?;
    driver.open(&format!("{}/index.html", server.address));
    let mut count = 0;
    for theme in ["light", "navy"] {
        driver.script(
            "localStorage.setItem('mdbook-theme', arguments[0])",
            json!([theme]),
        );
        for entry in &book.entries {
            let name = entry.file.trim_end_matches(".md");
            if !only.is_empty() && !only.iter().any(|it| name.contains(it.as_str())) {
                continue;
            }
            for (screen, width) in [("wide", 1280), ("narrow", 390)] {
                driver.width(width);
                driver.open(&format!("{}/{name}.html", server.address));
                let open = "for (const it of document.querySelectorAll('details')) it.open = true;
                    return Math.ceil(document.documentElement.getBoundingClientRect().height);";
                let height = driver.script(open, json!([])).as_u64().unwrap_or(SLICE);
                for (slice, top) in (1..).zip((0..height).step_by(SLICE as usize)) {
                    let clip = json!({ "x": 0, "y": top, "width": width, "height": SLICE.min(height - top), "scale": 1 });
                    let shot =
                        json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
                    let shot = driver.devtools("Page.captureScreenshot", &shot);
                    let data = STANDARD.decode(shot["data"].as_str().unwrap_or_default());
                    let file = format!("{name}-{theme}-{screen}-{slice}.png");
                    fs::write(folder.join(file), data.map_err(io::Error::other)?)?;
                    count += 1;
                }
            }
        }
    }
    Ok(count)
}
