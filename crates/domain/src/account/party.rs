//! People and organisations behind an account. Source: AIS-185 to AIS-189, `OBParty2`.

use super::PostalAddress;
use crate::ids::{BankAccountId, PartyId};
use serde::{Deserialize, Serialize};

/// In what capacity a party is on an account. Source: AIS-188.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartyType {
    /// It acts for the owner.
    Delegate,
    /// It owns the account with others.
    Joint,
    /// It owns the account alone.
    Sole,
}

/// What a party is to an account. Source: `OBExternalAccountRole1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccountRole {
    /// It administers the account of somebody who died.
    Administrator,
    /// It benefits from a trust that owns the account.
    Beneficiary,
    /// It keeps the account for a child.
    CustodianForMinor,
    /// It gave somebody else power over the account.
    Granter,
    /// It is the guardian of the owner.
    LegalGuardian,
    /// None of the others.
    OtherParty,
    /// It acts under a power of attorney.
    PowerOfAttorney,
    /// It owns the account.
    Principal,
    /// It watches over a trust that owns the account.
    Protector,
    /// It is registered as holding shares of the owner.
    RegisteredShareholderName,
    /// It owns the account after another.
    SecondaryOwner,
    /// It manages the organisation that owns the account.
    SeniorManagingOfficial,
    /// It put the money into a trust that owns the account.
    Settlor,
    /// It owns the account when the owner dies.
    SuccessorOnDeath,
}

/// What a party is in law. Source: `OBExternalLegalStructureType1Code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LegalStructure {
    /// A community interest company.
    CommunityInterestCompany,
    /// A charity that is incorporated.
    CharitableIncorporatedOrganisation,
    /// A charity.
    Charity,
    /// A co-operative.
    CoOperative,
    /// A partnership.
    GeneralPartnership,
    /// A private individual.
    Individual,
    /// A partnership with limited liability.
    LimitedLiabilityPartnership,
    /// A limited partnership.
    LimitedPartnership,
    /// A company limited by shares that are not traded.
    PrivateLimitedCompany,
    /// A company whose shares are traded.
    PublicLimitedCompany,
    /// A limited partnership under Scottish law.
    ScottishLimitedPartnership,
    /// A person in business.
    SoleTrader,
}

/// A person or organisation. Source: `OBParty2`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Party {
    /// The bank's id of the party, the same on each of its accounts, at most 40 characters.
    pub id: PartyId,
    /// The bank's number for the party, at most 35 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// The name it goes by, at most 350 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name in law, at most 350 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_legal_name: Option<String>,
    /// What it is in law.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal_structure: Option<LegalStructure>,
    /// An e-mail address, at most 256 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// A telephone number, `+44-…`. Source: AIS-188.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<String>,
    /// A mobile number, `+44-…`. Source: AIS-188.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mobile: Option<String>,
    /// Where it can be written to; each has a country. Source: AIS-188.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub addresses: Vec<PostalAddress>,
}

/// A party to an account: who, and what it is to the account. Source: AIS-187.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountParty {
    /// The account.
    #[serde(skip, default = "crate::stored::in_column")]
    pub account: BankAccountId,
    /// In what capacity.
    pub kind: PartyType,
    /// What it is to the account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<AccountRole>,
    /// Whether it is a beneficial owner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beneficial_owner: Option<bool>,
    /// Who.
    pub party: Party,
}
