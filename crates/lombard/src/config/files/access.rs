//! Who may use a secret file.

use rustix::process::{getegid, getgroups};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

/// The permission bits of a file's group and of everybody else.
const GROUP_AND_OTHERS: u32 = 0o077;
/// The same without the group's right to read.
const MORE_THAN_GROUP_READ: u32 = 0o037;
/// The system's administrator.
const ROOT: u32 = 0;

/// The owner, the group and the mode of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileAccessRights {
    mode: u32,
    owner: u32,
    group: u32,
}

impl FileAccessRights {
    pub(super) fn of(file: &Metadata) -> Self {
        Self { mode: file.mode(), owner: file.uid(), group: file.gid() }
    }

    /// The fault of a secret file that others may use. It continues a sentence that begins with the file's name.
    ///
    /// Containers are given secrets as files of `root` that their group may read (mode 0440). Such a file is as safe as one of the
    /// process's own user: the group is that of the process, and the process cannot change the file.
    pub(super) fn fault(self, own_groups: &[u32]) -> Option<String> {
        let is_of_root_for_us = self.owner == ROOT && own_groups.contains(&self.group);
        let forbidden = if is_of_root_for_us { MORE_THAN_GROUP_READ } else { GROUP_AND_OTHERS };
        (self.mode & forbidden != 0).then(|| {
            format!(
                "holds a secret and is open to other users (mode {:04o}); leave it to its owner with chmod 600, or to root and \
                 a group of this process with mode 0440",
                self.mode & 0o7777
            )
        })
    }
}

/// The groups of this process: its own and the supplementary ones.
pub(super) fn own_groups() -> Vec<u32> {
    // Without the supplementary groups fewer files are accepted.
    let supplementary = getgroups().unwrap_or_default();
    supplementary.into_iter().chain([getegid()]).map(|group| group.as_raw()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: u32 = 998;
    const FOREIGN: u32 = 1000;

    fn is_accepted(mode: u32, owner: u32, group: u32) -> bool {
        FileAccessRights { mode: 0o100_000 | mode, owner, group }.fault(&[100, OURS]).is_none()
    }

    #[test]
    fn secret_files_of_root_may_be_read_by_a_group_of_the_process() {
        assert!(is_accepted(0o440, ROOT, OURS) && is_accepted(0o640, ROOT, OURS));
        assert!(!is_accepted(0o440, ROOT, FOREIGN), "another group");
        assert!(!is_accepted(0o440, FOREIGN, OURS), "another owner, who may change the mode");
        for mode in [0o444, 0o460, 0o450, 0o441, 0o442] {
            assert!(!is_accepted(mode, ROOT, OURS), "{mode:04o}");
        }
    }

    #[test]
    fn secret_files_of_their_owner_alone_are_accepted() {
        assert!(is_accepted(0o600, FOREIGN, FOREIGN) && is_accepted(0o400, ROOT, FOREIGN));
    }

    #[test]
    fn a_file_of_our_own_group_is_recognised_as_such() {
        let folder = tempfile::tempdir().unwrap();
        let group = std::fs::metadata(folder.path()).unwrap().gid();
        assert!(own_groups().contains(&group), "{group}");
    }
}
