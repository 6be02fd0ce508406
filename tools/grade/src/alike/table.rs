//! What a teacher reads of pairs that are alike.

use super::{Pair, exercises::Both};
use crate::table::aligned;

/// A pair of learners has so many exercises in the table.
const EXERCISES: usize = 3;

/// Pairs of learners, and where their files have the longest passages in common.
pub fn of_runtimes(learners: &[String], pairs: &[Pair]) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let rows = pairs.iter().map(|pair| {
        let [a, b] = pair.answers.map(|answer| learners[answer].clone());
        let (percent, words) = (pair.percent.to_string(), pair.words.to_string());
        [percent, words, a, b, passages(pair)]
    });
    let head = [
        "%",
        "words",
        "learner",
        "learner",
        "longest passages, by lines",
    ];
    aligned(&head, &rows.collect::<Vec<_>>())
}

/// Pairs of learners, and in which exercises their answers have the most in common.
pub fn of_exercises(learners: &[String], pairs: &[Both]) -> String {
    if pairs.is_empty() {
        return String::new();
    }
    let rows = pairs.iter().map(|both| {
        let [a, b] = both.learners.map(|learner| learners[learner].clone());
        let exercises = both.exercises.iter().take(EXERCISES);
        let exercises = exercises.map(|(name, pair)| format!("{name} {}", passages(pair)));
        let exercises: Vec<_> = exercises.map(|text| text.trim_end().to_owned()).collect();
        let more = both.exercises.len().saturating_sub(EXERCISES);
        let more = if more > 0 {
            format!("; {more} more")
        } else {
            String::new()
        };
        let percent = 100 * both.words / both.of.max(1);
        let [percent, words, comments] =
            [percent, both.words, both.comments].map(|number| number.to_string());
        [percent, words, comments, a, b, exercises.join("; ") + &more]
    });
    let head = [
        "%",
        "words",
        "comments",
        "learner",
        "learner",
        "exercises, with the longest passages by lines",
    ];
    aligned(&head, &rows.collect::<Vec<_>>())
}

/// The lines of the passages that a pair has in common, in both files.
fn passages(pair: &Pair) -> String {
    let lines = |(first, last): (usize, usize)| format!("{first}-{last}");
    let passages = pair.passages.iter();
    let passages = passages.map(|passage| passage.map(lines).join(" = "));
    passages.collect::<Vec<_>>().join(", ")
}
