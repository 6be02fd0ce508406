//! A server that sends back so many bytes on one connection, for `strace`, which shows what the system is asked for them:
//! `strace -f target/debug/examples/echoes 2 10`. Linux only.

#[cfg(target_os = "linux")]
mod versions;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    use std::process::ExitCode;

    let usage = format!("usage: echoes {} NUMBER", versions::VERSIONS.join("|"));
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let served = match arguments.as_slice() {
        [help] if help == "--help" || help == "-h" => {
            println!("{usage}");
            Ok(())
        }
        [version, echoes] => match echoes.parse() {
            Ok(echoes) => versions::serve(version, echoes),
            Err(error) => Err(std::io::Error::other(format!("{echoes:?}: {error}"))),
        },
        _ => Err(std::io::Error::other(usage)),
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn main() -> std::process::ExitCode {
    eprintln!("version 1 and version 2 are for Linux, and so is this example");
    std::process::ExitCode::FAILURE
}
