//! The book as mdBook builds it, and a server for it on the loopback.

use std::{
    fs, io,
    io::{BufRead, BufReader, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

use tempfile::TempDir;

/// The book, built into a folder of its own that goes with it.
#[derive(Debug)]
pub struct Built {
    folder: TempDir,
    /// What mdBook said.
    pub log: String,
}

impl Built {
    /// Builds the book below this root; `None` if there is no mdbook.
    ///
    /// # Errors
    ///
    /// If mdbook fails.
    pub fn new(root: &Path) -> io::Result<Option<Built>> {
        let folder = tempfile::tempdir()?;
        let output = Command::new("mdbook")
            .args(["build", "book", "--dest-dir"])
            .arg(folder.path())
            .current_dir(root)
            .output();
        let output = match output {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            output => output?,
        };
        let log = [output.stdout, output.stderr].concat();
        let log = String::from_utf8_lossy(&log).into_owned();
        match output.status.success() {
            true => Ok(Some(Built { folder, log })),
            false => Err(io::Error::other(log)),
        }
    }

    /// Where the pages are.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// Serves a folder until it is dropped.
#[derive(Debug)]
pub struct Server {
    /// Its address, without a slash at the end.
    pub address: String,
    port: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves this folder on a free port of the loopback, one thread for each connection, one request on each.
    ///
    /// # Errors
    ///
    /// If there is no port.
    pub fn new(folder: &Path) -> io::Result<Server> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?;
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, folder) = (stop.clone(), folder.to_owned());
        let thread = thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                if stopped.load(Ordering::Relaxed) {
                    break;
                }
                let folder = folder.clone();
                // A browser that goes away early is no affair of the server's.
                thread::spawn(move || drop(answer(&folder, connection)));
            }
        });
        Ok(Server {
            address: format!("http://{port}"),
            port,
            stop,
            thread: Some(thread),
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // It looks at the flag when somebody calls.
        let _ = TcpStream::connect(self.port);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn answer(folder: &Path, mut connection: TcpStream) -> io::Result<()> {
    let mut request = String::new();
    let mut lines = BufReader::new(connection.try_clone()?);
    lines.read_line(&mut request)?;
    let mut header = String::from(" ");
    while !header.trim().is_empty() {
        header.clear();
        lines.read_line(&mut header)?;
    }
    let path = request.split([' ', '?']).nth(1).unwrap_or_default();
    let file = folder.join(path.trim_start_matches('/'));
    let (status, body) = match fs::read(&file) {
        Ok(body) => ("200 OK", body),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let (kind, length) = (kind(&file), body.len());
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    connection.write_all(head.as_bytes())?;
    connection.write_all(&body)
}

fn kind(file: &Path) -> &'static str {
    let ending = file.extension().unwrap_or_default().to_string_lossy();
    match ending.as_ref() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css",
        "js" => "text/javascript",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}
