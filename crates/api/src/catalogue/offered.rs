//! Finds the permissions that give access to at least one endpoint that is implemented and not switched off. Source: AIS-033.

use super::operations::is_switched_off;
use super::operations::list_operations;
use lombard_domain::consent::{Permission, Permissions};
use lombard_edge::endpoint::ApiEndpoint;
use std::collections::HashSet;
use std::sync::LazyLock;

/// The rows that require permissions, each with the permissions that give access to it.
static OPENED: LazyLock<Vec<(&'static ApiEndpoint, Permissions)>> = LazyLock::new(|| {
    let opened = list_operations().map(|operation| {
        let groups = operation.opened_by();
        (operation.endpoint, groups.iter().copied().flatten().copied().collect())
    });
    opened.collect()
});

/// The permissions that a consent may request. `ReadPAN` gives access to no endpoint by itself and is always included (AIS-038).
pub fn offered_permissions(switched_off: &HashSet<String>) -> Permissions {
    let on = OPENED.iter().filter(|(endpoint, _)| !is_switched_off(endpoint, switched_off));
    on.flat_map(|(_, permissions)| permissions.iter()).chain([Permission::ReadPAN]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn off(names: &[&str]) -> HashSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn missing(names: &[&str]) -> Vec<Permission> {
        let offered = offered_permissions(&off(names));
        Permission::ALL.iter().copied().filter(|it| !offered.contains(*it)).collect()
    }

    #[test]
    fn ais_033_a_permission_goes_with_the_last_endpoint_it_opens() {
        assert_eq!(missing(&[]), [], "all 21 open something");
        assert_eq!(missing(&["GetOffers"]), []);
        assert_eq!(missing(&["GetOffers", "GetAccountsAccountIdOffers"]), [Permission::ReadOffers]);
        assert_eq!(missing(&["GetParty"]), [Permission::ReadPartyPSU]);
        let statements =
            ["GetStatements", "GetAccountsAccountIdStatements", "GetAccountsAccountIdStatementsStatementId"];
        assert_eq!(missing(&statements), [Permission::ReadStatementsBasic], "the file is left to Detail");
        assert_eq!(missing(&["GetAccounts", "GetBalances"]), [], "what is mandatory cannot be switched off");
    }
}
