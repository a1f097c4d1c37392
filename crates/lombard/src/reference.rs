//! The generated pages of `docs/reference/`, each written from the data the program works with.

use crate::config;
use clap::ValueEnum;
use lombard_domain::version::Version;
use lombard_http::catalogue::{self, ENDPOINTS, Endpoint, GrantKind, Need, Signed};
use lombard_wire::codes::{ALL, code};
use std::fmt::Write;

/// A reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Page {
    /// Every setting.
    Configuration,
    /// Every endpoint of the standard.
    Endpoints,
    /// Every error code.
    Codes,
    /// Every limit that can be set.
    Limits,
    /// The built endpoints in each of their versions, one a line, for tools.
    Operations,
}

/// Writes a reference.
pub fn write(page: Page) -> String {
    match page {
        Page::Configuration => config::reference(),
        Page::Endpoints => endpoints(),
        Page::Codes => codes(),
        Page::Limits => config::limits_reference(),
        Page::Operations => operations(),
    }
}

fn operations() -> String {
    catalogue::operations().map(|operation| format!("{operation:?}\n")).collect()
}

fn endpoints() -> String {
    let built = ENDPOINTS.iter().filter(|endpoint| endpoint.built()).count();
    let mut page = format!(
        "# Endpoints\n\n<!-- Written by `cargo xtask docs` from crates/http/src/catalogue/table.rs. -->\n\n\
         All {} endpoints of the standard, {built} of them built. Those that are not answer 404 (RW-009). The name is what\n\
         `endpoints.off` takes; mandatory endpoints cannot be switched off.\n\n\
         | Endpoint | Name | Scope | Token stands on | Signed | Need | Built |\n|---|---|---|---|---|---|---|\n",
        ENDPOINTS.len(),
    );
    for endpoint in ENDPOINTS {
        page.push_str(&row(endpoint));
    }
    page
}

fn row(endpoint: &Endpoint) -> String {
    let scopes: Vec<_> = endpoint.scopes.iter().map(|scope| scope.name()).collect();
    let grant = match endpoint.grant {
        GrantKind::Client => "client",
        GrantKind::Psu => "consent",
    };
    let signed = match endpoint.signed {
        Signed::Nothing => "",
        Signed::Request => "request",
        Signed::Response => "response",
        Signed::Both => "both ways",
    };
    let need = match endpoint.need {
        Need::Mandatory => "mandatory",
        Need::Conditional => "conditional",
        Need::Optional => "optional",
    };
    format!(
        "| `{} {}` | {} | {} | {grant} | {signed} | {need} | {} |\n",
        endpoint.verb.name(),
        endpoint.full_path(Version::V3_1),
        endpoint.name,
        scopes.join(" or "),
        if endpoint.built() { "yes" } else { "" },
    )
}

fn codes() -> String {
    let mut page = String::from(
        "# Error codes\n\n<!-- Written by `cargo xtask docs` from crates/wire/src/codes.rs. -->\n\n\
         | v3.1 | v4.0 | Status |\n|---|---|---|\n",
    );
    for fault in ALL {
        let code = code(*fault);
        // Writing to a text cannot fail.
        let _ = writeln!(page, "| `{}` | `{}` | {} |", code.v3_1, code.v4_0, code.status);
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_references_cover_their_sources() {
        assert_eq!(endpoints().lines().filter(|line| line.starts_with("| `")).count(), ENDPOINTS.len());
        assert_eq!(codes().lines().filter(|line| line.starts_with("| `")).count(), ALL.len());
        assert!(operations().lines().any(|line| line == "GET /open-banking/v3.1/aisp/accounts"));
        assert!(write(Page::Limits).contains("limits.body_bytes_max"));
    }
}
