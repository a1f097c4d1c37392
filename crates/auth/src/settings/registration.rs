//! The settings of client registration.

use lombard_domain::client::KeySetAddress;
use lombard_jose::KeySet;
use std::sync::Arc;

/// A directory whose software statements are accepted. Source: DCR-020, DCR-023.
#[derive(Debug, Clone)]
pub struct Directory {
    /// The `iss` of the directory's statements, compared byte for byte.
    pub issuer: String,
    /// The keys that sign the statements.
    pub keys: DirectoryKeys,
}

/// The keys of a directory.
#[derive(Debug, Clone)]
pub enum DirectoryKeys {
    /// A fixed key set, which was read from a file.
    Local(Arc<KeySet>),
    /// A key set that is published at an address.
    Published(KeySetAddress),
}

/// The policy that decides which software of the directories may register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RegistrationPolicy {
    /// All software may register.
    #[default]
    Open,
    /// Only the listed software and organisations may register.
    AllowList,
    /// All software may register, but each client is disabled until an operator enables it.
    Approval,
}

impl RegistrationPolicy {
    /// Every policy.
    pub const ALL: [Self; 3] = [Self::Open, Self::AllowList, Self::Approval];

    /// The name in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::AllowList => "allow_list",
            Self::Approval => "approval",
        }
    }
}

/// The settings of client registration.
#[derive(Debug, Clone)]
pub struct RegistrationSettings {
    /// The accepted directories.
    pub directories: Vec<Directory>,
    /// The audiences that a request may name beside the issuer: the bank's organisation id and further names. Source: DCR-007.
    pub audiences: Vec<String>,
    /// The greatest age of a software statement in seconds; `None` for no limit. Source: DCR-021.
    pub statement_age_secs_max: Option<i64>,
    /// Whether only software that the directory marks as live may register, as in production. Source: DCR-022.
    pub live_software_only: bool,
    /// The policy that decides which software may register.
    pub policy: RegistrationPolicy,
    /// The ids of software and organisations that may register under [`RegistrationPolicy::AllowList`].
    pub allowed: Vec<String>,
    /// The most registrations of one software within a day: a deleted client stays stored, because its id is never used again.
    /// Source: DCR-016.
    pub software_registrations_max: u32,
}

/// The default of [`RegistrationSettings::software_registrations_max`].
pub const SOFTWARE_REGISTRATIONS_MAX: u32 = 100;

impl Default for RegistrationSettings {
    fn default() -> Self {
        Self {
            directories: Vec::new(),
            audiences: Vec::new(),
            statement_age_secs_max: None,
            live_software_only: false,
            policy: RegistrationPolicy::default(),
            allowed: Vec::new(),
            software_registrations_max: SOFTWARE_REGISTRATIONS_MAX,
        }
    }
}
