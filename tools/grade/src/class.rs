//! What a class has handed in: who the learners are, and where each of them has put the file of an exercise.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use course::Exercise;
use kit::files;

use crate::{Error, Set};

/// Files in these folders of a learner's copy have the names of exercises, and are the course's.
const COURSES: [&str; 3] = ["checks", "given", "solutions"];
/// Why there is no file, if nothing looks like it either.
pub(crate) const NOT_HANDED_IN: &str = "there is no such file";
const ARCHIVES: [&str; 6] = ["7z", "gz", "rar", "tar", "tgz", "zip"];

/// A learner.
#[derive(Debug)]
pub struct Learner {
    /// As the table calls them, which is the name of the folder.
    pub name: String,
    /// What the learner has handed in.
    folder: PathBuf,
    /// The copy of `exercises/` in it, or the same folder.
    pub copy: PathBuf,
    /// All files in it, once they are needed.
    all: OnceLock<Vec<PathBuf>>,
    /// What the same learner has handed in before.
    pub(crate) before: Option<Box<Learner>>,
}

/// The learners of these folders, in the order of their names, and what else is there, which belongs to no learner. Two folders of the
/// same name are of one learner, who has handed in the later one after the earlier one.
///
/// # Errors
///
/// If a folder has no answer at all: that is not to be taken for a class that has written nothing.
pub fn learners(set: &Set, folders: &[PathBuf]) -> Result<(Vec<Learner>, Vec<String>), Error> {
    let mut all = BTreeMap::<String, Learner>::new();
    let mut others = Vec::new();
    for folder in folders {
        let (learners, left_out) = learners_in(set, folder)?;
        others.extend(left_out);
        for mut learner in learners {
            learner.before = all.remove(&learner.name).map(Box::new);
            all.insert(learner.name.clone(), learner);
        }
    }
    Ok((all.into_values().collect(), others))
}

/// The learner whose answers are in this folder; otherwise all whose folders are in this one.
fn learners_in(set: &Set, folder: &Path) -> Result<(Vec<Learner>, Vec<String>), Error> {
    let folder = std::path::absolute(folder)?;
    let one = Learner::of(set, &folder);
    if has_some(set, &one.copy) && [&folder, &folder.join("exercises")].contains(&&one.copy) {
        return Ok((vec![one], Vec::new()));
    }
    let failed = |error| format!("{}: {error}", folder.display());
    let entries = fs::read_dir(&folder).map_err(failed)?.flatten();
    let paths = entries
        .map(|entry| entry.path())
        .filter(|path| !is_hidden(path));
    let (folders, files): (Vec<_>, Vec<_>) = paths.partition(|path| path.is_dir());
    // A learner may have handed in the folders of the chapters.
    let is_part = |folder: &PathBuf| {
        let name = folder.file_name().unwrap_or_default();
        name == "exercises" || set.exercises.iter().any(|exercise| name == &*exercise.dir)
    };
    let mut all: Vec<_> = folders
        .iter()
        .map(|folder| Learner::of(set, folder))
        .collect();
    if !folders.iter().any(is_part) && all.iter().any(|learner| learner.has_some(set)) {
        all.sort_by(|a, b| a.name.cmp(&b.name));
        if let Some(why) = is_a_term(set, &folder, &all) {
            return Err(why.into());
        }
        let mut others: Vec<_> = files
            .iter()
            .map(|file| files::shown(&folder, file))
            .collect();
        others.sort();
        return Ok((all, others));
    }
    if one.has_some(set) {
        return Ok((vec![one], Vec::new()));
    }
    let first = set.exercises.first();
    let such = first.map_or(String::new(), |first| {
        format!(", such as {}.rs", first.name)
    });
    Err(format!(
        "{} holds none of the exercises{such}, and neither does a folder in it",
        folder.display()
    )
    .into())
}

/// Why this folder is taken for one of a whole term, whose folders are classes and no learners: in each of them, some exercise was
/// handed in more than once.
fn is_a_term(set: &Set, folder: &Path, all: &[Learner]) -> Option<String> {
    let with_some = all.iter().filter(|learner| learner.has_some(set));
    let several: Option<Vec<_>> = with_some.map(|learner| learner.several(set)).collect();
    let [one, other] = several?.into_iter().next()?;
    let week = folder.join(one.strip_prefix(folder).ok()?.iter().next()?);
    Some(format!(
        "each folder in {} holds several answers to one exercise, such as {} and {}. If these are of two learners, name their week: {}. Otherwise leave one of the two",
        folder.display(),
        files::shown(folder, &one),
        files::shown(folder, &other),
        week.display()
    ))
}

impl Learner {
    fn of(set: &Set, folder: &Path) -> Learner {
        let name = folder.iter().rfind(|name| *name != "exercises");
        let copies = [folder.to_owned(), folder.join("exercises")];
        let copy = copies.into_iter().find(|copy| has_some(set, copy));
        let mut learner = Learner {
            name: name.unwrap_or_default().to_string_lossy().into_owned(),
            folder: folder.to_owned(),
            copy: folder.to_owned(),
            all: OnceLock::new(),
            before: None,
        };
        // Somebody may have packed a folder around it. What is in an update lies deeper.
        let inner = || {
            let folders = learner
                .all()
                .iter()
                .filter_map(|file| file.ancestors().nth(3));
            let copies = folders.filter(|copy| copy.starts_with(folder) && has_some(set, copy));
            copies
                .min_by_key(|copy| copy.iter().count())
                .map(PathBuf::from)
        };
        if let Some(copy) = copy.or_else(inner) {
            learner.copy = copy;
        }
        learner
    }

    fn all(&self) -> &[PathBuf] {
        self.all.get_or_init(|| visible(&self.folder))
    }

    fn has_some(&self, set: &Set) -> bool {
        let has = |exercise| self.named(exercise).next().is_some();
        has_some(set, &self.copy) || set.exercises.iter().any(has)
    }

    /// The files that are called like this exercise, wherever they are.
    fn named<'a>(&'a self, exercise: &Exercise) -> impl Iterator<Item = &'a PathBuf> {
        let name = format!("{}.rs", exercise.name);
        let named = move |file: &&PathBuf| file.file_name().is_some_and(|own| own == &*name);
        self.all()
            .iter()
            .filter(named)
            .filter(|file| !self.is_courses(file))
    }

    /// Two different files that are called like this exercise.
    fn several_of(&self, exercise: &Exercise) -> Option<[PathBuf; 2]> {
        let named: Vec<_> = self.named(exercise).collect();
        let differ = |pair: &&[&PathBuf]| fs::read(pair[0]).ok() != fs::read(pair[1]).ok();
        let pair = named.windows(2).find(differ)?;
        Some([pair[0].clone(), pair[1].clone()])
    }

    /// Two different files for one exercise, if the folder itself is no copy of the exercises.
    fn several(&self, set: &Set) -> Option<[PathBuf; 2]> {
        let copies = [self.folder.clone(), self.folder.join("exercises")];
        if copies.iter().any(|copy| has_some(set, copy)) {
            return None;
        }
        let mut exercises = set.exercises.iter();
        exercises.find_map(|exercise| self.several_of(exercise))
    }

    fn is_courses(&self, file: &Path) -> bool {
        let below = file.ancestors().take_while(|above| *above != self.folder);
        let mut folders = below.skip(1);
        folders.any(|folder| {
            let is_named = COURSES.iter().any(|name| folder.ends_with(name));
            // A learner may call a folder so, too.
            is_named && folder.with_file_name("exercises").is_dir()
        })
    }

    /// The learner's file for an exercise: the one at its place, or else the only one of its name.
    ///
    /// # Errors
    ///
    /// Why there is none, in a line.
    pub(crate) fn file(&self, exercise: &Exercise) -> Result<PathBuf, String> {
        let place = self.copy.join("exercises").join(exercise.file());
        if place.exists() {
            return Ok(place);
        }
        let shown = |file: &PathBuf| files::shown(&self.folder, file);
        if let Some([one, other]) = self.several_of(exercise) {
            let (one, other) = (shown(&one), shown(&other));
            return Err(format!("there are several: {one} and {other}"));
        }
        if let Some(file) = self.named(exercise).next() {
            return Ok(PathBuf::clone(file));
        }
        let is_similar = |file: &&PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            is_similar(&name.to_lowercase(), &exercise.name)
        };
        let is_other = |file: &&PathBuf| !self.is_courses(file) && !is_archive(file);
        let mut others = self.all().iter().filter(is_other);
        if let Some(similar) = others.find(is_similar) {
            let (name, there) = (&exercise.name, shown(similar));
            // What is there comes first, since a table has no room for both names.
            return Err(format!("{there} has to be called {name}.rs"));
        }
        match self.all().iter().find(|file| is_archive(file)) {
            Some(archive) => Err(format!("unpack {}", shown(archive))),
            None => Err(NOT_HANDED_IN.to_owned()),
        }
    }
}

/// Whether a file may be meant for an exercise: it has the chapter and the letter in its name, or the words, and is called like no
/// other exercise. Both are in small letters.
fn is_similar(file: &str, exercise: &str) -> bool {
    let (short, words) = (&exercise[..4], &exercise[5..]);
    // `s03a_`, and what is before it is no part of a word.
    let is_named = |at: usize, letters: &[u8]| {
        let starts = at == 0 || !file.as_bytes()[at - 1].is_ascii_alphanumeric();
        starts
            && letters[0] == b's'
            && letters[1..3].iter().all(u8::is_ascii_digit)
            && letters[3].is_ascii_lowercase()
            && letters[4] == b'_'
    };
    let mut named = file.as_bytes().windows(5).enumerate();
    match named.find(|(at, letters)| is_named(*at, letters)) {
        Some((_, letters)) => letters[..4] == *short.as_bytes(),
        None => file.contains(&short[1..]) || file.contains(words),
    }
}

/// Whether a folder is a copy of `exercises/`: one of the exercises is at its place.
fn has_some(set: &Set, folder: &Path) -> bool {
    let mut files = set.exercises.iter().map(Exercise::file);
    files.any(|file| folder.join("exercises").join(file).is_file())
}

pub(crate) fn is_archive(file: &Path) -> bool {
    let kind = file.extension().unwrap_or_default();
    ARCHIVES
        .iter()
        .any(|known| kind.eq_ignore_ascii_case(known))
}

/// Whether the system or a tool has put this there, such as `.git` or what macOS puts into an archive.
pub(crate) fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.') || name == "__MACOSX"
}

/// All files in a folder that are neither hidden nor in a hidden folder.
pub(crate) fn visible(folder: &Path) -> Vec<PathBuf> {
    let mut all = files::below(folder).unwrap_or_default();
    all.retain(|file| {
        let below = file.ancestors().take_while(|above| *above != folder);
        !below.into_iter().any(is_hidden)
    });
    all
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    const DIR: &str = "exercises/01_simple_future";
    const NAME: &str = "s01a_countdown.rs";

    /// A folder with these files, each of which holds its own path or what stands behind it.
    fn class(files: &[&str]) -> TempDir {
        let class = TempDir::new().unwrap();
        for file in files {
            let (file, text) = file.split_once(": ").unwrap_or((file, file));
            let path = class.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        class
    }

    /// What becomes of the first exercise of a learner who has handed in these files.
    fn found(files: &[&str]) -> Result<String, String> {
        let class = class(files);
        let set = Set::open(None).unwrap();
        let learner = Learner::of(&set, class.path());
        let file = learner.file(&set.exercises[0]);
        file.map(|file| files::shown(class.path(), &file))
    }

    #[test]
    fn an_answer_is_found_wherever_the_learner_has_put_it() {
        for files in [
            &[&*format!("{DIR}/{NAME}"), "s01a_countdown.rs"][..],
            &[
                &*format!("exercises/{DIR}/{NAME}"),
                "exercises/checks/s01a_countdown.rs",
            ],
            &["s01a_countdown.rs", "s01b_called_by_the_socket.rs"],
            &["a/s01a_countdown.rs: same", "b/s01a_countdown.rs: same"],
            // A copy of the course in a folder, with an update unpacked in it.
            &[
                &*format!("course/exercises/{DIR}/{NAME}"),
                &*format!("course/update/now/exercises/{DIR}/{NAME}"),
                &*format!("course/exercises/solutions/01_simple_future/{NAME}"),
            ],
            &["solutions/s01a_countdown.rs"],
        ] {
            assert_eq!(
                found(files).as_deref(),
                Ok(files[0].split(':').next().unwrap())
            );
        }
    }

    #[test]
    fn a_missing_answer_has_a_line_that_says_what_to_do() {
        let other = format!("{DIR}/s01b_called_by_the_socket.rs");
        for (files, why) in [
            (
                &["checks/s01a_countdown.rs", &*other][..],
                "there is no such file",
            ),
            (
                &["a/s01a_countdown.rs", "b/s01a_countdown.rs"],
                "there are several: a/s01a_countdown.rs and b/s01a_countdown.rs",
            ),
            (
                &["s01a_countdown (1).rs"],
                "s01a_countdown (1).rs has to be called s01a_countdown.rs",
            ),
            (&["S01A.rs"], "S01A.rs has to be called s01a_countdown.rs"),
            (
                &["Exercise 01a.rs"],
                "Exercise 01a.rs has to be called s01a_countdown.rs",
            ),
            (
                &["countdown.rs"],
                "countdown.rs has to be called s01a_countdown.rs",
            ),
            (&["anna_s01b_the_countdown.rs"], "there is no such file"),
            (&["homework.zip"], "unpack homework.zip"),
            (&["s01a.zip"], "unpack s01a.zip"),
            (
                &["__MACOSX/s01a_countdown.rs", "._s01a_countdown.rs"],
                "there is no such file",
            ),
        ] {
            assert_eq!(found(files), Err(why.to_owned()), "{files:?}");
        }
    }

    #[test]
    fn a_learner_is_told_from_a_class() {
        let set = Set::open(None).unwrap();
        let names = |files: &[&str]| {
            let class = class(files);
            let (learners, others) = learners_in(&set, class.path()).unwrap();
            let itself = files::shown(class.path().parent().unwrap(), class.path());
            let name = |learner: Learner| {
                if learner.name == itself {
                    "itself".to_owned()
                } else {
                    learner.name
                }
            };
            (
                learners
                    .into_iter()
                    .map(name)
                    .collect::<Vec<_>>()
                    .join(", "),
                others.join(", "),
            )
        };
        for (files, expected) in [
            (&[&*format!("{DIR}/{NAME}")][..], ("itself", "")),
            (&[NAME, "letter.txt"], ("itself", "")),
            (&["01_simple_future/s01a_countdown.rs"], ("itself", "")),
            (
                &[
                    "bob/s01a_countdown.rs",
                    "anna/none.txt",
                    "letter.txt",
                    ".DS_Store",
                ],
                ("anna, bob", "letter.txt"),
            ),
        ] {
            let (learners, others) = names(files);
            assert_eq!((&*learners, &*others), expected, "{files:?}");
        }
        let refused = |files: &[&str]| {
            let class = class(files);
            let why = learners_in(&set, class.path()).unwrap_err().to_string();
            why.replace(&class.path().display().to_string(), "class")
        };
        assert_eq!(
            refused(&["anna/none.txt"]),
            "class holds none of the exercises, such as s01a_countdown.rs, and neither does a folder in it"
        );
        assert_eq!(
            refused(&[
                "week2/anna/s01a_countdown.rs",
                &format!("week2/bob/exercises/{DIR}/{NAME}"),
                "week3/anna/s01a_countdown.rs",
                "week3/bob/s01a_countdown.rs",
            ]),
            "each folder in class holds several answers to one exercise, such as week2/anna/s01a_countdown.rs and \
             week2/bob/exercises/exercises/01_simple_future/s01a_countdown.rs. If these are of two learners, name their week: class/week2. \
             Otherwise leave one of the two"
        );
    }
}
