//! A core for the tests of servers that have no built-in one.

use super::Core;
use async_trait::async_trait;
use lombard_domain::ids::{JourneyId, PsuId};
use lombard_ports::bank::StubBank;
use lombard_ports::identity::{Challenge, Identity, IdentityError, Person, Purpose};
use std::sync::Arc;

/// An identity provider that knows nobody.
#[derive(Debug)]
struct Nobody;

#[async_trait]
impl Identity for Nobody {
    async fn check_password(&self, _: &str, _: &str) -> Result<Option<Person>, IdentityError> {
        Ok(None)
    }

    async fn challenge(&self, _: &PsuId, _: &JourneyId, _: &Purpose) -> Result<Challenge, IdentityError> {
        Ok(Challenge { sent_to: "nobody".to_owned(), shown_code: None })
    }

    async fn check_code(&self, _: &PsuId, _: &JourneyId, _: &Purpose, _: &str) -> Result<bool, IdentityError> {
        Ok(false)
    }

    async fn person(&self, _: &PsuId) -> Result<Option<Person>, IdentityError> {
        Ok(None)
    }

    async fn shown_logins(&self) -> Result<Vec<(String, String)>, IdentityError> {
        Ok(Vec::new())
    }
}

/// A core without accounts and customers.
pub(crate) fn quiet_core() -> Core {
    Core { bank: Arc::new(StubBank::default()), identity: Arc::new(Nobody), scheduler: None, quarantine: None }
}
