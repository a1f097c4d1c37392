//! The parties behind accounts. Source: AIS-185 to AIS-189.

use super::{AccountResource, AccountScope, DateFilter, ResourceQuery, read};
use crate::{Context, Failure};
use lombard_domain::account::{AccountParty, Party, PartyType};
use lombard_domain::consent::{Consent, Permission as P, Permissions};
use lombard_domain::ids::{BankAccountId, PartyId};
use lombard_domain::page::{ListWindow, Page};
use lombard_ports::bank::{Bank, BankError, CallContext, ListAnswer, read_list};

/// The number of parties among which the owner of an account is searched.
const PARTIES_MAX: usize = 1_000;

/// The owners and operators of an account. Source: AIS-187.
#[derive(Debug, Clone, Copy)]
pub struct AccountParties;

impl AccountResource for AccountParties {
    type Item = AccountParty;
    type Seen = AccountParty;
    const NAME: &'static str = "parties";
    const READ: &'static [&'static [P]] = &[&[P::ReadParty]];
    const FILTER: DateFilter = DateFilter::None;

    async fn fetch(
        bank: &dyn Bank,
        call: &CallContext,
        scope: &AccountScope<'_>,
        _: &ResourceQuery,
        window: &ListWindow,
    ) -> Result<ListAnswer<AccountParty>, BankError> {
        read_list(bank, call, &scope.bank_ids(), window).await
    }

    fn account(party: &AccountParty) -> &BankAccountId {
        &party.account
    }

    fn redact(party: AccountParty, _: Permissions) -> AccountParty {
        party
    }
}

/// The owner of an account: at most one party. Source: AIS-185.
#[derive(Debug, Clone, Copy)]
pub struct AccountOwner;

impl AccountResource for AccountOwner {
    type Item = AccountParty;
    type Seen = AccountParty;
    const NAME: &'static str = "party";
    const READ: &'static [&'static [P]] = AccountParties::READ;
    const FILTER: DateFilter = DateFilter::None;

    async fn fetch(
        bank: &dyn Bank,
        call: &CallContext,
        scope: &AccountScope<'_>,
        _: &ResourceQuery,
        _: &ListWindow,
    ) -> Result<ListAnswer<AccountParty>, BankError> {
        let answer =
            read_list::<AccountParty>(bank, call, &scope.bank_ids(), &ListWindow::first_page(PARTIES_MAX)).await?;
        let authorised_by = match scope.psu() {
            Some(psu) => bank.find_party(call, psu).await?,
            None => None,
        };
        let owner = owner(answer.page.items, authorised_by.as_ref().map(|party| &party.id));
        Ok(ListAnswer {
            page: Page::single_page(owner.into_iter().collect()),
            ..ListAnswer::empty(answer.has_open_account)
        })
    }

    fn account(party: &AccountParty) -> &BankAccountId {
        &party.account
    }

    fn redact(party: AccountParty, granted: Permissions) -> AccountParty {
        AccountParties::redact(party, granted)
    }
}

/// The owner of the account: the sole owner, a person or a business; of joint owners, the one who authorised the consent. Source:
/// AIS-185.
fn owner(parties: Vec<AccountParty>, authorised_by: Option<&PartyId>) -> Option<AccountParty> {
    let is_owner = |it: &AccountParty| match it.kind {
        PartyType::Sole => true,
        PartyType::Joint => authorised_by == Some(&it.party.id),
        PartyType::Delegate => false,
    };
    parties.into_iter().find(is_owner)
}

/// The permissions that disclose the party who authorised the consent. Source: T7.
pub const PSU_PARTY_READ: &[&[P]] = &[&[P::ReadPartyPSU]];

/// The person who authorised the consent; `None` if the bank has no record of the person. Source: AIS-186, AIS-189.
///
/// # Errors
/// [`Failure::Refused`]: permission; otherwise the bank's failure.
pub async fn read_psu_party(context: &Context, consent: &Consent) -> Result<Option<Party>, Failure> {
    read::permitted(read::access(context, consent)?, PSU_PARTY_READ)?;
    match &consent.psu {
        Some(psu) => Ok(context.bank.find_party(&context.call, psu).await?),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::account_party;
    use super::*;

    #[test]
    fn ais_185_the_owner_or_of_joint_owners_the_one_who_authorised() {
        use PartyType::{Delegate, Joint, Sole};
        let dahlia = PartyId::from("dahlia");
        for (parties, authorised_by, expected) in [
            (vec![("amelia", Sole)], None, Some("amelia")),
            (vec![("attorney", Delegate), ("amelia", Sole)], Some(&dahlia), Some("amelia")),
            (vec![("bob", Joint), ("dahlia", Joint)], Some(&dahlia), Some("dahlia")),
            (vec![("bob", Joint), ("carl", Joint)], Some(&dahlia), None),
            (vec![("dahlia", Delegate), ("the firm", Sole)], Some(&dahlia), Some("the firm")),
            (vec![("dahlia", Delegate)], Some(&dahlia), None),
            (vec![], Some(&dahlia), None),
        ] {
            let parties = parties.into_iter().map(|(id, kind)| account_party("b-1", id, kind)).collect();
            let found = owner(parties, authorised_by).map(|it| it.party.id);
            assert_eq!(found, expected.map(PartyId::from));
        }
    }
}
