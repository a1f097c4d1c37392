//! Customers, accounts, and who has to do with them. Source: `OBAccount6`, `OBParty2`.

use super::super::faults::At;
use super::super::shape::{MemberList, Members, Object, Pair, The, Written, objects};
use super::super::values::{Key, Text};
use super::super::words::BicScheme;
use jiff::Timestamp;
use jiff::civil::Date;
use lombard_corebank::storage::{BankAccountRecord, Customer};
use lombard_domain::account::{
    Account, AccountParty, AccountRole, AccountScheme, AccountStatus, AccountSubType, AccountType, AddressType, Agent,
    Identification, LegalStructure, Party, PartyType, PostalAddress, SwitchStatus,
};
use lombard_domain::ids::PsuId;
use lombard_domain::money::{Amount, Currency, Signed};

objects! {
    Customer as "Customer" {
        psu: needed(Key<40>, "Login");
        name: needed(Text<350>, "Name");
        about: needed(Text<500>, "About");
        party: maybe(The<Party>, "Party");
    }

    Party as "Party" {
        id: needed(Key<40>, "PartyId");
        number: maybe(Text<35>, "PartyNumber");
        name: maybe(Text<350>, "Name");
        full_legal_name: maybe(Text<350>, "FullLegalName");
        legal_structure: maybe(The<LegalStructure>, "LegalStructure");
        email: maybe(Text<256>, "EmailAddress");
        phone: maybe(Text<30>, "Phone");
        mobile: maybe(Text<30>, "Mobile");
        addresses: list(The<PostalAddress>, "Address");
    }

    AccountParty as "AccountParty" {
        account: needed(Key<40>, "AccountId");
        kind: needed(The<PartyType>, "PartyType");
        role: maybe(The<AccountRole>, "AccountRole");
        beneficial_owner: maybe(The<bool>, "BeneficialOwnership");
        party: flat(Party);
    }

    PostalAddress as "PostalAddress" {
        kind: maybe(The<AddressType>, "AddressType");
        department: maybe(Text<70>, "Department");
        sub_department: maybe(Text<70>, "SubDepartment");
        street: maybe(Text<70>, "StreetName");
        building: maybe(Text<16>, "BuildingNumber");
        post_code: maybe(Text<16>, "PostCode");
        town: maybe(Text<35>, "TownName");
        county: maybe(Text<35>, "CountrySubDivision");
        country: maybe(Text<2>, "Country");
        lines: list(Text<70>, "AddressLine");
    }

    Agent as "Agent" {
        bic: both(The<BicScheme>, "SchemeName", Text<11>, "Identification");
        name: maybe(Text<140>, "Name");
        address: maybe(The<PostalAddress>, "PostalAddress");
    }

    Account as "AccountDetails" {
        id: needed(Key<40>, "AccountId");
        status: needed(The<AccountStatus>, "Status");
        status_changed_at: needed(The<Timestamp>, "StatusUpdateDateTime");
        currency: needed(The<Currency>, "Currency");
        account_type: needed(The<AccountType>, "AccountType");
        sub_type: needed(The<AccountSubType>, "AccountSubType");
        description: maybe(Text<35>, "Description");
        nickname: maybe(Text<70>, "Nickname");
        opened_on: maybe(The<Date>, "OpeningDate");
        matures_on: maybe(The<Date>, "MaturityDate");
        switch_status: maybe(The<SwitchStatus>, "SwitchStatus");
        identifications: list(The<Identification>, "Account");
        servicer: maybe(The<Agent>, "Servicer");
    }

    AccountRecord as "Account" {
        account: flat(Account);
        holders: list(Key<40>, "Holder");
        eligible: needed(The<bool>, "Shareable");
        credit_limit: maybe(The<Amount>, "CreditLimit");
        authorisers: maybe(The<u16>, "Authorisers");
        opening: maybe(The<Signed>, "OpeningBalance");
        booked: maybe(The<Signed>, "BookedBalance");
    }
}

/// An account with what the file says of its money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct AccountRecord {
    pub(in super::super) account: Account,
    pub(in super::super) holders: Vec<PsuId>,
    pub(in super::super) eligible: bool,
    pub(in super::super) credit_limit: Option<Amount>,
    /// How many of the holders must agree to a payment; none is one. Source: PIS-112.
    pub(in super::super) authorisers: Option<u16>,
    /// Before the first entry; none is nothing.
    pub(in super::super) opening: Option<Signed>,
    /// After the last one: stated, so that it can be checked.
    pub(in super::super) booked: Option<Signed>,
}

impl AccountRecord {
    /// The account as the bank keeps it.
    pub(in super::super) fn kept(&self) -> BankAccountRecord {
        let limit = self.credit_limit.map_or(0, Amount::minor);
        BankAccountRecord {
            account: self.account.clone(),
            holders: self.holders.clone(),
            eligible: self.eligible,
            credit_limit: i64::try_from(limit).unwrap_or(i64::MAX),
            authorisers: self.authorisers.unwrap_or(1),
        }
    }
}

impl Pair for String {
    type A = BicScheme;
    type B = Self;

    fn join(_: BicScheme, bic: Self) -> Self {
        bic
    }

    fn split(&self) -> (BicScheme, Self) {
        (BicScheme::Bicfi, self.clone())
    }
}

/// Source: `OBCashAccount`; the number must be one of its scheme (PIS-114, PIS-116).
impl Object for Identification {
    fn name() -> String {
        "CashAccount".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.needed::<The<AccountScheme>>("SchemeName");
        list.needed::<Text<256>>("Identification");
        list.maybe::<Text<350>>("Name");
        list.maybe::<Text<34>>("SecondaryIdentification");
    }

    fn take(members: &mut Members<'_, '_>) -> Option<Self> {
        let scheme = members.needed::<AccountScheme, The<AccountScheme>>("SchemeName");
        let number = members.needed::<String, Text<256>>("Identification");
        let name = members.maybe::<String, Text<350>>("Name");
        let secondary = members.maybe::<String, Text<34>>("SecondaryIdentification");
        let (scheme, number, name, secondary) = (scheme?, number?, name?, secondary?);
        if !scheme.takes(&number) {
            let sentence = match scheme {
                AccountScheme::SortCodeAccountNumber => "Must be a sort code and an account number: 14 digits.",
                AccountScheme::Iban => "Must be an IBAN whose check digits are right, without blanks.",
                AccountScheme::Pan => "Must be a card number whose check digit is right, without blanks.",
                AccountScheme::Bban | AccountScheme::Paym | AccountScheme::Wallet => {
                    "Must be a number of its scheme, without blanks."
                }
            };
            return members.reader.fault(&At::Member(members.at, "Identification"), sentence);
        }
        if secondary.is_some() && !scheme.accepts_secondary() {
            let at = At::Member(members.at, "SecondaryIdentification");
            return members.reader.fault(&at, "Numbers of this scheme have no roll number.");
        }
        Some(Self { scheme, number, name, secondary })
    }

    fn put(&self, object: &mut Written) {
        object.needed::<_, The<AccountScheme>>("SchemeName", &self.scheme);
        object.needed::<_, Text<256>>("Identification", &self.number);
        object.maybe::<_, Text<350>>("Name", &self.name);
        object.maybe::<_, Text<34>>("SecondaryIdentification", &self.secondary);
    }
}
