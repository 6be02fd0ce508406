//! A test in a process of its own.

use std::{any, env, process::Command};

/// Set in that process, to the name of the test.
const NAME: &str = "WHY_PENDING_ALONE";

/// Runs `test` in a process of its own, because it counts what belongs to the whole process.
///
/// A `#[test]` calls this with all that it does. It panics if that fails there, with what it printed.
pub fn alone(test: impl FnOnce()) {
    alone_with(&[], test);
}

/// As [`alone`], with these environment variables.
pub fn alone_with<F: FnOnce()>(variables: &[(&str, &str)], test: F) {
    // Such as `it::threads::one_for_each::{{closure}}`, of which the harness knows `threads::one_for_each`.
    let path = any::type_name::<F>().trim_end_matches("::{{closure}}");
    let name = path.split_once("::").map_or(path, |(_, name)| name);
    if env::var(NAME).is_ok_and(|asked| asked == name) {
        return test();
    }
    let program = env::current_exe().expect("this program has a path");
    let mut command = Command::new(program);
    let command = command.args(["--exact", name]).env(NAME, name);
    let ran = command.envs(variables.iter().copied()).output();
    let ran = ran.expect("this program can be started");
    let printed = [&*ran.stdout, &*ran.stderr].map(String::from_utf8_lossy);
    let passed = ran.status.success() && printed[0].contains("test result: ok. 1 passed");
    assert!(passed, "in a process of its own:\n{}", printed.concat());
}
