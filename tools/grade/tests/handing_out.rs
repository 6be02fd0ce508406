//! What a learner gets, and that nothing else is touched. The folder with the libraries in it is made by `.ci/weekly`.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use kit::files;
use tempfile::TempDir;

fn handout(place: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_handout"));
    command.env("CARGO_NET_OFFLINE", "true").current_dir(place);
    command.args(arguments).output().unwrap()
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let ran = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .output();
    String::from_utf8(ran.unwrap().stdout).unwrap()
}

/// A copy of the course, because a handout is recorded in the course's repository.
fn course() -> TempDir {
    let copy = TempDir::new().unwrap();
    for path in git(&files::root(), &["ls-files", "-z"]).split_terminator('\0') {
        let to = copy.path().join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(files::root().join(path), to).unwrap();
    }
    git(copy.path(), &["init", "--quiet"]);
    git(copy.path(), &["add", "--all"]);
    copy
}

#[test]
fn a_folder_that_is_there_is_not_touched_and_one_in_the_course_is_not_made() {
    let place = TempDir::new().unwrap();
    fs::create_dir(place.path().join("stick")).unwrap();
    fs::write(place.path().join("other.tar.gz"), "").unwrap();
    let [inside, in_it] = ["stick", "tools/../stick"].map(|path| files::root().join(path));
    for (folder, says) in [
        ("stick", "stick is there already: name another folder"),
        ("other", "other.tar.gz is there already"),
        ("no/such/place", "no/such: "),
        (inside.to_str().unwrap(), "is inside the course"),
        (in_it.to_str().unwrap(), "is inside the course"),
    ] {
        let ran = handout(place.path(), &[folder]);
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(
            ran.status.code() == Some(2) && said.contains(says),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let left: Vec<_> = files::below(place.path()).unwrap();
    assert_eq!(left, [place.path().join("other.tar.gz")]);
    assert!(!inside.exists());
}

/// What the course has and a learner doesn't get, but for the pages of the book.
const TEACHERS: [&str; 13] = [
    ".cargo/mutants.toml",
    ".ci",
    ".github/ISSUE_TEMPLATE",
    ".github/dependabot.yml",
    ".github/workflows/book.yml",
    ".github/workflows/ci.yml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "exercises/solutions",
    "exercises/teachers",
    "tools/climb",
    "tools/exam",
    "tools/grade",
];

/// The folders of which nothing is in the copy, and the files that are not.
fn left_out(course: &Path, copy: &Path) -> Vec<String> {
    let mut found = BTreeSet::new();
    for file in git(course, &["ls-files", "-z"]).split_terminator('\0') {
        if file.starts_with("book/src/") {
            continue;
        }
        let missing = Path::new(file)
            .ancestors()
            .take_while(|it| !copy.join(it).exists());
        let last = missing.last();
        found.extend(last.map(|it| it.display().to_string()));
    }
    found.into_iter().collect()
}

#[test]
fn a_template_has_all_that_a_learner_needs_and_nothing_of_the_teachers() {
    let (course, place) = (course(), TempDir::new().unwrap());
    let before = git(course.path(), &["status", "--porcelain"]);
    let of = ["--course", course.path().to_str().unwrap()];
    let arguments = ["of/../a class", "--template", "me/course"];
    let ran = handout(place.path(), &[&arguments[..], &of].concat());
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    assert_eq!(git(course.path(), &["status", "--porcelain"]), before);

    let folder = place.path().join("a class");
    // What is new in the course is the teacher's, until it is named in HANDED_OUT.
    assert_eq!(left_out(course.path(), &folder), TEACHERS);
    let pages = [
        "course",
        "project",
        "exam",
        "exam-fault",
        "quiz",
        "term",
        "wrong-answers",
    ];
    for page in pages.map(|page| format!("book/src/{page}.md")) {
        assert!(
            course.path().join(&page).exists() && !folder.join(&page).exists(),
            "{page}"
        );
    }
    let all = files::below(&folder).unwrap();
    let is_git = |it: &PathBuf| it.starts_with(folder.join(".git"));
    for file in all.iter().filter(|it| !is_git(it)) {
        let Ok(text) = fs::read_to_string(file) else {
            continue;
        };
        for words in [
            "for teachers",
            "](quiz.md",
            "](course.md",
            "_sol\"",
            "\"quiz.md\"",
        ] {
            assert!(!text.contains(words), "{}: {words}", file.display());
        }
    }
    let workflow = files::read(&folder.join(".github/workflows/classroom.yml")).unwrap();
    assert!(workflow.contains("COURSE: me/course\n"), "{workflow}");
    // What `reset` in rustlings needs.
    assert_eq!(git(&folder, &["status", "--porcelain"]), "");
    assert_eq!(
        git(&folder, &["log", "--format=%s"]),
        "As it was handed out\n"
    );
    // Its version, the folder, its size, and no more. The course knows what it has handed out.
    let version = files::read(&folder.join("exercises/handout.txt")).unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(said.starts_with(&format!("handout {version}")), "{said}");
    assert_eq!(said.lines().count(), 2);
    let recorded = format!("refs/handouts/{}", version.trim());
    assert_eq!(
        git(course.path(), &["rev-parse", &recorded]),
        git(&folder, &["rev-parse", "HEAD"])
    );
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
}

#[test]
fn a_template_for_the_other_code_host_has_its_workflow_and_no_other() {
    let (course, place) = (course(), TempDir::new().unwrap());
    let of = ["--course", course.path().to_str().unwrap()];
    let arguments = ["class", "--template", "me/course", "--host", "gitlab"];
    let ran = handout(place.path(), &[&arguments[..], &of].concat());
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    let folder = place.path().join("class");
    let workflow = files::read(&folder.join(".gitlab-ci.yml")).unwrap();
    assert!(
        workflow.contains("COURSE: $CI_SERVER_URL/me/course.git\n"),
        "{workflow}"
    );
    assert!(!folder.join(".github/workflows").exists());
}

#[test]
fn the_solutions_are_handed_out_if_the_teacher_says_so() {
    let (course, place) = (course(), TempDir::new().unwrap());
    let of = ["--course", course.path().to_str().unwrap()];
    let arguments = ["open", "--template", "me/course", "--solutions"];
    let ran = handout(place.path(), &[&arguments[..], &of].concat());
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let folder = place.path().join("open/exercises");
    let manifest = files::read(&folder.join("Cargo.toml")).unwrap();
    assert!(folder.join("solutions").exists() && manifest.contains("_sol\""));
    assert!(!folder.join("teachers").exists());
}
