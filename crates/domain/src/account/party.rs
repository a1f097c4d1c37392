//! The parties to an account. Source: AIS-185 to AIS-189, `OBParty2`.

use super::PostalAddress;
use crate::ids::{BankAccountId, PartyId};
use serde::{Deserialize, Serialize};

/// The type of a party to an account. Source: AIS-188.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartyType {
    /// A delegate of the owner.
    Delegate,
    /// One of several joint owners.
    Joint,
    /// The sole owner.
    Sole,
}

/// The role of a party on an account. Source: `OBExternalAccountRole1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccountRole {
    /// The administrator of a deceased person's estate.
    Administrator,
    /// The beneficiary of a trust that owns the account.
    Beneficiary,
    /// The custodian of a minor's account.
    CustodianForMinor,
    /// The granter of a power over the account.
    Granter,
    /// The legal guardian of the owner.
    LegalGuardian,
    /// Another role.
    OtherParty,
    /// A holder of a power of attorney.
    PowerOfAttorney,
    /// The principal owner.
    Principal,
    /// The protector of a trust that owns the account.
    Protector,
    /// The registered holder of the owner's shares.
    RegisteredShareholderName,
    /// The secondary owner.
    SecondaryOwner,
    /// A senior managing official of the organisation that owns the account.
    SeniorManagingOfficial,
    /// The settlor of a trust that owns the account.
    Settlor,
    /// The successor who owns the account on the owner's death.
    SuccessorOnDeath,
}

/// The legal structure of a party. Source: `OBExternalLegalStructureType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LegalStructure {
    /// A community interest company.
    CommunityInterestCompany,
    /// A charitable incorporated organisation.
    CharitableIncorporatedOrganisation,
    /// A charity.
    Charity,
    /// A co-operative.
    CoOperative,
    /// A general partnership.
    GeneralPartnership,
    /// A private individual.
    Individual,
    /// A limited liability partnership.
    LimitedLiabilityPartnership,
    /// A limited partnership.
    LimitedPartnership,
    /// A private limited company.
    PrivateLimitedCompany,
    /// A public limited company.
    PublicLimitedCompany,
    /// A Scottish limited partnership.
    ScottishLimitedPartnership,
    /// A sole trader.
    SoleTrader,
}

/// A person or organisation. Source: `OBParty2`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Party {
    /// The bank's id of the party, the same on each of its accounts, at most 40 characters.
    pub id: PartyId,
    /// The bank's number for the party (`PartyNumber`), at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The usual name, at most 350 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The full legal name, at most 350 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_legal_name: Option<String>,
    /// The legal structure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal_structure: Option<LegalStructure>,
    /// The legal entity identifier, 20 characters. Source: AIS-188.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lei: Option<String>,
    /// An e-mail address, at most 256 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// A telephone number, `+44-…`. Source: AIS-188.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// A mobile number, `+44-…`. Source: AIS-188.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mobile: Option<String>,
    /// The postal addresses; each has a country. Source: AIS-188.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub addresses: Vec<PostalAddress>,
}

/// A party to an account, with its type and role. Source: AIS-187.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountParty {
    /// The account.
    #[serde(skip, default = "crate::stored::in_column")]
    pub account: BankAccountId,
    /// The party's type.
    pub kind: PartyType,
    /// The party's role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<AccountRole>,
    /// Whether the party is a beneficial owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beneficial_owner: Option<bool>,
    /// The party.
    pub party: Party,
}

/// The most unstructured lines of a party's address. Source: `OBParty2/Address/AddressLine`.
pub const PARTY_ADDRESS_LINES_MAX: usize = 5;

/// Whether a text is a telephone number as parties have them: `+`, the country's code of 1 to 3 digits, `-`, and 1 to 30 digits, brackets,
/// plus signs or hyphens. Source: AIS-188.
pub fn is_telephone_number(text: &str) -> bool {
    let Some((country, number)) = text.strip_prefix('+').and_then(|rest| rest.split_once('-')) else { return false };
    (1..=3).contains(&country.len())
        && country.bytes().all(|it| it.is_ascii_digit())
        && (1..=30).contains(&number.len())
        && number.bytes().all(|it| it.is_ascii_digit() || b"()+-".contains(&it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ais_188_telephone_numbers_begin_with_the_code_of_their_country() {
        let longest = format!("+353-{}", "1".repeat(30));
        for number in ["+44-7700900142", "+1-(555)0100-12", "+44-1", &longest] {
            assert!(is_telephone_number(number), "{number}");
        }
        let longer = format!("{longest}1");
        for text in ["", "07700900142", "+447700900142", "+-1", "+4444-1", "+44-", "+44-77 00", "+4a-1", &longer] {
            assert!(!is_telephone_number(text), "{text}");
        }
    }
}
