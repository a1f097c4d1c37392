//! PostgreSQL servers of single tests, which may be configured, replicated and killed.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio_postgres::NoTls;

/// The variable with the URL of the tests' server, whose programs are used.
const VARIABLE: &str = "LOMBARD_TEST_POSTGRES_URL";

/// How often another port is tried when another process was faster.
const ATTEMPTS: usize = 5;

/// The programs of the tests' server, and the account that it runs under: PostgreSQL refuses to run as root.
#[derive(Debug)]
pub(super) struct Programs {
    folder: PathBuf,
    account: (u32, u32),
}

/// A server with a folder of its own. It is killed when it is dropped.
#[derive(Debug)]
pub(super) struct OwnServer {
    programs: Arc<Programs>,
    folder: TempDir,
    port: u16,
    process: Option<Child>,
}

impl Programs {
    /// Those of the tests' server; `None` if there is none, or it runs on another machine.
    pub(super) async fn find() -> Option<Arc<Self>> {
        let url = std::env::var(VARIABLE).ok()?;
        let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
        tokio::spawn(connection);
        let text = async |query: &str| client.query_one(query, &[]).await.unwrap().get::<_, String>(0);
        let folder = PathBuf::from(text("SELECT setting FROM pg_config WHERE name = 'BINDIR'").await);
        let data = fs::metadata(text("SELECT current_setting('data_directory')").await).ok()?;
        folder.join("initdb").is_file().then(|| Arc::new(Self { folder, account: (data.uid(), data.gid()) }))
    }

    fn command(&self, name: &str) -> Command {
        self.other_command(&self.folder.join(name))
    }

    /// Another program, run under the account of the server.
    pub(super) fn other_command(&self, program: &Path) -> Command {
        let mut command = std::process::Command::new(program);
        command.env_remove("LC_ALL").env("LANG", "C").stdin(Stdio::null());
        if fs::metadata("/proc/self").is_ok_and(|own| own.uid() != self.account.0) {
            command.uid(self.account.0).gid(self.account.1);
        }
        let mut command = Command::from(command);
        command.kill_on_drop(true);
        command
    }

    fn give(&self, path: &Path) {
        chown(path, Some(self.account.0), Some(self.account.1)).unwrap();
    }

    fn folder(&self) -> TempDir {
        let folder = tempfile::Builder::new().prefix("lombard-own-server-").tempdir().unwrap();
        self.give(folder.path());
        folder
    }
}

impl OwnServer {
    /// A server that everybody may connect to, with these lines in its configuration.
    pub(super) async fn start(programs: &Arc<Programs>, settings: &str) -> Self {
        let mut server = Self::made(programs).await;
        server.configure(settings);
        server.run().await;
        server
    }

    /// A server that does not run yet.
    pub(super) async fn made(programs: &Arc<Programs>) -> Self {
        let server = Self { programs: Arc::clone(programs), folder: programs.folder(), port: 0, process: None };
        let mut initdb = programs.command("initdb");
        initdb.args(["--username=lombard", "--encoding=UTF8", "--no-locale", "--no-sync", "--auth=trust", "--pgdata"]);
        succeed(initdb.arg(server.data())).await;
        server
    }

    /// A standby of this server that runs; `None`, with a warning, if the programs that copy a server are not installed.
    pub(super) async fn standby(&self) -> Option<Self> {
        if !self.programs.folder.join("pg_basebackup").is_file() {
            eprintln!("SKIPPED with a standby: pg_basebackup is not installed");
            return None;
        }
        let mut standby =
            Self { programs: Arc::clone(&self.programs), folder: self.programs.folder(), port: 0, process: None };
        let mut copy = self.programs.command("pg_basebackup");
        copy.args([
            "--username=lombard",
            "--host=127.0.0.1",
            "--write-recovery-conf",
            "--checkpoint=fast",
            "--no-sync",
        ]);
        copy.arg("--port").arg(self.port.to_string()).arg("--pgdata").arg(standby.data());
        succeed(&mut copy).await;
        standby.run().await;
        Some(standby)
    }

    /// Adds lines to its configuration.
    pub(super) fn configure(&self, settings: &str) {
        self.append("postgresql.auto.conf", settings);
    }

    /// Replaces the rules of who may connect.
    pub(super) fn admit(&self, rules: &str) {
        self.write("pg_hba.conf", rules);
    }

    /// Writes a file that only the server reads, and returns its path.
    pub(super) fn write(&self, name: &str, content: &str) -> String {
        let path = self.data().join(name);
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        self.programs.give(&path);
        path.display().to_string()
    }

    fn append(&self, name: &str, lines: &str) {
        let before = fs::read_to_string(self.data().join(name)).unwrap_or_default();
        self.write(name, &format!("{before}\n{lines}\n"));
    }

    /// Runs it until it accepts connections: on the port that it had, or on a free one.
    pub(super) async fn run(&mut self) {
        for attempt in 0..ATTEMPTS {
            let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            let port = if attempt == 0 && self.port != 0 { self.port } else { free };
            let mut postgres = self.programs.command("postgres");
            postgres.arg("-D").arg(self.data()).args(["-p", &port.to_string()]);
            for setting in
                ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "logging_collector=off"]
            {
                postgres.args(["-c", setting]);
            }
            let mut process = postgres.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
            let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
            while let Some(line) = lines.next_line().await.unwrap() {
                if line.contains("ready to accept") {
                    // Read to the end, so that the server never waits for its reader.
                    tokio::spawn(async move { while lines.next_line().await.is_ok_and(|line| line.is_some()) {} });
                    (self.process, self.port) = (Some(process), port);
                    return;
                }
            }
        }
        panic!("the server does not start");
    }

    /// Stops it as an administrator does (`pg_ctl stop --mode fast`), and runs it again.
    pub(super) async fn restart(&mut self) {
        if let Some(mut process) = self.process.take() {
            let pid = process.id().unwrap().to_string();
            assert!(Command::new("kill").args(["-INT", &pid]).status().await.unwrap().success());
            process.wait().await.unwrap();
        }
        self.run().await;
    }

    /// Kills it: nothing is answered any more.
    pub(super) async fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().await.unwrap();
        }
    }

    pub(super) const fn port(&self) -> u16 {
        self.port
    }

    /// Runs statements as its first user, on a connection of their own.
    pub(super) async fn execute(&self, statements: &str) {
        let url = format!("postgres://lombard@127.0.0.1:{}/postgres", self.port);
        let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
        let driver = tokio::spawn(connection);
        client.batch_execute(statements).await.unwrap();
        drop(client);
        driver.await.unwrap().unwrap();
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }
}

async fn succeed(command: &mut Command) {
    let ended = tokio::time::timeout(Duration::from_secs(120), command.output()).await.unwrap().unwrap();
    assert!(ended.status.success(), "{command:?}: {}", String::from_utf8_lossy(&ended.stderr));
}
