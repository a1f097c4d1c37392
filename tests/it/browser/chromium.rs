//! Headless Chromium with its ChromeDriver, started for one test and stopped with it.

use lombard_tpp::{Protocol, tls_config};
use serde_json::Value;
use std::env;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use thirtyfour::extensions::query::ElementPollerWithTimeout;
use thirtyfour::{ChromiumLikeCapabilities, DesiredCapabilities, WebDriver};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// How long an element may take to appear on a machine that is busy with other tests, and how often it is looked for.
const PATIENCE: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// How often the driver is started before a test gives up.
const STARTS: usize = 5;

/// What a browser on a build machine is started with: as root, without a screen, and without calling home.
const ARGUMENTS: [&str; 14] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--disable-features=Translate,PasswordManagerOnboarding",
    "--lang=en-GB",
    // The bank's certificates are checked by every other test.
    "--ignore-certificate-errors",
    "--window-size=1280,900",
];

/// A browser. Its drop order matters: the browser goes, then the driver, then the profile.
#[derive(Debug)]
pub(crate) struct Chromium {
    /// Steers it.
    pub(crate) driver: WebDriver,
    browser: Option<Killed>,
    _process: Process,
    _profile: TempDir,
}

impl Chromium {
    /// A fresh browser; none if there is no Chromium on this machine, which is said loudly.
    pub(crate) async fn start() -> Option<Self> {
        let programs = Programs::find()?;
        let process = Process::start(&programs.driver).await;
        let profile = tempfile::tempdir().unwrap();
        let mut capabilities = DesiredCapabilities::chrome();
        capabilities.set_binary(programs.chromium.to_str().unwrap()).unwrap();
        for argument in ARGUMENTS {
            capabilities.add_arg(argument).unwrap();
        }
        capabilities.add_arg(&format!("--user-data-dir={}", profile.path().display())).unwrap();
        let session = WebDriver::builder(format!("http://127.0.0.1:{}", process.port), capabilities)
            .client(wire())
            .poller(Arc::new(ElementPollerWithTimeout::new(PATIENCE, LOOK_EVERY)));
        let driver = session.await.unwrap_or_else(|error| panic!("no browser session: {error}"));
        let browser = driver.capabilities().get("goog:processID").and_then(Value::as_u64).map(Killed);
        Some(Self { driver, browser, _process: process, _profile: profile })
    }

    /// Closes it, in order.
    pub(crate) async fn close(mut self) {
        self.driver.clone().quit().await.unwrap();
        // Its number may be another's by now.
        if let Some(browser) = self.browser.take() {
            std::mem::forget(browser);
        }
    }
}

impl Drop for Chromium {
    /// Without a word to the driver: the library would wait for its answer on a runtime that is standing still.
    fn drop(&mut self) {
        drop(self.driver.clone().leak());
    }
}

/// A process that is ended with its owner, by its number: a failing test never closes its browser.
#[derive(Debug)]
struct Killed(u64);

impl Drop for Killed {
    fn drop(&mut self) {
        // One that has ended by itself is fine too.
        let mut kill = std::process::Command::new("kill");
        drop(kill.arg(self.0.to_string()).stderr(Stdio::null()).status());
    }
}

/// Where the programs are.
struct Programs {
    chromium: PathBuf,
    driver: PathBuf,
}

impl Programs {
    /// From the environment, as `cargo xtask test` sets it, or else on the path.
    fn find() -> Option<Self> {
        let named = |name: &str| env::var_os(name).map(PathBuf::from);
        let chromium = named("LOMBARD_TEST_CHROMIUM").or_else(|| {
            ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].into_iter().find_map(in_path)
        });
        let driver = named("LOMBARD_TEST_CHROMEDRIVER").or_else(|| in_path("chromedriver"));
        if let (Some(chromium), Some(driver)) = (chromium, driver) {
            return Some(Self { chromium, driver });
        }
        let missing = "there is no Chromium with its ChromeDriver; cargo xtask test --install installs them";
        assert!(env::var_os("CI").is_none(), "{missing}");
        eprintln!("SKIPPED in a browser: {missing}");
        None
    }
}

fn in_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// A ChromeDriver on a port it picked itself.
#[derive(Debug)]
struct Process {
    port: u16,
    /// Kept open: it would be told that nobody listens.
    _said: Lines<BufReader<ChildStdout>>,
    _child: Child,
}

impl Process {
    /// The driver takes a free port of IPv6 and then the same one of IPv4, which another test may hold: it ends then, and is started again.
    async fn start(program: &Path) -> Self {
        for _ in 0..STARTS {
            if let Some(process) = Self::try_start(program).await {
                return process;
            }
        }
        panic!("{} ended {STARTS} times without naming its port", program.display());
    }

    /// Nothing if it ends before it listens.
    async fn try_start(program: &Path) -> Option<Self> {
        let mut command = Command::new(program);
        command.arg("--port=0").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
        while let Some(line) = said.next_line().await.unwrap() {
            // "ChromeDriver was started successfully on port 36173."
            let port =
                line.split("successfully on port ").nth(1).and_then(|rest| rest.trim_end_matches('.').parse().ok());
            if let Some(port) = port {
                return Some(Self { port, _said: said, _child: child });
            }
        }
        None
    }
}

/// Plain HTTP to the driver, by a client like the TPP's: the library's own would look for another TLS.
fn wire() -> reqwest::Client {
    let tls = tls_config(&[], None, Protocol::Http1).unwrap();
    reqwest::Client::builder().tls_backend_preconfigured(tls).no_proxy().timeout(4 * PATIENCE).build().unwrap()
}
