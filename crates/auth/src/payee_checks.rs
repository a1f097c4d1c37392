//! Remembers the recent results of Confirmation of Payee for each customer, so that a page that is shown again does not ask the bank again.
//! It also limits how many payees a customer can have checked in a day. Each node counts for itself.

use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::PsuId;
use lombard_domain::payment::order::PayeeConfirmation;
use lombard_domain::payment::transfer::NamedAccount;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// The most different payees that are checked for a customer in a day.
const CHECKS_A_DAY_MAX: usize = 20;
/// The length of the day, which begins with a customer's first check.
const DAY: SignedDuration = SignedDuration::from_hours(24);
/// The most customers whose results are remembered; the one with the oldest first check is dropped first.
const CUSTOMERS_MAX: usize = 4_096;

/// The checks of every customer. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct PayeeChecks(Arc<Mutex<HashMap<PsuId, CustomerChecks>>>);

/// The checks of a customer within a day.
#[derive(Debug)]
struct CustomerChecks {
    since: Timestamp,
    /// Each payee with the bank's result; `None` if the bank has not answered yet, or could not.
    payees: Vec<(NamedAccount, Option<PayeeConfirmation>)>,
}

/// What is remembered about a payee before the bank is asked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum RememberedCheck {
    /// The bank has answered recently.
    Answered(PayeeConfirmation),
    /// The bank may be asked.
    Permitted,
    /// The customer has had too many payees checked.
    Exceeded,
}

impl PayeeChecks {
    /// The remembered result for this customer and payee, or whether the bank may be asked. Permission to ask counts against the limit.
    pub(crate) fn begin(&self, psu: &PsuId, payee: &NamedAccount, now: Timestamp) -> RememberedCheck {
        let mut customers = self.0.lock();
        if !customers.contains_key(psu) && customers.len() >= CUSTOMERS_MAX {
            let oldest = customers.iter().min_by_key(|(_, checks)| checks.since).map(|(psu, _)| psu.clone());
            oldest.iter().for_each(|psu| drop(customers.remove(psu)));
        }
        let fresh = || CustomerChecks { since: now, payees: Vec::new() };
        let checks = customers.entry(psu.clone()).or_insert_with(fresh);
        if now.duration_since(checks.since) >= DAY {
            *checks = fresh();
        }
        match checks.payees.iter().find(|(known, _)| known == payee) {
            Some((_, Some(answer))) => RememberedCheck::Answered(answer.clone()),
            Some((_, None)) => RememberedCheck::Permitted,
            None if checks.payees.len() >= CHECKS_A_DAY_MAX => RememberedCheck::Exceeded,
            None => {
                checks.payees.push((payee.clone(), None));
                RememberedCheck::Permitted
            }
        }
    }

    /// Remembers the bank's result.
    pub(crate) fn keep(&self, psu: &PsuId, payee: &NamedAccount, answer: &PayeeConfirmation) {
        let mut customers = self.0.lock();
        let checks = customers.get_mut(psu).and_then(|it| it.payees.iter_mut().find(|(known, _)| known == payee));
        if let Some((_, kept)) = checks {
            *kept = Some(answer.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authorisation::testing::one_pound;

    fn at(secs: i64) -> Timestamp {
        Timestamp::from_second(secs).unwrap()
    }

    fn payee(name: &str) -> NamedAccount {
        let payee = one_pound().instruction.payee_to_confirm().unwrap().clone();
        NamedAccount::under_name((*payee).clone(), name.into())
    }

    #[test]
    fn a_customer_has_so_many_payees_checked_in_a_day_and_each_once() {
        let (checks, amelia) = (PayeeChecks::default(), PsuId::from("amelia"));
        for number in 0..CHECKS_A_DAY_MAX {
            let payee = payee(&number.to_string());
            assert_eq!(checks.begin(&amelia, &payee, at(0)), RememberedCheck::Permitted);
            assert_eq!(checks.begin(&amelia, &payee, at(0)), RememberedCheck::Permitted, "no answer yet");
            checks.keep(&amelia, &payee, &PayeeConfirmation::Match);
            assert_eq!(checks.begin(&amelia, &payee, at(1)), RememberedCheck::Answered(PayeeConfirmation::Match));
        }
        let one_more = payee("one more");
        assert_eq!(checks.begin(&amelia, &one_more, at(2)), RememberedCheck::Exceeded);
        assert_eq!(checks.begin(&amelia, &payee("0"), at(2)), RememberedCheck::Answered(PayeeConfirmation::Match));
        assert_eq!(
            checks.begin(&"bashir".into(), &one_more, at(2)),
            RememberedCheck::Permitted,
            "each has a number of their own"
        );
        assert_eq!(checks.begin(&amelia, &one_more, at(86_399)), RememberedCheck::Exceeded);
        assert_eq!(checks.begin(&amelia, &one_more, at(86_400)), RememberedCheck::Permitted);
        assert_eq!(
            checks.begin(&amelia, &payee("0"), at(86_400)),
            RememberedCheck::Permitted,
            "asked again the next day"
        );
    }

    #[test]
    fn so_many_customers_are_remembered() {
        let checks = PayeeChecks::default();
        for number in 0..=CUSTOMERS_MAX {
            let secs = i64::try_from(number).unwrap();
            checks.begin(&number.to_string().as_str().into(), &payee("p"), at(secs));
        }
        let customers = checks.0.lock();
        assert!(customers.len() == CUSTOMERS_MAX && !customers.contains_key(&PsuId::from("0")));
    }
}
