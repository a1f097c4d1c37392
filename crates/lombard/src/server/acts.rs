//! The log lines of acts of staff, and the act that a command on the database is.

use lombard_domain::audit::AuditRecord;
use lombard_domain::code::StoredCode;
use lombard_domain::operator_changes::ChangeReason;
use lombard_domain::staff::{StaffAct, StaffMember, StaffName, StaffRole};
use std::fs;

/// The origin of an act of a command on the database, while no server runs.
const COMMAND: &str = "command";

/// The name and the origin of an act on the pages of the portal, which everybody who reaches a sandbox may use.
const PORTAL: &str = "portal";

/// Writes the log line of an act of staff whose record is stored.
pub(super) fn log_record(record: &AuditRecord) {
    tracing::info!(
        audit.action = record.action.code(),
        audit.actor = record.actor.as_str(),
        audit.role = record.role.name(),
        audit.from = record.from.as_str(),
        audit.reason = record.reason.as_ref().map(ChangeReason::as_str),
        audit.target = record.target.as_str(),
        "a staff member acted"
    );
}

/// The act of a command on the database while no server runs: the user of the operating system acts, and may do everything, because the
/// command has the database and its keys.
pub fn command_act(reason: Option<ChangeReason>) -> StaffAct {
    act_of(&format!("{COMMAND} ({})", user_name()), COMMAND, reason)
}

/// The act of a tester on the pages of the portal. Only a sandbox has them.
pub(super) fn portal_act() -> StaffAct {
    act_of(PORTAL, PORTAL, None)
}

fn act_of(name: &str, from: &str, reason: Option<ChangeReason>) -> StaffAct {
    // The name of a user can be unusable: other names are given by this file.
    let name = StaffName::parse(name).or_else(|| StaffName::parse(COMMAND));
    let name = name.unwrap_or_else(StaffName::unknown);
    StaffAct {
        member: StaffMember { name, role: StaffRole::Admin },
        from: from.to_owned(),
        reason,
        interaction_id: None,
    }
}

/// The name of the user of this process, or the number of a user without a name.
fn user_name() -> String {
    let number = rustix::process::getuid().as_raw().to_string();
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let named = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == number).then(|| name.to_owned())
    });
    named.unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_acts_as_the_user_of_the_operating_system() {
        let act = command_act(ChangeReason::parse("case 7"));
        let name = act.member.name.as_str();
        assert!(name.starts_with("command (") && name.ends_with(')') && name.len() > 10, "{name}");
        assert_eq!(
            (act.member.role, act.from.as_str(), act.reason),
            (StaffRole::Admin, "command", ChangeReason::parse("case 7"))
        );
    }
}
