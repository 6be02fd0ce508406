//! The small picture of the machine at the head of each chapter, with the part lit that the chapter adds.
//!
//! The drawing is `pictures/map.svg`, edited by hand. Each of its groups says with `class="from-4"` which chapter builds
//! it, and its list in words has an entry for each chapter.

use std::{cmp::Ordering, sync::LazyLock};

use regex::{Captures, Regex};

use crate::Stage;

/// The drawing.
pub(crate) const MAP: &str = "book/src/pictures/map.svg";

/// The picture's path from the root.
pub(crate) fn path(stage: &Stage) -> String {
    format!("book/src/pictures/machine-{}.svg", stage.number())
}

static FROM: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"class="from-(\d+)""#).expect("it is a regex"));

/// The drawing as it is after this stage, or what the drawing lacks.
pub(crate) fn picture(stage: &Stage, map: &str) -> Result<String, String> {
    let number: usize = stage.number().parse().unwrap_or_default();
    let words: Vec<&str> = map
        .lines()
        .filter_map(|it| it.strip_prefix("<li>")?.strip_suffix("</li>"))
        .collect();
    let adds = number.checked_sub(1).and_then(|place| words.get(place));
    let adds = adds.ok_or_else(|| format!(" there is no <li> for chapter {number}: add one"))?;
    let shapes = map
        .split_once("</desc>\n")
        .and_then(|(_, rest)| rest.split_once("</svg>"));
    let (shapes, _) = shapes.ok_or(" there are no shapes between </desc> and </svg>")?;
    if !shapes.contains(&format!("class=\"from-{number}\"")) {
        return Err(format!(" there is no group of class from-{number}: add it"));
    }
    let state = |found: &Captures<'_>| {
        let from: usize = found[1].parse().unwrap_or_default();
        let state = match from.cmp(&number) {
            Ordering::Less => "built",
            Ordering::Equal => "lit",
            Ordering::Greater => "to-come",
        };
        format!("class=\"{state}\"")
    };
    let shapes = FROM.replace_all(shapes, state);
    let size = map.split_once("viewBox=\"").map_or("", |(_, rest)| rest);
    let size = size.split('"').next().unwrap_or_default();
    let tags = Regex::new("<[^>]*>").expect("it is a regex");
    let description = tags.replace_all(adds, "");
    let id = format!("picture-machine-{}", stage.number());
    let lines = match number {
        1 => "Thick lines are new here, and dotted lines come from later chapters.",
        _ if number == words.len() => {
            "Thick lines are new here, and thin lines come from earlier chapters."
        }
        _ => {
            "Thick lines are new here, thin lines come from earlier chapters, and dotted lines from later ones."
        }
    };
    Ok(format!(
        r#"<figure class="picture"><svg class="machine" aria-labelledby="{id}-title {id}-desc" role="img" viewBox="{size}" xmlns="http://www.w3.org/2000/svg">
<title id="{id}-title">The machine, and what chapter {number} adds to it</title>
<desc id="{id}-desc">{description}</desc>
{shapes}</svg>
<figcaption>
{adds} {lines}
</figcaption></figure>
"#
    ))
}
