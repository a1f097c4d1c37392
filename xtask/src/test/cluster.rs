//! A temporary PostgreSQL server for the tests.
//!
//! A second process of this program, the guard, runs the server. The guard's input is a pipe from the first process. However the first
//! process ends (failed tests, Ctrl-C, kill), the pipe closes; the guard then stops the server and removes its files. The guard has its own
//! process group, so that Ctrl-C does not end it before this is done.

use crate::command::{output, run};
use crate::error::TaskError;
use crate::output;
use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The number of attempts with another port if a port is already taken.
const ATTEMPTS: usize = 5;
/// The number of seconds for which `pg_ctl` waits for the server.
const START_SECS: &str = "60";

/// A running server, as the tests see it.
pub(crate) struct Cluster {
    guard: Child,
    url: String,
}

impl Cluster {
    /// Starts the guard and waits until the server answers. Only a durable server syncs its commits to disk.
    pub(crate) fn start(programs: &Path, is_durable: bool) -> Result<Self, TaskError> {
        let mut command = Command::new(env::current_exe()?);
        command
            .arg("cluster")
            .arg(programs)
            .args(is_durable.then_some("--durable"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0);
        let mut guard = command.spawn()?;
        let said = guard.stdout.take().ok_or("the guard has no output")?;
        let mut url = String::new();
        BufReader::new(said).read_line(&mut url)?;
        if url.is_empty() {
            guard.wait()?;
            return Err("the throw-away PostgreSQL did not start".into());
        }
        Ok(Self { guard, url: url.trim().to_owned() })
    }

    /// The URL of an empty database on the server.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Stops the server and waits until all its files are removed.
    pub(crate) fn stop(mut self) -> Result<(), TaskError> {
        drop(self.guard.stdin.take());
        let status = self.guard.wait()?;
        if status.success() { Ok(()) } else { Err("the throw-away PostgreSQL could not be removed".into()) }
    }
}

/// Runs a server as guard until standard input ends.
pub(crate) fn guard(programs: &Path, is_durable: bool) -> Result<(), TaskError> {
    let server = Server::create(programs.to_owned(), is_durable)?;
    let served = server.serve();
    let removed = server.remove();
    served.and(removed)
}

struct Server {
    programs: PathBuf,
    folder: PathBuf,
    account: Option<Account>,
    is_durable: bool,
}

/// The system account of the server, because PostgreSQL refuses to run as root.
struct Account {
    uid: u32,
    gid: u32,
}

impl Server {
    fn create(programs: PathBuf, is_durable: bool) -> Result<Self, TaskError> {
        let folder = tempfile::Builder::new().prefix("lombard-postgres-").tempdir()?.keep();
        let server = Self { programs, folder, account: unprivileged()?, is_durable };
        fs::set_permissions(&server.folder, fs::Permissions::from_mode(0o700))?;
        fs::write(server.password_file(), password()?)?;
        if let Some(account) = &server.account {
            for path in [server.folder.clone(), server.password_file()] {
                chown(path, Some(account.uid), Some(account.gid))?;
            }
        }
        Ok(server)
    }

    fn serve(&self) -> Result<(), TaskError> {
        let mut initdb = self.program("initdb");
        initdb.args(["--username=lombard", "--encoding=UTF8", "--no-locale", "--no-sync", "--auth=password"]);
        initdb.arg("--pwfile").arg(self.password_file()).arg("--pgdata").arg(self.data());
        output(&mut initdb)?;
        let port = self.start()?;
        output::line(&format!(
            "postgres://lombard:{}@127.0.0.1:{port}/postgres",
            fs::read_to_string(self.password_file())?
        ));
        // Nobody writes to the pipe, so reading ends when the other side closes it.
        io::stdin().read_to_end(&mut Vec::new())?;
        Ok(())
    }

    /// Starts the server on a free port.
    fn start(&self) -> Result<u16, TaskError> {
        let mut last = TaskError::from("no attempt was made");
        for _ in 0..ATTEMPTS {
            let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
            // No data outlives the run. Unless durability is measured, nothing is synced to disk and little of the log is kept.
            let disk = if self.is_durable { "" } else { " -c fsync=off -c full_page_writes=off -c max_wal_size=256MB" };
            let options = format!(
                "-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories='' -c max_connections=300{disk}"
            );
            let mut pg_ctl = self.program("pg_ctl");
            pg_ctl.args(["start", "--silent", "--wait", "--timeout", START_SECS, "--options", &options]);
            pg_ctl.arg("--log").arg(self.folder.join("log")).arg("--pgdata").arg(self.data());
            // The server inherits open files from its parent. If the pipe stayed open, its reader would wait for ever.
            match run(pg_ctl.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())) {
                Ok(()) => return Ok(port),
                Err(failure) => {
                    let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                    last = format!("{failure}\n{log}").into();
                }
            }
        }
        Err(last)
    }

    /// Stops the server if it runs, and removes all its files.
    fn remove(&self) -> Result<(), TaskError> {
        if self.data().join("postmaster.pid").exists() {
            let mut pg_ctl = self.program("pg_ctl");
            pg_ctl.args(["stop", "--silent", "--wait", "--mode", "immediate", "--pgdata"]).arg(self.data());
            run(pg_ctl.stdin(Stdio::null()).stdout(Stdio::null()))?;
        }
        fs::remove_dir_all(&self.folder)?;
        Ok(())
    }

    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command.current_dir(&self.folder).env_remove("LC_ALL").env("LANG", "C");
        if let Some(account) = &self.account {
            command.uid(account.uid).gid(account.gid);
        }
        command
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn password_file(&self) -> PathBuf {
        self.folder.join("password")
    }
}

/// An unprivileged account, if this program runs as root.
fn unprivileged() -> Result<Option<Account>, TaskError> {
    let id = |arguments: &[&str]| output(Command::new("id").args(arguments)).map(|said| said.trim().to_owned());
    if id(&["-u"])? != "0" {
        return Ok(None);
    }
    for name in ["postgres", "nobody"] {
        if let (Ok(uid), Ok(gid)) = (id(&["-u", name]), id(&["-g", name])) {
            return Ok(Some(Account { uid: uid.parse()?, gid: gid.parse()? }));
        }
    }
    Err("started by root, and there is neither a user postgres nor nobody to run PostgreSQL".into())
}

/// Generates a password, because other users of the machine can reach the port.
fn password() -> Result<String, TaskError> {
    let mut bytes = [0; 16];
    fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This test needs no PostgreSQL: it only checks the generated passwords.
    #[test]
    fn passwords_differ_and_need_no_escaping() {
        let one = password().unwrap();
        let other = password().unwrap();
        assert_ne!(one, other);
        assert!(one.len() == 32 && one.bytes().all(|byte| byte.is_ascii_hexdigit()));
    }
}
