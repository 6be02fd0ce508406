//! The server as a child process.

use std::{
    env, fs,
    io::{BufRead, BufReader, Read},
    net::SocketAddr,
    process::{self, Child, Command, Stdio},
    thread,
    time::Duration,
};

use rustix::process::{Pid, Resource, Signal, getrlimit, kill_process, setrlimit};

use crate::example::{self, shared};

/// Longer than any of the tests takes, even on a busy machine.
pub const TOO_LONG: Duration = Duration::from_secs(30);

/// More patience than any of the tests needs, where patience is not what it is about.
pub const PATIENT: &str = "--patience 60000";

const OPTIONS: &str = "STEP10_HTTP_OPTIONS";
const DESCRIPTORS: &str = "STEP10_HTTP_DESCRIPTORS";

/// The test program itself is the server, so it is never older than what it tests.
#[test]
#[ignore = "is started by the other tests, with options"]
fn program() {
    let given = env::var(DESCRIPTORS).ok();
    if let Some(most) = given.and_then(|given| given.parse().ok()) {
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = Some(most);
        setrlimit(Resource::Nofile, limit).unwrap();
    }
    let options = env::var(OPTIONS).unwrap();
    let options = options.split_whitespace().map(str::to_owned);
    process::exit(shared::run(options, example::serve_on_step10).into());
}

/// A running server. It is killed if a test fails.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    pub fn start(options: &str) -> Server {
        Server::try_start(options, None).unwrap_or_else(|status| panic!("{status:?}"))
    }

    /// Starts a server that may have no more than so many descriptors.
    pub fn with_descriptors(options: &str, most: u64) -> Server {
        Server::try_start(options, Some(most)).unwrap_or_else(|status| panic!("{status:?}"))
    }

    /// # Errors
    ///
    /// Its status and what it wrote to standard error, if it has not begun to serve.
    pub fn try_start(options: &str, most: Option<u64>) -> Result<Server, (Option<i32>, String)> {
        let mut command = Command::new(env::current_exe().unwrap());
        command
            .args(["--ignored", "--exact", "server::program", "--nocapture"])
            .env(OPTIONS, options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(most) = most {
            command.env(DESCRIPTORS, most.to_string());
        }
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // libtest has written half a line by then.
        let address = lines.map_while(Result::ok).find_map(|line| {
            let (_, address) = line.split_once("http://")?;
            address.strip_suffix('/')?.parse().ok()
        });
        match address {
            Some(address) => Ok(Server { child, address }),
            None => Err(end(&mut child)),
        }
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// Waits for its end. Returns its status, and what it wrote to standard error.
    pub fn end(mut self) -> (Option<i32>, String) {
        end(&mut self.child)
    }

    /// Has it stop as Ctrl-C does. Nothing may be left to wait for.
    pub fn stop(self) {
        self.signal(Signal::INT);
        assert_eq!(self.end(), (Some(0), String::new()));
    }

    /// How many descriptors it has, where the system tells.
    pub fn descriptors(&self) -> Option<usize> {
        let folder = fs::read_dir(format!("/proc/{}/fd", self.child.id())).ok()?;
        Some(folder.count())
    }

    /// Waits until it has so many descriptors again, where the system tells.
    pub fn until_descriptors(&self, count: Option<usize>) {
        while self.descriptors() != count {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The most memory that it has had, in KiB, where the system tells.
    pub fn most_memory(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        line?.trim().strip_suffix(" kB")?.parse().ok()
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn end(child: &mut Child) -> (Option<i32>, String) {
    let mut errors = String::new();
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut errors).unwrap();
    (child.wait().unwrap().code(), errors)
}
