//! The whole table, which `cargo xtask torture` prints.

use super::plan::Fault;
use super::row::Row;
use super::world::{World, WorldOptions};
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;
use std::process::Command;

/// The head of the table.
const HEAD: &str = "| Fault | Calls | Failed | by Lombard: 503 | another answer | closed | Longest call | Until |\n|---|---|---|---|---|---|---|---|";

/// The megabytes of the small disk.
const DISK: &str = "size=160m";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes ten minutes; cargo xtask torture runs it"]
async fn prints_the_table_of_faults() {
    let options = WorldOptions { settings: &[], has_standby: true, tablespace: None };
    let Some(mut world) = World::start(&options).await else { return };
    eprintln!("{HEAD}");
    for fault in [
        Fault::Restart,
        Fault::TerminatedSessions { times: 5 },
        Fault::Silence { secs: 20 },
        Fault::HungCore { secs: 10 },
        Fault::KilledNode,
    ] {
        print(&Row::measure(&mut world, &fault).await);
    }
    let mut spared = Vec::new();
    for table in tables(&world).await {
        let row = Row::measure(&mut world, &Fault::Lock { table: table.clone(), secs: 7 }).await;
        if row.has_failed_calls() { print(&row) } else { spared.push(format!("`{table}`")) }
    }
    eprintln!("No call failed while one of these tables was locked: {}.", spared.join(", "));
    if world.standby.is_some() {
        print(&Row::measure(&mut world, &Fault::Failover).await);
    }
    world.end().await;
    full_disk().await;
}

fn print(row: &Row) {
    eprintln!("{}", row.text());
    for reason in row.unexpected.iter().chain(&row.closed).take(3) {
        eprintln!("    {reason}");
    }
}

async fn tables(world: &World) -> Vec<String> {
    let tables = crate::harness::tables(Some(&world.administrator()), Path::new("")).await;
    tables.into_iter().collect()
}

/// A disk that is full is a file system in memory, which only root can make.
async fn full_disk() {
    let folder = tempfile::tempdir().unwrap();
    if std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() != 0) || !mount(folder.path()) {
        eprintln!("SKIPPED: the full disk needs root and `mount`");
        return;
    }
    let space = folder.path().join("space");
    std::fs::create_dir(&space).unwrap();
    let account = account();
    chown(&space, Some(account.0), Some(account.1)).unwrap();
    chown(folder.path(), Some(account.0), Some(account.1)).unwrap();
    let options = WorldOptions { settings: &[], has_standby: false, tablespace: Some(&space) };
    if let Some(mut world) = World::start(&options).await {
        let fault = Fault::FullDisk { folder: folder.path().to_owned(), secs: 10 };
        print(&Row::measure(&mut world, &fault).await);
        world.end().await;
    }
    let unmounted = Command::new("umount").args(["--lazy"]).arg(folder.path()).status().unwrap();
    assert!(unmounted.success());
}

fn mount(folder: &Path) -> bool {
    let mut mount = Command::new("mount");
    mount.args(["-t", "tmpfs", "-o", DISK, "tmpfs"]).arg(folder);
    mount.status().is_ok_and(|status| status.success())
}

/// The account of PostgreSQL, which refuses to run as root.
fn account() -> (u32, u32) {
    let id = |arguments: &[&str]| {
        let said = Command::new("id").args(arguments).output().unwrap().stdout;
        String::from_utf8(said).unwrap().trim().parse().unwrap()
    };
    (id(&["-u", "postgres"]), id(&["-g", "postgres"]))
}
