//! Software statements: what a directory states of a software and its organisation. Source: DCR-022.

use crate::addresses::is_callable_address;
use crate::claims::NumericDate;
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

/// The claims of a software statement that this server uses. Responses repeat further claims unchanged (DCR-030).
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct SoftwareStatement {
    pub(crate) iss: Option<String>,
    pub(crate) iat: Option<NumericDate>,
    pub(crate) exp: Option<NumericDate>,
    pub(crate) software_id: Option<String>,
    pub(crate) software_client_name: Option<String>,
    #[serde(default)]
    pub(crate) software_roles: Vec<String>,
    #[serde(default)]
    pub(crate) software_redirect_uris: Vec<String>,
    pub(crate) software_jwks_endpoint: Option<String>,
    pub(crate) software_jwks_revoked_endpoint: Option<String>,
    pub(crate) software_logo_uri: Option<String>,
    pub(crate) software_mode: Option<String>,
    pub(crate) software_on_behalf_of_org: Option<String>,
    pub(crate) org_id: Option<String>,
    pub(crate) org_name: Option<String>,
    pub(crate) org_status: Option<String>,
    pub(crate) organisation_competent_authority_claims: Option<AuthorityClaims>,
}

/// A registration with a competent authority, as a software statement names it
/// (`organisation_competent_authority_claims`). Source: DCR-022.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorityRegistration {
    /// The authority: its name and country, such as `FCAGBR`.
    pub authority_id: String,
    /// The organisation's number in the authority's register.
    pub registration_id: String,
}

/// The registrations with authorities: one, or a list.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum AuthorityClaims {
    One(AuthorityClaim),
    Many(Vec<AuthorityClaim>),
}

/// A registration with an authority.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct AuthorityClaim {
    authority_id: Option<String>,
    registration_id: Option<String>,
    status: Option<String>,
}

/// The directory's status text for an organisation or registration that is in force.
pub(crate) const ACTIVE: &str = "Active";

impl SoftwareStatement {
    /// Parses the claims of a statement without verifying it; `None` if it cannot be parsed.
    pub(crate) fn read(text: &str) -> Option<Self> {
        CompactJws::parse(text).ok()?.claims().ok()
    }

    /// The roles that this server knows, in their usual order.
    pub(crate) fn roles(&self) -> Vec<TppRole> {
        TppRole::ALL.into_iter().filter(|role| self.software_roles.iter().any(|name| name == role.name())).collect()
    }

    fn authority_claims(&self) -> &[AuthorityClaim] {
        match &self.organisation_competent_authority_claims {
            None => &[],
            Some(AuthorityClaims::One(claim)) => std::slice::from_ref(claim),
            Some(AuthorityClaims::Many(claims)) => claims,
        }
    }

    /// Whether the registrations are in force, as far as the statement names any.
    pub(crate) fn is_authorised(&self) -> bool {
        self.authority_claims().iter().all(|claim| claim.status.as_deref().is_none_or(|status| status == ACTIVE))
    }

    /// The registrations with authorities that are in force.
    pub(crate) fn authorities(&self) -> Vec<AuthorityRegistration> {
        let active = self.authority_claims().iter().filter(|claim| claim.status.as_deref() == Some(ACTIVE));
        let named = active.filter_map(|claim| {
            let (authority_id, registration_id) = (claim.authority_id.clone()?, claim.registration_id.clone()?);
            Some(AuthorityRegistration { authority_id, registration_id })
        });
        named.collect()
    }
}

/// The software statement with which a client was registered and which was verified then. `None` if no readable statement is stored.
pub(crate) fn read_statement(client: &Client) -> Option<SoftwareStatement> {
    SoftwareStatement::read(&client.software_statement)
}

/// The `https` address of the logo in the software statement of a client. The address belongs to a third party and must not be sent to
/// browsers.
pub fn read_logo_uri(client: &Client) -> Option<String> {
    read_statement(client)?.software_logo_uri.filter(|url| is_callable_address(url))
}

/// The roles and redirect URIs in the software statement of a client. `None` if no readable statement is stored.
pub fn read_statement_grants(client: &Client) -> Option<StatementGrants> {
    let statement = read_statement(client)?;
    Some(StatementGrants { roles: statement.roles(), redirect_uris: statement.software_redirect_uris })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::World;
    use lombard_jose::base64url;

    fn unsigned(payload: &str) -> String {
        let header = base64url(br#"{"alg":"PS256","kid":"k"}"#);
        format!("{header}.{}.{}", base64url(payload.as_bytes()), base64url(b"s"))
    }

    #[tokio::test]
    async fn dcr_022_roles_and_redirect_uris_come_from_the_statement() {
        let (_, tpp) = World::with_tpp().await;
        let grants = |payload: &str| {
            read_statement_grants(&Client { software_statement: unsigned(payload), ..tpp.client.clone() })
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

    #[tokio::test]
    async fn the_logo_of_a_statement_is_an_https_address() {
        let (_, tpp) = World::with_tpp().await;
        let logo =
            |payload: &str| read_logo_uri(&Client { software_statement: unsigned(payload), ..tpp.client.clone() });
        let named = logo(r#"{"software_logo_uri":"https://a.example/logo.png"}"#);
        assert_eq!(named.as_deref(), Some("https://a.example/logo.png"));
        assert_eq!(logo(r#"{"software_logo_uri":"http://a.example/logo.png"}"#), None);
        assert_eq!(logo("{}"), None);
    }

    #[test]
    fn dcr_022_registrations_with_authorities_are_one_or_several() {
        let fca = r#"{"authority_id":"FCAGBR","registration_id":"1","status":"Active"}"#;
        let ended = r#"{"authority_id":"FCAGBR","registration_id":"2","status":"Withdrawn"}"#;
        for (claims, authorised, registered) in [
            ("null".to_owned(), true, 0),
            (fca.to_owned(), true, 1),
            (format!("[{fca}]"), true, 1),
            (format!("[{fca},{ended}]"), false, 1),
            (ended.to_owned(), false, 0),
            (r#"{"authority_id":"FCAGBR","registration_id":"1"}"#.to_owned(), true, 0),
        ] {
            let text = unsigned(&format!(r#"{{"organisation_competent_authority_claims":{claims}}}"#));
            let statement = SoftwareStatement::read(&text).unwrap();
            assert_eq!(
                (statement.is_authorised(), statement.authorities().len()),
                (authorised, registered),
                "{claims}"
            );
        }
    }
}
