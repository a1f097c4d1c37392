//! Generates the pages of `docs/reference/` from the data that the program uses.

use crate::config;
use crate::server::BANK_STORED_DATA;
use crate::stored_files::STORED_FILES;
use crate::telemetry::metrics_reference;
use clap::ValueEnum;
use lombard_api::catalogue;
use lombard_api::catalogue::ENDPOINTS;
use lombard_database::{Erasure, StoredData};
use lombard_domain::audit::AuditAction;
use lombard_domain::code::{Enumerated, StoredCode};
use lombard_domain::consent::{ConsentState, ConsentStatusReason, EffectiveConsentStatus, RevokedBy};
use lombard_domain::staff::StaffRole;
use lombard_domain::version::Version;
use lombard_edge::endpoint::ApiEndpoint;
use lombard_edge::endpoint_facts::{EndpointGroup, MessageSigning, RequiredGrant};
use lombard_openapi::{DocumentSubject, PublishedApi};
use lombard_ops::{StaffAction, list_staff_actions};
use lombard_wire::codes::{ALL, StatusReasonCode, code, consent_status_reasons, known_status_reasons};
use lombard_wire::v4_0::names::consent_status;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

/// A generated reference document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReferenceDocument {
    /// Every setting.
    Configuration,
    /// Every endpoint of the standard.
    Endpoints,
    /// Every error code.
    Codes,
    /// Every limit that can be set.
    Limits,
    /// Every metric.
    Metrics,
    /// What each role of the bank's staff may do.
    Staff,
    /// What each table and file holds, and how long.
    Data,
    /// What the audit log tells of.
    Audit,
    /// The JSON schema of data files.
    DataFile,
    /// The OpenAPI document of the core API.
    CoreApi,
    /// The implemented endpoints with their versions, one per line, for tools.
    Operations,
    /// The OpenAPI document of account information, as a sandbox publishes it, for tools.
    AccountInformation,
    /// The OpenAPI document of payments, as a sandbox publishes it, for tools.
    PaymentInitiation,
    /// The OpenAPI document of confirmation of funds, as a sandbox publishes it, for tools.
    FundsConfirmation,
    /// The OpenAPI document of variable recurring payments, as a sandbox publishes it, for tools.
    VariableRecurringPayments,
}

/// Writes a reference document.
pub fn write_reference(page: ReferenceDocument) -> String {
    match page {
        ReferenceDocument::Configuration => config::reference(),
        ReferenceDocument::Endpoints => endpoints(),
        ReferenceDocument::Codes => codes(),
        ReferenceDocument::Limits => config::limits_reference(),
        ReferenceDocument::Metrics => metrics_reference(),
        ReferenceDocument::Staff => staff(),
        ReferenceDocument::Data => data(),
        ReferenceDocument::Audit => audit(),
        ReferenceDocument::DataFile => lombard_sandbox::data_file::data_file_schema(),
        ReferenceDocument::CoreApi => lombard_core_api::openapi::build_openapi_document(),
        ReferenceDocument::Operations => operations(),
        ReferenceDocument::AccountInformation => document(EndpointGroup::AccountInformation),
        ReferenceDocument::PaymentInitiation => document(EndpointGroup::Payments),
        ReferenceDocument::FundsConfirmation => document(EndpointGroup::FundsConfirmation),
        ReferenceDocument::VariableRecurringPayments => document(EndpointGroup::VariableRecurringPayments),
    }
}

fn operations() -> String {
    catalogue::list_operations().map(|operation| format!("{operation:?}\n")).collect()
}

fn document(group: EndpointGroup) -> String {
    let offer = PublishedApi {
        bank_name: "Lombard",
        switched_off: &HashSet::new(),
        retired_versions: &HashSet::new(),
        rates: &HashMap::new(),
        published_rates: &HashMap::new(),
        nodes: 1,
        mtls_url: "https://localhost:8444",
        public_url: "https://localhost:8443",
        registers_clients: true,
        authorization: "https://localhost:8443/authorize".to_owned(),
        token: "https://localhost:8444/token".to_owned(),
        discovery: "https://localhost:8443/.well-known/openid-configuration".to_owned(),
    };
    format!("{:#}\n", lombard_openapi::build_openapi_document(&offer, DocumentSubject::Catalogue(group)))
}

fn endpoints() -> String {
    let built = ENDPOINTS.iter().filter(|endpoint| endpoint.is_implemented()).count();
    let mut page = format!(
        "# Endpoints\n\n<!-- Written by `cargo xtask docs` from crates/api/src/catalogue/table.rs. -->\n\n\
         All {} endpoints of the standard, {built} of them built. The last column says under which versions; their paths\n\
         begin with `/open-banking/` and the version. In other versions, and where it is empty, they answer 404 (RW-009). The\n\
         name is what `endpoints.off` takes, for all versions at once. Mandatory endpoints cannot be switched off; one that is\n\
         mandatory with its POST can be switched off only together with the POST that makes what it reads.\n\n\
         | Endpoint | Name | Scope | Grant required | Signed | Need | Versions |\n|---|---|---|---|---|---|---|\n",
        ENDPOINTS.len(),
    );
    for endpoint in ENDPOINTS {
        page.push_str(&row(endpoint));
    }
    page
}

fn row(endpoint: &ApiEndpoint) -> String {
    let versions: Vec<_> = endpoint.versions().map(Version::segment).collect();
    let scopes: Vec<_> = endpoint.scopes.iter().map(|scope| scope.name()).collect();
    let grant = match endpoint.grant {
        RequiredGrant::Client => "client",
        RequiredGrant::Psu => "consent",
        RequiredGrant::Either => "client or consent",
    };
    let signed = match endpoint.signed {
        MessageSigning::Nothing => "",
        MessageSigning::Request => "request",
        MessageSigning::Response => "response",
        MessageSigning::Both => "both ways",
    };
    format!(
        "| `{} {}{}` | {} | {} | {grant} | {signed} | {} | {} |\n",
        endpoint.method.name(),
        endpoint.group.segment(),
        endpoint.path,
        endpoint.name,
        scopes.join(" or "),
        endpoint.conformance.name(),
        versions.join(", "),
    )
}

/// What each role may do, by the table of the ops listener.
fn staff() -> String {
    let mut page = String::from(
        "# What each role of the staff may do\n\n<!-- Written by `cargo xtask docs` from crates/ops/src/staff/permissions.rs. -->\n\n\
         Requests to the ops listener, by role ([staff](../operating/staff.md)). Requests with a reason read data of customers: without\n\
         `reason` in the query they are refused (400). Others may have one. Health, metrics and the login page are for everybody who\n\
         reaches the listener, and so are the controls of a sandbox (`/sandbox/…`) on loopback; elsewhere `view` may read them, and the\n\
         other roles may use them.\n\n\
         | Request | Effect | view | support | security | admin | Reason | Audit |\n|---|---|---|---|---|---|---|---|\n",
    );
    for StaffAction { method, path, purpose, access, audited } in list_staff_actions() {
        let may = StaffRole::ALL
            .map(|role| if access.roles().is_none_or(|roles| roles.contains(&role)) { "yes" } else { "" });
        let reason = if access.needs_reason() { "needed" } else { "" };
        // Writing to a `String` cannot fail.
        let audited = audited.map(|action| format!("`{}`", action.code())).unwrap_or_default();
        let _ = writeln!(page, "| `{method} {path}` | {purpose} | {} | {reason} | {audited} |", may.join(" | "));
    }
    page
}

/// What the audit log tells of.
fn audit() -> String {
    let mut page = String::from(
        "# What the audit log tells of\n\n<!-- Written by `cargo xtask docs` from crates/domain/src/audit.rs. -->\n\n\
         The actions of entries of [the audit log](../operating/audit.md).\n\n| Action | Meaning |\n|---|---|\n",
    );
    for action in AuditAction::VALUES {
        // Writing to a `String` cannot fail.
        let _ = writeln!(page, "| `{}` | {} |", action.code(), action.meaning());
    }
    page
}

/// What each table and file holds, why and for how long, and what an erasure does to it.
fn data() -> String {
    let mut page = String::from(
        "# What is stored\n\n<!-- Written by `cargo xtask docs` from crates/store/src/stored_data.rs, crates/corebank/src/tables/stored_data.rs\n\
         and crates/lombard/src/stored_files.rs. -->\n\n\
         Every table and file, what it holds, and what [an erasure](../operating/privacy.md#erasure) does to the rows of a customer. *Customers*\n\
         says whether it holds data of customers: `yes` for names, numbers, references and ids that the bank gave, `ids only` for ids, times\n\
         and digests that lead to a customer only together with another table. A test compares the list with the tables of both engines.\n\n\
         Passwords, tokens and codes are stored as digests, private keys and secrets sealed with the key-encryption key. The rest is in the\n\
         clear: the disks of the database and of its backups are the bank's to encrypt.\n",
    );
    for (title, described) in [
        ("The server's tables", lombard_store::STORED_DATA),
        ("The tables of the built-in bank, which only a sandbox has", BANK_STORED_DATA),
        ("Files in the data folder", STORED_FILES),
    ] {
        // Writing to a `String` cannot fail.
        let _ = write!(
            page,
            "\n## {title}\n\n| Name | Holds | Customers | Why | Kept | Erasure |\n|---|---|---|---|---|---|\n"
        );
        for StoredData { name, content, personal, purpose, kept, erasure } in described {
            let names = name.split(", ").map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let (personal, erasure) = (personal.word(), erasure_cell(*erasure));
            let _ = writeln!(page, "| {names} | {content} | {personal} | {purpose} | {kept} | {erasure} |");
        }
    }
    page
}

fn erasure_cell(erasure: Erasure) -> String {
    match erasure {
        Erasure::NoRows => String::new(),
        Erasure::Deleted => "deleted".to_owned(),
        Erasure::Pseudonymised(left) => format!("pseudonymised; left are {left}"),
        Erasure::Kept(why) => format!("kept: {why}"),
    }
}

/// All effective states of a consent.
const STATUSES: [EffectiveConsentStatus; 6] = [
    EffectiveConsentStatus::AwaitingAuthorisation,
    EffectiveConsentStatus::Authorised,
    EffectiveConsentStatus::Rejected,
    EffectiveConsentStatus::Revoked(RevokedBy::Psu),
    EffectiveConsentStatus::Revoked(RevokedBy::Bank),
    EffectiveConsentStatus::Expired,
];

fn codes() -> String {
    let mut page = String::from(
        "# Error codes\n\n<!-- Written by `cargo xtask docs` from crates/wire/src/codes.rs. -->\n\n\
         | v3.1 | v4.0 | Status |\n|---|---|---|\n",
    );
    for fault in ALL {
        let code = code(*fault);
        // Writing to a `String` cannot fail.
        let _ = writeln!(page, "| `{}` | `{}` | {} |", code.v3_1, code.v4_0, code.status);
    }
    page.push_str(
        "\nWhere v3.1 has a code of the bank's own, as `UK.<bank>.Forbidden.Scope`, v4.0 has `NARR`. Why a consent stands as it\n\
         does is told in v4.0 only: in its `StatusReason`, and when its end takes a token with it.\n\n\
         | Status | Reasons |\n|---|---|\n",
    );
    for status in STATUSES {
        let _ = writeln!(page, "| `{}` | {} |", consent_status(status), listed(consent_status_reasons(status, None)));
    }
    page.push_str(
        "\nIn place of these, a consent that awaits authorisation, is authorised or was rejected has the reason that is known.\n\n\
         | Status | Reason | `Path` |\n|---|---|---|\n",
    );
    for known in ConsentStatusReason::VALUES {
        let status = match known.state() {
            ConsentState::Authorised => EffectiveConsentStatus::Authorised,
            ConsentState::Rejected => EffectiveConsentStatus::Rejected,
            _ => EffectiveConsentStatus::AwaitingAuthorisation,
        };
        let reasons = known_status_reasons(*known);
        let path = reasons.iter().find_map(|it| it.path).map(|path| format!("`{path}`")).unwrap_or_default();
        let _ = writeln!(page, "| `{}` | {} | {path} |", consent_status(status), listed(reasons));
    }
    page
}

fn listed(reasons: &[StatusReasonCode]) -> String {
    reasons.iter().map(|it| format!("`{}` {}", it.code, it.description)).collect::<Vec<_>>().join("<br>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_references_cover_their_sources() {
        assert_eq!(endpoints().lines().filter(|line| line.starts_with("| `")).count(), ENDPOINTS.len());
        let rows = ALL.len() + STATUSES.len() + ConsentStatusReason::VALUES.len();
        assert_eq!(codes().lines().filter(|line| line.starts_with("| `")).count(), rows);
        assert_eq!(staff().lines().filter(|line| line.starts_with("| `")).count(), list_staff_actions().len());
        for version in ["v3.1", "v4.0"] {
            let line = format!("GET /open-banking/{version}/aisp/accounts");
            assert!(operations().lines().any(|found| found == line), "{line}");
        }
        assert!(
            endpoints()
                .contains("| `GET /aisp/accounts` | GetAccounts | accounts | consent |  | mandatory | v3.1, v4.0 |")
        );
        assert!(write_reference(ReferenceDocument::Limits).contains("limits.body_bytes_max"));
    }
}
