//! The epoll program of *Inside async* (002): `printf '39\n' | cargo run -p step09-epoll-reactor --bin inside_async_epoll`.
//! Linux only.

#[cfg(target_os = "linux")]
mod linux;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    if let Err(error) = linux::run() {
        eprintln!("standard input: {error}");
        return std::process::ExitCode::FAILURE;
    }
    std::process::ExitCode::SUCCESS
}

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("epoll and eventfd are for Linux, and so is this program");
}
