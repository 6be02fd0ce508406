//! What the teacher decides, in a file that is the teacher's: the grader reads it and never writes it, so it holds when a class is graded again.

use std::{collections::BTreeMap, path::PathBuf};

use course::Exercise;
use kit::files;
use serde::Deserialize;

use crate::{
    Error, Set,
    class::Learner,
    grading::{Graded, Row},
};

/// The teacher's files, of which each is for what was handed in at one time.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decisions {
    #[serde(default)]
    learners: BTreeMap<String, Decision>,
}

/// What the teacher says of a learner.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decision {
    /// The points of single exercises, by their short names, whatever the grader says.
    #[serde(default)]
    points: BTreeMap<String, u32>,
    /// Points to add to the sum, or to take away.
    #[serde(default)]
    pub add: i64,
    /// Why.
    #[serde(default)]
    pub note: String,
}

impl Decisions {
    /// Reads the teacher's files. Without one, nothing is decided.
    ///
    /// # Errors
    ///
    /// If one can't be read, or decides once more what another one has decided.
    pub fn open(files: &[PathBuf]) -> Result<Decisions, Error> {
        let mut all = Decisions::default();
        for file in files {
            let failed = |why: String| format!("{}: {why}", file.display());
            let of_file: Decisions =
                toml::from_str(&files::read(file)?).map_err(|error| failed(error.to_string()))?;
            for (learner, decision) in of_file.learners {
                let decided = all.learners.entry(learner.clone()).or_default();
                for (exercise, points) in decision.points {
                    if decided.points.insert(exercise.clone(), points).is_some() {
                        let why = format!("{learner:?}: {exercise} has its points already");
                        return Err(failed(why).into());
                    }
                }
                decided.add += decision.add;
                let notes = [&*decided.note, &*decision.note].map(str::to_owned);
                let notes = notes.into_iter().filter(|note| !note.is_empty());
                decided.note = notes.collect::<Vec<_>>().join("; ");
            }
        }
        Ok(all)
    }

    pub(crate) fn of(&self, learner: &str) -> Decision {
        self.learners.get(learner).cloned().unwrap_or_default()
    }

    /// Sees to it that they fit these learners and these exercises, before hours go into grading.
    ///
    /// # Errors
    ///
    /// If a name in it is nobody's or of no exercise here, so that a wrong name takes no points from a learner without a word.
    pub fn fits(&self, set: &Set, learners: &[Learner]) -> Result<(), Error> {
        for (learner, decision) in &self.learners {
            if !learners.iter().any(|known| known.name == *learner) {
                return Err(format!("no learner is called {learner:?}").into());
            }
            for (name, &points) in &decision.points {
                let exercise = set.exercises.iter().find(|known| is_called(known, name));
                let exercise = exercise.ok_or_else(|| {
                    format!("{learner:?}: {name} is none of the exercises that are graded")
                })?;
                let most = exercise.points;
                if points > most {
                    return Err(format!("{learner:?}: {name} has {most} points at most").into());
                }
            }
        }
        Ok(())
    }

    /// Puts the teacher's points in the place of the grader's.
    pub fn apply(&self, graded: &mut [Row]) {
        for Row { learner, answers } in graded {
            let points = self.of(learner).points;
            for graded in answers {
                let mut given = points.iter();
                let given = given.find(|(name, _)| is_called(&graded.exercise, name));
                graded.given = given.map(|(_, points)| *points);
            }
        }
    }

    /// The points that a learner gets, with what the teacher adds or takes away, and those to be had.
    pub fn total(&self, row: &Row) -> (i64, u32) {
        let got: u32 = row.answers.iter().map(Graded::points).sum();
        let possible = row.answers.iter().map(|graded| graded.exercise.points);
        (i64::from(got) + self.of(&row.learner).add, possible.sum())
    }
}

/// By its whole name or by its short one.
fn is_called(exercise: &Exercise, name: &str) -> bool {
    [&exercise.name, exercise.short()].contains(&name)
}
