//! What the teacher decides, in a file that is the teacher's: the grader reads it and never writes it, so it holds when a class is graded again.

use std::{collections::BTreeMap, path::Path};

use kit::files;
use serde::Deserialize;

use crate::{Error, grading::Graded};

/// The teacher's file for what was handed in at one time.
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
    /// Reads the teacher's file. Without one, nothing is decided.
    ///
    /// # Errors
    ///
    /// If it can't be read.
    pub fn open(file: Option<&Path>) -> Result<Decisions, Error> {
        let Some(file) = file else {
            return Ok(Decisions::default());
        };
        let decisions = toml::from_str(&files::read(file)?);
        decisions.map_err(|error| format!("{}: {error}", file.display()).into())
    }

    pub(crate) fn of(&self, learner: &str) -> Decision {
        self.learners.get(learner).cloned().unwrap_or_default()
    }

    /// Puts the teacher's points in the place of the grader's.
    ///
    /// # Errors
    ///
    /// If a name in it is nobody's or of no exercise here, so that a wrong name takes no points from a learner without a word.
    pub fn apply(&self, graded: &mut [(String, Vec<Graded>)]) -> Result<(), Error> {
        for (learner, decision) in &self.learners {
            let row = graded.iter_mut().find(|(name, _)| name == learner);
            let (_, row) = row.ok_or_else(|| format!("no learner is called {learner:?}"))?;
            for (name, &points) in &decision.points {
                let is_it =
                    |it: &&mut Graded| it.exercise.name == *name || it.exercise.name[..4] == **name;
                let graded = row.iter_mut().find(is_it);
                let graded = graded.ok_or_else(|| {
                    format!("{learner:?}: {name} is none of the exercises that are graded")
                })?;
                let most = graded.exercise.points;
                if points > most {
                    return Err(format!("{learner:?}: {name} has {most} points at most").into());
                }
                graded.given = Some(points);
            }
        }
        Ok(())
    }
}
