//! The bank's own error codes, for errors without a code of the standard. Source: RW-125, RW-130.

use crate::app::HttpSettings;
use crate::guide_links::{ERROR_CODES, heading_id};
use lombard_domain::version::Version;
use lombard_wire::codes::StatusReasonCode;
use lombard_wire::errors::ErrorEntry;
use std::borrow::Cow;

/// The values of this bank that errors contain.
#[derive(Debug, Clone, Copy)]
pub(super) struct ErrorNames<'a> {
    /// The bank's name in its own codes. Source: RW-125.
    pub(super) namespace: &'a str,
    /// The base URL of the bank's pages.
    pub(super) public_url: &'a str,
}

impl<'a> ErrorNames<'a> {
    pub(super) fn of(settings: &'a HttpSettings) -> Self {
        Self { namespace: &settings.error_namespace, public_url: &settings.public_url }
    }

    /// An error with the bank's own code of this name. Its address is that of the name's section, also in v4.0, where all such errors share
    /// one code. Source: RW-120.
    pub(super) fn entry(self, version: Version, name: &str, message: impl Into<Cow<'static, str>>) -> ErrorEntry {
        let url = format!("{}{ERROR_CODES}#{}", self.public_url, heading_id(name));
        let error_code = own_code(version, self.namespace, name);
        ErrorEntry { error_code, message: message.into(), path: None, url: Some(url) }
    }
}

/// A code of the bank: namespaced in v3.1, "narrative" in v4.0. Source: RW-125, RW-130.
pub(super) fn own_code(version: Version, namespace: &str, name: &str) -> Cow<'static, str> {
    match version {
        Version::V3_1 => Cow::Owned(format!("UK.{namespace}.{name}")),
        Version::V4_0 => Cow::Borrowed(StatusReasonCode::NARRATIVE.code),
    }
}
