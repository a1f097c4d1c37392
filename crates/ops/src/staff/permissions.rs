//! The table of what each role may do at the ops listener. It is data: the router, the tests and `docs/reference/staff.md` follow it.

use http::Method;
use lombard_domain::audit::AuditAction::{
    self, AuditRead, ConsentEvidence, ConsentRevoke, ConsentShow, CustomerErase, CustomerExport, CustomerHold,
    CustomerRelease, CustomerShow, EventRequeue, KeysCsr, KeysImport, KeysLogin, KeysReseal, KeysRetire, KeysRotate,
    KeysWithdraw, MaintenanceAnnounce, MaintenanceBegin, MaintenanceEnd, MaintenanceWithdraw, OrderShow,
    OrdersReconcile, OrdersResubmit, QuarantineRetry, RequestsRead, StaffLogout, SupportSearch, TlsReload, TppApprove,
    TppCreate, TppDelete, TppDisable, TppEnable, TppLogin, TppProfile, TppRedirectUris, TppRefuse, TppRoles,
    TppSignedMessages, VrpMigrate,
};
use lombard_domain::staff::StaffRole::{self, Admin, Security, Support, View};

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everybody who reaches the listener.
    Anyone,
    /// Everybody, in a sandbox whose listener is bound to loopback; elsewhere these roles.
    OpenSandbox(&'static [StaffRole]),
    /// Staff with one of these roles.
    Staff(&'static [StaffRole]),
    /// Staff with one of these roles, with a reason: the route reads or changes data of customers.
    StaffWithReason(&'static [StaffRole]),
}

impl Access {
    /// The roles that may use the route; `None` if everybody may.
    pub const fn roles(self) -> Option<&'static [StaffRole]> {
        match self {
            Self::Anyone => None,
            Self::OpenSandbox(roles) | Self::Staff(roles) | Self::StaffWithReason(roles) => Some(roles),
        }
    }

    /// Whether the request must say why it is made.
    pub const fn needs_reason(self) -> bool {
        matches!(self, Self::StaffWithReason(_))
    }
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StaffPermission {
    /// The method of the route.
    pub method: &'static str,
    /// The path of the route, with its parameters in braces.
    pub path: &'static str,
    /// Who may use the route.
    pub access: Access,
    /// What the audit log tells of a request; `None` if it neither changes anything nor reads data of customers.
    pub audited: Option<AuditAction>,
}

const fn row(method: &'static str, path: &'static str, access: Access) -> StaffPermission {
    StaffPermission { method, path, access, audited: None }
}

/// A row of a route whose requests the audit log tells of.
const fn act(method: &'static str, path: &'static str, access: Access, action: AuditAction) -> StaffPermission {
    StaffPermission { method, path, access, audited: Some(action) }
}

const EVERYBODY: Access = Access::Anyone;
const ALL: Access = Access::Staff(&StaffRole::ALL);
const HELPS: Access = Access::Staff(&[Support, Admin]);
const GUARDS: Access = Access::Staff(&[Security, Admin]);
const ENDS_ACCESS: Access = Access::Staff(&[Support, Security, Admin]);
const ADMINISTERS: Access = Access::Staff(&[Admin]);
const READS_CUSTOMERS: Access = Access::StaffWithReason(&[Support, Security, Admin]);
/// Pages ask for the reason themselves, so that a browser gets a page and not an error.
const CUSTOMERS_BY_PAGE: Access = Access::Staff(&[Support, Security, Admin]);
const KEEPS_RECORDS: Access = Access::StaffWithReason(&[Security, Admin]);
const TESTS: Access = Access::OpenSandbox(&[Support, Security, Admin]);
const LOOKS: Access = Access::OpenSandbox(&[View, Support, Security, Admin]);

/// What each role may do.
pub(crate) const PERMISSIONS: &[StaffPermission] = &[
    row("GET", "/healthz", EVERYBODY),
    row("GET", "/readyz", EVERYBODY),
    row("GET", "/health/database", EVERYBODY),
    row("GET", "/metrics", EVERYBODY),
    row("GET", "/favicon.ico", EVERYBODY),
    row("GET", "/assets/lombard.css", EVERYBODY),
    row("GET", "/assets/lombard.svg", EVERYBODY),
    row("GET", "/login", EVERYBODY),
    row("POST", "/login", EVERYBODY),
    row("GET", "/login/callback", EVERYBODY),
    act("POST", "/logout", ALL, StaffLogout),
    row("GET", "/", ALL),
    row("GET", "/role", ALL),
    act("POST", "/search", CUSTOMERS_BY_PAGE, SupportSearch),
    act("GET", "/orders/{id}", CUSTOMERS_BY_PAGE, OrderShow),
    act("GET", "/consents/{id}", CUSTOMERS_BY_PAGE, ConsentShow),
    act("POST", "/consents/{id}/revoke", ENDS_ACCESS, ConsentRevoke),
    act("GET", "/customers/{id}", CUSTOMERS_BY_PAGE, CustomerShow),
    act("POST", "/customers/{id}/revoke", ENDS_ACCESS, ConsentRevoke),
    row("GET", "/tpps", ALL),
    row("GET", "/tpps/{id}", ALL),
    act("POST", "/tpps/{id}/disable", GUARDS, TppDisable),
    act("POST", "/tpps/{id}/enable", GUARDS, TppEnable),
    row("GET", "/work", ALL),
    act("POST", "/work/quarantine/{id}/retry", HELPS, QuarantineRetry),
    act("POST", "/work/events/{jti}/requeue", HELPS, EventRequeue),
    row("GET", "/keys", ALL),
    act("POST", "/keys/rotate", GUARDS, KeysRotate),
    row("GET", "/node", ALL),
    row("GET", "/operations/events", ALL),
    act("POST", "/operations/events/{jti}/requeue", HELPS, EventRequeue),
    row("GET", "/operations/quarantine", ALL),
    act("POST", "/operations/quarantine/retry", HELPS, QuarantineRetry),
    act("POST", "/operations/quarantine/{id}/retry", HELPS, QuarantineRetry),
    act("POST", "/operations/search", READS_CUSTOMERS, SupportSearch),
    act("GET", "/operations/orders/{id}", READS_CUSTOMERS, OrderShow),
    act("GET", "/operations/consents/{id}", READS_CUSTOMERS, ConsentShow),
    act("GET", "/operations/customers/{id}", READS_CUSTOMERS, CustomerShow),
    act("POST", "/operations/customers/{id}/revoke", ENDS_ACCESS, ConsentRevoke),
    act("POST", "/operations/consents/{id}/revoke", ENDS_ACCESS, ConsentRevoke),
    act("GET", "/operations/consents/{id}/evidence", READS_CUSTOMERS, ConsentEvidence),
    act("GET", "/operations/customers/{id}/export", KEEPS_RECORDS, CustomerExport),
    act("POST", "/operations/customers/{id}/hold", KEEPS_RECORDS, CustomerHold),
    act("POST", "/operations/customers/{id}/release", KEEPS_RECORDS, CustomerRelease),
    act("POST", "/operations/customers/{id}/erase", KEEPS_RECORDS, CustomerErase),
    row("GET", "/operations/keys", ALL),
    act("POST", "/operations/keys/rotate", GUARDS, KeysRotate),
    act("POST", "/operations/keys/csr", GUARDS, KeysCsr),
    act("POST", "/operations/keys/import", GUARDS, KeysImport),
    act("POST", "/operations/keys/reseal", GUARDS, KeysReseal),
    act("POST", "/operations/keys/login", GUARDS, KeysLogin),
    act("POST", "/operations/keys/{kid}/retire", GUARDS, KeysRetire),
    act("POST", "/operations/keys/{kid}/withdraw", GUARDS, KeysWithdraw),
    row("GET", "/operations/maintenance", ALL),
    act("POST", "/operations/maintenance/announce", ADMINISTERS, MaintenanceAnnounce),
    act("POST", "/operations/maintenance/begin", ADMINISTERS, MaintenanceBegin),
    act("POST", "/operations/maintenance/end", ADMINISTERS, MaintenanceEnd),
    act("POST", "/operations/maintenance/withdraw", ADMINISTERS, MaintenanceWithdraw),
    act("POST", "/operations/tls/reload", GUARDS, TlsReload),
    row("GET", "/operations/tpps", ALL),
    act("POST", "/operations/tpps", ADMINISTERS, TppCreate),
    row("GET", "/operations/tpps/{id}", ALL),
    act("DELETE", "/operations/tpps/{id}", GUARDS, TppDelete),
    act("POST", "/operations/tpps/{id}/disable", GUARDS, TppDisable),
    act("POST", "/operations/tpps/{id}/enable", GUARDS, TppEnable),
    act("POST", "/operations/tpps/{id}/approve", GUARDS, TppApprove),
    act("POST", "/operations/tpps/{id}/refuse", GUARDS, TppRefuse),
    act("POST", "/operations/tpps/{id}/login", HELPS, TppLogin),
    act("PUT", "/operations/tpps/{id}/roles", GUARDS, TppRoles),
    act("PUT", "/operations/tpps/{id}/redirect-uris", GUARDS, TppRedirectUris),
    act("PUT", "/operations/tpps/{id}/profile", GUARDS, TppProfile),
    act("PUT", "/operations/tpps/{id}/signed-messages", GUARDS, TppSignedMessages),
    act("GET", "/operations/audit", GUARDS, AuditRead),
    act("GET", "/operations/requests", READS_CUSTOMERS, RequestsRead),
    act("POST", "/operations/vrp/migrate", ADMINISTERS, VrpMigrate),
    act("POST", "/operations/reconcile", ADMINISTERS, OrdersReconcile),
    act("POST", "/operations/orders/{id}/resubmit", HELPS, OrdersResubmit),
    row("GET", "/sandbox/requests", LOOKS),
    row("GET", "/sandbox/clock", LOOKS),
    row("POST", "/sandbox/clock", TESTS),
    row("GET", "/sandbox/psus", LOOKS),
    row("POST", "/sandbox/psus/{id}/change", TESTS),
    row("POST", "/sandbox/psus/{id}/unlock", TESTS),
    row("POST", "/sandbox/reset", TESTS),
    row("POST", "/sandbox/consents/{id}/authorise", TESTS),
    row("POST", "/sandbox/consents/{id}/revoke", TESTS),
    row("POST", "/sandbox/consents/{id}/plan", TESTS),
    row("POST", "/sandbox/accounts/{id}/change", TESTS),
    row("POST", "/sandbox/accounts/{id}/close", TESTS),
    row("POST", "/sandbox/accounts/{id}/switch", TESTS),
    row("POST", "/sandbox/accounts/{id}/bar", TESTS),
    row("POST", "/sandbox/accounts/{id}/transactions", TESTS),
    row("GET", "/sandbox/orders/{id}", LOOKS),
    row("POST", "/sandbox/orders/{id}/outcome", TESTS),
    row("POST", "/sandbox/orders/{id}/authorise", TESTS),
    row("GET", "/sandbox/snapshots", LOOKS),
    row("PUT", "/sandbox/snapshots/{name}", TESTS),
    row("DELETE", "/sandbox/snapshots/{name}", TESTS),
    row("POST", "/sandbox/snapshots/{name}/load", TESTS),
    row("POST", "/sandbox/events", TESTS),
    row("GET", "/sandbox/seed", LOOKS),
    row("POST", "/sandbox/seed", TESTS),
    row("GET", "/sandbox/faults", LOOKS),
    row("PUT", "/sandbox/faults", TESTS),
    row("DELETE", "/sandbox/faults", TESTS),
];

/// Finds who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundPermission {
    /// The row of the route.
    Row(StaffPermission),
    /// The path has rows for other methods only.
    OtherMethods,
    /// The path has no row, so nobody may use it.
    None,
}

/// Looks a route up by its method and its path with parameters. `HEAD` is served where `GET` is.
pub fn find_permission(method: &Method, path: &str) -> FoundPermission {
    let method = if *method == Method::HEAD { &Method::GET } else { method };
    let mut rows = PERMISSIONS.iter().filter(|row| row.path == path).peekable();
    if rows.peek().is_none() {
        return FoundPermission::None;
    }
    rows.find(|row| row.method == method.as_str())
        .map_or(FoundPermission::OtherMethods, |row| FoundPermission::Row(*row))
}

/// The row of the route of this verb and path; `None` if it has none.
pub(crate) fn permission_of(verb: &str, path: &str) -> Option<StaffPermission> {
    PERMISSIONS.iter().find(|row| row.method == verb && row.path == path).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Controls of a sandbox act on made-up customers, and the login is told of by the session that it opens.
    #[test]
    fn the_audit_log_tells_of_every_change_and_read_of_customers() {
        for row in PERMISSIONS {
            let is_of_bank = !matches!(row.access, Access::Anyone | Access::OpenSandbox(_));
            let is_told = is_of_bank
                && (row.access == CUSTOMERS_BY_PAGE
                    || row.method != "GET"
                    || row.access.needs_reason()
                    || row.path.ends_with("/audit"));
            assert_eq!(row.audited.is_some(), is_told, "{} {}", row.method, row.path);
        }
    }
}
