//! The audit log: who did what to whom, when, why and from where.
//!
//! A transaction that does something that the log tells of stores an [`AuditRecord`]. A worker seals records: it appends each as an
//! [`AuditEntry`] to the chain of the node that stored it. The chain `joint` tells which hash each chain had at a time.

use crate::code::{Enumerated, StoredCode};
use crate::grant::Digest;
use crate::ids::{ClientId, FapiInteractionId, PsuId};
use crate::operator_changes::ChangeReason;
use crate::staff::{StaffAct, StaffRole};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The name of the chain whose entries tell the hashes of the others. No node has this name.
pub const JOINT_CHAIN: &str = "joint";

/// The most characters of the name of a node.
pub const NODE_CHARS_MAX: usize = 64;

/// The `previous` of the first entry of a chain.
pub const NO_PREVIOUS: &str = "";

/// Declares the actions, with the name and the meaning of each.
macro_rules! actions {
    ($($action:ident = $name:literal, $meaning:literal;)+) => {
        /// What was done.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum AuditAction { $(#[doc = $meaning] $action,)+ }

        crate::unit_codes! { AuditAction { $($action = $name,)+ } }

        impl Enumerated for AuditAction {
            const VALUES: &'static [Self] = &[$(Self::$action,)+];
        }

        impl AuditAction {
            /// The meaning, as a sentence for the reference.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$action => $meaning,)+ }
            }
        }
    };
}

actions! {
    ConsentApprove = "consent.approve", "A customer approved a consent. The target is the consent.";
    ConsentRefuse = "consent.refuse", "A customer refused a consent, or cancelled. The target is the consent.";
    ConsentRevoke = "consent.revoke", "A customer, or the bank, ended the access of a consent. The target is the consent.";
    ConsentEvidence = "consent.evidence", "Staff read what customers were shown before they approved. The target is the consent.";
    PaymentApprove = "payment.approve", "A further authoriser approved a payment. The target is the order.";
    PaymentDecline = "payment.decline", "A further authoriser declined a payment. The target is the order.";
    TppRegister = "tpp.register", "A TPP registered. The target is the client.";
    TppReplace = "tpp.replace", "A TPP replaced its registration. The target is the client.";
    TppDeregister = "tpp.deregister", "A TPP deleted its registration. The target is the client.";
    TppCreate = "tpp.create", "Staff created a TPP of a sandbox. The target is the client, or empty if it is to register itself.";
    TppDisable = "tpp.disable", "Staff disabled a TPP. The target is the client.";
    TppEnable = "tpp.enable", "Staff enabled a TPP. The target is the client.";
    TppApprove = "tpp.approve", "Staff approved a changed registration. The target is the client.";
    TppRefuse = "tpp.refuse", "Staff dropped a changed registration. The target is the client.";
    TppDelete = "tpp.delete", "Staff deleted a TPP. The target is the client.";
    TppRoles = "tpp.roles", "Staff set the roles of a TPP. The target is the client.";
    TppRedirectUris = "tpp.redirect-uris", "Staff set the redirect URIs of a TPP. The target is the client.";
    TppProfile = "tpp.profile", "Staff set the security profile of a TPP. The target is the client.";
    TppSignedMessages = "tpp.signed-messages", "Staff set which messages are signed for a TPP. The target is the client.";
    TppLogin = "tpp.login", "Staff made a link by which a developer logs in to the portal. The target is the client.";
    KeysRotate = "keys.rotate", "Staff added a signing key. The target is its kid.";
    KeysCsr = "keys.csr", "Staff made a certificate request. The target is the kid.";
    KeysImport = "keys.import", "Staff imported a certificate, a kid or a key. The target is the kid.";
    KeysReseal = "keys.reseal", "Staff had all secrets encrypted with the current key-encryption key.";
    KeysLogin = "keys.login", "Staff had the server log in to the security module.";
    KeysRetire = "keys.retire", "Staff planned the end of a signing key. The target is the kid.";
    KeysWithdraw = "keys.withdraw", "Staff withdrew a signing key. The target is the kid.";
    TlsReload = "tls.reload", "Staff had the TLS files read again.";
    RequestsRead = "requests.read", "Staff read the log of requests. The target is the client that was asked for, if any.";
    SupportSearch = "support.search", "Staff searched by a text, which is not told: it can be the number of an account.";
    OrderShow = "order.show", "Staff looked up an order. The target is the order.";
    ConsentShow = "consent.show", "Staff looked up a consent. The target is the consent.";
    CustomerShow = "customer.show", "Staff looked up a customer. The target is the customer.";
    CustomerExport = "customer.export", "Staff exported all records of a customer. The target is the customer.";
    CustomerHold = "customer.hold", "Staff put the records of a customer on hold. The target is the customer.";
    CustomerRelease = "customer.release", "Staff ended the hold on the records of a customer. The target is the customer.";
    CustomerErase = "customer.erase", "Staff erased a customer. The target is the pseudonym.";
    EventRequeue = "event.requeue", "Staff put a parked event back into its queue. The target is the event.";
    QuarantineRetry = "quarantine.retry", "Staff let go quarantined work. The target is the work, or empty for all of it.";
    VrpMigrate = "vrp.migrate", "Staff migrated a batch of VRP consents.";
    OrdersReconcile = "orders.reconcile", "Staff compared a batch of orders with the core.";
    OrdersResubmit = "orders.resubmit", "Staff submitted an order again. The target is the order.";
    MaintenanceAnnounce = "maintenance.announce", "Staff announced maintenance or a change. The target is the notice.";
    MaintenanceBegin = "maintenance.begin", "Staff began maintenance. The target is the notice.";
    MaintenanceEnd = "maintenance.end", "Staff ended maintenance. The target is the notice.";
    MaintenanceWithdraw = "maintenance.withdraw", "Staff withdrew a notice. The target is the notice.";
    StaffLogin = "staff.login", "A member of staff logged in with a browser.";
    StaffLogout = "staff.logout", "A member of staff logged out.";
    AuditRead = "audit.read", "Staff read the audit log. The target is the target that was asked for, if any.";
    AuditPurge = "audit.purge", "The server removed old entries. The target names each chain with its last removed entry and that entry's hash.";
    AuditHead = "audit.head", "An entry of the chain `joint`: the target names each chain that has grown, with its last entry and that entry's hash.";
    ServerStart = "server.start", "A node started. The target is its version, `after` the digest of its configuration without secrets.";
    SecurityRefusal = "security.refusal", "Requests were refused by a rule of security. The target is the rule, the reason counts the refusals.";
}

/// In which role somebody acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuditRole {
    /// A member of the bank's staff.
    Staff(StaffRole),
    /// A customer of the bank.
    Customer,
    /// A TPP.
    Tpp,
    /// The server itself.
    Server,
    /// Somebody who was not identified.
    Unidentified,
}

impl AuditRole {
    /// The name of the role in the log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Staff(role) => role.name(),
            Self::Customer => "customer",
            Self::Tpp => "tpp",
            Self::Server => "server",
            Self::Unidentified => "unidentified",
        }
    }
}

/// Something that was done, before it is sealed. It contains ids and no names of customers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRecord {
    /// When (wall clock).
    pub at: Timestamp,
    /// Who: the name of a member of staff, or the id of a customer or a client.
    pub actor: String,
    /// In which role.
    pub role: AuditRole,
    /// What was done.
    pub action: AuditAction,
    /// The id of what it was done to; empty if there is none.
    pub target: String,
    /// Why, as staff said; or the number of refusals.
    pub reason: Option<ChangeReason>,
    /// From where: the network address of the caller, `command` for a command on the database, or empty.
    pub from: String,
    /// The interaction id of the request.
    pub interaction_id: Option<FapiInteractionId>,
    /// The digest of the target before it.
    pub before: Option<Digest>,
    /// The digest of the target after it.
    pub after: Option<Digest>,
}

impl AuditRecord {
    /// The record of an act of staff.
    pub fn of_staff(act: &StaffAct, at: Timestamp, action: AuditAction, target: impl Into<String>) -> Self {
        Self {
            actor: act.member.name.as_str().to_owned(),
            role: AuditRole::Staff(act.member.role),
            reason: act.reason.clone(),
            from: act.from.clone(),
            interaction_id: act.interaction_id.clone(),
            ..Self::of_server(at, action, target)
        }
    }

    /// The record of a customer's decision.
    pub fn of_customer(psu: &PsuId, at: Timestamp, action: AuditAction, target: impl Into<String>) -> Self {
        let actor = psu.as_str().to_owned();
        Self { actor, role: AuditRole::Customer, ..Self::of_server(at, action, target) }
    }

    /// The record of a TPP's act on its own registration.
    pub fn of_tpp(client: &ClientId, at: Timestamp, action: AuditAction) -> Self {
        let actor = client.as_str().to_owned();
        Self { actor: actor.clone(), role: AuditRole::Tpp, ..Self::of_server(at, action, actor) }
    }

    /// The record of an act of the server itself.
    pub fn of_server(at: Timestamp, action: AuditAction, target: impl Into<String>) -> Self {
        Self {
            at,
            actor: "lombard".to_owned(),
            role: AuditRole::Server,
            action,
            target: target.into(),
            reason: None,
            from: String::new(),
            interaction_id: None,
            before: None,
            after: None,
        }
    }

    /// The same record with the digests of the target before and after.
    #[must_use]
    pub fn with_digests(self, before: Option<Digest>, after: Option<Digest>) -> Self {
        Self { before, after, ..self }
    }

    /// The entry of this record in a chain, after the entry with this number and hash, as yet without its own hash.
    pub fn seal(&self, last: &AuditChain) -> AuditEntry {
        let text = |it: &str| Some(it.to_owned());
        AuditEntry {
            // Storage keeps microseconds.
            at: Timestamp::from_microsecond(self.at.as_microsecond()).unwrap_or(self.at),
            node: last.node.clone(),
            sequence: last.sequence.saturating_add(1),
            actor: self.actor.clone(),
            role: self.role.name().to_owned(),
            action: self.action.code().to_owned(),
            target: self.target.clone(),
            reason: self.reason.as_ref().map(|reason| reason.as_str().to_owned()),
            from: self.from.clone(),
            interaction_id: self.interaction_id.as_ref().and_then(|id| text(id.as_str())),
            before: self.before.map(|digest| digest.to_hex()),
            after: self.after.map(|digest| digest.to_hex()),
            previous: last.hash.clone(),
            hash: String::new(),
        }
    }
}

/// An entry of the log, as it is stored, exported and hashed. Its members are texts, so that an entry that was tampered with can be read and
/// named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// When (wall clock, to the microsecond).
    #[serde(with = "rfc_3339")]
    pub at: Timestamp,
    /// The chain: the name of the node, or [`JOINT_CHAIN`].
    pub node: String,
    /// The number in its chain; the first entry has 1.
    pub sequence: i64,
    /// See [`AuditRecord::actor`].
    pub actor: String,
    /// The name of an [`AuditRole`].
    pub role: String,
    /// The name of an [`AuditAction`].
    pub action: String,
    /// See [`AuditRecord::target`].
    pub target: String,
    /// See [`AuditRecord::reason`].
    pub reason: Option<String>,
    /// See [`AuditRecord::from`].
    pub from: String,
    /// See [`AuditRecord::interaction_id`].
    pub interaction_id: Option<String>,
    /// See [`AuditRecord::before`]; SHA-256 in hexadecimal digits.
    pub before: Option<String>,
    /// See [`AuditRecord::after`]; SHA-256 in hexadecimal digits.
    pub after: Option<String>,
    /// The hash of the entry before it in its chain; [`NO_PREVIOUS`] for the first one.
    pub previous: String,
    /// SHA-256 of the JSON of all other members, in hexadecimal digits. It is left out of the JSON while it is empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hash: String,
}

/// The end of a chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditChain {
    /// The name of the chain.
    pub node: String,
    /// The number of its last entry; 0 while it has none.
    pub sequence: i64,
    /// The hash of its last entry.
    pub hash: String,
    /// The number of the last entry that the chain `joint` names.
    #[serde(skip, default)]
    pub headed: i64,
    /// When its last entry was written (wall clock).
    #[serde(skip, default)]
    pub last_at: Timestamp,
}

impl AuditChain {
    /// A chain without entries.
    pub fn new(node: &str) -> Self {
        let [node, hash] = [node, NO_PREVIOUS].map(str::to_owned);
        Self { node, sequence: 0, hash, headed: 0, last_at: Timestamp::UNIX_EPOCH }
    }

    /// The end of a chain whose last entry this is.
    pub fn after(&self, entry: &AuditEntry) -> Self {
        let AuditEntry { node, sequence, hash, at, .. } = entry.clone();
        Self { node, sequence, hash, headed: self.headed, last_at: at }
    }

    /// The end of the chain as the targets of `audit.head` and `audit.purge` have it: `node/sequence/hash`.
    pub fn mention(&self) -> String {
        format!("{}/{}/{}", self.node, self.sequence, self.hash)
    }

    /// Reads the ends of chains in a target, which are separated by spaces; `None` if it has another form.
    pub fn parse_mentions(target: &str) -> Option<Vec<Self>> {
        let read = |text: &str| {
            let mut parts = text.splitn(3, '/');
            let (node, sequence, hash) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
            Some(Self { sequence, hash: hash.to_owned(), ..Self::new(node) })
        };
        target.split(' ').filter(|part| !part.is_empty()).map(read).collect()
    }
}

/// An instant as text of RFC 3339 in UTC.
mod rfc_3339 {
    use jiff::Timestamp;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(at)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Timestamp, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// Whether a text can be the name of a node: 1 to [`NODE_CHARS_MAX`] letters, digits, dots, hyphens and underscores, and not
/// [`JOINT_CHAIN`].
pub fn is_node_name(text: &str) -> bool {
    let is_part = |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '-' | '_');
    (1..=NODE_CHARS_MAX).contains(&text.len()) && text.chars().all(is_part) && text != JOINT_CHAIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_has_one_name() {
        for action in AuditAction::VALUES {
            assert_eq!(AuditAction::from_code(action.code()), Some(*action));
            assert!(action.meaning().ends_with('.'), "{action:?}");
        }
    }

    #[test]
    fn the_ends_of_chains_read_back_from_a_target() {
        let chain = |node: &str, sequence| AuditChain { sequence, hash: "ab".repeat(32), ..AuditChain::new(node) };
        let chains = vec![chain("a.b", 1), chain("c_d", 70)];
        let target = chains.iter().map(AuditChain::mention).collect::<Vec<_>>().join(" ");
        assert_eq!(AuditChain::parse_mentions(&target), Some(chains));
        for other in ["a", "a/b/c", "a/1"] {
            assert_eq!(AuditChain::parse_mentions(other), None, "{other}");
        }
    }

    #[test]
    fn names_of_nodes_are_short_and_plain() {
        let longest = "n".repeat(NODE_CHARS_MAX);
        for (name, is_name) in [
            ("node-1.bank.example", true),
            (longest.as_str(), true),
            ("", false),
            ("joint", false),
            ("a/b", false),
            ("a b", false),
            ("é", false),
        ] {
            assert_eq!(is_node_name(name), is_name, "{name:?}");
        }
        assert!(!is_node_name(&format!("{longest}n")), "one character more");
    }
}
