//! The sandbox's identity provider: public passwords, and one-time codes that are shown on the page.
//!
//! The provider behaves like a bank's: an unknown user and a wrong password get the same answer after the same work.
//! One-time codes are derived from a key, so they need no storage and are the same on every node.

use async_trait::async_trait;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::hmac;
use lombard_domain::account::AccountIdentification;
use lombard_domain::code::StoredCode;
use lombard_domain::ids::{JourneyId, PsuId};
use lombard_domain::money::Amount;
use lombard_domain::payment::transfer::NamedAccount;
use lombard_domain::payment::vrp::PeriodicLimit;
use lombard_domain::text::comparable_user_name;
use lombard_ports::controls::{ControlError, CustomerSource, SandboxCustomer};
use lombard_ports::identity::{
    AuthenticationFactor, AuthenticationPurpose, Challenge, CustomerHint, HintedCustomer, IdentityError,
    IdentityProvider, LoginMethod, PageLogin, Person,
};
use std::fmt;
use std::sync::Arc;

/// The maximum number of logins that a login page shows. Users type other logins.
const LOGINS_SHOWN_MAX: usize = 50;

/// Authenticates the customers of the built-in bank; the password is the user name. Clones share the source of customers.
#[derive(Clone)]
pub struct SandboxIdentity {
    customers: Arc<dyn CustomerSource>,
    key: hmac::Key,
}

impl fmt::Debug for SandboxIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SandboxIdentity").finish_non_exhaustive()
    }
}

impl SandboxIdentity {
    /// Creates an identity provider for these customers. The key is used to derive one-time codes.
    pub fn new(customers: Arc<dyn CustomerSource>, key: [u8; 32]) -> Self {
        Self { customers, key: hmac::Key::new(hmac::HMAC_SHA256, &key) }
    }

    async fn customer(&self, psu: PsuId) -> Result<Option<SandboxCustomer>, IdentityError> {
        self.customers.find_customer(&psu).await.map_err(identity_error)
    }

    /// Finds the customer with exactly this user name, or else a customer whose name has the same comparable form.
    async fn customer_by_user_name(&self, name: &str) -> Result<Option<SandboxCustomer>, IdentityError> {
        let compared = comparable_user_name(name);
        for written in [name.trim(), &compared] {
            if let Some(found) = self.customer(PsuId::new(written)).await? {
                return Ok(Some(found));
            }
        }
        let customers = self.customers.list_customers().await.map_err(identity_error)?;
        Ok(customers.into_iter().find(|customer| comparable_user_name(customer.psu.as_str()) == compared))
    }

    /// The six-digit one-time code of a journey, which depends on the purpose, the amount and the payee.
    fn code(&self, psu: &PsuId, journey: &JourneyId, purpose: &AuthenticationPurpose) -> String {
        let mut context = hmac::Context::with_key(&self.key);
        let mut part = |bytes: &[u8]| {
            // The length precedes each part, so that the encoding is unambiguous.
            context.update(&bytes.len().to_be_bytes());
            context.update(bytes);
        };
        ["one-time code", psu.as_str(), journey.as_str()].iter().for_each(|text| part(text.as_bytes()));
        let money = |amount: &Amount| [amount.decimal(), amount.currency().code().to_owned()];
        let number = |it: &AccountIdentification| [it.number.clone(), it.secondary.clone().unwrap_or_default()];
        let payee = |it: &NamedAccount| {
            let [number, secondary] = number(it);
            [it.holder_name().to_owned(), number, secondary]
        };
        let linked_to: Vec<String> = match purpose {
            AuthenticationPurpose::Login => Vec::new(),
            AuthenticationPurpose::Payment { amount, payee: to } => {
                money(amount).into_iter().chain(payee(to)).collect()
            }
            AuthenticationPurpose::DevicePayment { amount, payee: to, payer, requester } => {
                let named = [requester.software.clone(), requester.organisation.clone()];
                let for_whom = requester.on_behalf_of.clone().unwrap_or_default();
                let whole = std::iter::once("device".to_owned()).chain(money(amount)).chain(payee(to));
                whole.chain(number(payer)).chain(named).chain([for_whom]).collect()
            }
            AuthenticationPurpose::File { totals, .. } => {
                std::iter::once("file".to_owned()).chain(totals.iter().flat_map(money)).collect()
            }
            AuthenticationPurpose::Vrp { most, limits, payee: to } => {
                let to = to.iter().flat_map(payee);
                let each = |limit: &PeriodicLimit| {
                    let [amount, currency] = money(&limit.amount);
                    [limit.cycle.code().to_owned(), amount, currency]
                };
                // The number of limits separates the limits from the payee.
                let limits = std::iter::once(limits.len().to_string()).chain(limits.iter().flat_map(each));
                std::iter::once("mandate".to_owned()).chain(money(most)).chain(limits).chain(to).collect()
            }
        };
        linked_to.iter().for_each(|text| part(text.as_bytes()));
        if let AuthenticationPurpose::File { file, .. } = purpose {
            part(&file.0);
        }
        let tag = context.sign();
        let number = tag.as_ref().iter().take(8).fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
        format!("{:06}", number.checked_rem(1_000_000).unwrap_or(0))
    }

    /// Compares secrets of any length in constant time, by comparing their digests.
    fn same(&self, a: &str, b: &str) -> bool {
        let digest = |text: &str| hmac::sign(&self.key, text.as_bytes());
        verify_slices_are_equal(digest(a).as_ref(), digest(b).as_ref()).is_ok()
    }
}

fn identity_error(error: ControlError) -> IdentityError {
    IdentityError(Box::new(error))
}

fn person(customer: SandboxCustomer) -> Person {
    Person { psu: customer.psu, name: customer.name }
}

#[async_trait]
impl PageLogin for SandboxIdentity {
    async fn check_password(&self, login: &str, password: &str) -> Result<Option<Person>, IdentityError> {
        let found = self.customer_by_user_name(login).await?;
        // For an unknown user, the password is compared with the user name too, so that both cases take the same time (AS-143).
        let expected = found.as_ref().map_or(login, |customer| customer.psu.as_str());
        let right = self.same(expected, password);
        Ok(found.filter(|_| right).map(person))
    }

    async fn request_code(
        &self,
        psu: &PsuId,
        journey: &JourneyId,
        purpose: &AuthenticationPurpose,
    ) -> Result<Challenge, IdentityError> {
        let shown_code = Some(self.code(psu, journey, purpose));
        Ok(Challenge { sent_to: "your sandbox authenticator".to_owned(), shown_code })
    }

    async fn check_code(
        &self,
        psu: &PsuId,
        journey: &JourneyId,
        purpose: &AuthenticationPurpose,
        code: &str,
    ) -> Result<Option<Vec<AuthenticationFactor>>, IdentityError> {
        let is_right = self.same(&self.code(psu, journey, purpose), code);
        Ok(is_right.then(|| vec![AuthenticationFactor::Knowledge, AuthenticationFactor::Possession]))
    }

    async fn shown_logins(&self) -> Result<Vec<(String, String)>, IdentityError> {
        let customers = self.customers.list_customers().await.map_err(identity_error)?;
        let shown = customers.into_iter().take(LOGINS_SHOWN_MAX);
        Ok(shown.map(|customer| (customer.psu.as_str().to_owned(), customer.about)).collect())
    }
}

#[async_trait]
impl IdentityProvider for SandboxIdentity {
    fn login_method(&self) -> LoginMethod<'_> {
        LoginMethod::Pages(self)
    }

    async fn find_person(&self, psu: &PsuId) -> Result<Option<Person>, IdentityError> {
        Ok(self.customer(psu.clone()).await?.map(person))
    }

    /// Finds a customer by the user name. A sandbox has no addresses or telephone numbers of customers.
    async fn find_hinted(&self, hint: &CustomerHint) -> Result<HintedCustomer, IdentityError> {
        match hint {
            CustomerHint::Sub(name) => {
                let found = self.customer(PsuId::new(name.as_str())).await?;
                Ok(found.map_or(HintedCustomer::Unknown, |customer| HintedCustomer::Known(customer.psu)))
            }
            CustomerHint::Email(_) | CustomerHint::PhoneNumber(_) | CustomerHint::Ephemeral(_) => {
                Ok(HintedCustomer::Unsupported)
            }
        }
    }
}
