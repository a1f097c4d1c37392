//! A PostgreSQL server of one test, which the test stops and restores.

use super::run_script;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::Command;

/// The account that runs PostgreSQL if the tests run as root.
const ACCOUNT: &str = "postgres";

/// The server. It is stopped when it is dropped.
#[derive(Debug)]
pub(super) struct Cluster {
    folder: TempDir,
    programs: PathBuf,
    port: u16,
    is_root: bool,
}

/// The folder of the newest server's programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    let folders = versions.filter_map(|entry| {
        let version: u32 = entry.file_name().to_str()?.parse().ok()?;
        Some((version, entry.path().join("bin")))
    });
    folders.filter(|(_, folder)| folder.join("initdb").is_file()).max().map(|(_, folder)| folder)
}

async fn id(arguments: &[&str]) -> Option<u32> {
    let said = Command::new("id").args(arguments).stderr(Stdio::null()).output().await.ok()?;
    String::from_utf8_lossy(&said.stdout).trim().parse().ok()
}

impl Cluster {
    /// A server with these settings, in which `/backup` is a folder of the test. `None`, loudly, if PostgreSQL is not installed.
    pub(super) async fn start(settings: &str) -> Option<Self> {
        let is_root = id(&["-u"]).await? == 0;
        let account = if is_root { id(&["-u", ACCOUNT]).await.zip(id(&["-g", ACCOUNT]).await) } else { None };
        let (Some(programs), true) = (programs(), !is_root || account.is_some()) else {
            eprintln!("SKIPPED: PostgreSQL is not installed, so a restore to a point in time is not tested");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("backup")).unwrap();
        for path in [folder.path().to_owned(), folder.path().join("backup")] {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).unwrap();
            if let Some((user, group)) = account {
                chown(&path, Some(user), Some(group)).unwrap();
            }
        }
        // The port is free a moment before the server takes it.
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let cluster = Self { folder, programs, port, is_root };
        let listening =
            format!("port = {port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\n");
        cluster.run("initdb --auth=trust --username=lombard --no-locale --encoding=UTF8 --no-sync").await;
        cluster.run(&format!("cat >> \"$PGDATA/postgresql.conf\" <<'END'\n{settings}{listening}END\n")).await;
        cluster.run("pg_ctl start --wait --log=/backup/first.log").await;
        Some(cluster)
    }

    /// Runs a script as the account of the server, with its programs on the path. `/backup` is the folder of the test.
    pub(super) async fn run(&self, script: &str) -> String {
        let backup = self.folder.path().join("backup").display().to_string();
        let script = script.replace("/backup", &backup);
        let path = format!("{}:{}", self.programs.display(), std::env::var("PATH").unwrap_or_default());
        let data = self.data().display().to_string();
        let url = self.url();
        let variables = [
            ("PATH", path.as_str()),
            ("PGDATA", &data),
            ("DATABASE_URL", &url),
            ("REPLICATION_URL", &url),
            ("LC_ALL", "C"),
        ];
        if !self.is_root {
            return run_script(self.folder.path(), &script, &variables).await;
        }
        let file = self.folder.path().join("script");
        std::fs::write(&file, script).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        let as_account = format!("runuser --user {ACCOUNT} -- sh -eu '{}'", file.display());
        run_script(self.folder.path(), &as_account, &variables).await
    }

    /// The URL of its database.
    pub(super) fn url(&self) -> String {
        format!("postgres://lombard@127.0.0.1:{}/postgres", self.port)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn process(&self) -> Option<u32> {
        let text = std::fs::read_to_string(Path::new(&self.data()).join("postmaster.pid")).ok()?;
        text.lines().next()?.parse().ok()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // SIGQUIT ends it at once.
        if let Some(process) = self.process() {
            let _ended = std::process::Command::new("kill").args(["-QUIT", &process.to_string()]).status();
        }
    }
}
