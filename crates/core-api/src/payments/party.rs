//! The payee of a payment, and banks by their codes.

use crate::form::faults::JsonLocation;
use crate::form::iso::Lei;
use crate::form::node::JsonNode;
use crate::form::schema::{Definitions, HasSchema, MemberList};
use crate::form::shape::{FieldForm, FormOf, FormReader, MemberReader, MemberWriter, ObjectForm};
use crate::form::values::BoundedText;
use crate::objects;
use crate::records::describe_account;
use lombard_domain::account::{AccountIdentification, PostalAddress};
use lombard_domain::payment::transfer::{AgentCode, CreditorDetails, Instrument, NamedAccount, PayeeAgent, References};

objects! {
    /// The payee of a payment, with its references.
    CreditorDetails as "Creditor" {
        /// The rail, if the TPP names it; otherwise the bank chooses.
        instrument: optional(FormOf<Instrument>, "LocalInstrument");
        /// The creditor account.
        creditor: required(AccountWithName, "CreditorAccount");
        /// The payee's address.
        address: optional(FormOf<PostalAddress>, "CreditorPostalAddress");
        references: flat(References);
    }

    /// The creditor agent: by its code, or by name and address.
    PayeeAgent as "CreditorAgent" {
        /// Its code.
        code: optional(FormOf<AgentCode>, "Code");
        /// Its name, at most 140 characters.
        name: optional(BoundedText<140>, "Name");
        /// Its address.
        address: optional(FormOf<PostalAddress>, "PostalAddress");
        /// Its legal entity identifier, 20 characters.
        lei: optional(Lei, "LEI");
    }
}

/// The form of an account with the name of its holder.
pub(crate) struct AccountWithName;

impl HasSchema for AccountWithName {
    fn schema(definitions: &mut Definitions) -> JsonNode<'static> {
        definitions.refer("NamedCashAccount".to_owned(), "An account with its holder's name.", |list| {
            describe_account(list, MemberList::required::<BoundedText<350>>);
        })
    }
}

impl FieldForm<NamedAccount> for AccountWithName {
    fn read(node: JsonNode<'_>, at: &JsonLocation<'_>, reader: &mut FormReader) -> Option<NamedAccount> {
        let account = <FormOf<AccountIdentification> as FieldForm<_>>::read(node, at, reader)?;
        match NamedAccount::new(account) {
            Some(account) => Some(account),
            None => reader.fault(&JsonLocation::Member(at, "Name"), "This member is required."),
        }
    }

    fn write(value: &NamedAccount) -> JsonNode<'static> {
        <FormOf<AccountIdentification> as FieldForm<_>>::write(value)
    }
}

/// The form of an agent's code: a BIC, or a clearing code with its country.
impl ObjectForm for AgentCode {
    type Value = Self;

    const ABOUT: &'static str = "The code of a bank: its BIC, or a national clearing code.";

    fn name() -> String {
        "AgentCode".to_owned()
    }

    fn describe(list: &mut MemberList<'_>) {
        list.optional::<BoundedText<11>>("BIC", "The BIC, unless the bank is named by a clearing code.");
        let about = "The country of the clearing code, by two letters of ISO 3166.";
        list.both::<BoundedText<2>, BoundedText<35>>("Country", "ClearingCode", about);
    }

    fn parse_members(members: &mut MemberReader<'_, '_>) -> Option<Self> {
        let bic = members.optional::<String, BoundedText<11>>("BIC");
        let clearing = members.both::<(String, String), BoundedText<2>, BoundedText<35>>("Country", "ClearingCode");
        match (bic?, clearing?) {
            (Some(bic), None) => Some(Self::Bic(bic)),
            (None, Some((country, number))) => Some(Self::Clearing { country, number }),
            _ => members.reader.fault(members.at, "Must have either BIC or ClearingCode."),
        }
    }

    fn write_members(value: &Self, object: &mut MemberWriter) {
        match value {
            Self::Bic(bic) => object.required::<_, BoundedText<11>>("BIC", bic),
            Self::Clearing { country, number } => {
                object.required::<_, BoundedText<2>>("Country", country);
                object.required::<_, BoundedText<35>>("ClearingCode", number);
            }
        }
    }
}
