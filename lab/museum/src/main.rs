//! Shows the museum: `cargo run -p museum -- stale-waker`, or the list of exhibits without a name.

use std::{
    env,
    io::{self, Write},
    process::ExitCode,
};

use museum::{
    ALL, Exhibit, page,
    visit::{self, Visit},
};

fn main() -> io::Result<ExitCode> {
    if let Some(code) = visit::inside() {
        return Ok(code);
    }
    let arguments: Vec<String> = env::args().skip(1).collect();
    let asked = arguments.join(" ");
    match museum::exhibit(&asked) {
        Some(exhibit) => show(exhibit),
        None if asked.is_empty() => {
            list();
            Ok(ExitCode::SUCCESS)
        }
        None => {
            eprintln!("museum: no exhibit is called {asked:?}: without a name, it lists them");
            Ok(ExitCode::from(2))
        }
    }
}

/// By chapter: the name, and what is wrong.
fn list() {
    let (mut out, mut chapter) = (String::new(), 0);
    for exhibit in ALL {
        if exhibit.chapter != chapter {
            chapter = exhibit.chapter;
            out += &format!("chapter {chapter:02}\n");
        }
        out += &format!("  {:<30}{}\n", exhibit.name, exhibit.title);
    }
    out += "\nOne of them: cargo run -p museum -- NAME\n";
    let _ = io::stdout().write_all(out.as_bytes()); // its reader may have seen enough
}

fn show(exhibit: &Exhibit) -> io::Result<ExitCode> {
    if visit::needs_miri(exhibit) {
        eprintln!("museum: if Miri has to build this program first, that takes a minute");
    }
    let Some(visit) = Visit::new(exhibit, &env::current_exe()?) else {
        println!("{}: {}", exhibit.name, visit::NO_MIRI);
        return Ok(ExitCode::SUCCESS);
    };
    let page = page::page(exhibit, &visit);
    // The first line is the command, which the visitor has just typed.
    let (_, page) = page.split_once('\n').unwrap_or_default();
    let _ = io::stdout().write_all(page.as_bytes());
    Ok(ExitCode::from(u8::from(!visit.is_as_expected(exhibit))))
}
