//! The workflows for two code hosts, executed line by line as a runner does it, with all that comes from a network in folders beside it.

#![cfg(unix)]

mod common;

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Command, ExitStatus},
};

use common::{Fixture, foot, part};
use kit::files;
use yaml_rust2::{Yaml, YamlLoader};

/// What a learner has pushed, the course, and a runner.
struct Host {
    fixture: Fixture,
    workflow: Yaml,
}

impl Host {
    /// With the course's workflow of this name. Of two exercises, the learner has solved the first one.
    fn new(workflow: &str) -> Host {
        let fixture = Fixture::new(&["one", "two"]);
        for (name, body) in fixture.names.iter().zip(["42", "41"]) {
            let file = format!("pushed/exercises/exercises/01_one/{name}.rs");
            fixture.write(&file, &(part(body) + &foot(name)));
        }
        // It must not be the configuration of what grades the learner.
        fixture.write(
            "pushed/.cargo/config.toml",
            "[build]\nrustc = \"nowhere\"\n",
        );
        fixture.write("me/course.git/README.md", "");
        let workflow = files::root().join("exercises/teachers").join(workflow);
        let text = files::read(&workflow).unwrap();
        let text = text.replace("OWNER/COURSE", "me/course");
        let mut documents = YamlLoader::load_from_str(&text).unwrap();
        assert_eq!(documents.len(), 1);
        // The course's grader is built already, and takes the small set. What it builds would be in the course's `target`.
        let (grade, set) = (env!("CARGO_BIN_EXE_grade"), fixture.path("set"));
        let (set, build) = (set.display(), fixture.path("build"));
        let build = build.display();
        let cargo = format!(
            "[ \"$1 $2 $3 $4 $5\" = 'run --quiet -p grade --' ] && shift 5 && test -e README.md || exit 99\n\
             case \"$*\" in *--build-in*) ;; *) set -- \"$@\" --build-in '{build}' ;; esac\n\
             exec '{grade}' --set '{set}' \"$@\""
        );
        for (program, line) in [("cargo", &*cargo), ("rustup", "true")] {
            let file = format!("bin/{program}");
            fixture.write(&file, &format!("#!/bin/sh\n{line}\n"));
            let executable = fs::Permissions::from_mode(0o755);
            fs::set_permissions(fixture.path(&file), executable).unwrap();
        }
        fs::create_dir(fixture.path("job")).unwrap();
        Host {
            fixture,
            workflow: documents.remove(0),
        }
    }

    /// Runs lines of the workflow in a folder of the job, with these variables, of which each may use those before it.
    fn run(&self, folder: &str, variables: &[(String, String)], lines: &str) -> ExitStatus {
        let mut script = "set -e\n".to_owned();
        for (name, value) in variables {
            script += &format!("export {name}=\"{value}\"\n");
        }
        let path = format!("{}:{}", self.path("bin"), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell.args(["-c", &(script + lines)]).env("PATH", path);
        shell
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO", env!("CARGO"));
        shell.current_dir(self.fixture.path("job").join(folder));
        let ran = shell.output().unwrap();
        println!(
            "{}{}",
            String::from_utf8_lossy(&ran.stdout),
            String::from_utf8_lossy(&ran.stderr)
        );
        ran.status
    }

    fn path(&self, file: &str) -> String {
        self.fixture.path(file).display().to_string()
    }

    /// Makes a repository of a folder, and returns the name of its commit.
    fn commit(&self, folder: &str) -> String {
        let git = |arguments: &[&str]| {
            let mut git = Command::new("git");
            git.args(["-c", "user.name=a", "-c", "user.email=a@b"])
                .args(arguments);
            let ran = git.current_dir(self.fixture.path(folder)).output().unwrap();
            assert!(
                ran.status.success(),
                "{}",
                String::from_utf8_lossy(&ran.stderr)
            );
            String::from_utf8(ran.stdout).unwrap()
        };
        git(&["init", "--quiet"]);
        git(&["add", "--all"]);
        git(&["commit", "--quiet", "--message", "pushed"]);
        git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    /// The report that the job keeps, which has a test for each exercise.
    fn assert_report(&self, file: &str) {
        let xml = self.fixture.read(&format!("job/{file}"));
        let [one, two] = [0, 1].map(|n| format!("name=\"{}\"", self.fixture.names[n]));
        assert!(xml.contains(&one) && xml.contains(&two), "{xml}");
        assert_eq!(xml.matches("<failure type=\"failed\"").count(), 1, "{xml}");
    }
}

/// The variables that a workflow sets, in its order.
fn variables(yaml: &Yaml) -> Vec<(String, String)> {
    let all = yaml.as_hash().unwrap().iter().map(|(name, value)| {
        let value = value.clone();
        let text = value
            .clone()
            .into_string()
            .or(value.into_i64().map(|it| it.to_string()));
        (name.as_str().unwrap().to_owned(), text.unwrap())
    });
    all.collect()
}

/// The same with another selection of exercises.
fn with_only(mut variables: Vec<(String, String)>, only: &str) -> Vec<(String, String)> {
    let place = variables.iter_mut().find(|it| it.0 == "ONLY").unwrap();
    only.clone_into(&mut place.1);
    variables
}

#[test]
fn gitlab_grades_what_was_pushed_and_shows_it_as_tests() {
    let host = Host::new("gitlab.yml");
    let job = &host.workflow["grade"];
    let lines = job["script"].as_vec().unwrap().iter();
    let lines: Vec<_> = lines.map(|it| it.as_str().unwrap().trim()).collect();
    let commit = host.commit("pushed");
    host.commit("me/course.git");
    let given = [
        ("CI_SERVER_URL", format!("file://{}", host.path(""))),
        ("CI_PROJECT_DIR", host.path("job")),
        (
            "CI_REPOSITORY_URL",
            format!("file://{}", host.path("pushed")),
        ),
        ("CI_COMMIT_SHA", commit),
    ];
    let mut all: Vec<_> = given.map(|(name, value)| (name.to_owned(), value)).into();
    all.extend(variables(&job["variables"]));
    // A second push finds what the first one has left.
    for (only, status) in [("", 1), ("s01a", 0), ("", 1)] {
        let ended = host.run("", &with_only(all.clone(), only), &lines.join("\n"));
        assert_eq!(ended.code(), Some(status));
    }
    host.assert_report(job["artifacts"]["reports"]["junit"].as_str().unwrap());
    let kept =
        [&job["artifacts"], &job["cache"]].map(|it| it["paths"][0].as_str().unwrap().to_owned());
    assert!(
        kept.iter()
            .all(|it| host.fixture.path("job").join(it).is_dir()),
        "{kept:?}"
    );
}

#[test]
fn github_grades_what_was_pushed_and_keeps_the_report() {
    let host = Host::new("autograde.yml");
    let job = &host.workflow["jobs"]["grade"];
    let steps = job["steps"].as_vec().unwrap();
    // What the first two steps check out.
    for (step, from) in steps.iter().zip(["pushed", "me/course.git"]) {
        let path = step["with"]["path"].as_str().unwrap();
        let to: PathBuf = host.fixture.path("job").join(path);
        let mut copy = Command::new("cp");
        assert!(
            copy.arg("-a")
                .args([host.fixture.path(from), to])
                .status()
                .unwrap()
                .success()
        );
    }
    let mut all = vec![("GITHUB_STEP_SUMMARY".to_owned(), host.path("shown.md"))];
    all.extend(variables(&host.workflow["env"]));
    for (only, status) in [("s01a", 0), ("", 1)] {
        let all = with_only(all.clone(), only);
        let mut ended = Vec::new();
        for step in steps {
            if let Some(lines) = step["run"].as_str() {
                let folder = step["working-directory"].as_str().unwrap_or(".");
                ended.push(host.run(folder, &all, lines).code().unwrap());
            }
        }
        assert_eq!(ended, [0, status, 0]);
    }
    host.assert_report("report/junit.xml");
    assert_eq!(
        steps[steps.len() - 1]["with"]["path"].as_str(),
        Some("report")
    );
    let shown = host.fixture.read("shown.md");
    assert!(
        shown.contains("1 of 2 exercises solved, 2 of 4 points."),
        "{shown}"
    );
}
