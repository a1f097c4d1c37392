//! Finds the programs that the tests need, and installs missing ones on request.

use crate::command::{output, run};
use crate::error::TaskError;
use crate::output;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest supported major version of PostgreSQL.
const POSTGRES_MIN: u32 = 14;

/// The programs that the tests need.
pub(super) struct Programs {
    /// The folder of `initdb`, `postgres` and `pg_ctl`.
    pub(super) postgres: PathBuf,
    /// The browser for the tests of pages.
    pub(super) browser: Browser,
    /// The proxies for the tests behind proxies.
    pub(super) haproxy: PathBuf,
    pub(super) nginx: PathBuf,
    /// The SoftHSM2 tool that creates the token for the tests of keys in a security module.
    pub(super) softhsm: PathBuf,
    /// The OpenSSL program, as authority in the tests of revoked certificates.
    pub(super) openssl: PathBuf,
    /// For the tests behind a pooler of connections, if there is one.
    pub(super) pgbouncer: Option<PathBuf>,
    /// For the tests of the alerts, if there is one: it belongs to Prometheus.
    pub(super) promtool: Option<PathBuf>,
}

/// A browser that the tests can control.
pub(super) struct Browser {
    pub(super) chromium: PathBuf,
    pub(super) driver: PathBuf,
}

/// Finds the programs; with `install`, installs missing ones.
pub(super) fn find(install: bool) -> Result<Programs, TaskError> {
    if install {
        let mut missing = Vec::new();
        if postgres().is_none() {
            missing.push("postgresql");
        }
        if browser().is_none() {
            missing.extend(["chromium", "chromium-driver"]);
        }
        missing.extend(
            ["haproxy", "nginx", "openssl", "pgbouncer", "sqlite3", "jq"]
                .into_iter()
                .filter(|name| system_program(name).is_none()),
        );
        if system_program("softhsm2-util").is_none() {
            missing.push("softhsm2");
        }
        if system_program("promtool").is_none() {
            missing.push("prometheus");
        }
        if in_path("npm").is_none() {
            missing.push("npm");
        }
        if in_path("pip3").is_none() {
            missing.push("python3-pip");
        }
        install_packages(&missing)?;
    }
    let postgres = find_postgres()?;
    let browser = browser()
        .ok_or("Chromium with its ChromeDriver is missing: install both, or let cargo xtask test --install do so")?;
    output::note(&format!("browser: {} by {}", browser.chromium.display(), browser.driver.display()));
    let haproxy = needed("haproxy")?;
    let nginx = needed("nginx")?;
    let openssl = needed("openssl")?;
    // Commands in the documentation read a sandbox's token with it.
    needed("jq")?;
    let softhsm = find_softhsm()?;
    output::note(&format!("proxies: {} and {}", haproxy.display(), nginx.display()));
    let pgbouncer = system_program("pgbouncer");
    if pgbouncer.is_none() {
        output::note("CONNECTION POOLERS ARE NOT TESTED: pgbouncer is missing");
    }
    let promtool = system_program("promtool");
    if promtool.is_none() {
        output::note("ALERTS ARE NOT TESTED: promtool is missing");
    }
    Ok(Programs { postgres, browser, haproxy, nginx, softhsm, openssl, pgbouncer, promtool })
}

/// Finds only PostgreSQL.
pub(crate) fn find_postgres() -> Result<PathBuf, TaskError> {
    let postgres = postgres().ok_or_else(|| {
        format!("PostgreSQL {POSTGRES_MIN} or newer is missing: install it, or let cargo xtask test --install do so")
    })?;
    output::note(&format!("PostgreSQL: {}", postgres.display()));
    Ok(postgres)
}

/// Finds only the SoftHSM2 program that creates tokens.
pub(crate) fn find_softhsm() -> Result<PathBuf, TaskError> {
    let softhsm = needed("softhsm2-util")?;
    output::note(&format!("security module: {}", softhsm.display()));
    Ok(softhsm)
}

fn needed(name: &str) -> Result<PathBuf, TaskError> {
    let missing = || format!("{name} is missing: install it, or let cargo xtask test --install do so");
    Ok(system_program(name).ok_or_else(missing)?)
}

fn install_packages(packages: &[&str]) -> Result<(), TaskError> {
    if packages.is_empty() {
        return Ok(());
    }
    if in_path("apt-get").is_none() {
        return Err(format!("cannot install without apt-get; install by hand: {}", packages.join(", ")).into());
    }
    let is_root = output(Command::new("id").arg("-u"))?.trim() == "0";
    let apt = || {
        let mut command = if is_root { Command::new("env") } else { Command::new("sudo") };
        if !is_root {
            command.args(["-n", "env"]);
        }
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]);
        command
    };
    output::step(&format!("installing {} with apt-get", packages.join(", ")));
    run(apt().arg("update"))?;
    run(apt().args(["install", "--yes", "--no-install-recommends"]).args(packages))
}

/// The programs' folder of the newest PostgreSQL that is recent enough.
fn postgres() -> Option<PathBuf> {
    let fixed = ["/usr/local/pgsql/bin", "/opt/homebrew/bin", "/usr/local/bin"].map(PathBuf::from);
    let packaged = subfolders(Path::new("/usr/lib/postgresql")).into_iter().map(|folder| folder.join("bin"));
    let on_path = in_path("postgres").and_then(|program| Some(program.canonicalize().ok()?.parent()?.to_owned()));
    let folders = on_path.into_iter().chain(packaged).chain(fixed);
    let whole =
        folders.filter(|folder| ["initdb", "postgres", "pg_ctl"].iter().all(|name| folder.join(name).is_file()));
    let versions = whole.filter_map(|folder| Some((version(&folder)?, folder)));
    versions.filter(|(version, _)| *version >= POSTGRES_MIN).max().map(|(_, folder)| folder)
}

fn version(folder: &Path) -> Option<u32> {
    // "postgres (PostgreSQL) 15.13 (Debian …)"
    let said = output(Command::new(folder.join("postgres")).arg("--version")).ok()?;
    let number = said.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()))?;
    number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn browser() -> Option<Browser> {
    let chromium = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let chromium = chromium.into_iter().find_map(in_path)?;
    Some(Browser { chromium, driver: in_path("chromedriver")? })
}

/// The program of this name on the path or in `/usr/sbin`, which is not on the path of every user.
fn system_program(name: &str) -> Option<PathBuf> {
    in_path(name).or_else(|| Some(Path::new("/usr/sbin").join(name)).filter(|program| program.is_file()))
}

/// The program of this name on the path.
pub(crate) fn in_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}
