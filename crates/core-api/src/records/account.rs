//! Accounts and parties. Source: `OBAccount6`, `OBParty2`.

use crate::form::faults::JsonLocation;
use crate::form::iso::{CodeIn, FileFormats, Lei, ProxyTypes, StatementFrequencies, StatementMedia};
use crate::form::node::JsonNode;
use crate::form::schema::{Definitions, HasSchema, MemberList, SchemaStyle};
use crate::form::shape::{
    Boxed, DocumentKind, FieldForm, FormOf, FormReader, MemberPair, MemberReader, MemberWriter, ObjectForm, SingleForm,
};
use crate::form::telephone::TelephoneNumber;
use crate::form::values::{AsciiKey, BoundedText};
use crate::form::words::BicScheme;
use crate::objects;
use jiff::Timestamp;
use jiff::civil::Date;
use lombard_domain::account::{
    Account, AccountIdentification, AccountParty, AccountProxy, AccountRole, AccountScheme, AccountStatus,
    AccountSubType, AccountType, AddressType, BankIdentification, LegalStructure, PARTY_ADDRESS_LINES_MAX, Party,
    PartyType, PostalAddress, StatementDelivery, SwitchStatus,
};
use lombard_domain::money::Currency;

objects! {
    /// A person or organisation.
    Party as "Party" {
        /// The bank's id of the party, the same on each of its accounts, at most 40 characters.
        id: required(AsciiKey<40>, "PartyId");
        /// The bank's number for the party (`PartyNumber`), at most 35 characters.
        number: optional(BoundedText<35>, "PartyNumber");
        /// The usual name, at most 350 characters.
        name: optional(BoundedText<350>, "Name");
        /// The full legal name, at most 350 characters.
        full_legal_name: optional(BoundedText<350>, "FullLegalName");
        /// The legal structure.
        legal_structure: optional(FormOf<LegalStructure>, "LegalStructure");
        /// The legal entity identifier, 20 characters.
        lei: optional(Lei, "LEI");
        /// An e-mail address, at most 256 characters.
        email: optional(BoundedText<256>, "EmailAddress");
        /// A telephone number, `+44-…`.
        phone: optional(TelephoneNumber, "Phone");
        /// A mobile number, `+44-…`.
        mobile: optional(TelephoneNumber, "Mobile");
        /// The postal addresses; each has a country.
        addresses: list(PartyAddress, "Address");
    }

    /// A party to an account, with its type and role.
    AccountParty as "AccountParty" {
        /// The account.
        account: required(AsciiKey<40>, "AccountId");
        /// The party's type.
        kind: required(FormOf<PartyType>, "PartyType");
        /// The party's role.
        role: optional(FormOf<AccountRole>, "AccountRole");
        /// Whether the party is a beneficial owner.
        beneficial_owner: optional(FormOf<bool>, "BeneficialOwnership");
        party: flat(Party);
    }

    /// A postal address; at least one part is present.
    PostalAddress as "PostalAddress" {
        /// Its type.
        kind: optional(FormOf<AddressType>, "AddressType");
        /// A department, at most 70 characters.
        department: optional(BoundedText<70>, "Department");
        /// A part of a department, at most 70 characters.
        sub_department: optional(BoundedText<70>, "SubDepartment");
        /// The person or organisation through whom mail is sent, at most 140 characters.
        care_of: optional(BoundedText<140>, "CareOf");
        /// The street, at most 70 characters.
        street: optional(BoundedText<70>, "StreetName");
        /// The building number, at most 16 characters.
        building: optional(BoundedText<16>, "BuildingNumber");
        /// The name of the building, at most 140 characters.
        building_name: optional(BoundedText<140>, "BuildingName");
        /// The number of the unit in the building, at most 16 characters.
        unit: optional(BoundedText<16>, "UnitNumber");
        /// The floor, at most 70 characters.
        floor: optional(BoundedText<70>, "Floor");
        /// The room, at most 70 characters.
        room: optional(BoundedText<70>, "Room");
        /// The post office box, at most 16 characters.
        post_box: optional(BoundedText<16>, "PostBox");
        /// The post code, at most 16 characters.
        post_code: optional(BoundedText<16>, "PostCode");
        /// The location within the town, at most 140 characters.
        town_location: optional(BoundedText<140>, "TownLocationName");
        /// The district, at most 140 characters.
        district: optional(BoundedText<140>, "DistrictName");
        /// The town, at most 35 characters.
        town: optional(BoundedText<35>, "TownName");
        /// The county, at most 35 characters.
        county: optional(BoundedText<35>, "CountrySubDivision");
        /// The country, two letters of ISO 3166.
        country: optional(BoundedText<2>, "Country");
        /// Unstructured address lines of at most 70 characters: up to 7 for an agent, up to 5 for a party.
        lines: list(BoundedText<70>, "AddressLine");
    }

    /// A bank: by its BIC, or by name and address.
    BankIdentification as "Agent" {
        /// The BIC (`UK.OBIE.BICFI`).
        bic: both(FormOf<BicScheme>, "SchemeName", BoundedText<11>, "Identification");
        /// Its name, at most 140 characters.
        name: optional(BoundedText<140>, "Name");
        /// Its address.
        address: optional(FormOf<PostalAddress>, "PostalAddress");
        /// Its legal entity identifier, 20 characters.
        lei: optional(Lei, "LEI");
    }

    /// An alias of an account, such as a telephone number.
    AccountProxy as "Proxy" {
        /// The alias, at most 2,048 characters.
        identification: required(BoundedText<2048>, "Identification");
        /// The type of alias (`ExternalProxyAccountType1Code`).
        code: required(CodeIn<ProxyTypes>, "Code");
        /// A type of the bank's own, at most 35 characters.
        kind: optional(BoundedText<35>, "Type");
    }

    /// How the statements of an account are delivered: how often, by which medium, in which format and where to.
    StatementDelivery as "StatementDelivery" {
        /// How often (`OBFrequency2Code`).
        frequency: optional(CodeIn<StatementFrequencies>, "Frequency");
        /// By which medium (`OBCommunicationMethod`).
        medium: optional(CodeIn<StatementMedia>, "CommunicationMethod");
        /// In which format (`OBFileFormat`).
        format: optional(CodeIn<FileFormats>, "Format");
        /// Where to.
        address: optional(FormOf<PostalAddress>, "DeliveryAddress");
    }

    /// An account.
    Account as "AccountDetails" {
        /// The bank's id.
        id: required(AsciiKey<40>, "AccountId");
        /// Its status.
        status: required(FormOf<AccountStatus>, "Status");
        /// When the status last changed.
        status_changed_at: required(FormOf<Timestamp>, "StatusUpdateDateTime");
        /// Its currency.
        currency: required(FormOf<Currency>, "Currency");
        /// Whether it is personal.
        account_type: required(FormOf<AccountType>, "AccountType");
        /// Its product type.
        sub_type: required(FormOf<AccountSubType>, "AccountSubType");
        /// The product's description, at most 35 characters.
        description: optional(BoundedText<35>, "Description");
        /// The customer's name for the account, at most 70 characters.
        nickname: optional(BoundedText<70>, "Nickname");
        /// When it was opened.
        opened_on: optional(FormOf<Date>, "OpeningDate");
        /// When it matures.
        matures_on: optional(FormOf<Date>, "MaturityDate");
        /// Whether it was switched to another bank.
        switch_status: optional(FormOf<SwitchStatus>, "SwitchStatus");
        /// Its identifications; at least one.
        identifications: list(FormOf<AccountIdentification>, "Account");
        /// The servicing bank.
        servicer: optional(FormOf<BankIdentification>, "Servicer");
        /// The legal entity identifier of its holder, 20 characters.
        lei: optional(Lei, "LEI");
        /// How its statements are delivered.
        statement_delivery: list(FormOf<StatementDelivery>, "StatementFrequencyAndFormat");
        core_state: given(None);
    }
}

/// The form of a party's address. It always has a country, and allows fewer lines than other addresses. A message may contain any
/// address. Source: AIS-188, `OBParty2/Address`.
#[derive(Debug)]
pub struct PartyAddress;

impl HasSchema for PartyAddress {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        let any = FormOf::<PostalAddress>::schema(definitions);
        match definitions.style() {
            SchemaStyle::OpenApi => any,
            SchemaStyle::DataFile => {
                let lines_max = i64::try_from(PARTY_ADDRESS_LINES_MAX).unwrap_or(i64::MAX);
                let lines = JsonNode::object([("maxItems", JsonNode::Integer(lines_max))]);
                let stricter = JsonNode::object([
                    ("required", JsonNode::texts(["Country"])),
                    ("properties", JsonNode::object([("AddressLine", lines)])),
                ]);
                JsonNode::object([("allOf", JsonNode::List(vec![any, stricter]))])
            }
        }
    }
}

impl FieldForm<PostalAddress> for PartyAddress {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<PostalAddress> {
        let address = <PostalAddress as SingleForm>::read(node, at, reader)?;
        if reader.kind == DocumentKind::Message {
            return Some(address);
        }
        if address.country.is_none() {
            return reader.fault(&JsonLocation::Member(at, "Country"), "Every address of a party has a country.");
        }
        if address.lines.len() > PARTY_ADDRESS_LINES_MAX {
            let sentence = format!("Must have at most {PARTY_ADDRESS_LINES_MAX} lines.");
            return reader.fault(&JsonLocation::Member(at, "AddressLine"), sentence);
        }
        Some(address)
    }

    fn write(value: &PostalAddress) -> JsonNode<'static> {
        SingleForm::write(value)
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

/// Describes the members of an account for its schema; `name` adds the member for the holder's name.
pub(crate) fn describe_account<'d>(list: &mut MemberList<'d>, name: fn(&mut MemberList<'d>, &'static str, &str)) {
    list.required::<FormOf<AccountScheme>>("SchemeName", "The scheme of the number.");
    list.required::<BoundedText<256>>("Identification", "The number in that scheme, in clear, without blanks.");
    name(list, "Name", "The holder's name.");
    list.optional::<BoundedText<34>>("SecondaryIdentification", "A second identification, such as a roll number.");
    list.optional::<Boxed<FormOf<AccountProxy>>>("Proxy", "The alias by which payers know the account.");
}

/// The form of an account number, which must be valid for its scheme (PIS-114, PIS-116). Source: `OBCashAccount`.
impl ObjectForm for AccountIdentification {
    type Value = Self;

    fn name() -> String {
        "CashAccount".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        describe_account(list, MemberList::optional::<BoundedText<350>>);
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let scheme = members.required::<AccountScheme, FormOf<AccountScheme>>("SchemeName");
        let number = members.required::<String, BoundedText<256>>("Identification");
        let name = members.optional::<String, BoundedText<350>>("Name");
        let secondary = members.optional::<String, BoundedText<34>>("SecondaryIdentification");
        let proxy = members.optional::<Box<AccountProxy>, Boxed<FormOf<AccountProxy>>>("Proxy");
        let scheme = scheme?;
        let number = number?;
        let name = name?;
        let secondary = secondary?;
        let proxy = proxy?;
        let is_file = members.reader.kind == DocumentKind::File;
        if is_file && !scheme.accepts_number(&number) {
            let sentence = match scheme {
                AccountScheme::SortCodeAccountNumber => "Must be a sort code and an account number: 14 digits.",
                AccountScheme::Iban => "Must be an IBAN whose check digits are right, without blanks.",
                AccountScheme::Pan => "Must be a card number whose check digit is right, without blanks.",
                AccountScheme::Bban | AccountScheme::Paym | AccountScheme::Wallet => {
                    "Must be a number of its scheme, without blanks."
                }
            };
            return members.reader.fault(&JsonLocation::Member(members.at, "Identification"), sentence);
        }
        if is_file && secondary.is_some() && !scheme.accepts_secondary() {
            let at = JsonLocation::Member(members.at, "SecondaryIdentification");
            return members.reader.fault(&at, "Numbers of this scheme have no roll number.");
        }
        Some(Self { scheme, number, name, secondary, proxy })
    }

    fn write_members(value: &Self, object: &mut MemberWriter) {
        object.required::<_, FormOf<AccountScheme>>("SchemeName", &value.scheme);
        object.required::<_, BoundedText<256>>("Identification", &value.number);
        object.optional::<_, BoundedText<350>>("Name", &value.name);
        object.optional::<_, BoundedText<34>>("SecondaryIdentification", &value.secondary);
        object.optional::<_, Boxed<FormOf<AccountProxy>>>("Proxy", &value.proxy);
    }
}
