//! An identity provider for tests without logins.

use super::{
    AuthenticationFactor, AuthenticationPurpose, Challenge, IdentityError, IdentityProvider, LoginMethod, PageLogin,
    Person,
};
use async_trait::async_trait;
use lombard_domain::ids::{JourneyId, PsuId};

/// Finds these customers by their id. Every password and code is wrong.
#[derive(Debug, Default)]
pub struct StubIdentity(pub Vec<Person>);

#[async_trait]
impl PageLogin for StubIdentity {
    async fn check_password(&self, _: &str, _: &str) -> Result<Option<Person>, IdentityError> {
        Ok(None)
    }

    async fn request_code(
        &self,
        _: &PsuId,
        _: &JourneyId,
        _: &AuthenticationPurpose,
    ) -> Result<Challenge, IdentityError> {
        Ok(Challenge { sent_to: "nobody".to_owned(), shown_code: None })
    }

    async fn check_code(
        &self,
        _: &PsuId,
        _: &JourneyId,
        _: &AuthenticationPurpose,
        _: &str,
    ) -> Result<Option<Vec<AuthenticationFactor>>, IdentityError> {
        Ok(None)
    }

    async fn shown_logins(&self) -> Result<Vec<(String, String)>, IdentityError> {
        Ok(Vec::new())
    }
}

#[async_trait]
impl IdentityProvider for StubIdentity {
    fn login_method(&self) -> LoginMethod<'_> {
        LoginMethod::Pages(self)
    }

    async fn find_person(&self, psu: &PsuId) -> Result<Option<Person>, IdentityError> {
        Ok(self.0.iter().find(|it| it.psu == *psu).cloned())
    }
}
