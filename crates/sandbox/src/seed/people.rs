//! Builds the bank's parties from the people and organisations of the tables. Source: AIS-185 to AIS-188.

use super::accounts::OpenedAccount;
use super::habit::{PersonRow, SeededHousehold};
use super::random::SeededRandom;
use lombard_domain::account::{
    AccountParty, AccountRole, AccountSubType, AddressType, LegalStructure, Party, PartyType, PostalAddress,
};

/// Builds the party of a person or organisation. The party's id depends only on the seed and the name.
pub(super) fn party(row: &PersonRow, seed: u64) -> Party {
    let mut chance = SeededRandom::named(seed, &format!("party/{}", row.full_legal_name));
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let is_person = row.legal_structure == LegalStructure::Individual;
    let kind = if is_person { AddressType::Residential } else { AddressType::Business };
    let [building, street, town, post_code, county] = row.address;
    let address = PostalAddress {
        kind: Some(kind),
        building: text(building),
        street: text(street),
        town: text(town),
        post_code: text(post_code),
        county: text(county),
        country: Some("GB".to_owned()),
        ..PostalAddress::default()
    };
    Party {
        id: chance.id().into(),
        number: Some(chance.digits(10)),
        name: text(row.name),
        full_legal_name: text(row.full_legal_name),
        legal_structure: Some(row.legal_structure),
        email: text(row.email),
        phone: text(row.phone),
        mobile: text(row.mobile),
        addresses: vec![address],
        lei: text(row.lei),
    }
}

/// The parties of an account. Either an organisation owns the account and its people act for it, or one or several persons own it.
pub(super) fn parties(life: &SeededHousehold, account: &OpenedAccount, seed: u64) -> Vec<AccountParty> {
    let of = |kind, role, beneficial_owner, row: &PersonRow| AccountParty {
        account: account.id().clone(),
        kind,
        role: Some(role),
        beneficial_owner: Some(beneficial_owner),
        party: party(row, seed),
    };
    let holders =
        life.customers.iter().filter(|row| account.record.holders.iter().any(|psu| psu.as_str() == row.login));
    if let Some(organisation) = life.organisation {
        let officers =
            holders.map(|row| of(PartyType::Delegate, AccountRole::SeniorManagingOfficial, true, row.person));
        return std::iter::once(of(PartyType::Sole, AccountRole::Principal, false, organisation))
            .chain(officers)
            .collect();
    }
    let is_mortgage = account.record.account.sub_type == AccountSubType::Mortgage;
    match life.partner.filter(|_| is_mortgage) {
        Some(partner) => holders
            .map(|row| of(PartyType::Joint, AccountRole::Principal, true, row.person))
            .chain([of(PartyType::Joint, AccountRole::SecondaryOwner, true, partner)])
            .collect(),
        None => holders.map(|row| of(PartyType::Sole, AccountRole::Principal, true, row.person)).collect(),
    }
}
