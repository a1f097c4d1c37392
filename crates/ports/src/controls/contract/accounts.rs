//! Promises about accounts that a tester changes.

use super::entries::open_account;
use super::promise::{ControlsContractViolation, ensure};
use crate::controls::{AccountEdit, ControlError, NewCreditLimit, SandboxControls};
use lombard_domain::ids::PsuId;
use lombard_domain::money::Currency;

/// A change is visible at once and does not affect the rest of the account. An invalid change is refused and changes nothing.
///
/// # Errors
/// [`ControlsContractViolation`].
pub async fn a_change_of_an_account_shows_at_once(
    controls: &dyn SandboxControls,
    psu: &PsuId,
) -> Result<(), ControlsContractViolation> {
    const PROMISE: &str = "a change of an account shows at once";
    let before = open_account(controls, psu).await?;
    let (id, currency) = (&before.id, before.currency);
    let holder = AccountEdit { holder: Some("Mill Ltd".to_owned()), credit_limit: None };
    let limit = |minor, currency| AccountEdit { holder: None, credit_limit: Some(NewCreditLimit { minor, currency }) };
    let mut expected = before.clone();
    for identification in &mut expected.identifications {
        identification.name.clone_from(&holder.holder);
    }
    let changed = controls.account_change(id, &holder).await?;
    ensure(changed == expected && open_account(controls, psu).await? == expected, PROMISE, changed)?;
    for minor in [0, 12_345] {
        expected.credit_limit = minor;
        let changed = controls.account_change(id, &limit(minor, currency)).await?;
        ensure(changed == expected && open_account(controls, psu).await? == expected, PROMISE, changed)?;
    }
    let other = if currency == Currency::GBP { Currency::USD } else { Currency::GBP };
    let refused = controls.account_change(id, &limit(1, other)).await;
    ensure(matches!(refused, Err(ControlError::Refused(_))), PROMISE, refused)?;
    let refused = controls.account_change(&"no such account".into(), &holder).await;
    ensure(matches!(refused, Err(ControlError::NotFound(_))), PROMISE, refused)?;
    let after = open_account(controls, psu).await?;
    ensure(after == expected, PROMISE, after)
}
