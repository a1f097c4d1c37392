//! The settings of registration.

use lombard_domain::client::KeySetAddress;
use lombard_jose::KeySet;
use std::sync::Arc;

/// A directory whose software statements are accepted. Source: DCR-020, DCR-023.
#[derive(Debug, Clone)]
pub struct Directory {
    /// The `iss` of its statements, compared byte for byte.
    pub issuer: String,
    /// The keys that sign them.
    pub keys: DirectoryKeys,
}

/// The keys of a directory.
#[derive(Debug, Clone)]
pub enum DirectoryKeys {
    /// A key set from a file.
    Local(Arc<KeySet>),
    /// A key set at an address.
    Published(KeySetAddress),
}

/// Which software of the directories may register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RegistrationPolicy {
    /// All of it.
    #[default]
    Open,
    /// The software and organisations that are listed.
    AllowList,
    /// All of it; each client is disabled until an operator enables it.
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

/// How clients register.
#[derive(Debug, Clone)]
pub struct RegistrationSettings {
    /// The directories.
    pub directories: Vec<Directory>,
    /// What a request may name as its audience beside the issuer: the bank's organisation id and further names. Source: DCR-007.
    pub audiences: Vec<String>,
    /// The greatest age of a software statement in seconds; `None` for any. Source: DCR-021.
    pub statement_age_secs_max: Option<i64>,
    /// Whether only software that the directory marks as live may register, as in production. Source: DCR-022.
    pub live_software_only: bool,
    /// Which software may register.
    pub policy: RegistrationPolicy,
    /// The ids of software and organisations that [`RegistrationPolicy::AllowList`] lets register.
    pub allowed: Vec<String>,
    /// The most registrations of one software within a day: a deleted client stays stored, because its id is never used again.
    /// Source: DCR-016.
    pub software_registrations_max: u32,
}

/// The most registrations of one software within a day unless it is set.
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
