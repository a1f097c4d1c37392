//! Limits of the machine and of the database's server that contradict the settings: open files, memory, connections.
//!
//! A node runs in spite of them until it is busy, so they are advice. A sandbox is not advised.

use super::super::core_services::{DatabaseFile, store_options};
use crate::config::{Config, Problem};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs;
use std::path::Path;

/// Files and sockets beside those of the listeners and of the database: the ops and health listeners, calls of the core (256), of the
/// identity provider and of directories, and the files of the program.
const OTHER_DESCRIPTORS: u64 = 512;

/// Connections of a node to PostgreSQL beside those of `database.connections_max`: for notifications, for the check of the database, and
/// one to spare.
const OTHER_DATABASE_CONNECTIONS: u64 = 3;

/// The bytes of an idle connection or a held poll (`parked/memory` in `docs/performance.md`).
const CONNECTION_BYTES: u64 = 40 * 1024;

/// The bytes of a node without callers (`start/memory`), its rendered pages and its allocator's reserve.
const OTHER_BYTES: u64 = 96 * 1024 * 1024;

/// The number of listeners that `server.connections_max` bounds.
const LISTENERS: u64 = 2;

const MIB: u64 = 1024 * 1024;

/// Raises the soft limit of open files to the hard one, as servers do. A machine that refuses keeps its limit, and the advice says so.
pub(crate) fn raise_descriptor_limit() {
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            tracing::debug!(error = &error as &dyn std::error::Error, "the limit of open files was not raised");
        }
    }
}

/// What an operator should know of this machine. `admitted` is how many connections the database's server admits, if it was asked.
pub(super) fn advice(config: &Config, admitted: Option<u32>) -> Vec<Problem> {
    if config.is_sandbox() {
        return Vec::new();
    }
    let cgroups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let descriptors = getrlimit(Resource::Nofile).maximum;
    let memory = memory_limit(Path::new("/sys/fs/cgroup"), &cgroups);
    let advice = [
        descriptors.and_then(|limit| of_descriptors(config, limit)),
        memory.and_then(|limit| of_memory(config, limit)),
        admitted.and_then(|limit| of_database(config, limit.into())),
    ];
    advice.into_iter().flatten().collect()
}

/// How many connections the server of the database admits; `None` if it has no such limit or cannot be asked.
pub(super) async fn admitted_connections(config: &Config) -> Option<u32> {
    let options = store_options(config, DatabaseFile::Server).ok()?;
    lombard_database::admitted_connections(&options).await.ok().flatten()
}

fn of_descriptors(config: &Config, limit: u64) -> Option<Problem> {
    let database: u64 = count(config.database.connections_max);
    let listeners = LISTENERS.saturating_mul(count(config.server.connections_max));
    let needed = listeners.saturating_add(database).saturating_add(OTHER_DESCRIPTORS);
    (needed > limit).then(|| {
        let fits = limit.saturating_sub(database.saturating_add(OTHER_DESCRIPTORS)) / LISTENERS;
        let message = format!(
            "this process may open {limit} files (hard limit), and with as many connections at both listeners it needs {needed}; raise the limit \
             (LimitNOFILE= of the systemd unit, ulimit -Hn), or set at most {fits}"
        );
        Problem::new("server.connections_max", message)
    })
}

fn of_memory(config: &Config, limit: u64) -> Option<Problem> {
    let connections = LISTENERS.saturating_mul(count(config.server.connections_max)).saturating_mul(CONNECTION_BYTES);
    let logged = if config.request_log.tpps.is_empty() { 0 } else { count(config.request_log.bytes_max) };
    let bodies: u64 = count(config.limits.gathered_bytes_max).saturating_add(count(config.limits.unread_bytes_max));
    let needed = [connections, logged, bodies].into_iter().fold(OTHER_BYTES, u64::saturating_add);
    (needed > limit).then(|| {
        let message = format!(
            "the control group of this process may use {} MiB, and with as many connections at both listeners, the log of requests and one \
             client's bodies it needs {} MiB; raise its memory limit, or set fewer connections",
            limit / MIB,
            needed.div_ceil(MIB)
        );
        Problem::new("server.connections_max", message)
    })
}

fn of_database(config: &Config, limit: u64) -> Option<Problem> {
    let node: u64 = count(config.database.connections_max).saturating_add(OTHER_DATABASE_CONNECTIONS);
    let nodes = limit / node.max(1);
    // Two nodes: production is not meant to run on one, and a restart with a new release may overlap.
    (nodes < 2).then(|| {
        let message = format!(
            "PostgreSQL admits {limit} connections (max_connections without those reserved, and limits of the role and the database), and a node \
             takes up to {node}: there is room for {nodes} at full load; raise max_connections, or set fewer here"
        );
        Problem::new("database.connections_max", message)
    })
}

/// A number of settings, as numbers of limits are.
fn count(number: impl TryInto<u64>) -> u64 {
    number.try_into().unwrap_or(u64::MAX)
}

/// The least memory limit of the control groups that these lines of `/proc/self/cgroup` name, and of those around them. Both versions of
/// control groups are read; within a container the groups may be mounted as the root.
fn memory_limit(mounted: &Path, cgroups: &str) -> Option<u64> {
    let limits = cgroups.lines().flat_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, group) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let (root, file) = match controllers {
            "" => (mounted.to_owned(), "memory.max"),
            "memory" => (mounted.join("memory"), "memory.limit_in_bytes"),
            _ => return Vec::new(),
        };
        let group = root.join(group.trim_start_matches('/'));
        let around = group.ancestors().take_while(|folder| folder.starts_with(&root));
        around.filter_map(|folder| fs::read_to_string(folder.join(file)).ok()?.trim().parse::<u64>().ok()).collect()
    });
    limits.min()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(further: &str) -> Config {
        Config::parse_and_check(&format!("mode = \"production\"\n{further}"), &[]).unwrap().0
    }

    #[test]
    fn fewer_open_files_than_connections_are_advised_against() {
        let config = config("[server]\nconnections_max = 1000\n[database]\nconnections_max = 16");
        let said = of_descriptors(&config, 1024).unwrap();
        assert_eq!(said.at, "server.connections_max");
        assert!(said.message.contains("needs 2528") && said.message.contains("at most 248"), "{}", said.message);
        assert_eq!(of_descriptors(&config, 2528), None);
    }

    #[test]
    fn less_memory_than_the_settings_may_take_is_advised_against() {
        let config = config("[server]\nconnections_max = 1000");
        let said = of_memory(&config, 128 * MIB).unwrap();
        assert!(
            said.message.contains("may use 128 MiB") && said.message.contains("it needs 193 MiB"),
            "{}",
            said.message
        );
        assert_eq!(of_memory(&config, 193 * MIB), None);
    }

    #[test]
    fn a_database_with_room_for_one_node_is_advised_against() {
        let config = config("[database]\nconnections_max = 47");
        assert_eq!(of_database(&config, 100), None);
        assert!(of_database(&config, 97).unwrap().message.contains("takes up to 50: there is room for 1 "));
    }

    #[test]
    fn the_least_memory_limit_of_both_versions_of_cgroups_counts() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        let limit = |cgroups: &str| memory_limit(folder.path(), cgroups);
        assert_eq!(limit("0::/\n"), None);
        write("system.slice/lombard.service/memory.max", "max\n");
        assert_eq!(limit("0::/system.slice/lombard.service\n"), None);
        write("system.slice/memory.max", "4096\n");
        assert_eq!(limit("0::/system.slice/lombard.service\n"), Some(4096));
        write("memory/pod/memory.limit_in_bytes", "2048\n");
        assert_eq!(limit("4:memory:/pod\n1:cpu:/pod\n0::/system.slice\n"), Some(2048));
    }

    #[test]
    fn the_soft_limit_of_open_files_becomes_the_hard_one() {
        raise_descriptor_limit();
        let limit = getrlimit(Resource::Nofile);
        assert_eq!(limit.current, limit.maximum);
    }
}
