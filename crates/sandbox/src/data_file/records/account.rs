//! Customers, accounts and parties. Source: `OBAccount6`, `OBParty2`.

use super::super::faults::FileLocation;
use super::super::iso::{CodeIn, FileFormats, Lei, ProxyTypes, StatementFrequencies, StatementMedia};
use super::super::shape::{Boxed, FormOf, MemberList, MemberPair, MemberReader, MemberWriter, ObjectForm, objects};
use super::super::values::{AsciiKey, BoundedText};
use super::super::words::BicScheme;
use jiff::Timestamp;
use jiff::civil::Date;
use lombard_corebank::storage::{BankAccountRecord, Customer};
use lombard_domain::account::{
    Account, AccountIdentification, AccountParty, AccountProxy, AccountRole, AccountScheme, AccountStatus,
    AccountSubType, AccountType, AddressType, BankIdentification, LegalStructure, Party, PartyType, PostalAddress,
    StatementDelivery, SwitchStatus,
};
use lombard_domain::ids::PsuId;
use lombard_domain::money::{Amount, Currency, SignedAmount};

objects! {
    Customer as "Customer" {
        psu: needed(AsciiKey<40>, "Login");
        name: needed(BoundedText<350>, "Name");
        about: needed(BoundedText<500>, "About");
        party: maybe(FormOf<Party>, "Party");
    }

    Party as "Party" {
        id: needed(AsciiKey<40>, "PartyId");
        number: maybe(BoundedText<35>, "PartyNumber");
        name: maybe(BoundedText<350>, "Name");
        full_legal_name: maybe(BoundedText<350>, "FullLegalName");
        legal_structure: maybe(FormOf<LegalStructure>, "LegalStructure");
        lei: maybe(Lei, "LEI");
        email: maybe(BoundedText<256>, "EmailAddress");
        phone: maybe(BoundedText<30>, "Phone");
        mobile: maybe(BoundedText<30>, "Mobile");
        addresses: list(FormOf<PostalAddress>, "Address");
    }

    AccountParty as "AccountParty" {
        account: needed(AsciiKey<40>, "AccountId");
        kind: needed(FormOf<PartyType>, "PartyType");
        role: maybe(FormOf<AccountRole>, "AccountRole");
        beneficial_owner: maybe(FormOf<bool>, "BeneficialOwnership");
        party: flat(Party);
    }

    PostalAddress as "PostalAddress" {
        kind: maybe(FormOf<AddressType>, "AddressType");
        department: maybe(BoundedText<70>, "Department");
        sub_department: maybe(BoundedText<70>, "SubDepartment");
        care_of: maybe(BoundedText<140>, "CareOf");
        street: maybe(BoundedText<70>, "StreetName");
        building: maybe(BoundedText<16>, "BuildingNumber");
        building_name: maybe(BoundedText<140>, "BuildingName");
        unit: maybe(BoundedText<16>, "UnitNumber");
        floor: maybe(BoundedText<70>, "Floor");
        room: maybe(BoundedText<70>, "Room");
        post_box: maybe(BoundedText<16>, "PostBox");
        post_code: maybe(BoundedText<16>, "PostCode");
        town_location: maybe(BoundedText<140>, "TownLocationName");
        district: maybe(BoundedText<140>, "DistrictName");
        town: maybe(BoundedText<35>, "TownName");
        county: maybe(BoundedText<35>, "CountrySubDivision");
        country: maybe(BoundedText<2>, "Country");
        lines: list(BoundedText<70>, "AddressLine");
    }

    BankIdentification as "Agent" {
        bic: both(FormOf<BicScheme>, "SchemeName", BoundedText<11>, "Identification");
        name: maybe(BoundedText<140>, "Name");
        address: maybe(FormOf<PostalAddress>, "PostalAddress");
        lei: maybe(Lei, "LEI");
    }

    AccountProxy as "Proxy" {
        identification: needed(BoundedText<2048>, "Identification");
        code: needed(CodeIn<ProxyTypes>, "Code");
        kind: maybe(BoundedText<35>, "Type");
    }

    StatementDelivery as "StatementDelivery" {
        frequency: maybe(CodeIn<StatementFrequencies>, "Frequency");
        medium: maybe(CodeIn<StatementMedia>, "CommunicationMethod");
        format: maybe(CodeIn<FileFormats>, "Format");
        address: maybe(FormOf<PostalAddress>, "DeliveryAddress");
    }

    Account as "AccountDetails" {
        id: needed(AsciiKey<40>, "AccountId");
        status: needed(FormOf<AccountStatus>, "Status");
        status_changed_at: needed(FormOf<Timestamp>, "StatusUpdateDateTime");
        currency: needed(FormOf<Currency>, "Currency");
        account_type: needed(FormOf<AccountType>, "AccountType");
        sub_type: needed(FormOf<AccountSubType>, "AccountSubType");
        description: maybe(BoundedText<35>, "Description");
        nickname: maybe(BoundedText<70>, "Nickname");
        opened_on: maybe(FormOf<Date>, "OpeningDate");
        matures_on: maybe(FormOf<Date>, "MaturityDate");
        switch_status: maybe(FormOf<SwitchStatus>, "SwitchStatus");
        identifications: list(FormOf<AccountIdentification>, "Account");
        servicer: maybe(FormOf<BankIdentification>, "Servicer");
        lei: maybe(Lei, "LEI");
        statement_delivery: list(FormOf<StatementDelivery>, "StatementFrequencyAndFormat");
        core_state: given(None);
    }

    FileAccount as "Account" {
        account: flat(Account);
        holders: list(AsciiKey<40>, "Holder");
        eligible: needed(FormOf<bool>, "Shareable");
        credit_limit: maybe(FormOf<Amount>, "CreditLimit");
        authorisers: maybe(FormOf<u16>, "Authorisers");
        opening: maybe(FormOf<SignedAmount>, "OpeningBalance");
        booked: maybe(FormOf<SignedAmount>, "BookedBalance");
    }
}

/// An account with its balances in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct FileAccount {
    pub(in super::super) account: Account,
    pub(in super::super) holders: Vec<PsuId>,
    pub(in super::super) eligible: bool,
    pub(in super::super) credit_limit: Option<Amount>,
    /// The number of holders who must authorise a payment; one if absent. Source: PIS-112.
    pub(in super::super) authorisers: Option<u16>,
    /// The balance before the first entry; zero if absent.
    pub(in super::super) opening: Option<SignedAmount>,
    /// The balance after the last entry. It is stated so that it can be checked.
    pub(in super::super) booked: Option<SignedAmount>,
}

impl FileAccount {
    /// The bank's record of the account.
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

impl MemberPair for String {
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
impl ObjectForm for AccountIdentification {
    fn name() -> String {
        "CashAccount".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.needed::<FormOf<AccountScheme>>("SchemeName");
        list.needed::<BoundedText<256>>("Identification");
        list.maybe::<BoundedText<350>>("Name");
        list.maybe::<BoundedText<34>>("SecondaryIdentification");
        list.maybe::<Boxed<FormOf<AccountProxy>>>("Proxy");
    }

    fn take(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let scheme = members.needed::<AccountScheme, FormOf<AccountScheme>>("SchemeName");
        let number = members.needed::<String, BoundedText<256>>("Identification");
        let name = members.maybe::<String, BoundedText<350>>("Name");
        let secondary = members.maybe::<String, BoundedText<34>>("SecondaryIdentification");
        let proxy = members.maybe::<Box<AccountProxy>, Boxed<FormOf<AccountProxy>>>("Proxy");
        let (scheme, number, name, secondary, proxy) = (scheme?, number?, name?, secondary?, proxy?);
        if !scheme.accepts_number(&number) {
            let sentence = match scheme {
                AccountScheme::SortCodeAccountNumber => "Must be a sort code and an account number: 14 digits.",
                AccountScheme::Iban => "Must be an IBAN whose check digits are right, without blanks.",
                AccountScheme::Pan => "Must be a card number whose check digit is right, without blanks.",
                AccountScheme::Bban | AccountScheme::Paym | AccountScheme::Wallet => {
                    "Must be a number of its scheme, without blanks."
                }
            };
            return members.reader.fault(&FileLocation::Member(members.at, "Identification"), sentence);
        }
        if secondary.is_some() && !scheme.accepts_secondary() {
            let at = FileLocation::Member(members.at, "SecondaryIdentification");
            return members.reader.fault(&at, "Numbers of this scheme have no roll number.");
        }
        Some(Self { scheme, number, name, secondary, proxy })
    }

    fn put(&self, object: &mut MemberWriter) {
        object.needed::<_, FormOf<AccountScheme>>("SchemeName", &self.scheme);
        object.needed::<_, BoundedText<256>>("Identification", &self.number);
        object.maybe::<_, BoundedText<350>>("Name", &self.name);
        object.maybe::<_, BoundedText<34>>("SecondaryIdentification", &self.secondary);
        object.maybe::<_, Boxed<FormOf<AccountProxy>>>("Proxy", &self.proxy);
    }
}
