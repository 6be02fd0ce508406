//! What a rung counts, and what the teacher decides: a file that is the teacher's.

use std::{collections::BTreeMap, path::Path};

use kit::files;
use serde::Deserialize;

use crate::Error;

/// The teacher's file. The course's own, to begin with, is `exercises/teachers/yours/rubric.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rubric {
    /// The points for each rung, from the first on.
    rungs: Vec<u32>,
    /// The most points that the teacher's review gives.
    review: u32,
    /// What the teacher says of single learners.
    #[serde(default)]
    learners: BTreeMap<String, Decided>,
}

/// What the teacher says of a learner.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decided {
    /// The points of the review, once there was one.
    pub review: Option<u32>,
    /// Points to add, or to take away.
    #[serde(default)]
    pub add: i64,
    /// Why.
    #[serde(default)]
    pub note: String,
}

/// What a learner gets.
#[derive(Debug)]
pub(crate) struct Mark {
    /// For the rungs.
    pub rungs: u32,
    /// With the review, and with what was added.
    pub total: i64,
    /// The most that there is.
    pub of: u32,
}

impl Rubric {
    /// Reads the teacher's file, or the course's own.
    ///
    /// # Errors
    ///
    /// If it can't be read.
    pub fn open(file: Option<&Path>) -> Result<Rubric, Error> {
        let own = files::root().join("exercises/teachers/yours/rubric.toml");
        let file = file.unwrap_or(&own);
        let rubric = toml::from_str(&files::read(file)?);
        rubric.map_err(|error| format!("{}: {error}", file.display()).into())
    }

    /// Checks it against what there is, so that a wrong name in it takes no points from a learner without a word.
    ///
    /// # Errors
    ///
    /// What doesn't fit.
    pub fn fits(&self, rungs: usize, learners: &[&str]) -> Result<(), Error> {
        if self.rungs.len() != rungs {
            let has = self.rungs.len();
            return Err(
                format!("the rubric has points for {has} rungs, and there are {rungs}").into(),
            );
        }
        for (name, decided) in &self.learners {
            if !learners.contains(&&**name) {
                return Err(
                    format!("the rubric names {name:?}, and no learner is called so").into(),
                );
            }
            if decided.review.is_some_and(|points| points > self.review) {
                let most = self.review;
                return Err(format!(
                    "the rubric gives {name:?} more than {most} points for the review"
                )
                .into());
            }
        }
        Ok(())
    }

    pub(crate) fn decided(&self, learner: &str) -> Decided {
        self.learners.get(learner).cloned().unwrap_or_default()
    }

    /// What a learner gets who has passed so many rungs.
    pub(crate) fn mark(&self, learner: &str, passed: usize) -> Mark {
        let Decided { review, add, .. } = self.decided(learner);
        let rungs = self.rungs.iter().take(passed).sum();
        Mark {
            rungs,
            total: i64::from(rungs) + i64::from(review.unwrap_or_default()) + add,
            of: self.rungs.iter().sum::<u32>() + self.review,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_said_and_the_courses_own_rubric_fits() {
        let own = Rubric::open(None).unwrap();
        assert!(own.fits(9, &["anna"]).is_ok());
        assert!(own.fits(10, &["anna"]).is_err());
        let of = |learner: &str| {
            let text = format!("rungs = [5]\nreview = 20\n[learners.{learner}]\nreview = 21");
            let rubric: Rubric = toml::from_str(&text).unwrap();
            rubric.fits(1, &["anna"]).unwrap_err().to_string()
        };
        assert_eq!(
            of("bob"),
            "the rubric names \"bob\", and no learner is called so"
        );
        let most = "the rubric gives \"anna\" more than 20 points for the review";
        assert_eq!(of("anna"), most);
    }

    #[test]
    fn a_mark_is_what_the_rungs_count_and_what_the_teacher_adds() {
        let text = "rungs = [5, 10]\nreview = 20\n[learners.anna]\nadd = -3";
        let rubric: Rubric = toml::from_str(text).unwrap();
        let mark = rubric.mark("anna", 1);
        assert_eq!((mark.rungs, mark.total, mark.of), (5, 2, 35));
    }
}
