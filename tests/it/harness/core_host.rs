//! One process that runs the banks of all tests, each on its own data, because starting a process for each test costs more than
//! most tests.
//!
//! It is this test binary, started again with one ignored test, and ends with the process that started it.

use super::{core_process, template};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, mpsc};
use std::time::Duration;
use tokio::sync::oneshot;

/// The test that the process runs.
const TEST: &str = concat!(module_path!(), "::runs_the_banks");
/// The variable by which the process knows that it was started as one.
const STARTED: &str = "LOMBARD_TEST_BANKS_HOST";
/// What its answers begin with; everything else is said by the test runner.
const ANSWER: &str = "host: ";
/// The longest that the work of a bank which has begun may take at its end.
const ENDS_WITHIN: Duration = Duration::from_secs(30);

static HOST: LazyLock<CoreHost> = LazyLock::new(CoreHost::start);

/// The process, seen from the tests.
#[derive(Debug)]
struct CoreHost {
    commands: Mutex<ChildStdin>,
    waiting: Arc<Mutex<HashMap<u64, oneshot::Sender<Value>>>>,
    numbers: AtomicU64,
}

/// A bank that runs in the process. It ends when it is dropped.
#[derive(Debug)]
pub(super) struct HostedBank {
    number: u64,
    is_ended: bool,
}

impl HostedBank {
    /// Starts a bank with this environment, and waits until it serves.
    pub(super) async fn start(environment: &[(String, String)]) -> Self {
        let number = HOST.next_number();
        let answer = HOST.ask(number, &json!({"environment": environment})).await;
        assert_eq!(answer["error"], Value::Null, "the bank did not start");
        Self { number, is_ended: false }
    }

    /// Ends it as abruptly as a killed process, and waits until its data are free.
    pub(super) async fn end(mut self) {
        self.is_ended = true;
        HOST.ask(self.number, &Value::Null).await;
    }
}

impl Drop for HostedBank {
    fn drop(&mut self) {
        if !self.is_ended {
            HOST.tell(self.number, &Value::Null);
        }
    }
}

impl CoreHost {
    fn start() -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args([TEST.split_once("::").unwrap().1, "--exact", "--ignored", "--nocapture"])
            .env(STARTED, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let commands = Mutex::new(process.stdin.take().unwrap());
        let waiting = Arc::<Mutex<HashMap<u64, oneshot::Sender<Value>>>>::default();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let waiters = Arc::clone(&waiting);
        let read = move || {
            for line in lines.map_while(Result::ok) {
                let Some((_, answer)) = line.split_once(ANSWER) else { continue };
                let answer: Value = serde_json::from_str(answer).unwrap();
                let waiter = waiters.lock().remove(&answer["number"].as_u64().unwrap());
                // Nobody waits for the end of a bank that was dropped.
                waiter.map(|waiter| waiter.send(answer));
            }
            // Whoever waits for an answer fails.
            waiters.lock().clear();
            process.wait().unwrap();
        };
        std::thread::Builder::new().name("answers of the banks' process".to_owned()).spawn(read).unwrap();
        Self { commands, waiting, numbers: AtomicU64::new(0) }
    }

    fn next_number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Starts the bank of this number with a body, or ends it without one.
    fn tell(&self, number: u64, body: &Value) {
        let line = format!("{}\n", json!({"number": number, "bank": body}));
        let mut commands = self.commands.lock();
        commands.write_all(line.as_bytes()).and_then(|()| commands.flush()).expect("the process of the banks lives");
    }

    async fn ask(&self, number: u64, body: &Value) -> Value {
        let (sender, answer) = oneshot::channel();
        self.waiting.lock().insert(number, sender);
        self.tell(number, body);
        answer.await.expect("the process of the banks lives")
    }
}

#[test]
#[ignore = "not a test: the process of the banks that tests start"]
fn runs_the_banks() {
    if std::env::var_os(STARTED).is_none() {
        return;
    }
    let mut running: HashMap<u64, mpsc::Sender<()>> = HashMap::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let command: Value = serde_json::from_str(&line).unwrap();
        let number = command["number"].as_u64().unwrap();
        if command["bank"].is_null() {
            // The thread answers when the bank has ended; one that never started has none.
            running.remove(&number).map_or_else(|| answer(number, None), drop);
            continue;
        }
        let environment: Vec<(String, String)> =
            serde_json::from_value(command["bank"]["environment"].clone()).unwrap();
        let (end, ended) = mpsc::channel();
        running.insert(number, end);
        std::thread::spawn(move || run(number, &environment, &ended));
    }
    // The tests are over, and nobody reads what the test runner would say.
    std::process::exit(0);
}

/// Runs a bank until the other end of this channel is dropped.
fn run(number: u64, environment: &[(String, String)], ended: &mpsc::Receiver<()>) {
    let setting = |name: &str| environment.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
    let folder = setting(core_process::DATA_DIR).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let clock = setting(core_process::CLOCK).map(Path::new);
    let port = setting(core_process::PORT).map_or(0, |port| port.parse().unwrap());
    let config = template::config(Path::new(folder), environment);
    let started = runtime.block_on(core_process::serve(config, clock, port));
    answer(number, started.as_ref().err().map(|error| format!("{error:?}")));
    let was_told = ended.recv();
    assert!(was_told.is_err(), "nothing is sent");
    // A killed process leaves its core file, too.
    if let Ok(bank) = started {
        std::mem::forget(bank);
    }
    runtime.shutdown_timeout(ENDS_WITHIN);
    answer(number, None);
}

#[expect(clippy::print_stdout, reason = "the process that started this one reads it")]
fn answer(number: u64, error: Option<String>) {
    println!("{ANSWER}{}", json!({"number": number, "error": error}));
}
