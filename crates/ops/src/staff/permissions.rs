//! The table of what each role may do at the ops listener. It is data: the router, the tests and `docs/reference/staff.md` follow it.

use http::Method;
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
}

const fn row(method: &'static str, path: &'static str, access: Access) -> StaffPermission {
    StaffPermission { method, path, access }
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
    row("POST", "/logout", ALL),
    row("GET", "/", ALL),
    row("GET", "/role", ALL),
    row("POST", "/search", CUSTOMERS_BY_PAGE),
    row("GET", "/orders/{id}", CUSTOMERS_BY_PAGE),
    row("GET", "/consents/{id}", CUSTOMERS_BY_PAGE),
    row("POST", "/consents/{id}/revoke", ENDS_ACCESS),
    row("GET", "/customers/{id}", CUSTOMERS_BY_PAGE),
    row("POST", "/customers/{id}/revoke", ENDS_ACCESS),
    row("GET", "/tpps", ALL),
    row("GET", "/tpps/{id}", ALL),
    row("POST", "/tpps/{id}/disable", GUARDS),
    row("POST", "/tpps/{id}/enable", GUARDS),
    row("GET", "/work", ALL),
    row("POST", "/work/quarantine/{id}/retry", HELPS),
    row("POST", "/work/events/{jti}/requeue", HELPS),
    row("GET", "/keys", ALL),
    row("POST", "/keys/rotate", GUARDS),
    row("GET", "/node", ALL),
    row("GET", "/operations/events", ALL),
    row("POST", "/operations/events/{jti}/requeue", HELPS),
    row("GET", "/operations/quarantine", ALL),
    row("POST", "/operations/quarantine/retry", HELPS),
    row("POST", "/operations/quarantine/{id}/retry", HELPS),
    row("POST", "/operations/search", READS_CUSTOMERS),
    row("GET", "/operations/orders/{id}", READS_CUSTOMERS),
    row("GET", "/operations/consents/{id}", READS_CUSTOMERS),
    row("GET", "/operations/customers/{id}", READS_CUSTOMERS),
    row("POST", "/operations/customers/{id}/revoke", ENDS_ACCESS),
    row("POST", "/operations/consents/{id}/revoke", ENDS_ACCESS),
    row("GET", "/operations/consents/{id}/evidence", READS_CUSTOMERS),
    row("GET", "/operations/customers/{id}/export", KEEPS_RECORDS),
    row("POST", "/operations/customers/{id}/hold", KEEPS_RECORDS),
    row("POST", "/operations/customers/{id}/release", KEEPS_RECORDS),
    row("POST", "/operations/customers/{id}/erase", KEEPS_RECORDS),
    row("GET", "/operations/keys", ALL),
    row("POST", "/operations/keys/rotate", GUARDS),
    row("POST", "/operations/keys/csr", GUARDS),
    row("POST", "/operations/keys/import", GUARDS),
    row("POST", "/operations/keys/reseal", GUARDS),
    row("POST", "/operations/keys/login", GUARDS),
    row("POST", "/operations/keys/{kid}/retire", GUARDS),
    row("POST", "/operations/keys/{kid}/withdraw", GUARDS),
    row("GET", "/operations/maintenance", ALL),
    row("POST", "/operations/maintenance/announce", ADMINISTERS),
    row("POST", "/operations/maintenance/begin", ADMINISTERS),
    row("POST", "/operations/maintenance/end", ADMINISTERS),
    row("POST", "/operations/maintenance/withdraw", ADMINISTERS),
    row("POST", "/operations/tls/reload", GUARDS),
    row("GET", "/operations/tpps", ALL),
    row("POST", "/operations/tpps", ADMINISTERS),
    row("GET", "/operations/tpps/{id}", ALL),
    row("DELETE", "/operations/tpps/{id}", GUARDS),
    row("POST", "/operations/tpps/{id}/disable", GUARDS),
    row("POST", "/operations/tpps/{id}/enable", GUARDS),
    row("POST", "/operations/tpps/{id}/approve", GUARDS),
    row("POST", "/operations/tpps/{id}/refuse", GUARDS),
    row("POST", "/operations/tpps/{id}/login", HELPS),
    row("PUT", "/operations/tpps/{id}/roles", GUARDS),
    row("PUT", "/operations/tpps/{id}/redirect-uris", GUARDS),
    row("PUT", "/operations/tpps/{id}/profile", GUARDS),
    row("PUT", "/operations/tpps/{id}/signed-messages", GUARDS),
    row("GET", "/operations/requests", READS_CUSTOMERS),
    row("POST", "/operations/vrp/migrate", ADMINISTERS),
    row("POST", "/operations/reconcile", ADMINISTERS),
    row("POST", "/operations/orders/{id}/resubmit", HELPS),
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

/// Who may use the route of this verb and path; `None` if it has no row.
pub(crate) fn access_of(verb: &str, path: &str) -> Option<Access> {
    PERMISSIONS.iter().find(|row| row.method == verb && row.path == path).map(|row| row.access)
}
