//! Where the learner's part of a file ends and the tests begin.

/// Ends the learner's part. An attribute that is left over there, which would be that of the tests, is that of this.
const END: &str = "const _: () = ();";

/// The part above the tests, and the tests: all from `#[cfg(test)]` before `mod tests {` to the end. Without tests, the
/// second is empty.
pub fn at_tests(text: &str) -> (&str, &str) {
    let mut start = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim_end();
        if opens_tests(code) {
            return text.split_at(start.unwrap_or(at));
        }
        // An attribute belongs to what follows it.
        let attribute = code.starts_with("#[");
        start = attribute.then(|| start.unwrap_or(at));
        at += line.len();
    }
    (text, "")
}

/// Whether the line, or it and the next one, is `mod tests {`, however an editor has left it.
fn opens_tests(line: &str) -> bool {
    let mut code = line;
    while code.starts_with("#[") {
        code = after(code, ']');
    }
    if let Some(rest) = code.strip_prefix("pub") {
        code = match rest.strip_prefix('(') {
            Some(scope) => after(scope, ')'),
            None => rest.trim_start(),
        };
    }
    let rest = code.strip_prefix("mod tests").map(str::trim_start);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('{'))
}

fn after(code: &str, end: char) -> &str {
    code.split_once(end)
        .map_or("", |(_, rest)| rest.trim_start())
}

/// The learner's part with these tests.
pub fn with_tests(above: &str, tests: &str) -> String {
    format!("{}\n{END}\n{tests}", above.trim_end())
}

/// The names of the tests that must run on every machine: those without a `#[cfg]` or an `#[ignore]`.
pub fn test_names(tests: &str) -> Vec<String> {
    let (mut names, mut is_test, mut everywhere) = (Vec::new(), false, true);
    for line in tests.lines().map(str::trim_start) {
        if line.starts_with("#[test]") {
            is_test = true;
        } else if line.starts_with("#[cfg") || line.starts_with("#[ignore") {
            everywhere = false;
        } else if !line.starts_with("#[") && !line.starts_with("//") {
            if let Some(rest) = line.strip_prefix("fn ").filter(|_| is_test && everywhere) {
                names.extend(rest.split_once('(').map(|(name, _)| name.trim().to_owned()));
            }
            (is_test, everywhere) = (false, true);
        }
    }
    names
}

#[cfg(test)]
mod unit {
    use super::*;

    const ABOVE: &str = "//! Head.\n\n#[derive(Debug)]\nstruct A;\n\nfn main() {}\n\n";
    const TESTS: &str = "#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() {}\n}\n";

    #[test]
    fn the_tests_begin_at_their_attribute() {
        let text = format!("{ABOVE}{TESTS}");
        assert_eq!(at_tests(&text), (ABOVE, TESTS));
        // No line of the tests has another number.
        let put = text.replace("{}\n\n#", "{}\nconst _: () = ();\n#");
        assert_eq!(with_tests(ABOVE, TESTS), put);
        assert_eq!(at_tests(ABOVE), (ABOVE, ""));
    }

    #[test]
    fn an_attribute_more_or_less_does_not_matter() {
        for attributes in [
            "",
            "#[allow(unused)]\n",
            "#[cfg(test)]\r\n#[allow(unused)]\r\n",
        ] {
            let text = format!("{ABOVE}{attributes}mod tests {{\n}}\n");
            assert_eq!(at_tests(&text).0, ABOVE, "{attributes:?}");
        }
    }

    #[test]
    fn nor_does_how_the_module_is_written() {
        for opened in [
            "mod tests\n{",
            "mod tests{",
            "pub mod tests {",
            "pub(crate) mod tests {",
            "#[cfg(test)] mod tests {",
            "#[cfg(test)]\n#[allow(unused)] pub mod tests { // mine",
        ] {
            let text = format!("{ABOVE}{opened}\n}}\n");
            assert_eq!(at_tests(&text).0, ABOVE, "{opened:?}");
        }
        for other in [
            "mod tests_of_mine {",
            "mod tests;",
            "// mod tests {",
            "mod my { mod tests {",
        ] {
            let text = format!("{ABOVE}{other}\n}}\n");
            assert_eq!(at_tests(&text).1, "", "{other:?}");
        }
    }

    #[test]
    fn only_tests_that_run_everywhere_have_to_run() {
        let tests = "\
            mod tests {\n #[test]\n // Why.\n #[should_panic]\n fn one() {}\n fn help() {}\n \
            #[test]\n #[ignore]\n fn two() {}\n #[cfg(unix)]\n #[test]\n fn three() {}\n}\n";
        assert_eq!(test_names(tests), ["one"]);
    }
}
