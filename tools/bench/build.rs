//! Keeps the version of the compiler, which the line below the table names.

use std::{env, process::Command};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.map(|it| String::from_utf8_lossy(&it.stdout).trim().to_owned());
    println!(
        "cargo::rustc-env=BENCH_RUSTC={}",
        version.unwrap_or_else(|_| "an unknown rustc".to_owned())
    );
    let profile = env::var("PROFILE").unwrap_or_default();
    println!("cargo::rustc-env=BENCH_PROFILE={profile}");
}
