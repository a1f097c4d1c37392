//! What the software statement of a registered client grants. Source: DCR-022.

use lombard_domain::client::Client;
use lombard_domain::scope::TppRole;
use lombard_jose::CompactJws;
use serde::Deserialize;

/// The roles and redirect URIs of a software statement.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StatementGrants {
    /// The roles among `software_roles` that this server knows.
    pub roles: Vec<TppRole>,
    /// `software_redirect_uris`.
    pub redirect_uris: Vec<String>,
}

#[derive(Deserialize)]
struct StatementClaims {
    #[serde(default)]
    software_roles: Vec<String>,
    #[serde(default)]
    software_redirect_uris: Vec<String>,
}

/// What the statement grants that a client was registered with. Its signature was verified then. `None` if no statement that can be
/// read is stored.
pub fn read_statement_grants(client: &Client) -> Option<StatementGrants> {
    let claims: StatementClaims = CompactJws::parse(&client.software_statement).ok()?.claims().ok()?;
    let roles = TppRole::ALL.into_iter().filter(|role| claims.software_roles.iter().any(|name| name == role.name()));
    Some(StatementGrants { roles: roles.collect(), redirect_uris: claims.software_redirect_uris })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;
    use lombard_jose::base64url;

    #[tokio::test]
    async fn dcr_022_roles_and_redirect_uris_come_from_the_statement() {
        let (_, tpp) = World::with_tpp().await;
        let grants = |payload: &str| {
            let header = base64url(br#"{"alg":"PS256","kid":"k"}"#);
            let software_statement = format!("{header}.{}.{}", base64url(payload.as_bytes()), base64url(b"s"));
            read_statement_grants(&Client { software_statement, ..tpp.client.clone() })
        };
        let found =
            grants(r#"{"software_roles":["PISP","ASPSP","AISP"],"software_redirect_uris":["https://a.example/"]}"#);
        let redirect_uris = vec!["https://a.example/".to_owned()];
        assert_eq!(found, Some(StatementGrants { roles: vec![TppRole::Aisp, TppRole::Pisp], redirect_uris }));
        assert_eq!(grants("{}"), Some(StatementGrants::default()), "a statement that grants nothing");
        for unreadable in ["[]", "{", r#"{"software_roles":"AISP"}"#] {
            assert_eq!(grants(unreadable), None, "{unreadable}");
        }
        let none = Client { software_statement: String::new(), ..tpp.client.clone() };
        assert_eq!(read_statement_grants(&none), None);
    }
}
