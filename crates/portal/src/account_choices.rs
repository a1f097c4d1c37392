//! The accounts of the sandbox's customers that a form offers for selection.

use lombard_domain::account::AccountStatus;
use lombard_domain::ids::BankAccountId;
use lombard_domain::money::Currency;
use lombard_pages::text;
use lombard_ports::controls::{AccountView, ControlError, SandboxControls};
use std::collections::HashMap;

/// An account that a form offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AccountChoice {
    pub id: BankAccountId,
    /// The account's holder, name and currency.
    pub title: String,
    pub currency: Currency,
}

/// Lists the open accounts of all customers, each once.
///
/// # Errors
/// [`ControlError`].
pub(super) async fn list_account_choices(controls: &dyn SandboxControls) -> Result<Vec<AccountChoice>, ControlError> {
    let mut found: Vec<(AccountView, Vec<String>)> = Vec::new();
    let mut places: HashMap<BankAccountId, usize> = HashMap::new();
    for customer in controls.customer_views().await? {
        for account in customer.accounts.into_iter().filter(|it| it.status == AccountStatus::Enabled) {
            match places.get(&account.id).and_then(|place| found.get_mut(*place)) {
                Some((_, names)) => names.push(customer.name.clone()),
                None => {
                    places.insert(account.id.clone(), found.len());
                    found.push((account, vec![customer.name.clone()]));
                }
            }
        }
    }
    Ok(found.into_iter().map(choice).collect())
}

fn choice((account, names): (AccountView, Vec<String>)) -> AccountChoice {
    let name = text::name(&account.nickname.or(account.description).unwrap_or_default());
    let names: Vec<_> = names.iter().map(|name| text::name(name)).collect();
    let title = format!("{}: {name}, {}", names.join(" and "), account.currency.code());
    AccountChoice { id: account.id, title, currency: account.currency }
}
