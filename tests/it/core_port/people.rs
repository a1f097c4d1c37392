//! A core of a test's own: its customer's accounts, and logins for them.

use async_trait::async_trait;
use lombard_domain::account::{Account, AccountIdentification, AccountScheme};
use lombard_domain::authentication::AuthenticationFactor;
use lombard_domain::ids::{JourneyId, PsuId};
use lombard_domain::money::{Currency, SignedAmount};
use lombard_ports::bank::{CoreState, StubBank, sample_account};
use lombard_ports::identity::{
    AuthenticationPurpose, Challenge, IdentityError, IdentityProvider, LoginMethod, PageLogin, Person,
};

/// The bank's one customer, whom the sandbox's robot stands for.
pub(super) const AMELIA: &str = "amelia";
/// Her account, as the bank knows it.
pub(super) const ACCOUNT: &str = "one";
/// Its number.
pub(super) const NUMBER: &str = "20000012345678";
/// What the core set on it.
pub(super) const STATE_OF_ACCOUNT: &str = "branch 7";

/// What a core of the test's own is configured with.
pub(super) const OF_THE_TEST: [(&str, &str); 2] = [("bank.kind", "embedded"), ("identity.kind", "embedded")];

/// What passes from factor to factor.
const CODE: &str = "123456";

/// A bank with one account, from which its customer can pay.
pub(super) fn bank_of_amelia() -> StubBank {
    let account = Account {
        identifications: vec![AccountIdentification {
            name: Some("Amelia".to_owned()),
            ..AccountIdentification::new(AccountScheme::SortCodeAccountNumber, NUMBER)
        }],
        core_state: Some(CoreState::new(STATE_OF_ACCOUNT).unwrap()),
        ..sample_account(ACCOUNT)
    };
    let bank = StubBank::with_accounts([(AMELIA.into(), account)]);
    bank.set_payer(ACCOUNT.into(), SignedAmount::from_minor(1_000_000, Currency::GBP), vec![AMELIA.into()]);
    bank
}

/// Logs everybody in whose password is their name.
#[derive(Debug)]
pub(super) struct TrustingIdentity;

fn person(psu: &PsuId) -> Person {
    Person { psu: psu.clone(), name: "Amelia".to_owned() }
}

#[async_trait]
impl PageLogin for TrustingIdentity {
    async fn check_password(&self, login: &str, password: &str) -> Result<Option<Person>, IdentityError> {
        Ok((login == password).then(|| person(&login.into())))
    }

    async fn request_code(
        &self,
        _: &PsuId,
        _: &JourneyId,
        _: &AuthenticationPurpose,
    ) -> Result<Challenge, IdentityError> {
        Ok(Challenge { sent_to: "a phone".to_owned(), shown_code: Some(CODE.to_owned()) })
    }

    async fn check_code(
        &self,
        _: &PsuId,
        _: &JourneyId,
        _: &AuthenticationPurpose,
        code: &str,
    ) -> Result<Option<Vec<AuthenticationFactor>>, IdentityError> {
        let factors = vec![AuthenticationFactor::Knowledge, AuthenticationFactor::Possession];
        Ok((code == CODE).then_some(factors))
    }

    async fn shown_logins(&self) -> Result<Vec<(String, String)>, IdentityError> {
        Ok(Vec::new())
    }
}

#[async_trait]
impl IdentityProvider for TrustingIdentity {
    fn login_method(&self) -> LoginMethod<'_> {
        LoginMethod::Pages(self)
    }

    async fn find_person(&self, psu: &PsuId) -> Result<Option<Person>, IdentityError> {
        Ok(Some(person(psu)))
    }
}
