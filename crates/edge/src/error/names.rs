//! The bank's own error codes, where the standard has none. Source: RW-125, RW-130.

use crate::app::HttpSettings;
use crate::guide_links::{ERROR_CODES, heading_id};
use lombard_domain::version::Version;
use lombard_wire::codes::StatusReasonCode;
use lombard_wire::errors::ErrorEntry;
use std::borrow::Cow;

/// What errors say of this bank.
#[derive(Debug, Clone, Copy)]
pub(super) struct ErrorNames<'a> {
    /// Its name in codes of its own. Source: RW-125.
    pub(super) namespace: &'a str,
    /// Where its pages are.
    pub(super) public_url: &'a str,
}

impl<'a> ErrorNames<'a> {
    pub(super) fn of(settings: &'a HttpSettings) -> Self {
        Self { namespace: &settings.error_namespace, public_url: &settings.public_url }
    }

    /// The error of the bank's own with this name. Its address is that of the name's section in v4.0 too, where the code is the same
    /// for all of them. Source: RW-120.
    pub(super) fn entry(self, version: Version, name: &str, message: impl Into<Cow<'static, str>>) -> ErrorEntry {
        let url = format!("{}{ERROR_CODES}#{}", self.public_url, heading_id(name));
        let error_code = own_code(version, self.namespace, name);
        ErrorEntry { error_code, message: message.into(), path: None, url: Some(url) }
    }
}

/// A code of our own: namespaced in v3.1, "narrative" in v4.0. Source: RW-125, RW-130.
pub(super) fn own_code(version: Version, namespace: &str, name: &str) -> Cow<'static, str> {
    match version {
        Version::V3_1 => Cow::Owned(format!("UK.{namespace}.{name}")),
        Version::V4_0 => Cow::Borrowed(StatusReasonCode::NARRATIVE.code),
    }
}
