//! An exercise without its tests would be green. So nothing is built while the lines that name them are missing.

use std::{fs, path::Path};

fn main() {
    println!("cargo::rerun-if-changed=exercises");
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    for chapter in entries("exercises".as_ref()) {
        for file in entries(&chapter.path()) {
            has_tests(&file.path());
        }
    }
}

fn has_tests(file: &Path) {
    let checks = Path::new("checks").join(file.file_name().unwrap_or_default());
    let (true, Ok(text)) = (checks.exists(), fs::read_to_string(file)) else {
        return;
    };
    let path = format!(
        "#[path = \"../../{}\"]",
        checks.to_string_lossy().replace('\\', "/")
    );
    let wanted = ["#[cfg(test)]", &path, "mod tests;"];
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    if !lines.windows(3).any(|three| three == wanted) {
        let lost = "has lost the lines that name its tests. Write these three at its end:";
        println!("cargo::error={} {lost}", file.display());
        for line in wanted {
            println!("cargo::error={line}");
        }
    }
}
