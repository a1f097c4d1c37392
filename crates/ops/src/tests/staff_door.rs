//! A door whose provider issues tokens that are the name of a role.

use crate::staff::{StaffDoor, StaffListener, StaffMethod};
use async_trait::async_trait;
use jiff::SignedDuration;
use lombard_auth::staff::{OperatorPassword, StaffSessionLimits, StaffSessions};
use lombard_domain::staff::{StaffMember, StaffName, StaffRole};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::{CountingEntropy, IdGenerator};
use lombard_ports::identity::{IdentityError, LoginFailure, ProviderAnswer};
use lombard_ports::staff::{StaffLoginSecrets, StaffProvider};
use std::sync::Arc;

/// A provider at which the code of an answer is the name of the member's role.
#[derive(Debug)]
struct RoleProvider;

fn member(role: &str) -> Result<StaffMember, LoginFailure> {
    let role = StaffRole::parse(role).ok_or(LoginFailure::Refused("the token names no role"))?;
    let name = StaffName::parse("Ada").ok_or(LoginFailure::Refused("the token names nobody"))?;
    Ok(StaffMember { name, role })
}

#[async_trait]
impl StaffProvider for RoleProvider {
    async fn authorisation_url(&self, secrets: &StaffLoginSecrets) -> Result<String, IdentityError> {
        Ok(format!("https://login.example/authorize?state={}", secrets.state))
    }

    async fn finish_login(&self, _: &StaffLoginSecrets, answer: &ProviderAnswer) -> Result<StaffMember, LoginFailure> {
        member(answer.code.as_deref().unwrap_or_default())
    }

    async fn verify_access_token(&self, token: &str) -> Result<StaffMember, LoginFailure> {
        member(token)
    }
}

/// A door of this method, with sessions in a store of its own.
pub(crate) async fn door_with(method: StaffMethod, is_loopback: bool) -> StaffDoor {
    let store = lombard_store::open_temporary_store().await.unwrap();
    let ids = IdGenerator::new(Arc::new(CountingEntropy::default()), Clocks::system());
    let limits =
        StaffSessionLimits { idle: SignedDuration::from_secs(900), lifetime: SignedDuration::from_secs(28_800) };
    let sessions = StaffSessions::new(store, ids, Clocks::system(), limits);
    let listener =
        StaffListener { is_secure: false, is_loopback, is_sandbox: true, bank_name: "Lombard Bank".to_owned() };
    StaffDoor::new(method, sessions, listener)
}

/// The door of a provider whose tokens are names of roles.
pub(crate) async fn door_of_roles() -> StaffDoor {
    door_with(StaffMethod::Provider(Arc::new(RoleProvider)), true).await
}

/// The method of a sandbox whose operator has the password `secret` and the token `token`.
pub(crate) fn password() -> StaffMethod {
    StaffMethod::Password(OperatorPassword::new(StaffName::parse("operator").unwrap(), "secret", "token"))
}
