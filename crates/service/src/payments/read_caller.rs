//! The caller of a read: a TPP with a client credentials token, or with a customer's token, which gives access to its own
//! consent alone.

use lombard_domain::consent::Consent;
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_domain::refusal::{Refusal, RefusalKind};

/// The caller of a read request. Source: PIS-003, PIS-004.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadCaller {
    /// The TPP.
    pub client: ClientId,
    /// The consent of its token; `None` for a client credentials token.
    pub token_consent: Option<ConsentId>,
}

impl ReadCaller {
    /// The TPP, with a token of this consent.
    pub fn bound_to(consent: &Consent) -> Self {
        Self { client: consent.client.clone(), token_consent: Some(consent.id.clone()) }
    }

    /// Returns the resource if the caller's token gives access to it. A token of another consent gets the same error whether or
    /// not the resource exists.
    ///
    /// # Errors
    /// [`RefusalKind::AccessEnded`], otherwise the refusal of the lookup.
    pub(super) fn may_read<T>(&self, found: Result<T, Refusal>, consent: fn(&T) -> &ConsentId) -> Result<T, Refusal> {
        let Some(bound) = &self.token_consent else { return found };
        match found {
            Ok(found) if consent(&found) == bound => Ok(found),
            Ok(_) | Err(_) => Err(Refusal::from_kind(RefusalKind::AccessEnded)),
        }
    }
}

impl From<&ClientId> for ReadCaller {
    fn from(client: &ClientId) -> Self {
        Self { client: client.clone(), token_consent: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pis_004_a_customers_token_opens_its_own_consent_and_nothing_else() {
        let client = ClientId::from("tpp");
        let bound = ReadCaller { client: client.clone(), token_consent: Some("mine".into()) };
        let kind = |reader: &ReadCaller, found: Result<&str, RefusalKind>| {
            let found = found.map(ConsentId::from).map_err(Refusal::from_kind);
            reader.may_read(found, |it| it).map_err(|refusal| refusal.kind)
        };
        assert_eq!(kind(&bound, Ok("mine")), Ok("mine".into()));
        assert_eq!(kind(&bound, Ok("other")), Err(RefusalKind::AccessEnded));
        assert_eq!(kind(&bound, Err(RefusalKind::NotFound)), Err(RefusalKind::AccessEnded));
        let own = ReadCaller::from(&client);
        assert_eq!(kind(&own, Ok("other")), Ok("other".into()));
        assert_eq!(kind(&own, Err(RefusalKind::ForeignOwner)), Err(RefusalKind::ForeignOwner));
    }
}
