//! Learners whose answers to exercises are alike.
//!
//! An exercise has ten lines, and to most there are few right answers. So what our solution has, and what the answers on the teacher's pages
//! have, right ones and wrong ones, counts as little as what the starter has. Neither does what a quarter of the class has written: it was
//! said in class. What is left of one exercise is little, so a pair is judged by all of them together.
//!
//! A comment is nobody's but the learner's, and says more than the code. So comments are compared as well, by their words.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use course::Exercise;
use rayon::prelude::*;

use super::{Pair, Passages, compare, stages_called};
use crate::{Error, Set, class::Learner, grading, handout::earlier, wrong};

/// A passage of an exercise has so many words at least.
const WORDS: usize = 12;
/// A comment counts from so many words on.
const COMMENT: usize = 4;
/// What one learner in so many has written was said in class, if they are more than a few.
const PART: usize = 4;
const FEW: usize = 3;

/// Two learners, and what all their answers have in common.
#[derive(Clone, Debug, Default)]
pub struct Both {
    /// Their places in the class.
    pub learners: [usize; 2],
    /// So many words are in common passages.
    pub words: usize,
    /// So many have the shorter answers, without what is given.
    pub of: usize,
    /// So many comments are the same.
    pub comments: usize,
    /// By the short names of the exercises, with the most in common first.
    pub exercises: Vec<(String, Pair)>,
}

/// All pairs of learners who have anything in common, with the most first.
///
/// # Errors
///
/// If a file of the course can't be read.
pub fn pairs(set: &Set, learners: &[Learner]) -> Result<Vec<Both>, Error> {
    let earlier = earlier::texts(&set.folder, "exercises")?;
    let known = wrong::answers(set)?;
    let limits = Passages {
        words: WORDS,
        answers: FEW.max(learners.len() / PART),
    };
    let of_exercise = |exercise: &Exercise| -> Result<Vec<_>, Error> {
        let text = |learner| grading::written(set, &earlier, learner, exercise).ok();
        let answers = learners.iter().enumerate();
        let answers = answers.filter_map(|(number, learner)| Some((number, text(learner)?)));
        let (numbers, texts): (Vec<_>, Vec<_>) = answers.unzip();
        if texts.len() < 2 {
            return Ok(Vec::new());
        }
        let starter = set.starter(exercise)?;
        let mut shown = stages_called(&format!("step{}", exercise.chapter()))?;
        shown.push(set.read(&format!("solutions/{}", exercise.file()))?);
        for answer in known.get(&exercise.name).into_iter().flatten() {
            let folder = answer.folder;
            let applied = answer.applied(&set.read(&format!("{folder}/{}", exercise.file()))?);
            shown.extend(applied.ok());
        }
        let mut common = compare(&starter, &shown, &texts, limits);
        let given = shown
            .iter()
            .chain([&starter])
            .flat_map(|text| comments(text));
        let comments = own_comments(&texts, &given.collect(), limits.answers);
        let comments = |[a, b]: [usize; 2]| comments[a].intersection(&comments[b]).count();
        let common = common.iter_mut().map(|pair| {
            let comments = comments(pair.answers);
            pair.answers = pair.answers.map(|answer| numbers[answer]);
            (exercise.short().to_owned(), pair.clone(), comments)
        });
        Ok(common.collect())
    };
    let common: Result<Vec<_>, _> = set.exercises.par_iter().map(of_exercise).collect();
    let mut all = BTreeMap::<[usize; 2], Both>::new();
    for (name, pair, comments) in common?.into_iter().flatten() {
        let both = all.entry(pair.answers).or_default();
        both.learners = pair.answers;
        both.words += pair.words;
        both.of += pair.of;
        both.comments += comments;
        if pair.words > 0 || comments > 0 {
            both.exercises.push((name, pair));
        }
    }
    let mut all: Vec<_> = all.into_values().collect();
    all.retain(|both| !both.exercises.is_empty());
    for both in &mut all {
        both.exercises.sort_by_key(|(_, pair)| Reverse(pair.words));
    }
    all.sort_by_key(|both| Reverse((both.words, both.comments)));
    Ok(all)
}

/// The comments of each answer that are neither given nor in too many answers.
fn own_comments(texts: &[String], given: &BTreeSet<String>, most: usize) -> Vec<BTreeSet<String>> {
    let all: Vec<BTreeSet<String>> = texts.iter().map(|text| comments(text).collect()).collect();
    let count = |comment| {
        all.iter()
            .filter(|of_answer| of_answer.contains(comment))
            .count()
    };
    let own = all.iter().map(|comments| {
        let own = comments
            .difference(given)
            .filter(|comment| count(*comment) <= most);
        own.cloned().collect()
    });
    own.collect()
}

/// The comments of a text that have some words, a line each.
fn comments(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter_map(|line| {
        let (code, comment) = line.split_once("//")?;
        // An address in a text has two slashes as well.
        let is_in_text = code.matches('"').count() % 2 == 1;
        let words = comment.trim_matches(['/', '!', ' ']).split_whitespace();
        let words: Vec<_> = words.map(str::to_lowercase).collect();
        (!is_in_text && words.len() >= COMMENT).then(|| words.join(" "))
    })
}
