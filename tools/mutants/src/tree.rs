//! A copy of the project, in which files may be changed.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use cargo_metadata::Message;
use kit::files;

use crate::{Test, table::Folder};

/// A copy of the workspace below its own target folder.
#[derive(Debug)]
pub struct Tree {
    root: PathBuf,
    build: PathBuf,
}

impl Tree {
    /// Copies the workspace.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written.
    pub fn copy(workspace: &Path, target: &Path) -> io::Result<Tree> {
        let tree = Tree {
            root: target.join("mutants/tree"),
            build: target.join("mutants/build"),
        };
        if tree.root.exists() {
            fs::remove_dir_all(&tree.root)?;
        }
        fs::create_dir_all(&tree.root)?;
        for entry in fs::read_dir(workspace)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            let is_member = name.starts_with("step") || name == "lab" || name == "tools";
            if !is_member && !name.starts_with("Cargo.") {
                continue;
            }
            for from in files::below(&workspace.join(name))? {
                let to = tree.root.join(files::shown(workspace, &from));
                fs::create_dir_all(to.parent().unwrap_or(&tree.root))?;
                fs::copy(from, to)?;
            }
        }
        Ok(tree)
    }

    /// The text of a file of the copy.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn read(&self, file: &Path) -> io::Result<String> {
        files::read(&self.root.join(file))
    }

    /// Replaces a file of the copy.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, file: &Path, text: &str) -> io::Result<()> {
        fs::write(self.root.join(file), text)
    }

    /// The `tests/it.rs` of the test's package, or nothing if there is none.
    pub fn it(&self, test: &Test) -> String {
        let file = Path::new(&test.package).join("tests/it.rs");
        self.read(&file).unwrap_or_default()
    }

    /// Compiles the file in which a test stands, as it is in the copy now. Returns the program that runs it, or what
    /// the compiler said.
    ///
    /// # Errors
    ///
    /// If cargo cannot be run.
    pub fn compile(&self, test: &Test) -> io::Result<Result<PathBuf, String>> {
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args([
                "test",
                "--no-run",
                "--message-format=json-render-diagnostics",
            ])
            .args(["-p", &test.package])
            .current_dir(&self.root)
            .stdin(Stdio::null())
            .env_remove("RUSTFLAGS")
            .env("CARGO_TARGET_DIR", self.build.join("std"));
        match test.folder {
            Folder::Src if test.is_in_main() => cargo.args(["--bin", &test.package]),
            Folder::Src => cargo.arg("--lib"),
            Folder::Tests if test.is_in(&self.it(test)) => cargo.args(["--test", "it"]),
            Folder::Tests => cargo.args(["--test", test.program()]),
        };
        if test.is_loom() {
            cargo
                .env("RUSTFLAGS", "--cfg loom")
                .env("CARGO_TARGET_DIR", self.build.join("loom"));
        }
        let output = cargo.output()?;
        let messages = Message::parse_stream(output.stdout.as_slice());
        let program = messages
            .filter_map(Result::ok)
            .find_map(|message| match message {
                Message::CompilerArtifact(artifact) if artifact.profile.test => artifact.executable,
                _ => None,
            });
        Ok(match program {
            Some(program) if output.status.success() => Ok(program.into()),
            _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        })
    }
}
