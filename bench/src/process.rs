//! Measured processes and their resource usage.

mod stat;

pub(crate) use stat::{is_program, parent_of, tree_cpu_secs};

use crate::result::BenchResult;
use lombard_tpp::Endpoints;
use stat::ProcessStat;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// The interval at which a starting process is checked.
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// The maximum number of seconds of a start. A first start generates keys and two years of history.
const START_SECS_MAX: u64 = 120;
/// How the measured server is built.
#[derive(Debug, Clone)]
pub(crate) struct Build {
    /// A cargo profile. This program must be built with it too, because the server is in the same folder.
    profile: String,
}

impl Build {
    /// A build with this profile.
    pub(crate) fn with(profile: String) -> Self {
        Self { profile }
    }

    /// The name of the profile.
    pub(crate) fn profile(&self) -> &str {
        &self.profile
    }

    /// The folder of the profile under a target folder.
    pub(crate) fn folder(&self) -> &str {
        if self.profile == "dev" { "debug" } else { &self.profile }
    }

    /// Builds the server of the workspace in this folder, into a separate target folder if one is given.
    pub(crate) async fn run(&self, workspace: &Path, target: Option<&Path>) -> BenchResult<()> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        build
            .args(["build", "--profile", &self.profile, "--features", "jemalloc", "--package", "lombard"])
            .current_dir(workspace);
        if let Some(target) = target {
            build.env("CARGO_TARGET_DIR", target);
        }
        if build.status().await?.success() { Ok(()) } else { Err("the server does not build".into()) }
    }

    /// Builds the server next to this program and returns its path.
    pub(crate) async fn program(&self) -> BenchResult<PathBuf> {
        self.run(Path::new("."), None).await?;
        let own = std::env::current_exe()?;
        let folder = own.parent().ok_or("this program has no folder")?;
        if !folder.ends_with(self.folder()) {
            return Err(format!(
                "the benchmarks are not built with the profile {}: start them with cargo xtask bench",
                self.profile
            )
            .into());
        }
        let program = folder.join("lombard");
        if program.is_file() { Ok(program) } else { Err(format!("{} is not there", program.display()).into()) }
    }
}

/// A measured process, which is killed when it is dropped.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    pid: u32,
}

/// The resources that a process has used so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProcessUsage {
    /// The processor time of all threads and of child processes, in seconds.
    pub(crate) cpu_secs: f64,
    /// The resident memory in bytes.
    pub(crate) resident_bytes: f64,
}

impl Process {
    /// Starts a command.
    pub(crate) fn start(command: &mut Command) -> BenchResult<Self> {
        let child = command.stdin(Stdio::null()).kill_on_drop(true).spawn()?;
        let pid = child.id().ok_or("the process ended at once")?;
        Ok(Self { child, pid })
    }

    /// The used resources, as the Linux kernel counts them. They include the processor time of child processes.
    pub(crate) fn usage(&self) -> BenchResult<ProcessUsage> {
        let stat = ProcessStat::of(self.pid)
            .map_err(|error| format!("processor time is read from /proc, which Linux has: {error}"))?;
        Ok(ProcessUsage { cpu_secs: tree_cpu_secs(self.pid)?, resident_bytes: stat.resident_bytes })
    }

    /// The peak resident memory so far, in bytes.
    pub(crate) fn peak_bytes(&self) -> BenchResult<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("/proc/…/status is short")?;
        Ok(line.trim().trim_end_matches(" kB").parse::<f64>()? * 1_024.0)
    }

    /// The processor time of the threads so far, in seconds. Its resolution is nanoseconds, for work shorter than the kernel's ticks.
    pub(crate) fn cpu_secs(&self) -> BenchResult<f64> {
        let mut nanos = 0.0;
        for thread in std::fs::read_dir(format!("/proc/{}/task", self.pid))? {
            // A thread may end while its statistics are read.
            let Ok(stat) = std::fs::read_to_string(thread?.path().join("schedstat")) else { continue };
            nanos += stat.split(' ').next().unwrap_or_default().parse::<f64>()?;
        }
        Ok(nanos / 1e9)
    }

    /// Stops the process in order.
    pub(crate) async fn stop(mut self) -> BenchResult<()> {
        self.signal("TERM").await?;
        self.child.wait().await?;
        Ok(())
    }

    async fn signal(&self, name: &str) -> BenchResult<()> {
        let told = Command::new("kill").args([&format!("-{name}"), &self.pid.to_string()]).status().await?;
        if told.success() { Ok(()) } else { Err("the process had ended already".into()) }
    }

    fn check_alive(&mut self) -> BenchResult<()> {
        match self.child.try_wait()? {
            Some(status) => Err(format!("the process ended: {status}").into()),
            None => Ok(()),
        }
    }

    /// Waits until `ready` returns a value.
    pub(crate) async fn wait_for<T>(&mut self, mut ready: impl AsyncFnMut() -> Option<T>) -> BenchResult<T> {
        let started = Instant::now();
        let mut look = tokio::time::interval(LOOK_EVERY);
        loop {
            look.tick().await;
            if let Some(found) = ready().await {
                return Ok(found);
            }
            self.check_alive()?;
            if started.elapsed().as_secs() > START_SECS_MAX {
                return Err("the process did not get ready".into());
            }
        }
    }
}

/// A running Lombard server.
#[derive(Debug)]
pub(crate) struct Lombard {
    pub(crate) process: Process,
    pub(crate) endpoints: Endpoints,
    /// The time from start to readiness.
    pub(crate) start: Duration,
}

/// The rate limits of TPPs, which are switched off.
const UNLIMITED: [&str; 12] = [
    "RATES__TOKEN",
    "RATES__PUSHED",
    "RATES__AUTHORIZE",
    "RATES__AUTHORIZE_ADDRESS",
    "RATES__PAGE_ADDRESS",
    "RATES__ACCOUNTS",
    "RATES__PAYMENTS",
    "RATES__FILES",
    "RATES__FUNDS",
    "RATES__VRP",
    "RATES__FAILURES",
    "EVENTS__RATE",
];

impl Lombard {
    /// Starts the server on a data folder and waits until it is ready.
    pub(crate) async fn start(program: &Path, data: &Path) -> BenchResult<Self> {
        Self::start_with(program, data, &[]).await
    }

    /// Starts the server with additional settings, by the suffixes of their environment variables, such as `EVENTS__MAX_HELD`.
    pub(crate) async fn start_with(program: &Path, data: &Path, settings: &[(&str, String)]) -> BenchResult<Self> {
        let mut command = Command::new(program);
        command.arg("serve").arg("--data").arg(data);
        for port in ["PUBLIC_PORT", "MTLS_PORT", "OPS_PORT"] {
            command.env(format!("LOMBARD__SERVER__{port}"), "0");
        }
        command.env("LOMBARD__LIMITS__PAGE_SIZE", "50");
        // The benchmark measures the server's speed, not the rate limit of a TPP.
        for rate in UNLIMITED {
            command.env(format!("LOMBARD__{rate}_PER_S"), "0");
        }
        // The setting is as in production; the benchmark `reads` measures its cost.
        command.env("LOMBARD__REQUEST_LOG__BYTES_MAX", "0");
        command.env("LOMBARD__TELEMETRY__LEVEL", "warn").stdout(Stdio::null());
        command.envs(settings.iter().map(|(name, value)| (format!("LOMBARD__{name}"), value)));
        // A file left behind by a killed process would be mistaken for that of the new process.
        drop(std::fs::remove_file(data.join("endpoints.json")));
        let began = Instant::now();
        let mut process = Process::start(&mut command)?;
        let endpoints = process.wait_for(async || Endpoints::read_file(data).ok()).await?;
        process.wait_for(async || is_ready(&endpoints.ops).await.then_some(())).await?;
        Ok(Self { process, endpoints, start: began.elapsed() })
    }
}

/// Whether `/readyz` answers with 200.
async fn is_ready(ops: &str) -> bool {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let Some(address) = ops.strip_prefix("http://") else { return false };
    let Ok(mut stream) = TcpStream::connect(address).await else { return false };
    let request = format!("GET /readyz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    if stream.write_all(request.as_bytes()).await.is_err() {
        return false;
    }
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.is_ok() && answer.starts_with(b"HTTP/1.1 200")
}
