//! Chromium, driven by WebDriver.

use std::{
    env,
    io::{self, BufRead, BufReader},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// No page takes so long to load or to look at.
const LIMIT: Duration = Duration::from_secs(60);

/// A browser with one window. It is closed when this is dropped.
#[derive(Debug)]
pub struct Driver {
    session: String,
    chromedriver: Child,
    _profile: TempDir,
}

impl Driver {
    /// Starts chromedriver on a free port, and a browser.
    ///
    /// # Errors
    ///
    /// `NotFound` if there is no chromedriver; otherwise why the browser does not start.
    pub fn start() -> io::Result<Driver> {
        let profile = tempfile::tempdir()?;
        let mut chromedriver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| io::Error::new(error.kind(), format!("chromedriver: {error}")))?;
        let stdout = chromedriver.stdout.take().expect("it is piped");
        let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
        let port = lines.find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        // It would be stopped by a pipe that is not emptied.
        thread::spawn(move || lines.count());
        let mut driver = Driver {
            session: String::new(),
            chromedriver,
            _profile: profile,
        };
        let port = port.ok_or_else(|| io::Error::other("chromedriver names no port"))?;
        let profile = format!("--user-data-dir={}", driver._profile.path().display());
        let mut options = json!({ "args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage",
            "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--window-size=1280,900", profile,
        ]});
        if let Some(browser) = env::var_os("CHROMIUM") {
            options["binary"] = browser.to_string_lossy().into();
        }
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        }}});
        let sessions = format!("http://127.0.0.1:{port}/session");
        let session = post(&sessions, &wanted).map_err(io::Error::other)?;
        let id = session["sessionId"].as_str().unwrap_or_default();
        driver.session = format!("{sessions}/{id}");
        Ok(driver)
    }

    /// Opens an address on a screen of this width, for a reader who prefers dark themes or light ones, and waits until the
    /// page is loaded. Then opens every answer.
    pub fn open(&self, address: &str, width: u32, dark: bool) {
        let height = if width < 600 { 844 } else { 900 };
        let screen =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", &screen);
        let theme = if dark { "dark" } else { "light" };
        let theme = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
        self.devtools("Emulation.setEmulatedMedia", &theme);
        self.post("url", &json!({ "url": address }));
        self.script("for (const it of document.querySelectorAll('details')) it.open = true;");
    }

    /// Runs this body of a function in the page.
    pub fn script(&self, body: &str) -> Value {
        self.post("execute/sync", &json!({ "script": body, "args": [] }))
    }

    /// Asks the browser's own tools.
    pub fn devtools(&self, command: &str, parameters: &Value) -> Value {
        let command = json!({ "cmd": command, "params": parameters });
        self.post("goog/cdp/execute", &command)
    }

    /// What was logged since this was last asked: `browser` for the console, `performance` for requests.
    pub fn log(&self, kind: &str) -> Vec<Value> {
        let log = self.post("se/log", &json!({ "type": kind }));
        log.as_array().cloned().unwrap_or_default()
    }

    fn post(&self, command: &str, body: &Value) -> Value {
        let address = format!("{}/{command}", self.session);
        match post(&address, body) {
            Ok(value) => value,
            Err(says) => panic!("{command}: {says}"),
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // What cannot be closed in order is killed.
        let request = ureq::delete(&self.session).config();
        let _ = request.timeout_global(Some(LIMIT)).build().call();
        let _ = self.chromedriver.kill();
        let _ = self.chromedriver.wait();
    }
}

fn post(address: &str, body: &Value) -> Result<Value, String> {
    let says = |error: ureq::Error| error.to_string();
    let request = ureq::post(address)
        .config()
        .http_status_as_error(false)
        .timeout_global(Some(LIMIT))
        .build();
    let mut response = request.send_json(body).map_err(says)?;
    let answer: Value = response
        .body_mut()
        .with_config()
        .limit(200 << 20)
        .read_json()
        .map_err(says)?;
    match response.status().is_success() {
        true => Ok(answer["value"].clone()),
        false => Err(answer["value"]["message"].to_string()),
    }
}
