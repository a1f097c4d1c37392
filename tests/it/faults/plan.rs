//! The faults.

use super::world::World;
use crate::harness::run_at;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::sleep;

/// How long a node stays dead.
const DEAD_FOR: Duration = Duration::from_secs(5);

/// What fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// PostgreSQL is stopped and started again.
    Restart,
    /// PostgreSQL is killed, and its standby takes over.
    Failover,
    /// Nothing passes between the nodes and PostgreSQL.
    Silence { secs: u64 },
    /// A table is locked.
    Lock { table: String, secs: u64 },
    /// Every session of the nodes is ended, once a second.
    TerminatedSessions { times: u32 },
    /// The disk of the database is full, by a file in this folder.
    FullDisk { folder: PathBuf, secs: u64 },
    /// The core takes calls and answers none.
    HungCore { secs: u64 },
    /// A node is killed, and started again.
    KilledNode,
}

impl Fault {
    /// What a reader of the table is told.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Restart => "PostgreSQL is restarted (`pg_ctl restart --mode fast`)".to_owned(),
            Self::Failover => "PostgreSQL is killed, and its standby is promoted".to_owned(),
            Self::Silence { secs } => format!("nothing passes between nodes and PostgreSQL for {secs} s"),
            Self::Lock { table, secs } => format!("table `{table}` is locked for {secs} s"),
            Self::TerminatedSessions { times } => {
                format!("all sessions at PostgreSQL are terminated, {times} times, once a second")
            }
            Self::FullDisk { secs, .. } => format!("the disk of PostgreSQL is full for {secs} s"),
            Self::HungCore { secs } => format!("the core answers nothing for {secs} s"),
            Self::KilledNode => "a node is killed (`SIGKILL`), and started again after 5 s".to_owned(),
        }
    }

    /// Whether it may pass without a failed call, because PostgreSQL is back before one has waited for long enough.
    pub(super) const fn spares_calls(&self) -> bool {
        matches!(self, Self::Restart)
    }

    /// Makes it happen, and mends it.
    pub(super) async fn happen(&self, world: &mut World) {
        match self {
            Self::Restart => world.postgres.restart().await,
            Self::Failover => {
                world.postgres.kill().await;
                world.standby.as_ref().unwrap().execute("SELECT pg_promote()").await;
            }
            Self::Silence { secs } => {
                world.line.fall_silent();
                sleep(Duration::from_secs(*secs)).await;
                world.line.go_on();
            }
            Self::Lock { table, secs } => {
                let lock = format!(
                    "BEGIN; LOCK TABLE \"{table}\" IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep({secs}); ROLLBACK"
                );
                run_at(&world.administrator(), &[lock]).await;
            }
            Self::TerminatedSessions { times } => {
                let all = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'lombard'";
                for _ in 0..*times {
                    run_at(&world.administrator(), &[all.to_owned()]).await;
                    sleep(Duration::from_secs(1)).await;
                }
            }
            Self::FullDisk { folder, secs } => {
                fill(folder);
                sleep(Duration::from_secs(*secs)).await;
                std::fs::remove_file(folder.join(FILLING)).unwrap();
            }
            Self::HungCore { secs } => {
                world.signal_core("-STOP").await;
                sleep(Duration::from_secs(*secs)).await;
                world.signal_core("-CONT").await;
            }
            Self::KilledNode => {
                world.kill_node(1).await;
                sleep(DEAD_FOR).await;
                world.start_node(1).await;
            }
        }
    }
}

/// The file that leaves no room.
const FILLING: &str = "filling";

/// Writes until there is no room.
fn fill(folder: &Path) {
    use std::io::Write;
    let mut file = std::fs::File::create(folder.join(FILLING)).unwrap();
    for size in [1024 * 1024, 4096] {
        let bytes = vec![0; size];
        while file.write_all(&bytes).is_ok() {}
    }
}
