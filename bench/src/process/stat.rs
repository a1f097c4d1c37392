//! Reads processor time and memory from Linux's `/proc/…/stat`.

use crate::result::BenchResult;
use std::collections::HashMap;
use std::io;

/// The number of ticks per second in which the kernel counts processor time. It is fixed for user space on Linux.
const TICKS_PER_SEC: f64 = 100.0;
const PAGE_BYTES: f64 = 4_096.0;

/// The statistics of one process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ProcessStat {
    parent: u32,
    /// The processor time of the threads, in seconds.
    own_secs: f64,
    /// The processor time of ended child processes for which the process has waited, in seconds.
    ended_secs: f64,
    /// The resident memory in bytes.
    pub(super) resident_bytes: f64,
}

impl ProcessStat {
    /// Reads the statistics of the process with this id.
    pub(super) fn of(pid: u32) -> BenchResult<Self> {
        Ok(Self::parse(&std::fs::read_to_string(format!("/proc/{pid}/stat"))?).ok_or("/proc/…/stat is short")?)
    }

    fn parse(stat: &str) -> Option<Self> {
        // The name in parentheses may contain any characters; numbers follow it, after the state.
        let fields: Vec<_> = stat.rsplit(')').next()?.split_ascii_whitespace().collect();
        let field = |index: usize| fields.get(index)?.parse::<f64>().ok();
        Some(Self {
            parent: fields.get(1)?.parse().ok()?,
            own_secs: (field(11)? + field(12)?) / TICKS_PER_SEC,
            ended_secs: (field(13)? + field(14)?) / TICKS_PER_SEC,
            resident_bytes: field(21)? * PAGE_BYTES,
        })
    }
}

/// The processor time in seconds of a process and all its descendants, including ended ones.
pub(crate) fn tree_cpu_secs(root: u32) -> BenchResult<f64> {
    let mut all = HashMap::new();
    for entry in std::fs::read_dir("/proc")? {
        // A process may end while its statistics are read.
        let Some(pid) = entry?.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        if let Ok(stat) = ProcessStat::of(pid) {
            all.insert(pid, stat);
        }
    }
    if !all.contains_key(&root) {
        return Err(io::Error::from(io::ErrorKind::NotFound).into());
    }
    Ok(sum_tree(&all, root))
}

/// The parent of this process.
pub(crate) fn parent_of(pid: u32) -> BenchResult<u32> {
    Ok(ProcessStat::of(pid)?.parent)
}

/// Whether a process on this machine runs the program of this name.
pub(crate) fn is_program(pid: u32, name: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|it| it.trim_end() == name)
}

fn sum_tree(all: &HashMap<u32, ProcessStat>, root: u32) -> f64 {
    let own = all.get(&root).map_or(0.0, |stat| stat.own_secs + stat.ended_secs);
    let children = all.iter().filter(|(pid, stat)| stat.parent == root && **pid != root);
    own + children.map(|(pid, _)| sum_tree(all, *pid)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        let line = "7 (a) b (c) S 3 7 7 0 -1 0 1 2 3 4 150 50 30 20 20 0 1 0 5 6 9 8";
        let stat = ProcessStat::parse(line).unwrap();
        assert_eq!(stat, ProcessStat { parent: 3, own_secs: 2.0, ended_secs: 0.5, resident_bytes: 9.0 * PAGE_BYTES });
        assert_eq!(ProcessStat::parse("7 (a) S 3"), None);
    }

    #[test]
    fn the_time_of_a_tree_is_that_of_all_its_processes() {
        let stat = |parent, own_secs| ProcessStat { parent, own_secs, ended_secs: 1.0, resident_bytes: 0.0 };
        let all = HashMap::from([(1, stat(0, 2.0)), (2, stat(1, 3.0)), (3, stat(2, 4.0)), (4, stat(0, 50.0))]);
        assert!((sum_tree(&all, 1) - 12.0).abs() < f64::EPSILON);
    }

    #[test]
    fn our_own_time_can_be_read() {
        assert!(tree_cpu_secs(std::process::id()).unwrap() >= 0.0);
        assert!(parent_of(std::process::id()).unwrap() > 0);
    }
}
